#!/usr/bin/env python3
"""Runs the tests of the page in a browser: every function `test_…` of the files `test_….py` beside this one.

Usage: run.py --replay PATH --contrail PATH --chromium PATH [WORD …]     only the tests whose name has one of the words

Scripts/browser-test installs what is needed and calls this.
"""
import argparse
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
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    from page import Viewer

    viewer = Viewer(options.replay, options.chromium)
    viewer.contrail = options.contrail
    passed = failed = 0
    try:
        for file in sorted(HERE.glob("test_*.py")):
            module = importlib.import_module(file.stem)
            for name, test in list(vars(module).items()):
                if not name.startswith("test_") or not callable(test):
                    continue
                for case, argument in cases(test):
                    title = f"{file.stem[5:]}: {name[5:].replace('_', ' ')}{case}"
                    if options.words and not any(word in title for word in options.words):
                        continue
                    began = time.monotonic()
                    try:
                        test(viewer, *argument)
                        passed += 1
                        print(f"ok    {title}  ({time.monotonic() - began:.1f} s)", flush=True)
                    except Exception:
                        failed += 1
                        print(f"FAIL  {title}\n{traceback.format_exc()}", flush=True)
    finally:
        viewer.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def cases(test):
    """The arguments of a test: once, or once for each of its `cases`."""
    values = getattr(test, "cases", None)
    return [("", ())] if values is None else [(f", {str(value)[:40].strip()!r}", (value,)) for value in values]


sys.exit(main())
