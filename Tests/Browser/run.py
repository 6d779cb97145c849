#!/usr/bin/env python3
"""Runs the tests of the page in a browser: every function `test_…` of the files `test_….py` beside this one.

Usage: run.py --replay PATH --contrail PATH --chromium PATH [--jobs N] [--first-failure] [WORD …]

With words, only the tests whose name has one of them run, in the order of the words.

Scripts/browser-test installs what is needed and calls this.
"""
import argparse
import concurrent.futures
import importlib
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", required=True)
    parser.add_argument("--contrail", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--jobs", type=int, default=1, help="runs so many tests at a time, each in a browser of its own; default: 1")
    parser.add_argument("--first-failure", action="store_true", help="ends after the first test that fails")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    tests = chosen(list(found()), options.words)
    waiting = iter(tests)
    # Each thread has a browser, and takes the next test when it is done with one.
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        results = [pool.submit(run, waiting, options) for _ in range(max(1, options.jobs))]
        passed = sum(result.result() for result in results)
    print(f"{passed} passed, {len(tests) - passed} failed")
    return 0 if tests and passed == len(tests) else 1


def chosen(tests, words):
    """The tests whose name has one of the words, in the order of the words."""
    if not words:
        return tests
    places = {id(test): [place for place, word in enumerate(words) if word in test[0]] for test in tests}
    return sorted((test for test in tests if places[id(test)]), key=lambda test: places[id(test)][0])


def found():
    """Every test: its title, the function, and its arguments."""
    for file in sorted(HERE.glob("test_*.py")):
        for name, test in vars(importlib.import_module(file.stem)).items():
            if name.startswith("test_") and callable(test):
                for case, arguments in cases(test):
                    yield f"{file.stem[5:]}: {name[5:].replace('_', ' ')}{case}", test, arguments


def cases(test):
    """The arguments of a test: once, or once for each of its `cases`."""
    values = getattr(test, "cases", None)
    return [("", ())] if values is None else [(f", {str(value)[:40].strip()!r}", (value,)) for value in values]


def run(tests, options):
    """Runs the tests that are left, in a browser. Returns how many passed."""
    from page import Viewer

    viewer = Viewer(options.replay, options.chromium)
    viewer.contrail = options.contrail
    passed = 0
    try:
        for title, test, arguments in tests:
            began = time.monotonic()
            try:
                test(viewer, *arguments)
                passed += 1
                print(f"ok    {title}  ({time.monotonic() - began:.1f} s)", flush=True)
            except Exception:
                print(f"FAIL  {title}\n{traceback.format_exc()}", flush=True)
                if options.first_failure:
                    break
    finally:
        viewer.close()
    return passed


if __name__ == "__main__":
    sys.exit(main())
