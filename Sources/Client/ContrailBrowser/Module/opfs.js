// The files of the log in the origin's private file system, over a pool of open handles.

import { errorNumbers, namesIn } from "./files.js";

/** @typedef {import("./files.js").Handle} Handle */

/** Each file of the pool begins with two heads, of which the newer whole one holds. */
const headBytes = 2048;
const dataStart = 2 * headBytes;
const magic = 0x43545231;
const longestPath = headBytes - 24;
/** As many handles are kept free. */
const spare = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * @typedef {object} Slot A file of the pool.
 * @property {Handle} handle
 * @property {string} path Empty if it is free.
 * @property {number} version Of its head; a newer head has a higher one.
 * @property {number} place Which of the two heads holds: 0 or 1.
 * @property {boolean} isDirty Whether its head was written and not yet synced.
 */

/**
 * FNV-1a of 32 bits: finds a torn head.
 * @param {Uint8Array} bytes
 */
function checksum(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/**
 * The newer whole head of a file of the pool.
 *
 * @param {Handle} handle
 * @returns {{path: string, version: number, place: number}}
 */
function readHead(handle) {
  let best = { path: "", version: 0, place: 1 };
  for (const place of [0, 1]) {
    const bytes = new Uint8Array(headBytes);
    if (handle.read(bytes, { at: place * headBytes }) < headBytes) continue;
    const view = new DataView(bytes.buffer);
    const count = view.getUint32(16);
    if (view.getUint32(0) !== magic || count > longestPath || view.getUint32(4) !== checksum(bytes.subarray(8, 20 + count))) continue;
    const version = view.getFloat64(8);
    if (version > best.version) best = { path: decoder.decode(bytes.subarray(20, 20 + count)), version, place };
  }
  return best;
}

/**
 * Opens a handle. The one of a tab that has just ended may be held for a moment longer.
 *
 * @param {any} file
 * @returns {Promise<Handle>}
 */
async function openHandle(file) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (/** @type {any} */ (error)?.name !== "NoModificationAllowedError" || attempt >= 20) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

export class OPFSFiles {
  /** @type {"opfs"} */
  kind = "opfs";
  lastError = "";
  /** @type {any} */
  #folder;
  /** @type {Slot[]} */
  #slots = [];
  /**
   * Slots whose file was replaced by a rename that isn't synced yet.
   * @type {Slot[]}
   */
  #replaced = [];
  /** @type {(Slot | null)[]} */
  #open = [];
  #version = 0;
  #isEnded = false;
  /** @type {Promise<void> | null} */
  #tending = null;

  /**
   * Opens the pool of a log.
   *
   * @param {string} name The name of the log.
   * @returns {Promise<OPFSFiles>}
   * @throws {Error} The browser's error: a private window, no space, or another owner.
   */
  static async open(name) {
    const root = /** @type {any} */ (await navigator.storage.getDirectory());
    const files = new OPFSFiles();
    files.#folder = await (await root.getDirectoryHandle("contrail", { create: true })).getDirectoryHandle(encodeURIComponent(name), { create: true });
    /** @type {Slot[]} */
    const slots = [];
    try {
      for await (const [, file] of files.#folder.entries()) {
        const handle = await openHandle(file);
        slots.push({ handle, isDirty: false, ...readHead(handle) });
      }
    } catch (error) {
      for (const { handle } of slots) handle.close();
      throw error;
    }
    // Of two files with one path, the newer one has replaced the other.
    slots.sort((a, b) => b.version - a.version);
    /** @type {Set<string>} */
    const paths = new Set();
    for (const slot of slots) {
      files.#version = Math.max(files.#version, slot.version);
      if (paths.has(slot.path)) files.#replaced.push(slot);
      else if (slot.path) paths.add(slot.path);
    }
    files.#slots = slots;
    for (const slot of files.#replaced) slot.path = "";
    files.syncDirectory();
    await files.tend();
    return files;
  }

  /** @param {string} path */
  #find(path) {
    return this.#slots.find((slot) => slot.path === path) ?? null;
  }

  /**
   * Carries out an operation, and turns what the browser throws into the number of an error.
   *
   * @param {() => number} operation
   */
  #attempt(operation) {
    try {
      return operation();
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      this.lastError = `${name}: ${message}`;
      return name === "QuotaExceededError" ? errorNumbers.noSpace : errorNumbers.input;
    }
  }

  /**
   * Writes the path of a slot beside its old head, which holds until the new one is whole.
   *
   * @param {Slot} slot
   * @param {string} path
   */
  #name(slot, path) {
    const text = encoder.encode(path);
    const bytes = new Uint8Array(headBytes);
    const view = new DataView(bytes.buffer);
    const version = this.#version + 1;
    view.setUint32(0, magic);
    view.setFloat64(8, version);
    view.setUint32(16, text.length);
    bytes.set(text, 20);
    view.setUint32(4, checksum(bytes.subarray(8, 20 + text.length)));
    slot.handle.write(bytes, { at: (1 - slot.place) * headBytes });
    this.#version = slot.version = version;
    slot.place = 1 - slot.place;
    slot.path = path;
    slot.isDirty = true;
  }

  /** @param {string} path */
  kindOf(path) {
    if (this.#find(path)) return 2;
    return this.names(path).length ? 1 : 0;
  }

  /** @param {string} path */
  names(path) {
    return namesIn(this.#slots.map((slot) => slot.path), path);
  }

  /**
   * @param {string} path
   * @param {number} mode
   */
  open(path, mode) {
    return this.#attempt(() => {
      let slot = this.#find(path);
      if (mode !== 2 && !slot) return errorNumbers.noFile;
      if (mode === 2) {
        if (slot) return errorNumbers.exists;
        slot = this.#slots.find((each) => !each.path && !this.#replaced.includes(each)) ?? null;
        if (!slot || encoder.encode(path).length > longestPath) {
          this.lastError = slot ? "the path is too long" : "no file is free";
          return errorNumbers.noSpace;
        }
        slot.handle.truncate(dataStart);
        this.#name(slot, path);
      }
      const free = this.#open.indexOf(null);
      const number = free < 0 ? this.#open.length : free;
      this.#open[number] = slot;
      return number;
    });
  }

  /**
   * @param {number} file
   * @param {(handle: Handle) => number} operation
   */
  #with(file, operation) {
    const slot = this.#open[file];
    return slot ? this.#attempt(() => operation(slot.handle)) : errorNumbers.input;
  }

  /** @param {number} file */
  size(file) {
    return this.#with(file, (handle) => Math.max(0, handle.getSize() - dataStart));
  }

  /**
   * @param {number} file
   * @param {Uint8Array} into
   * @param {number} offset
   */
  read(file, into, offset) {
    return this.#with(file, (handle) => handle.read(into, { at: dataStart + offset }));
  }

  /**
   * @param {number} file
   * @param {Uint8Array} bytes
   * @param {number} offset
   */
  write(file, bytes, offset) {
    return this.#with(file, (handle) => {
      const count = handle.write(bytes, { at: dataStart + offset });
      // Without space, Chromium returns the number of its error without the sign: 4,294,967,288.
      if (count === bytes.length || (count > 0 && count < bytes.length)) return count;
      this.lastError = "the browser wrote nothing";
      return errorNumbers.noSpace;
    });
  }

  /**
   * @param {number} file
   * @param {number} size
   */
  truncate(file, size) {
    return this.#with(file, (handle) => {
      handle.truncate(dataStart + size);
      return 0;
    });
  }

  /** @param {number} file */
  sync(file) {
    return this.#with(file, (handle) => {
      handle.flush();
      return 0;
    });
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
    return this.#attempt(() => {
      const slot = this.#find(path);
      if (!slot) return errorNumbers.noFile;
      const old = this.#find(other);
      this.#name(slot, other);
      if (old) {
        // It is freed when the new head is on stable storage. Until then, the newer of the two counts.
        old.path = "";
        this.#replaced.push(old);
      }
      return 0;
    });
  }

  /** @param {string} path */
  remove(path) {
    return this.#attempt(() => {
      const slot = this.#find(path);
      if (!slot) return errorNumbers.noFile;
      this.#free(slot);
      return 0;
    });
  }

  /**
   * Frees a slot. If the power fails in the middle, the file is whole or gone.
   * @param {Slot} slot
   */
  #free(slot) {
    this.#name(slot, "");
    slot.handle.flush();
    slot.isDirty = false;
    slot.handle.truncate(dataStart);
  }

  syncDirectory() {
    return this.#attempt(() => {
      for (const slot of this.#slots) {
        if (!slot.isDirty) continue;
        slot.handle.flush();
        slot.isDirty = false;
      }
      for (const slot of this.#replaced.splice(0)) this.#free(slot);
      return 0;
    });
  }

  tend() {
    this.#tending ??= this.#add().finally(() => (this.#tending = null));
    return this.#tending;
  }

  async #add() {
    for (let free = this.#slots.filter((slot) => !slot.path).length; free < spare && !this.#isEnded; free++) {
      try {
        const name = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
        const handle = await openHandle(await this.#folder.getFileHandle(name, { create: true }));
        if (this.#isEnded) return handle.close();
        handle.truncate(dataStart);
        this.#slots.push({ handle, path: "", version: 0, place: 1, isDirty: false });
      } catch (error) {
        // Without space there is no further file. The engine is told when it needs one.
        this.lastError = String(/** @type {any} */ (error)?.message ?? error);
        return;
      }
    }
  }

  end() {
    this.#isEnded = true;
    for (const { handle } of this.#slots.splice(0)) handle.close();
    this.#open = [];
  }
}
