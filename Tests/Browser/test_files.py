"""The files of the client for browsers: a pool of handles of the origin's private file system."""
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
