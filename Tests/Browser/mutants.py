#!/usr/bin/env python3
"""Changes the modules of the client for browsers in many small ways, and runs its tests against each change.

Usage: mutants.py --replay PATH --contrail PATH --chromium PATH [--limit N] [--seed S] [--floor PERCENT] [--json FILE] [--again FILE]

A change that no test detects shows what no test checks. Changes that no test can detect are listed with the reason in Tests/mutants.md,
as those of Scripts/mutate. Scripts/browser-test --mutants calls this. The exit code is 1 if fewer than PERCENT are found, and 2 if the
tests fail without a change.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from sites import CLIENT, ROOT

HERE = pathlib.Path(__file__).resolve().parent
MODULE = CLIENT / "Module"
# The tests of these modules, from quick to slow.
TESTS = ["files:", "client_a", "client: two tabs", "client: a re", "client: the switch", "client_offline:", "client:"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("replay", "contrail", "chromium"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, default=60, metavar="N", help="tries a random sample of N changes; default: 60")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the sample; default: 0")
    parser.add_argument("--floor", type=float, default=0, metavar="PERCENT", help="ends with 1 if a smaller share is found")
    parser.add_argument("--json", metavar="FILE", help="writes the result of each")
    parser.add_argument("--again", metavar="FILE", help="tries only what survived according to a file written by --json")
    options = parser.parse_args()
    files = sorted(path for path in MODULE.glob("*.js"))
    listing = subprocess.run(["node", HERE / "mutations.mjs", *files], capture_output=True, text=True)
    if listing.returncode:
        print(f"mutants: {listing.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return 2
    listed, changes = known(), json.loads(listing.stdout)
    number_repetitions(changes)
    changes = [change for change in changes if key(change) not in listed]
    count = len(changes)
    changes = random.Random(options.seed).sample(changes, min(options.limit, count))
    changes.sort(key=lambda change: (change["file"], change["from"]))
    if options.again:
        survived = [key(row) for row in json.loads(pathlib.Path(options.again).read_text()) if row["killed"] is None]
        changes = [change for change in changes if key(change) in survived]
    began = time.monotonic()
    cause = tried(None, options, 600)
    if cause:
        print(f"mutants: without a change, a test fails: {cause}", file=sys.stderr)
        return 2
    whole = time.monotonic() - began
    print(f"{len(changes)} of {count} changes; all tests take {whole:.0f} s", flush=True)
    for change in changes:
        change["killed"] = tried(change, options, 3 * whole + 30)
        print(f"{change['killed'] or 'SURVIVED'}: {change['file']}:{change['line']}: {change['words']}", flush=True)
    killed = sum(change["killed"] is not None for change in changes)
    print(f"{killed} of {len(changes)} killed")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(changes, indent=1))
    return 1 if changes and 100 * killed / len(changes) < options.floor else 0


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
            line = text[3:].rstrip("`")
        elif text.startswith("  - `"):
            found.add((file, text[5:].split("`")[0], line))
    return found


def tried(change, options, seconds):
    """Runs the tests against a change. Returns the title of the first that fails, `no end`, or None if all pass."""
    with tempfile.TemporaryDirectory(prefix="contrail-mutant-") as folder:
        module = pathlib.Path(folder) / "Module"
        shutil.copytree(MODULE, module)
        if change:
            text = (module / change["file"]).read_text()
            (module / change["file"]).write_text(text[:change["from"]] + change["text"] + text[change["to"]:])
        run = subprocess.Popen(
            [sys.executable, HERE / "run.py", "--first-failure", "--replay", options.replay, "--contrail", options.contrail,
             "--chromium", options.chromium, *TESTS],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env={**os.environ, "CONTRAIL_MODULE": str(module), "CONTRAIL_PATIENCE": "0.25"})
        try:
            output, _ = run.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return "no end"
        failed = [line for line in output.splitlines() if line.startswith("FAIL")]
        if failed:
            return failed[0].split(None, 1)[1]
        return None if run.returncode == 0 else f"exit code {run.returncode}"


sys.exit(main())
