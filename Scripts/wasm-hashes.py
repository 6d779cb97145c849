#!/usr/bin/env python3
"""Clears the hashes of the modules in a WebAssembly file, in place.

The compiler leaves a hash of 16 bytes for each module in the last data segment. Nothing reads it, and it depends on the folder in
which the file is built.

    Scripts/wasm-hashes.py FILE MODULES        MODULES: the number of Swift modules in the file
"""
import sys


def number(data, at):
    """Reads an unsigned LEB128 number; returns it and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def last_segment(data):
    """Returns the range of the contents of the last active data segment."""
    at = 8
    found = None
    while at < len(data):
        kind = data[at]
        size, start = number(data, at + 1)
        if kind == 11:
            count, place = number(data, start)
            for _ in range(count):
                mode, place = number(data, place)
                if mode != 0:
                    raise SystemExit("wasm-hashes: a data segment isn't active")
                # i32.const, the address, end
                _, place = number(data, place + 1)
                length, place = number(data, place + 1)
                found = place, place + length
                place += length
        at = start + size
    if found is None:
        raise SystemExit("wasm-hashes: the file has no data")
    return found


def main():
    path, modules = sys.argv[1], int(sys.argv[2])
    with open(path, "rb") as file:
        data = bytearray(file.read())
    start, end = last_segment(data)
    if end - start != 16 * modules:
        raise SystemExit(f"wasm-hashes: the last data segment has {end - start} bytes; {modules} modules have {16 * modules}")
    data[start:end] = bytes(end - start)
    with open(path, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
