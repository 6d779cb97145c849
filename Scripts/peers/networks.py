"""Rows of Scripts/peers-check: our client over bad networks."""

import contextlib
import fcntl
import heapq
import itertools
import os
import random
import select
import shutil
import struct
import subprocess
import threading
import time

from matrix import Flight, Problem, Relay, Skipped, row, server_check, straight

# A link of IP packets between two network namespaces.

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
_numbers = itertools.count()


class Link:
    """Carries the packets between the namespace of a client, 10.77.0.1, and that of a server, 10.77.0.2.

    The kernels of both ends speak TCP; the packets in between are delayed, lost, doubled and reordered by this process, since not
    every kernel has netem.
    """

    def __init__(self, delay=0.0, jitter=0.0, loss=0.0, twice=0.0, mtu=1400, rate=None, seed=1):
        if os.getuid() != 0 or not os.path.exists("/dev/net/tun") or not shutil.which("ip"):
            raise Skipped("network namespaces need root, /dev/net/tun and iproute2")
        # Seconds in each direction, and the most that is added to them.
        self.delay, self.jitter = delay, jitter
        self.loss, self.twice = loss, twice
        # Bytes a second in each direction.
        self.rate = rate
        self.is_up = True
        self.random = random.Random(seed)
        self.blocks = 0
        self.counts = {"packets": 0, "lost": 0, "twice": 0, "late": 0}
        self._actions = []
        name = f"pc{os.getpid() % 10000}n{next(_numbers)}"
        self.namespaces = [name + "a", name + "b"]
        self.files = []
        self.is_open = True
        try:
            for namespace, address in zip(self.namespaces, ("10.77.0.1", "10.77.0.2")):
                self._ip("netns", "add", namespace)
                file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
                self.files.append(file)
                fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", namespace.encode(), IFF_TUN | IFF_NO_PI))
                self._ip("link", "set", namespace, "netns", namespace)
                self._ip("-n", namespace, "link", "set", "lo", "up")
                self._ip("-n", namespace, "addr", "add", address + "/24", "dev", namespace)
                self._ip("-n", namespace, "link", "set", namespace, "mtu", str(mtu), "up")
        except (OSError, subprocess.CalledProcessError) as error:
            self._remove()
            raise Skipped(f"network namespaces can't be made: {error}") from error
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True)

    def inside(self, end):
        """The words before a command that runs at an end: 0 is the client's, 1 the server's."""
        return ["ip", "netns", "exec", self.namespaces[end]]

    def at(self, blocks, action):
        """Calls an action when the client has sent a number of packets with bytes."""
        self._actions.append((blocks, action))
        self._actions.sort(key=lambda planned: planned[0])

    def move(self, address):
        """Gives the client another address. Packets to the old one arrive nowhere."""
        name = self.namespaces[0]
        self._ip("-n", name, "addr", "flush", "dev", name)
        self._ip("-n", name, "addr", "add", address + "/24", "dev", name)

    def gap(self, seconds):
        """Loses every packet for a while."""
        self.is_up = False
        time.sleep(seconds)
        self.is_up = True

    def close(self):
        self.is_open = False
        self._thread.join(5)
        self._remove()

    def _remove(self):
        for file in self.files:
            os.close(file)
        self.files = []
        for namespace in self.namespaces:
            subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)

    def _carry(self):
        waiting = []
        order = itertools.count()
        free = [0.0, 0.0]
        while self.is_open:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, end, packet = heapq.heappop(waiting)
                with contextlib.suppress(OSError):
                    os.write(self.files[end], packet)
            timeout = min(waiting[0][0] - now, 0.1) if waiting else 0.1
            for file in select.select(self.files, [], [], timeout)[0]:
                end = self.files.index(file)
                with contextlib.suppress(OSError):
                    packet = os.read(file, 65536)
                    for due in self._fate(end, packet, time.monotonic(), free):
                        heapq.heappush(waiting, (due, next(order), 1 - end, packet))

    def _fate(self, end, packet, now, free):
        """When the packet arrives; several times if it is doubled, never if it is lost."""
        if packet[0] >> 4 != 4:
            return []
        if end == 0 and packet[9] == 6:
            head = (packet[0] & 15) * 4
            if len(packet) > head + (packet[head + 12] >> 4) * 4:
                self.blocks += 1
                while self._actions and self._actions[0][0] <= self.blocks:
                    threading.Thread(target=self._actions.pop(0)[1], daemon=True).start()
        self.counts["packets"] += 1
        if not self.is_up or self.random.random() < self.loss:
            self.counts["lost"] += 1
            return []
        start = now
        if self.rate:
            start = free[end] = max(free[end], now) + len(packet) / self.rate
        dues = [start + self.delay + self.random.random() * self.jitter]
        if self.random.random() < self.twice:
            self.counts["twice"] += 1
            dues.append(start + self.delay + self.random.random() * self.jitter)
        return dues


def over(place, secured, until, failures=(0, 0), plan=None, **properties):
    """Flies over a link. Without failures, the flight must be the same as without the link.

    A request for two areas counts as two failures.
    """
    link = place.keep(Link(**properties))
    arguments = ("--certificate", place.certificate.chain, "--certificate-key", place.certificate.key) if secured else ()
    server = server_check.Server(
        [*link.inside(1), place.contrail], "--host", "10.77.0.2", "--simulated-time", "--requested-faults", *arguments)
    place.stack.callback(server.stop)
    if plan:
        plan(link)
    flight = Flight(place, server.address, until=until, prefix=link.inside(0)).land(400)
    flight.judge(None if flight.failures() else straight(place, secured, until))
    if not failures[0] <= flight.failures() <= failures[1]:
        raise Problem(f"{failures[0]} to {failures[1]} failures expected: {flight.figures()}")
    counts = link.counts
    return f"{flight.figures()}; {counts['packets']} packets, {counts['lost']} lost, {counts['twice']} twice"


def link_rows():
    mixed = {"delay": 0.01, "jitter": 0.02, "loss": 0.03, "twice": 0.05, "mtu": 300}
    ways = [
        ("MTU of 300, 3 % lost, 5 % twice, reordered", True, "20m", mixed),
        ("round trip of 1.3 s", False, "15m", {"delay": 0.65}),
        ("round trip of 1.3 s, 3 % lost, reordered", False, "15m", {"delay": 0.65, "jitter": 0.1, "loss": 0.03}),
        ("15 % lost", False, "20m", {"delay": 0.02, "loss": 0.15}),
        ("half of the packets twice", False, "1h", {"delay": 0.005, "jitter": 0.01, "twice": 0.5}),
        ("MTU of 300, 2 KB a second", False, "10m", {"delay": 0.1, "mtu": 300, "rate": 2000}),
    ]
    for name, is_quick, until, properties in ways:
        for secured, words in ((False, "HTTP/1.1"), (True, "TLS and HTTP/2")):
            def body(place, secured=secured, until=until, properties=properties):
                return over(place, secured, until, failures=(0, 3) if properties.get("loss", 0) > 0.1 else (0, 1), **properties)

            row("network", f"link: {name}, {words}", quick=is_quick and secured)(body)
    for secured, words in ((False, "HTTP/1.1"), (True, "TLS and HTTP/2")):
        def gap(place, secured=secured):
            return over(
                place, secured, "1h", (1, 8), lambda link: link.at(40, lambda: link.gap(34)), delay=0.01)

        def short(place, secured=secured):
            return over(place, secured, "1h", (0, 0), lambda link: link.at(40, lambda: link.gap(5)), delay=0.01)

        def moved(place, secured=secured):
            def plan(link):
                link.at(30, lambda: link.move("10.77.0.9"))
                link.at(90, lambda: link.move("10.77.0.10"))
            return over(place, secured, "1h", (1, 8), plan, delay=0.01)

        row("network", f"link: a black hole of 34 s, {words}")(gap)
        row("network", f"link: a black hole of 5 s, {words}")(short)
        row("network", f"link: two changes of address, {words}")(moved)


link_rows()


# Connections that a proxy below HTTP disturbs.


def disturbed(place, secured, until, failures, plan, **properties):
    server = place.service(secured=secured)
    relay = place.keep(Relay(server.port, **properties))
    plan(relay)
    flight = Flight(place, f"http{'s' if secured else ''}://127.0.0.1:{relay.port}", until=until).land(400)
    flight.judge(None if flight.failures() else straight(place, secured, until))
    if not failures[0] <= flight.failures() <= failures[1]:
        raise Problem(f"{failures[0]} to {failures[1]} failures expected: {flight.figures()}")
    if flight.summary["failures"].get("security"):
        raise Problem(f"a lost connection is taken for a matter of security: {flight.figures()}")
    return f"{flight.figures()}, {relay.accepted} connections"


def relay_rows():
    def each(blocks, method, *arguments):
        return lambda relay: [relay.at(block, lambda: getattr(relay, method)(*arguments)) for block in blocks]

    def cut(relay):
        def once(size):
            relay.cut_after = size
        for block, size in ((20, 30), (24, None), (50, 700), (54, None), (90, 1), (94, None)):
            relay.at(block, lambda size=size: once(size))

    ways = [
        ("connections are reset", True, "1h", (0, 15), each(range(10, 110, 20), "reset"), {}),
        ("connections are closed", False, "1h", (0, 15), each(range(10, 110, 20), "drop"), {}),
        ("connections are forgotten, silently", False, "1h", (1, 8), each((30, 80), "forget"), {}),
        ("stalls of 3 s", False, "1h", (0, 0), each(range(10, 100, 30), "pause", 3), {}),
        ("seven bytes at a time", False, "20m", (0, 0), lambda relay: None, {"piece": 7}),
        ("answers are cut", False, "1h", (1, 20), cut, {}),
    ]
    for name, is_quick, until, failures, plan, properties in ways:
        for secured, words in ((False, "HTTP/1.1"), (True, "TLS and HTTP/2")):
            def body(place, secured=secured, until=until, failures=failures, plan=plan, properties=properties):
                return disturbed(place, secured, until, failures, plan, **properties)

            row("network", f"{name}, {words}", quick=is_quick and secured)(body)


relay_rows()
