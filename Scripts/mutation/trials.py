"""Runs the tests against one mutant after the other."""
import concurrent.futures
import os
import re
import signal
import subprocess
import threading
import time

from workshop import Complaint

FAILURE = re.compile(r"recorded an issue|^seed \d+: .*; shortening|XCTAssert|: error: -\[")
TEST_NAME = re.compile(r"Test (?:case passing .*? to )?[\"“]?(.+?)[\"”]? recorded an issue.*?(?: at (\S+?):\d+)?(?::\d+: |$)")


class Tier:
    """Some tests that run together: a test target, tests of one, or `simulate`."""

    def __init__(self, name, seeds):
        self.name, self.seeds = name, seeds
        self.seconds = 0.0

    @property
    def target(self):
        """The target that the tests need to be built."""
        return "contrail-simulate" if self.name == "simulate" else re.split(r"[./]", self.name)[0]

    def command(self, products, folder):
        if self.name == "simulate":
            return [
                os.path.join(products, "contrail-simulate"), "--from", "0", "--count", str(self.seeds), "--out",
                os.path.join(folder, "failures")]
        bundle = os.path.join(products, "contrailPackageTests.xctest")
        pattern = self.name if re.search(r"[./]", self.name) else rf"^{self.name}\."
        return [bundle, "--testing-library", "swift-testing", "--filter", pattern]


def resident_bytes(group):
    """Returns the memory of the largest process of a process group."""
    try:
        text = subprocess.run(["ps", "-A", "-o", "pgid=,rss="], capture_output=True, text=True).stdout
    except OSError:
        return 0
    sizes = [int(rss) for pgid, rss in (line.split() for line in text.splitlines() if len(line.split()) == 2) if int(pgid) == group]
    return max(sizes, default=0) * 1024


def kill_session(session):
    """Kills all processes of a session. A test starts others in groups of their own, and they may outlive it."""
    text = subprocess.run(["ps", "-A", "-o", "pid=,sess="], capture_output=True, text=True).stdout
    for line in text.splitlines():
        pid, its_session = line.split()
        if int(its_session or 0) == session:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass


class Runner:
    """Runs tiers in the copy of the package."""

    def __init__(self, workshop, products, tiers, grace, memory):
        self.workshop, self.products, self.tiers, self.grace, self.memory = workshop, products, tiers, grace, memory

    def run(self, tier, environment, deadline=None):
        """Runs a tier and returns what failed first, or None; a failure ends the run at once."""
        process = subprocess.Popen(
            tier.command(self.products, self.workshop.folder), cwd=self.workshop.package, env={**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        failed, lines = [], []

        def read():
            for line in process.stdout:
                text = line.decode(errors="replace").rstrip()
                lines.append(text)
                if not failed and FAILURE.search(text):
                    name = TEST_NAME.search(text)
                    failed.append(name.group(1) if name else text.strip()[:160])

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        begun, looked, cause = time.monotonic(), time.monotonic(), None
        while process.poll() is None and not failed:
            time.sleep(0.02)
            now = time.monotonic()
            if deadline and now - begun > deadline:
                cause = f"no end after {deadline:.0f} s"
                break
            if now - looked > 0.5:
                looked = now
                if resident_bytes(process.pid) > self.memory:
                    cause = f"more than {self.memory >> 30} GB of memory"
                    break
        kill_session(process.pid)
        code = process.wait()
        reader.join(5)
        if failed:
            return failed[0]
        if cause:
            return cause
        if code < 0:
            return f"crash, signal {-code}"
        if code > 0:
            fatal = next((text for text in lines if "Fatal error" in text), None)
            return fatal or (lines[-1] if lines else f"exit code {code}")
        return None

    def baseline(self, mutants, say):
        """Runs all tiers without a mutant; notes how long each takes and which mutants it reaches."""
        for tier in self.tiers:
            path = self.workshop.path(f"reached-{tier.target}")
            # The first run finds what is reached; it must pass.
            if os.path.exists(path):
                os.remove(path)
            begun = time.monotonic()
            cause = self.run(tier, {"CONTRAIL_MUTANT": "0", "CONTRAIL_MUTANTS_HIT": path})
            tier.seconds = time.monotonic() - begun
            if cause:
                raise Complaint(f"{tier.name} fails without any mutant: {cause}")
            reached = b""
            if os.path.exists(path):
                with open(path, "rb") as file:
                    reached = file.read()
            count = 0
            for mutant in mutants:
                if mutant.id < len(reached) and reached[mutant.id]:
                    mutant.reached.append(tier.name)
                    count += 1
            say(f"{tier.name}: {tier.seconds:.1f} s, reaches {count} of {len(mutants)} mutants")

    def try_mutant(self, mutant):
        """Runs the tiers that reach a mutant, until one kills it."""
        if not mutant.reached:
            mutant.state = "unreached"
            return
        for tier in self.tiers:
            if tier.name not in mutant.reached:
                continue
            deadline = 5 * tier.seconds + self.grace
            cause = self.run(tier, {"CONTRAIL_MUTANT": str(mutant.id)}, deadline)
            if cause:
                mutant.state, mutant.tier, mutant.cause = "killed", tier.name, cause
                return
        mutant.state = "survived"

    def try_all(self, mutants, jobs, each):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting = {pool.submit(self.try_mutant, mutant): mutant for mutant in mutants}
            try:
                for done in concurrent.futures.as_completed(waiting):
                    done.result()
                    each(waiting[done])
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
