"""The pool of handles: its free files, its format, and who may open it."""
import base64
import struct

from test_files import with_worker


def sizes(worker):
    """The sizes of the files of the pool, ascending, as the browser has them."""
    return worker.page.evaluate("""async () => {
      const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
      const sizes = [];
      for await (const [, file] of folder.entries()) sizes.push((await file.getFile()).size);
      return sizes.sort((a, b) => a - b);
    }""")


def test_a_pool_has_four_free_files_that_take_no_space(viewer):
    def steps(worker, another):
        free = 4096
        assert sizes(worker) == [free] * 4
        worker("write", "/log/a", "x" * 1000), worker("write", "/log/b", "y" * 2000)
        worker("tends")
        assert sizes(worker) == [free] * 4 + [free + 1000, free + 2000]
        # A replaced file is free when the rename is on stable storage, and not before.
        worker("write", "/log/c", "z" * 3000), worker("write", "/log/d", "z"), worker("write", "/log/e", "z"), worker("write", "/log/f", "z")
        assert worker("rename", "/log/c", "/log/b") == 0
        assert worker("write", "/log/g", "") == -28 and worker("error") == "no file is free"
        worker("sync")
        assert sizes(worker)[0] == free and worker("write", "/log/g", "") == 0 and worker("read", "/log/b") == "z" * 3000
        # What is removed takes no space, and what is written in its place isn't longer.
        assert worker("remove", "/log/a") == 0 and free + 1000 not in sizes(worker)
        assert worker("write", "/log/h", "short") == 5 and worker("read", "/log/h") == "short"
        worker("tends")
        assert sizes(worker).count(free) == 5, "four, and a file that is empty"
        worker("end")
        worker("tends")
        worker = another()
        assert worker("open", "pool") == "opfs" and sizes(worker).count(free) == 5
        assert worker("names", "/log") == ["b", "d", "e", "f", "g", "h"]

    with_worker(viewer, "pool", steps)


def test_the_bytes_of_a_file_go_after_its_name_is_gone_from_stable_storage(viewer):
    def steps(worker, _):
        worker("write", "/log/a", "a"), worker("write", "/log/b", "b"), worker("write", "/log/c", "c")
        worker("sync")
        worker("watch")
        worker("remove", "/log/a")
        assert worker("operations") == ["write", "flush", "truncate"]
        worker("rename", "/log/b", "/log/c")
        assert worker("operations") == ["write"]
        worker("sync")
        assert worker("operations") == ["flush", "write", "flush", "truncate"]

    with_worker(viewer, "order", steps)


def test_names_hold_over_many_renames_and_launches(viewer):
    def steps(worker, another):
        worker("write", "/log/0", "content")
        for launch in range(1, 6):
            for step in range(launch):
                assert worker("rename", f"/log/{launch - 1}" if step == 0 else f"/log/x{step - 1}", f"/log/x{step}" if step < launch - 1 else f"/log/{launch}") == 0
            worker("write", f"/other/{launch}", "old"), worker("rename", f"/other/{launch}", "/other/one")
            worker("write", f"/other/{launch}", f"new {launch}")
            assert worker("rename", f"/other/{launch}", "/other/one") == 0
            if launch % 2:
                worker("sync")
            worker("tend")
            worker("end")
            worker = another()
            assert worker("open", "pool") == "opfs"
            assert worker("names", "/log") == [str(launch)] and worker("read", f"/log/{launch}") == "content"
            assert worker("names", "/other") == ["one"] and worker("read", "/other/one") == f"new {launch}"
        # The longest path has 2,024 bytes.
        longest = "/log/" + "é" * 1009 + "x"
        assert worker("write", longest, "x") == 1 and worker("write", longest + "x", "x") == -28 and worker("error") == "the path is too long"
        worker("end")
        worker = another()
        worker("open", "pool")
        assert worker("read", longest) == "x" and worker("kind", longest) == 2

    with_worker(viewer, "pool", steps)


def test_files_that_are_damaged_are_free(viewer):
    def steps(worker, another):
        damages = {"a": "bytes.fill(0, 0, 4)", "b": "bytes.fill(255, 16, 20)", "c": "bytes[20] ^= 1", "d": "bytes.fill(255, 4, 8)"}
        for name in damages:
            worker("write", f"/log/{name}", name * 10)
        worker("tend")
        worker("write", "/log/short", "text"), worker("write", "/log/whole", "text")
        worker("end")
        script = "\n".join(f'if (text.includes("/log/{name}")) {{ for (const at of [0, 2048]) ((bytes) => {{ {damage}; }})(all.subarray(at)); }}' for name, damage in damages.items())
        worker.page.evaluate(f"""async () => {{
          const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
          for await (const [, file] of folder.entries()) {{
            let all = new Uint8Array(await (await file.getFile()).arrayBuffer());
            const text = new TextDecoder().decode(all.subarray(0, 4096));
            {script}
            if (text.includes("/log/short")) all = all.subarray(0, 1000);
            const writable = await file.createWritable();
            await writable.write(all);
            await writable.close();
          }}
        }}""")
        worker = another()
        assert worker("open", "pool") == "opfs" and worker("names", "/log") == ["whole"] and worker("read", "/log/whole") == "text"
        assert [worker("write", f"/log/{i}", f"new {i}") for i in range(5)] == [5] * 5 and worker("read", "/log/4") == "new 4"

    with_worker(viewer, "pool", steps)


def test_a_pool_is_opened_when_its_owner_has_ended(viewer):
    def steps(worker, another):
        worker("write", "/log/a", "a")
        second = another()
        worker.page.evaluate("() => { window.opening = step('open', 'pool'); }")
        worker.page.wait_for_timeout(300)
        # The page knows the second worker now; the first one ends meanwhile.
        worker.page.evaluate("() => first.postMessage([0, 'end'])")
        assert worker.page.evaluate("opening") == "opfs" and second("read", "/log/a") == "a"
        second("end")
        # An owner that can't open all files leaves those alone that it could.
        for index in (0, -1):
            holder = another()
            holder("hold", index)
            refused = another()
            assert refused("open", "pool") == "NoModificationAllowedError"
            worker.page.evaluate("() => previous.postMessage([0, 'release'])")
            third = another()
            assert third("open", "pool") == "opfs"
            third("end")

    with_worker(viewer, "pool", steps)


def test_no_space_is_an_error_of_its_own(viewer):
    def steps(worker, _):
        worker("write", "/log/a", "x" * 1000)
        session = worker.page.context.new_cdp_session(worker.page)
        origin = worker.page.evaluate("location.origin")
        session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 100_000})
        result = worker("write", "/log/b", "y" * 1_000_000)
        assert result == -28 and worker("error"), (result, worker("error"))
        # What the browser throws is told as well.
        assert worker("truncate", "/log/a", -5000) == -5 and worker("error").startswith("TypeError: ")
        session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
        assert worker("read", "/log/a") == "x" * 1000 and worker("write", "/log/c", "z" * 100_000) == 100_000

    with_worker(viewer, "pool", steps)


def test_files_of_a_pool_that_has_ended_fail(viewer):
    def steps(worker, _):
        assert worker("write", "/log/a", "text") == 4
        assert worker("all", [["open", "/log/a", 0], ["size", 0], ["end"], ["size", 0], ["read", 0, 10, 0], ["open", "/log/a", 0], ["names", "/log"]]) == [0, 4, None, -5, -5, -2, []]

    with_worker(viewer, "pool", steps)


def head(path, version):
    """A head of a file of the pool, as each release writes it: FNV-1a of what follows, the version, and the path."""
    rest = struct.pack(">dI", version, len(path)) + path.encode()
    checksum = 0x811C9DC5
    for byte in rest:
        checksum = (checksum ^ byte) * 0x01000193 % 2**32
    return (struct.pack(">II", 0x43545231, checksum) + rest).ljust(2048, b"\0")


def test_a_pool_of_another_release_is_read(viewer):
    def steps(worker, another):
        worker("end")
        files = [head("/log/old", 1) + head("/log/a", 7) + b"content", head("/log/b", 9) + head("/log/older", 8) + b"text", head("/log/a", 6) + bytes(2048) + b"replaced"]
        worker.page.evaluate("""async (files) => {
          const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
          for (const [index, text] of files.entries()) {
            const writable = await (await folder.getFileHandle(`release-${index}`, { create: true })).createWritable();
            await writable.write(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)));
            await writable.close();
          }
        }""", [base64.b64encode(file).decode() for file in files])
        worker = another()
        assert worker("open", "pool") == "opfs" and worker("names", "/log") == ["a", "b"]
        assert worker("read", "/log/a") == "content" and worker("read", "/log/b") == "text"
        # And another release reads what this one writes: the other head, with the next version.
        assert worker("rename", "/log/b", "/log/c") == 0
        worker("end")
        text = worker.page.evaluate("""async () => {
          const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle("contrail")).getDirectoryHandle("pool");
          const bytes = new Uint8Array(await (await (await folder.getFileHandle("release-1")).getFile()).arrayBuffer());
          return btoa(String.fromCharCode(...bytes));
        }""")
        found = base64.b64decode(text)
        # Freeing the replaced file took the version before.
        assert found == head("/log/b", 9) + head("/log/c", 11) + b"text", found[2048:2100]

    with_worker(viewer, "pool", steps)
