#!/usr/bin/env python3
"""Changes the modules of the client for browsers in many small ways, and runs its tests against each change.

Usage: mutants.py --replay PATH --contrail PATH --chromium PATH [--limit N] [--seed S] [--modules FILE …] [--jobs N] [--floor PERCENT]
  [--json FILE] [--again FILE]

A change that no test detects shows what no test checks. Changes that no test can detect are listed with the reason in Tests/mutants.md,
as those of Scripts/mutate. First all tests run without a change, and count the places that each reaches: for a change, only those run
that reach its place, from quick to slow. Scripts/browser-test --mutants calls this. The exit code is 1 if fewer than PERCENT are found,
and 2 if a test fails without a change.
"""
import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODULE = ROOT / "Sources/Client/ContrailBrowser/Module"
# The tests of these modules.
TESTS = ("modules", "files", "client")


def main():
    parser = argparse.ArgumentParser()
    for name in ("replay", "contrail", "chromium"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, default=60, metavar="N", help="tries a random sample of N changes; default: 60")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the sample; default: 0")
    parser.add_argument("--modules", nargs="*", metavar="FILE", help="tries all changes of these modules instead, such as tar.js")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="tries so many at a time, each in a browser of its own; default: 2")
    parser.add_argument("--floor", type=float, default=0, metavar="PERCENT", help="ends with 1 if a smaller share is found")
    parser.add_argument("--json", metavar="FILE", help="writes the result of each")
    parser.add_argument("--again", metavar="FILE", help="tries what survived according to a file written by --json instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="contrail-mutants-") as folder:
        trials = [Trial(options, pathlib.Path(folder) / str(number)) for number in range(options.jobs)]
        try:
            return tried(options, pathlib.Path(folder) / "counting", trials)
        finally:
            for trial in trials:
                trial.end()


def tried(options, counting, trials):
    counting.mkdir()
    listing = subprocess.run(["node", HERE / "mutations.mjs", counting, *sorted(MODULE.glob("*.js"))], capture_output=True, text=True)
    if listing.returncode:
        print(f"mutants: {listing.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return 2
    listed, changes = known(), json.loads(listing.stdout)
    number_repetitions(changes)
    changes = [change for change in changes if key(change) not in listed]
    count = len(changes)
    if options.again:
        survived = [tuple(row["key"]) for row in json.loads(pathlib.Path(options.again).read_text()) if row["killed"] is None]
        changes = [change for change in changes if key(change) in survived]
    elif options.modules:
        changes = [change for change in changes if change["file"] in options.modules]
    else:
        changes = random.Random(options.seed).sample(changes, min(options.limit, count))
    changes.sort(key=lambda change: (change["file"], change["from"]))

    titles = trials[0].run(None, 60)
    for trial in trials:
        shutil.copytree(counting, trial.module, dirs_exist_ok=True)
    results = dict(zip(titles, side_by_side(trials, titles, lambda trial, title: trial.run(title, 300))))
    # A busy machine may be too slow for a test.
    for title in titles:
        if not results[title] or results[title]["fault"]:
            results[title] = trials[0].run(title, 300)
    failing = [title for title, result in results.items() if not result or result["fault"]]
    if failing:
        print(f"mutants: without a change, a test fails: {failing[0]}\n{(results[failing[0]] or {}).get('fault', 'no end')}", file=sys.stderr)
        return 2
    titles.sort(key=lambda title: results[title]["seconds"])
    print(f"{len(changes)} of {count} changes; all tests take {sum(result['seconds'] for result in results.values()):.0f} s", flush=True)

    def one(trial, change):
        shutil.copytree(MODULE, trial.module, dirs_exist_ok=True)
        text = (MODULE / change["file"]).read_text()
        (trial.module / change["file"]).write_text(text[:change["from"]] + change["text"] + text[change["to"]:])
        reaching = [title for title in titles if change["place"] in results[title]["reached"]]
        change["killed"], change["tests"], change["key"] = None, len(reaching), key(change)
        for title in reaching:
            seconds = 3 * results[title]["seconds"] + 30
            result = trial.run(title, seconds)
            # What fails once may have been too slow.
            if result and result["fault"]:
                result = trial.run(title, seconds)
            if not result or result["fault"]:
                change["killed"] = title if result else f"{title}: no end"
                break
        print(f"{change['killed'] or ('SURVIVED' if reaching else 'UNREACHED')}: {change['file']}:{change['line']}: {change['words']}", flush=True)

    side_by_side(trials, changes, one)
    killed = sum(change["killed"] is not None for change in changes)
    print(f"{killed} of {len(changes)} killed")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(changes, indent=1))
    return 1 if changes and 100 * killed / len(changes) < options.floor else 0


def side_by_side(trials, works, action):
    """The results of an action for each piece of work, in their order. Each trial takes the next when it is done with one."""
    free = queue.Queue()
    for trial in trials:
        free.put(trial)

    def do(work):
        trial = free.get()
        try:
            return action(trial, work)
        finally:
            free.put(trial)

    with concurrent.futures.ThreadPoolExecutor(len(trials)) as pool:
        return list(pool.map(do, works))


class Trial:
    """A process with a browser that runs tests with a copy of the modules. It is started again after a test that didn't end."""

    def __init__(self, options, module):
        self.options, self.module, self.process = options, module, None
        shutil.copytree(MODULE, module)

    def run(self, title, seconds):
        """The result of a test, or the titles of all; None if it didn't end in time."""
        if not self.process:
            context = multiprocessing.get_context("spawn")
            self.pipe, other = context.Pipe()
            self.process = context.Process(target=serve, args=(other, self.options, str(self.module)))
            self.process.start()
            other.close()
        try:
            self.pipe.send(title)
            if self.pipe.poll(seconds):
                return self.pipe.recv()
        except (EOFError, BrokenPipeError):
            pass
        self.end()
        return None

    def end(self):
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self.process.kill()
            self.process.join()
        self.process = None


def serve(pipe, options, module):
    """Runs tests as they are asked for by their titles."""
    os.setpgrp()
    os.environ.update(CONTRAIL_MODULE=module, CONTRAIL_PATIENCE="0.25")
    from page import Viewer
    from run import found

    tests = {title: (test, arguments) for title, test, arguments in found() if title.startswith(TESTS)}
    viewer, reached = None, set()
    while True:
        title = pipe.recv()
        if title is None:
            pipe.send(list(tests))
            continue
        if not viewer or not viewer.browser.is_connected():
            viewer = Viewer(options.replay, options.chromium)
            viewer.contrail = options.contrail
            listen(viewer.browser, reached)
        reached.clear()
        test, arguments = tests[title]
        began, fault = time.monotonic(), None
        try:
            test(viewer, *arguments)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        pipe.send({"fault": fault, "seconds": time.monotonic() - began, "reached": set(reached)})


def listen(browser, reached):
    """Adds the places that pages of the browser print to a set."""
    make = browser.new_context

    def heard(message):
        if message.text.startswith("reached "):
            reached.add(int(message.text.split()[1]))

    def new_context(**arguments):
        context = make(**arguments)
        context.on("console", heard)
        return context

    browser.new_context = new_context


def number_repetitions(changes):
    """Numbers equal changes of one line, as Scripts/mutate does."""
    places = collections.Counter((change["file"], change["line"], change["words"]) for change in changes)
    seen = collections.Counter()
    for change in changes:
        place = change["file"], change["line"], change["words"]
        seen[place] += 1
        if places[place] > 1:
            change["words"] += f" ({seen[place]})"


def key(change):
    return change["file"], change["words"], source(change)


def source(change):
    return (MODULE / change["file"]).read_text().splitlines()[change["line"] - 1].strip()


def known():
    """The changes that Tests/mutants.md lists: a heading with the file, the line, and below it the words of the change."""
    found, file, line = set(), None, None
    for text in (ROOT / "Tests/mutants.md").read_text().splitlines():
        if text.startswith("## "):
            file = text.rsplit("/", 1)[-1]
        elif text.startswith("- `"):
            line = text[2:].strip("`")
        elif text.startswith("  - `"):
            found.add((file, text[5:].split("`")[0], line))
    return found


if __name__ == "__main__":
    sys.exit(main())
