"""What is known of mutants that no test can kill, and what is printed and written about a run."""
import json
import os
import re

HEADING = re.compile(r"^##\s+`?([^`]+?)`?\s*$")
SOURCE = re.compile(r"^- (`+) ?(.+?) ?\1$")
# A mutation may name a call with labels, in backticks.
REASON = re.compile(r"^  - ((?:`[^`]*`|[^:`])+): (.+)$")


class Known:
    """The mutants that a file lists as equivalent, with the reason."""

    def __init__(self, path):
        self.path, self.reasons, self.used = path, {}, set()
        if not os.path.exists(path):
            return
        name = source = None
        with open(path) as file:
            for line in file:
                line = line.rstrip("\n")
                if heading := HEADING.match(line):
                    name, source = heading.group(1), None
                elif name and (match := SOURCE.match(line)):
                    source = match.group(2)
                elif source and (match := REASON.match(line)):
                    self.reasons[(name, source, match.group(1))] = match.group(2)
                elif source and line.startswith("    "):
                    key = next(reversed(self.reasons))
                    self.reasons[key] += " " + line.strip()

    def reason(self, mutant):
        """Returns why no test can kill a mutant, or None."""
        for what in (mutant.what, f"{mutant.what} ({mutant.site.occurrence + 1})"):
            key = (mutant.site.file.path, mutant.site.source_line, what)
            if key in self.reasons:
                self.used.add(key)
                return self.reasons[key]
        return None

    def unused(self, paths):
        """Returns the entries for files that were mutated which name no mutant that survived."""
        return sorted(key for key in self.reasons if key not in self.used and key[0] in paths)


def label(mutant):
    several = sum(1 for site in mutant.site.file.sites if site.source_line == mutant.site.source_line
                  for other in site.mutants if other.what == mutant.what)
    return mutant.what + (f" ({mutant.site.occurrence + 1})" if several > 1 else "")


def place(mutant):
    return f"{mutant.site.file.path}:{mutant.site.line}"


def percent(killed, counted):
    return 100.0 * killed / counted if counted else 100.0


def counts(mutants):
    """Returns how many mutants are in each state."""
    result = {state: 0 for state in ("killed", "survived", "unreached", "equivalent")}
    for mutant in mutants:
        if mutant.state:
            result[mutant.state] += 1
    return result


def table(files, tried, tiers):
    """Returns the table of files and of what killed the mutants, as lines."""
    width = max([len(file.path) for file in files] + [10])
    head = f"{'':{width}}{'MUTANTS':>9}{'KILLED':>9}{'SURVIVED':>10}{'UNREACHED':>11}{'EQUIVALENT':>12}{'DROPPED':>9}{'KILLED %':>10}"
    lines, total = [head], {"killed": 0, "survived": 0, "unreached": 0, "equivalent": 0}
    all_dropped = 0
    for file in files:
        mutants = [mutant for mutant in tried if mutant.site.file is file]
        dropped = sum(len(site.mutants) for site in file.sites if site.is_dropped)
        all_dropped += dropped
        found = counts(mutants)
        for state, number in found.items():
            total[state] += number
        lines.append(row(file.path, found, dropped, width))
    lines.append(row("all", total, all_dropped, width))
    names = [tier.name for tier in tiers]
    names += sorted({mutant.tier for mutant in tried if mutant.tier} - set(names))
    by_tier = ", ".join(f"{name} {sum(1 for mutant in tried if mutant.tier == name)}" for name in names)
    lines.append(f"killed by: {by_tier}")
    return lines, percent(total["killed"], sum(total.values()) - total["equivalent"])


def row(name, found, dropped, width):
    number = sum(found.values())
    share = percent(found["killed"], number - found["equivalent"])
    return (
        f"{name:{width}}{number:>9}{found['killed']:>9}{found['survived']:>10}{found['unreached']:>11}"
        f"{found['equivalent']:>12}{dropped:>9}{share:>10.1f}")


def listing(mutants):
    """Returns lines that name each mutant: place, change and source line."""
    lines = []
    for mutant in sorted(mutants, key=lambda mutant: (mutant.site.file.path, mutant.site.line, mutant.id)):
        lines.append(f"  {place(mutant)}  {label(mutant)}  [{mutant.id}]")
        lines.append(f"      {mutant.site.source_line}")
    return lines


def write_json(path, mutants, tiers):
    rows = [
        {
            "id": mutant.id, "file": mutant.site.file.path, "line": mutant.site.line, "source": mutant.site.source_line,
            "mutation": mutant.what, "occurrence": mutant.site.occurrence, "state": mutant.state, "tier": mutant.tier,
            "cause": mutant.cause, "reachedBy": mutant.reached,
        } for mutant in mutants]
    with open(path, "w") as file:
        json.dump({"tiers": {tier.name: round(tier.seconds, 2) for tier in tiers}, "mutants": rows}, file, ensure_ascii=False, indent=1)
        file.write("\n")
