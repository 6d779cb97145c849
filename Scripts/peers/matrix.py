"""What the rows of Scripts/peers-check have in common: their register, the processes that they start, and flights."""

import asyncio
import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, ".build", "peers-check")
UNTIL = "1h"
ROUTE = "51.47,-0.45 40.64,-73.78"
TYPES = "turbulence,pireps,traffic"
# The aircraft also reports, so that an upload that is repeated or lost is seen.
SCENARIO = "4m report moderate\n9m report light 4 30s\n31m report moderate-severe\n"
KEY = "the-key-of-this-flight"


def _server_check():
    """Scripts/server-check as a module: its server, and its check of what an attack leaves."""
    loader = importlib.machinery.SourceFileLoader("server_check", os.path.join(ROOT, "Scripts", "server-check"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("server_check", loader))
    loader.exec_module(module)
    return module


server_check = _server_check()


class Problem(Exception):
    """A row fails; the text says why."""


class Skipped(Exception):
    """A row can't run here; the text says what is missing."""


# The register of rows.


@dataclasses.dataclass
class Row:
    group: str
    name: str
    is_quick: bool
    body: object


rows = []


def row(group, name, quick=False):
    """Registers a function as a row. It gets a `Place` and returns figures to print; it raises `Problem` if the row fails."""

    def register(body):
        rows.append(Row(group, name, quick, body))
        return body

    return register


# Processes.


class Place:
    """The folder of a row, with everything that the row started."""

    def __init__(self, programs, certificate, folder):
        self.contrail, self.replay = programs
        self.certificate = certificate
        self.folder = folder
        self.stack = contextlib.ExitStack()
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def text(self, name):
        """The text of a file of the row; empty if there is none."""
        try:
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def keep(self, thing):
        """Closes a thing when the row ends."""
        self.stack.callback(thing.close)
        return thing

    def start(self, command, name, **options):
        """Starts a program that runs until the row ends. Its output goes to a file."""
        with open(self.path(name + ".out"), "wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=self.folder,
                start_new_session=True, **options)
        self.stack.callback(end, process)
        return process

    def service(self, *arguments, secured=False, flights=True):
        """Starts 'contrail serve'."""
        if secured:
            arguments += ("--certificate", self.certificate.chain, "--certificate-key", self.certificate.key)
        if flights:
            arguments += ("--simulated-time", "--requested-faults")
        server = server_check.Server(self.contrail, *arguments)
        self.stack.callback(server.stop)
        return server


class Certificate:
    """A certificate for the loopback interface and the addresses of the links."""

    def __init__(self, folder, name="localhost", alternatives="DNS:localhost,IP:127.0.0.1,IP:10.77.0.2", days=1):
        os.makedirs(folder, exist_ok=True)
        self.chain, self.key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
        self.both = os.path.join(folder, "both.pem")
        request = os.path.join(folder, "request.pem")
        named = ["-addext", f"subjectAltName={alternatives}"] if alternatives else []
        for command in (
                ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}", *named,
                 "-keyout", self.key, "-out", request],
                ["x509", "-req", "-in", request, "-signkey", self.key, "-days", str(days), "-copy_extensions", "copyall",
                 "-out", self.chain]):
            subprocess.run(["openssl", *command], check=True, capture_output=True)
        with open(self.both, "w", encoding="ascii") as both:
            for path in (self.chain, self.key):
                with open(path, encoding="ascii") as part:
                    both.write(part.read())


def end(process, seconds=5):
    """Ends a process and its children: asks, and then kills."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(seconds)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port, process=None, seconds=20):
    """Waits until something listens on a port."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if process and process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise Problem(f"nothing listens on port {port}")


def run(command, seconds=120, **options):
    """Runs a program to its end; returns its exit status and its output."""
    try:
        done = subprocess.run(
            command, timeout=seconds, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    except subprocess.TimeoutExpired as error:
        raise Problem(f"{os.path.basename(command[0])} didn't end within {seconds} s") from error
    return done.returncode, done.stdout.decode(errors="replace")


# A proxy below HTTP.


class Relay:
    """Passes TCP connections on, counts what the client sends, and disturbs connections on command.

    All methods may be called from any thread.
    """

    def __init__(self, port, host="127.0.0.1", piece=65536):
        self.target = (host, port)
        self.blocks = 0
        self.accepted = 0
        self.piece = piece
        # The seconds that bytes wait in each direction.
        self.delay = 0.0
        # Bytes towards the client after which a connection is reset; None for no limit.
        self.cut_after = None
        self.is_open = True
        self._actions = []
        self._pairs = {}
        self._resume = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._call(self._listen(0))
        self.port = self._server.sockets[0].getsockname()[1]

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    async def _listen(self, port):
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", port)
        self._resume = asyncio.Event()
        self._resume.set()

    def at(self, blocks, action):
        """Calls an action on a thread of its own when the client has sent a number of blocks, about one a request."""
        self._actions.append((blocks, action))
        self._actions.sort(key=lambda planned: planned[0])

    def reset(self):
        """Resets all connections."""
        self._call(self._end(is_reset=True))

    def drop(self):
        """Closes all connections in order."""
        self._call(self._end(is_reset=False))

    def forget(self):
        """Leaves all connections of clients open and silent, as a router that restarts; new ones are passed on."""
        self._call(self._forget())

    def shut(self):
        """Closes all connections and refuses further ones."""
        self._call(self._shut())

    def reopen(self):
        """Listens again on the same port."""
        self._call(self._listen(self.port))

    def pause(self, seconds):
        """Holds everything back for a while."""
        self._call(self._hold(True))
        time.sleep(seconds)
        self._call(self._hold(False))

    def close(self):
        self._call(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    async def _hold(self, is_held):
        if is_held:
            self._resume.clear()
        else:
            self._resume.set()

    async def _shut(self):
        self._server.close()
        await self._end(is_reset=True)

    async def _end(self, is_reset):
        for near, far in list(self._pairs.items()):
            for writer in (near, far):
                if writer and is_reset:
                    made = writer.get_extra_info("socket")
                    with contextlib.suppress(OSError):
                        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    writer.transport.abort()
                elif writer:
                    writer.close()

    async def _forget(self):
        for near, far in list(self._pairs.items()):
            if far:
                self._pairs[near] = None
                far.transport.abort()

    async def _accept(self, reader, writer):
        self.accepted += 1
        try:
            far_reader, far = await asyncio.open_connection(*self.target)
        except OSError:
            writer.close()
            return
        self._pairs[writer] = far
        try:
            await asyncio.gather(self._pump(reader, far, writer, True), self._pump(far_reader, writer, writer, False))
        finally:
            self._pairs.pop(writer, None)

    async def _pump(self, reader, writer, near, is_up):
        # Bytes wait one after the other: a delay of the link, not of the sender.
        queue = asyncio.Queue(256)

        async def deliver():
            while (due := await queue.get()) is not None:
                moment, block = due
                await asyncio.sleep(max(moment - self._loop.time(), 0))
                await self._resume.wait()
                if self._pairs.get(near) is None:
                    continue
                writer.write(block)
                await writer.drain()

        delivering = asyncio.ensure_future(deliver())
        count = 0
        try:
            while block := await reader.read(self.piece):
                if is_up:
                    self.blocks += 1
                    while self._actions and self._actions[0][0] <= self.blocks:
                        threading.Thread(target=self._actions.pop(0)[1], daemon=True).start()
                elif self.cut_after is not None and count + len(block) > self.cut_after:
                    await queue.put((0, block[:self.cut_after - count]))
                    await queue.put(None)
                    await delivering
                    writer.close()
                    return
                count += len(block)
                await queue.put((self._loop.time() + self.delay, block))
        except OSError:
            pass
        finally:
            # A connection that was forgotten stays as it is for the client.
            if self._pairs.get(near) is not None:
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    if not delivering.done():
                        await queue.put(None)
                        await delivering
                    writer.close()
            delivering.cancel()


# Flights.


def first_lines(text):
    return " ".join(" ".join(text.split())[:300].split())


class Flight:
    """A flight with 'contrail record', and what the tools say about it."""

    def __init__(self, place, server, name="flight", until=UNTIL, prefix=(), options=(), environment=None):
        self.place, self.path = place, place.path(name + ".jsonl")
        command = [
            *prefix, place.contrail, "record", "--fly", ROUTE, "--until", until, "--viewport", "8deg", "--types", TYPES,
            "--scenario", place.write(name + ".scenario", SCENARIO),
            "--out", self.path, "--force", "--json", "--keep-failed", "--server", server, *options]
        if server.startswith("https"):
            command += ["--trust", place.certificate.chain]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
            start_new_session=True, env={**os.environ, **(environment or {})})
        place.stack.callback(end, self.process)
        self.summary = None

    @contextlib.contextmanager
    def halted(self):
        """Stops the program for a while, as a tablet whose application is in the background."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)

    def halt(self, seconds):
        with self.halted():
            time.sleep(seconds)

    def land(self, seconds=150):
        """Waits for the end of the flight, which must be recorded."""
        try:
            output, message = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            raise Problem(f"the flight didn't end within {seconds} s") from error
        self.status = self.process.returncode
        if self.status not in (0, 1, 3) or not os.path.exists(self.path):
            raise Problem(
                f"record ended with {self.status}: {first_lines(message)}; see {self.place.write('record.err', message)}")
        self.summary = json.loads(output.strip().splitlines()[-1]) if output.strip() else {}
        return self

    def failures(self):
        return sum(self.summary["failures"].values())

    def figures(self):
        sent = self.summary["full"] + self.summary["delta"] + self.summary["repair"]
        named = ", ".join(f"{count} × {name}" for name, count in sorted(self.summary["failures"].items()))
        return f"{sent} requests, " + (f"failed {named}" if named else "none failed")

    def judge(self, same_as=None, is_whole=True):
        """Checks the guarantees and the replay, that nothing is lost, and that the flight is the same as another one."""
        status, output = run([self.place.replay, "check", self.path])
        if status != 0:
            raise Problem("replay check: " + " ".join(output.split())[:400])
        status, output = run([self.place.replay, "run", self.path])
        if status != 0:
            raise Problem("replay run: " + " ".join(output.split())[:400])
        equal = self.summary["corridorEqualsFullFetch"]
        # The full fetch at the end fails if a disturbance is then. The flight isn't the worse for it.
        if is_whole and (self.status != 0 or equal is False or equal is None and not self.failures()):
            raise Problem(f"the corridor at the end isn't that of a full fetch, status {self.status} ({self.figures()})")
        with open(self.path, encoding="utf-8") as log:
            if KEY in log.read():
                raise Problem("the recording contains the key")
        if same_as:
            status, output = run([self.place.replay, "diff", same_as.path, self.path, "--ignore", "bytes", "--ignore", "head"])
            if status != 0:
                lines = [line.strip() for line in output.splitlines()]
                lines = [" ".join(line.split()) for line in lines if line.startswith(("field", "scope", "events"))]
                raise Problem("other than straight: " + "; ".join(lines)[:400])
        return self


_straight = {}
_lock = threading.Lock()


def straight(place, secured=False, until=UNTIL):
    """The same flight without anything in between."""
    with _lock:
        if (secured, until) not in _straight:
            server = server_check.Server(
                place.contrail, "--simulated-time", "--requested-faults",
                *(["--certificate", place.certificate.chain, "--certificate-key", place.certificate.key] if secured else []))
            folder = os.path.join(os.path.dirname(place.folder), f"straight-{'tls-' if secured else ''}{until}")
            own = Place((place.contrail, place.replay), place.certificate, folder)
            try:
                _straight[secured, until] = Flight(own, server.address, until=until).land().judge()
            finally:
                server.stop()
        return _straight[secured, until]
