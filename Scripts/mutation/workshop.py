"""The copy of the package in which the mutants are built, in a folder of its own."""
import json
import os
import re
import subprocess

import generated

MARK = ".contrail-mutate"
# What the copy's manifest ends with: it leaves out every target that the tests don't need, and the packages only those need.
MANIFEST = """

// Added by Scripts/mutate.
var mutateWaiting: [String] = [ROOTS]
var mutateTargets: Set<String> = []
var mutatePackages: Set<String> = []
while let name = mutateWaiting.popLast() {
  guard mutateTargets.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
  for dependency in target.dependencies {
    switch dependency {
    case .targetItem(let name, _), .byNameItem(let name, _): mutateWaiting.append(name)
    case .productItem(_, let package?, _, _): mutatePackages.insert(package.lowercased())
    default: break
    }
  }
}
package.targets.removeAll { !mutateTargets.contains($0.name) }
package.products = []
package.dependencies.removeAll {
  guard case .sourceControl(_, let location, _) = $0.kind else { return false }
  return !mutatePackages.contains(location.split(separator: "/").last.map { $0.lowercased() } ?? "")
}
"""
ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+): error: (.*)$", re.M)


class Complaint(Exception):
    """Something that the caller has to set right."""


class Workshop:
    """A scratch folder and the copy in it. Nothing is deleted that wasn't copied here."""

    def __init__(self, folder, root, is_optimized=False):
        self.folder, self.root, self.is_optimized = os.path.abspath(folder), root, is_optimized
        self.package = os.path.join(self.folder, "package")
        mark = os.path.join(self.folder, MARK)
        if os.path.exists(self.folder) and not os.path.exists(mark):
            if not os.path.isdir(self.folder) or os.listdir(self.folder):
                raise Complaint(
                    f"{self.folder} exists and was not made by Scripts/mutate (it has no {MARK}). Name another folder with --scratch.")
        os.makedirs(self.package, exist_ok=True)
        with open(mark, "w") as file:
            file.write("A scratch folder of Scripts/mutate. It may be deleted.\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def listed(self):
        """Returns the paths of the files that git has or would add."""
        command = ["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
        return sorted({name for name in names if name and os.path.isfile(os.path.join(self.root, name))})

    def write(self, name, content):
        """Writes a file of the copy, if it differs: what stays the same is not built again."""
        path = os.path.join(self.package, name)
        if isinstance(content, str):
            content = content.encode()
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() == content:
                    return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def copy(self, written, roots):
        """Copies the package; `written` has the content of files that differ from their originals, by path."""
        names = self.listed()
        for name in names:
            if name in written:
                continue
            with open(os.path.join(self.root, name), "rb") as file:
                content = file.read()
            if name == "Package.swift":
                content += MANIFEST.replace("ROOTS", ", ".join(f'"{root}"' for root in sorted(roots))).encode()
            self.write(name, content)
        for name, content in written.items():
            self.write(name, content)
        kept = set(names) | set(written)
        copied = self.remembered("copied.json", [])
        for name in copied:
            if name not in kept and os.path.isfile(os.path.join(self.package, name)):
                os.remove(os.path.join(self.package, name))
        self.remember("copied.json", sorted(kept))

    def remembered(self, name, default):
        try:
            with open(self.path(name)) as file:
                return json.load(file)
        except (OSError, ValueError):
            return default

    def remember(self, name, value):
        with open(self.path(name), "w") as file:
            json.dump(value, file, ensure_ascii=False, indent=1)

    # Building

    def swift_build(self, *options):
        command = ["swift", "build", "--package-path", self.package, *options]
        if self.is_optimized:
            command += ["--configuration", "release", "-Xswiftc", "-enable-testing"]
        environment = {key: value for key, value in os.environ.items() if key != "CONTRAIL_STRICT"}
        # SwiftPM passes the traits in the order of a set. In another order, it compiles everything again.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)

    def build(self, files, roots, say):
        """Builds the tests with all mutants in one binary; a mutant that does not compile is dropped.

        Returns the folder of the products.
        """
        sites = [site for file in files for site in file.sites]
        count = sum(len(site.mutants) for site in sites)
        targets = {}
        for file in files:
            targets.setdefault("/".join(file.path.split("/")[:3]), []).append(file)
        dropped = {tuple(key) for key in self.remembered("dropped.json", [])}
        for site in sites:
            site.is_dropped = site.mutants[0].key in dropped
        seen = {}
        for attempt in range(1, 40):
            written, maps = {}, {}
            for target, members in targets.items():
                for file in members:
                    written[file.path], maps[file.path] = file.written()
                active = [site for file in members for site in file.sites]
                written[f"{target}/GeneratedMutants.swift"] = generated.text(active, count)
            self.copy(written, roots)
            result = self.swift_build("--build-tests")
            if result.returncode == 0:
                break
            with open(self.path("build.log"), "w") as log:
                log.write(result.stdout)
            errors = set(ERROR.findall(result.stdout))
            gone = []
            for path, line, column, message in sorted(errors):
                name = os.path.relpath(path, self.package)
                file = next((file for file in files if file.path == name), None)
                if file is None:
                    if name.endswith("GeneratedMutants.swift"):
                        raise Complaint(f"the generated file does not compile: {path}:{line}: {message}")
                    continue
                key = (name, line, message)
                seen[key] = seen.get(key, 0) + 1
                gone += blamed(file, written[name], maps[name], int(line), int(column), seen[key])
            if not gone:
                tail = "\n".join(result.stdout.splitlines()[-15:])
                raise Complaint(f"the copy of the package does not build, and no mutant is to blame:\n{tail}")
            for site in gone:
                site.is_dropped = True
            # A site that is dropped for a file as it is now stays dropped as long as its line does.
            self.remember("dropped.json", [site.mutants[0].key for site in sites if site.is_dropped])
            say(f"build {attempt}: {len(set(map(id, gone)))} places do not compile with their mutants and are left out")
        else:
            raise Complaint("the copy of the package does not build after 39 attempts")
        return self.swift_build("--show-bin-path").stdout.strip().splitlines()[-1]


def blamed(file, written, places, line, column, times):
    """Returns the sites to drop for an error: the innermost one at its place, else all of its line, else all nearby."""
    live = [site for site in file.sites if not site.is_dropped]
    lines = written.split("\n")
    prefix = lines[line - 1].encode()[:column - 1].decode(errors="ignore") if line <= len(lines) else ""
    offset = sum(len(text) + 1 for text in lines[:line - 1]) + len(prefix)
    at = 0
    for there, here in places:
        if there > offset:
            break
        at = here + offset - there
    inner = [site for site in live if site.start <= at <= site.end]
    if inner and times == 1:
        smallest = min(inner, key=lambda site: site.end - site.start)
        if not smallest.wraps:
            return [smallest]
    for reach in (0, 3, 10, 40):
        near = [site for site in live if last_line(site) >= line - reach and site.line <= line + (reach if reach > 3 else 0)]
        if near:
            return near
    return []


def last_line(site):
    return site.line + site.file.text.count("\n", site.start, site.end)
