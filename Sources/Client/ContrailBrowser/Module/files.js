// The files of the log: in the origin's private file system (OPFS), or in memory where a browser refuses that.
//
// The engine reads and writes synchronously. OPFS does that only with open handles, and opens, lists, renames and removes later. So a pool
// of handles is open from the start. Each has a head with the path of the file that it stands for; a rename writes a head.

/** Numbers of errors, as the engine takes them. */
export const errorNumbers = { noFile: -2, input: -5, locked: -11, exists: -17, noSpace: -28 };

/** @typedef {{read(into: Uint8Array, options: {at: number}): number, write(bytes: Uint8Array, options: {at: number}): number,
 *   truncate(size: number): void, getSize(): number, flush(): void, close(): void}} Handle */

/**
 * @typedef {object} Files The files of one log.
 * @property {"opfs" | "memory"} kind
 * @property {(path: string) => number} kindOf 0 nothing, 1 directory, 2 file.
 * @property {(path: string) => string[]} names The names in a directory.
 * @property {(path: string, mode: number) => number} open A file's number, or that of an error.
 * @property {(file: number) => number} size
 * @property {(file: number, into: Uint8Array, offset: number) => number} read
 * @property {(file: number, bytes: Uint8Array, offset: number) => number} write
 * @property {(file: number, size: number) => number} truncate Makes a file shorter.
 * @property {(file: number) => number} sync
 * @property {(file: number) => void} close
 * @property {(path: string, other: string) => number} rename
 * @property {(path: string) => number} remove
 * @property {() => number} syncDirectory
 * @property {() => Promise<void>} tend Opens further handles, if few are free.
 * @property {() => void} end Closes all handles.
 * @property {string} lastError
 */

/**
 * The names in a directory, from all paths.
 *
 * @param {Iterable<string>} paths
 * @param {string} directory
 */
export function namesIn(paths, directory) {
  const prefix = directory.endsWith("/") ? directory : `${directory}/`;
  /** @type {Set<string>} */
  const names = new Set();
  for (const path of paths) if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split("/")[0]);
  return [...names];
}

// MARK: Files in memory

/** Files that are gone with the tab. */
export class MemoryFiles {
  /** @type {"memory"} */
  kind = "memory";
  lastError = "";
  /** @type {Map<string, {bytes: Uint8Array, count: number}>} */
  #files = new Map();
  /** @type {({bytes: Uint8Array, count: number} | null)[]} */
  #open = [];

  /** @param {string} path */
  kindOf(path) {
    if (this.#files.has(path)) return 2;
    return namesIn(this.#files.keys(), path).length ? 1 : 0;
  }

  /** @param {string} path */
  names(path) {
    return namesIn(this.#files.keys(), path);
  }

  /**
   * @param {string} path
   * @param {number} mode
   */
  open(path, mode) {
    let file = this.#files.get(path);
    if (mode === 2 && file) return errorNumbers.exists;
    if (mode !== 2 && !file) return errorNumbers.noFile;
    file ??= { bytes: new Uint8Array(1 << 16), count: 0 };
    this.#files.set(path, file);
    const free = this.#open.indexOf(null);
    const number = free < 0 ? this.#open.length : free;
    this.#open[number] = file;
    return number;
  }

  /** @param {number} file */
  size(file) {
    return this.#open[file]?.count ?? errorNumbers.input;
  }

  /**
   * @param {number} number
   * @param {Uint8Array} into
   * @param {number} offset
   */
  read(number, into, offset) {
    const file = this.#open[number];
    if (!file) return errorNumbers.input;
    const part = file.bytes.subarray(Math.min(offset, file.count), Math.min(offset + into.length, file.count));
    into.set(part);
    return part.length;
  }

  /**
   * @param {number} number
   * @param {Uint8Array} bytes
   * @param {number} offset
   */
  write(number, bytes, offset) {
    const file = this.#open[number];
    if (!file) return errorNumbers.input;
    if (!bytes.length) return 0;
    const end = offset + bytes.length;
    if (end > file.bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * file.bytes.length));
      larger.set(file.bytes.subarray(0, file.count));
      file.bytes = larger;
    }
    if (offset > file.count) file.bytes.fill(0, file.count, offset);
    file.bytes.set(bytes, offset);
    file.count = Math.max(file.count, end);
    return bytes.length;
  }

  /**
   * @param {number} number
   * @param {number} size
   */
  truncate(number, size) {
    const file = this.#open[number];
    if (!file) return errorNumbers.input;
    file.count = Math.min(size, file.count);
    return 0;
  }

  sync() {
    return 0;
  }

  /** @param {number} file */
  close(file) {
    this.#open[file] = null;
  }

  /**
   * @param {string} path
   * @param {string} other
   */
  rename(path, other) {
    const file = this.#files.get(path);
    if (!file) return errorNumbers.noFile;
    this.#files.delete(path);
    this.#files.set(other, file);
    return 0;
  }

  /** @param {string} path */
  remove(path) {
    return this.#files.delete(path) ? 0 : errorNumbers.noFile;
  }

  syncDirectory() {
    return 0;
  }

  async tend() {}

  end() {}
}
