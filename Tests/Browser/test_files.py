"""The files of the client for browsers: a pool of handles of the origin's private file system."""
import random

from sites import MODULE, Site

PAGE = b"<!doctype html><title>files</title>"
WORKER = b"""
import { OPFSFiles } from "./opfs.js";
import { MemoryFiles } from "./files.js";
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (text) => new TextEncoder().encode(text);
let files;
const steps = {
  open: async (name) => { files = name === "memory" ? new MemoryFiles() : await OPFSFiles.open(name); return files.kind; },
  write: (path, content, mode = 2) => {
    const file = files.open(path, mode);
    if (file < 0) return file;
    const count = files.write(file, bytes(content), mode === 2 ? 0 : files.size(file));
    files.sync(file);
    files.close(file);
    return count;
  },
  read: (path) => {
    const file = files.open(path, 0);
    if (file < 0) return file;
    const into = new Uint8Array(files.size(file));
    files.read(file, into, 0);
    files.close(file);
    return text(into);
  },
  truncate: (path, size) => { const file = files.open(path, 1); const r = files.truncate(file, size); files.close(file); return r; },
  rename: (a, b) => files.rename(a, b),
  remove: (path) => files.remove(path),
  names: (path) => files.names(path).sort(),
  kind: (path) => files.kindOf(path),
  sync: () => files.syncDirectory(),
  tend: () => files.tend(),
  end: () => files.end(),
  error: () => files.lastError,
  tends: () => Promise.all([files.tend(), files.tend(), files.tend()]).then(() => null),
  hold: async (index) => {
    const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
    const found = [];
    for await (const [, file] of folder.entries()) found.push(file);
    globalThis.held = await found.at(index).createSyncAccessHandle();
  },
  release: () => held.close(),
  watch: () => {
    globalThis.operations = [];
    for (const name of ["write", "truncate", "flush"]) {
      const own = FileSystemSyncAccessHandle.prototype[name];
      FileSystemSyncAccessHandle.prototype[name] = function (...args) { operations.push(name); return own.apply(this, args); };
    }
  },
  operations: () => operations.splice(0),
  all: (calls) => calls.map(([name, ...args]) => {
    if (name === "write") return files.write(args[0], bytes(args[1]), args[2]);
    if (name !== "read") return files[name](...args);
    const into = new Uint8Array(args[1]);
    const count = files.read(args[0], into, args[2]);
    return count < 0 ? count : text(into.subarray(0, count));
  }),
};
onmessage = async ({ data: [number, name, ...args] }) => {
  try { postMessage([number, (await steps[name](...args)) ?? null]); } catch (error) { postMessage([number, `${error.name}`]); }
};
"""


class Worker:
    """A worker with files, in a page."""

    def __init__(self, page):
        self.page = page
        page.evaluate("""() => {
          window.first ??= window.worker;
          window.previous = window.worker;
          window.worker = new Worker("/worker.js", { type: "module" });
          let number = 0;
          const waiting = new Map();
          worker.onmessage = ({ data: [n, value] }) => waiting.get(n)(value);
          window.step = (...call) => new Promise((done) => { waiting.set(++number, done); worker.postMessage([number, ...call]); });
        }""")

    def __call__(self, *call):
        return self.page.evaluate("(call) => step(...call)", list(call))

    def kill(self):
        self.page.evaluate("worker.terminate()")


def with_worker(viewer, name, test):
    with Site(MODULE, made={"/": PAGE, "/worker.js": WORKER}) as site:
        context = viewer.browser.new_context()
        try:
            page = context.new_page()
            page.goto(site.url)
            worker = Worker(page)
            kind = worker("open", name)
            assert kind == ("memory" if name == "memory" else "opfs"), kind
            test(worker, lambda: Worker(page))
        finally:
            context.close()


def test_files_are_written_renamed_and_removed(viewer, name):
    def steps(worker, _):
        assert worker("write", "/log/a.jsonl", "first") == 5
        assert worker("write", "/log/a.jsonl", "again") == -17
        assert worker("read", "/log/none") == -2 and worker("remove", "/log/none") == -2
        assert worker("write", "/log/a.jsonl", " second", 1) == 7
        assert worker("read", "/log/a.jsonl") == "first second"
        assert worker("write", "/log/blobs/x", "blob") == 4
        assert worker("names", "/log") == ["a.jsonl", "blobs"]
        assert [worker("kind", path) for path in ("/log", "/log/a.jsonl", "/log/blobs", "/log/b")] == [1, 2, 1, 0]
        assert worker("write", "/log/b.jsonl", "new") == 3
        assert worker("rename", "/log/b.jsonl", "/log/a.jsonl") == 0 and worker("sync") == 0
        assert worker("read", "/log/a.jsonl") == "new" and worker("names", "/log") == ["a.jsonl", "blobs"]
        assert worker("truncate", "/log/a.jsonl", 1) == 0 and worker("read", "/log/a.jsonl") == "n"
        assert worker("remove", "/log/blobs/x") == 0 and worker("names", "/log") == ["a.jsonl"]

    with_worker(viewer, name, steps)


test_files_are_written_renamed_and_removed.cases = ["pool", "memory"]


class Model:
    """Files as the engine expects them. A handle is the lowest free number."""

    def __init__(self):
        self.files, self.handles = {}, []

    def open(self, path, mode):
        if mode == 2 and path in self.files:
            return -17
        if mode != 2 and path not in self.files:
            return -2
        file = self.files.setdefault(path, bytearray())
        free = self.handles.index(None) if None in self.handles else len(self.handles)
        self.handles[free:free + 1] = [file]
        return free

    def of(self, number):
        return self.handles[number] if number < len(self.handles) else None

    def size(self, number):
        file = self.of(number)
        return -5 if file is None else len(file)

    def read(self, number, count, offset):
        file = self.of(number)
        return -5 if file is None else file[offset:offset + count].decode()

    def write(self, number, text, offset):
        file = self.of(number)
        if file is None:
            return -5
        if text and offset > len(file):
            file.extend(bytes(offset - len(file)))
        file[offset:offset + len(text)] = text.encode()
        return len(text)

    def truncate(self, number, size):
        file = self.of(number)
        if file is None:
            return -5
        del file[size:]
        return 0

    def sync(self, number):
        return 0

    def close(self, number):
        if number < len(self.handles):
            self.handles[number] = None

    def rename(self, path, other):
        if path not in self.files:
            return -2
        self.files[other] = self.files.pop(path)
        return 0

    def remove(self, path):
        return -2 if self.files.pop(path, None) is None else 0

    def names(self, path):
        return sorted({name[len(path) + 1:].split("/")[0] for name in self.files if name.startswith(path + "/")})

    def kindOf(self, path):
        return 2 if path in self.files else 1 if self.names(path) else 0

    def syncDirectory(self):
        return 0


def test_files_are_as_the_engine_expects_them(viewer, name):
    def steps(worker, _):
        chance, model = random.Random(7), Model()
        paths = [f"/log/{i}" for i in range(5)] + [f"/log/blobs/{i}" for i in range(3)]
        for _ in range(60):
            calls, created = [], 0
            for _ in range(12):
                path, other, number = chance.choice(paths), chance.choice(paths), chance.randrange(4)
                is_open = lambda path: any(file is not None and file is model.files.get(path) for file in model.handles)
                call = chance.choice(["open", "open", "write", "write", "read", "size", "truncate", "close", "rename", "remove", "names", "kindOf", "sync", "syncDirectory"])
                size = model.size(number)
                call = {
                    "open": ["open", path, chance.choice([0, 1, 2])],
                    "write": ["write", number, "x" * chance.choice([0, 1, 50, 70_000]), chance.choice([max(size, 0), max(size, 0) + 9, 3])],
                    "read": ["read", number, chance.choice([1, 100, 100_000]), chance.choice([0, 2, 60_000])],
                    "truncate": ["truncate", number, chance.randrange(size + 1) if size > 0 else 0],
                    "size": ["size", number], "close": ["close", number], "sync": ["sync", number], "rename": ["rename", path, other],
                    "remove": ["remove", path], "names": ["names", chance.choice(["/log", "/log/blobs", "/lo"])],
                    "kindOf": ["kindOf", chance.choice([path, "/log", "/log/blobs", "/lo"])], "syncDirectory": ["syncDirectory"],
                }[call]
                # What is open isn't removed or replaced, a closed file isn't synced, and few are created before further handles are opened.
                if call[0] in ("rename", "remove") and (is_open(path) or is_open(other) or path == other):
                    continue
                if call[0] == "open" and call[2] == 2 and path not in model.files:
                    created += 1
                    if created > 3:
                        continue
                if call[0] == "sync" and size < 0 or call[0] == "open" and model.handles.count(None) == 0 and len(model.handles) == 4:
                    continue
                calls.append((call, getattr(model, call[0])(*call[1:])))
            found = worker("all", [call for call, _ in calls])
            for (call, expected), result in zip(calls, found):
                result = sorted(result) if isinstance(result, list) else result
                assert result == expected, (call, result if not isinstance(result, str) else len(result))
            worker("all", [["syncDirectory"]])
            worker("tend")
        assert sum(len(file) for file in model.files.values()) > 0

    with_worker(viewer, name, steps)


test_files_are_as_the_engine_expects_them.cases = ["pool", "memory"]


def test_four_files_are_free_at_any_time(viewer):
    def steps(worker, another):
        def fill(folder):
            return [worker("write", f"/{folder}/{i}", "x") for i in range(5)]
        assert fill("a") == [1, 1, 1, 1, -28]
        worker("tend")
        worker.kill()
        worker = another()
        assert worker("open", "pool") == "opfs"
        assert [worker("write", f"/b/{i}", "y") for i in range(5)] == [1, 1, 1, 1, -28]
        # What is removed is free again, after the removal is on stable storage.
        for i in range(4):
            assert worker("remove", f"/a/{i}") == 0
        worker("sync")
        assert [worker("write", f"/c/{i}", "z") for i in range(4)] == [1, 1, 1, 1]
        assert worker("read", "/b/3") == "y" and worker("read", "/c/3") == "z"
        assert worker("write", "/" + "long" * 600, "x") == -28

    with_worker(viewer, "pool", steps)


def test_files_survive_the_end_of_the_worker(viewer):
    def steps(worker, another):
        for i in range(12):
            assert worker("write", f"/log/{i}", f"file {i}") == len(f"file {i}")
            worker("tend")
        assert worker("rename", "/log/3", "/log/4") == 0
        worker.kill()
        worker = another()
        assert worker("open", "pool") == "opfs"
        # The rename wasn't synced. It is there or not, and nothing is lost.
        names = worker("names", "/log")
        assert set(names) | {"3"} == {str(i) for i in range(12)}, names
        assert worker("read", "/log/4") == "file 3" and worker("read", "/log/11") == "file 11"
        assert worker("remove", "/log/4") == 0
        worker("end")
        worker = another()
        assert worker("open", "pool") == "opfs"
        assert "4" not in worker("names", "/log")

    with_worker(viewer, "pool", steps)


def test_a_pool_has_one_owner(viewer):
    def steps(worker, another):
        worker("write", "/log/a", "a")
        second = another()
        assert second("open", "pool") == "NoModificationAllowedError"

    with_worker(viewer, "pool", steps)


def test_a_head_that_is_torn_leaves_the_one_before(viewer):
    def steps(worker, another):
        worker("write", "/log/a", "content")
        worker("rename", "/log/a", "/log/b")
        worker("end")
        # Overwrites the second head, as a power failure in the middle of its write would.
        worker.page.evaluate("""async () => {
          const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
          for await (const [, file] of folder.entries()) {
            const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
            if (!new TextDecoder().decode(bytes.slice(2048, 4096)).includes("/log/b")) continue;
            bytes.fill(7, 2048 + 24, 2048 + 60);
            const writable = await file.createWritable();
            await writable.write(bytes);
            await writable.close();
          }
        }""")
        worker = another()
        assert worker("open", "pool") == "opfs"
        assert worker("names", "/log") == ["a"] and worker("read", "/log/a") == "content"

    with_worker(viewer, "pool", steps)
