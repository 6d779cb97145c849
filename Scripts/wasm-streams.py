#!/usr/bin/env python3
"""Writes the instructions of a WebAssembly module as separate streams, which compress by a tenth better than mixed.

Usage: wasm-streams.py MODULE.wasm OUTPUT

The output: ten numbers of 32 bits, lowest byte first (the size of the module, where its function bodies begin within the bytes outside of
them, the number of bodies, and the sizes of the streams), and the streams: the bytes outside of bodies; the instructions without what
follows; the indexes of local variables; of called functions; the offsets of loads and stores; the constants of 32 bits; those of 64. The
sizes of bodies are omitted: they follow. Sources/Replay/ContrailViewer/Page/streams.js puts the module together.
"""
import struct
import sys

# The operands of an instruction by its code: a letter for each, as in streams.js.
OPERANDS = {
    **{code: "n" for code in (0x02, 0x03, 0x04, 0x0C, 0x0D, 0x23, 0x24, 0x25, 0x26, 0x3F, 0x40, 0xD0, 0xD2)},
    **{code: "l" for code in (0x20, 0x21, 0x22)},
    **{code: "no" for code in range(0x28, 0x3F)},
    0x0E: "t", 0x10: "c", 0x11: "nn", 0x1C: "s", 0x41: "i", 0x42: "j", 0x43: "4", 0x44: "8", 0xFC: "x",
}
# The operands after 0xFC and a second code.
EXTENDED = {8: "nn", 9: "n", 10: "nn", 11: "n", 12: "nn", 13: "n", 14: "nn", 15: "n", 16: "n", 17: "n"}
STREAMS = "nlcoij"


class Module:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.streams = {letter: bytearray() for letter in STREAMS}

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def move(self, letter):
        """Moves a number to a stream, and returns it."""
        start = self.at
        value = self.number()
        self.streams[letter] += self.data[start:self.at]
        return value

    def copy(self, count):
        self.streams["n"] += self.data[self.at:self.at + count]
        self.at += count

    def body(self):
        end = self.number()
        end += self.at
        for _ in range(self.move("n")):
            self.move("n")
            self.copy(1)
        while self.at < end:
            code = self.data[self.at]
            self.copy(1)
            if code in (0xFB, 0xFD, 0xFE):
                sys.exit(f"wasm-streams: the instruction {code:#x} isn't known")
            for operand in OPERANDS.get(code, ""):
                if operand in STREAMS:
                    self.move(operand)
                elif operand == "t":
                    for _ in range(self.move("n") + 1):
                        self.move("n")
                elif operand == "s":
                    for _ in range(self.move("n")):
                        self.move("n")
                elif operand == "x":
                    for _ in EXTENDED.get(self.move("n"), ""):
                        self.move("n")
                else:
                    self.copy(int(operand))
        if self.at != end:
            sys.exit("wasm-streams: an instruction goes on after its function")


def main():
    source, output = sys.argv[1:]
    module = Module(open(source, "rb").read())
    module.at = 8
    while module.data[module.at] != 10:
        module.at += 1
        size = module.number()
        module.at += size
    module.at += 1
    module.number()
    count = module.number()
    first = module.at
    for _ in range(count):
        module.body()
    frame = module.data[:first] + module.data[module.at:]
    parts = [frame, *(bytes(module.streams[letter]) for letter in STREAMS)]
    head = struct.pack("<10I", len(module.data), first, count, *(len(part) for part in parts))
    open(output, "wb").write(head + b"".join(parts))


main()
