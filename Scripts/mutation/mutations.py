"""The places of Swift source files that can be mutated, and the files with all mutants in them."""
import json
import os
import subprocess
import sys

# The characters of which the generated operators are made.
DIGITS = [chr(code) for code in range(0x2500, 0x2580)]


def source_files(root, paths):
    """Returns the files with those paths. The package Tests/Mutation, which is built first, finds the places in them."""
    package = ["--package-path", os.path.join(root, "Tests", "Mutation"), "--scratch-path", os.path.join(root, ".build", "find-mutants")]
    subprocess.run(["swift", "build", *package], check=True, stdout=sys.stderr)
    folder = subprocess.run(["swift", "build", *package, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    command = [os.path.join(folder, "find-mutants"), *(os.path.join(root, path) for path in paths)]
    places = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    files = []
    for path, sites in zip(paths, places):
        with open(os.path.join(root, path)) as file:
            files.append(SourceFile(path, file.read(), sites))
    return files


class Mutant:
    """One change of one place; `id` switches it on."""

    def __init__(self, site, what):
        self.site, self.what, self.id, self.state = site, what, 0, None
        # The tiers whose tests reach it, the tier that killed it and the first thing that failed.
        self.reached, self.tier, self.cause = [], None, None

    @property
    def key(self):
        """What names the mutant as long as its line stays as it is, wherever that stands in the file."""
        return (self.site.file.path, self.site.source_line, self.what, self.site.occurrence)


class Site:
    """A place and its mutants, which are written together.

    `edits` are (start, end, text), where `{0}` in a text is the first mutant's identifier and `{operator}` its operator. `wraps` tells
    that the site may enclose others.
    """

    def __init__(self, file, place):
        self.file, self.start, self.end, self.wraps = file, place["start"], place["end"], place["wraps"]
        self.edits = [(edit["start"], edit["end"], edit["text"]) for edit in place["edits"]]
        self.declaration = place.get("declaration")
        self.line = file.text.count("\n", 0, self.start) + 1
        self.source_line = file.lines[self.line - 1].strip()
        self.occurrence = 0
        self.mutants = [Mutant(self, what) for what in place["mutations"]]
        self.is_dropped = False


def operator_name(site):
    """Returns the operator of a site: digits of its first mutant's identifier, between two strokes."""
    number, name = site.mutants[0].id, ""
    while number or not name:
        name, number = DIGITS[number % 128] + name, number // 128
    return "╱" + name + "╲"


class SourceFile:
    """A source file and the sites found in it."""

    def __init__(self, path, text, places):
        self.path, self.text, self.lines = path, text, text.split("\n")
        self.sites = sorted((Site(self, place) for place in places), key=lambda site: (site.start, -site.end))
        counts = {}
        for site in self.sites:
            key = (site.source_line, tuple(mutant.what for mutant in site.mutants))
            site.occurrence = counts.get(key, 0)
            counts[key] = site.occurrence + 1

    def written(self):
        """Returns the file with the mutants in it, and pairs (where it stands there, where it stands here)."""
        edits = []
        for site in self.sites:
            if site.is_dropped:
                continue
            names = [str(mutant.id) for mutant in site.mutants]
            for start, end, text in site.edits:
                text = text.replace("{operator}", operator_name(site)).replace("{0}", names[0])
                size = site.end - site.start
                # Where several begin or end at one place, the larger ones begin first and end last.
                if start < end:
                    order = (1, -size)
                elif start == site.start and site.start != site.end and not text.startswith("."):
                    order = (1, -size - 0.5)
                else:
                    order = (0, size)
                edits.append((start, order, end, text))
        edits.sort(key=lambda edit: (edit[0], edit[1]))
        pieces, places, at, length = [], [], 0, 0
        for start, _, end, text in edits:
            pieces += [self.text[at:start], text]
            places.append((length, at))
            length += start - at
            places.append((length, start))
            length += len(text)
            at = end
        pieces.append(self.text[at:])
        places.append((length, at))
        return "".join(pieces), places
