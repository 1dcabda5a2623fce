"""The attack on a running playground: requests of all kinds from several threads, and a look at what is left of it.

A request may be refused in every way that the API documents, and may be given up at a deadline. An answer that is not documented, a
bug or a worker that dies is a failure; so is a server that afterwards does not answer as before, has grown, or does not end.
`make fuzz` runs this beside the other targets.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from mutations import NAMES, mutate_bytes, mutate_data, mutate_text

from lawful.labels import LabelSet
from lawful.playground.http.openapi import REFUSALS
from lawful.rules.files import format_rules
from lawful.testing import random_rules

KEPT = Path("build/fuzz")
THREADS = 6
TIMEOUT, MEMORY, CONNECTIONS = 3, 300, 48  # seconds, megabytes: what the server is started with
SLOWEST = 60.0  # seconds until any answer, with all waiting, on a busy machine
GROWTH = 150  # megabytes that the server itself may grow by
STATUSES = {200, 404, 405, *map(int, REFUSALS)} - {500}
WELL = ("/health", "/", "/rules", "/examples", "/openapi.json", "/main.js")
TEXT = (
    "Haroford, L. (1989). Mapping hybrid slicing. Philadelphia, PA: North-Holland. Note: preliminary version."
)
LABELS = LabelSet(["author", "title", "date", "journal", "pages", "note"])
NAMED = ["one date", "one title", "fields end at punctuation"]


def seeds() -> list[tuple[str, dict[str, Any]]]:
    """Valid requests."""
    from lawful.playground.starter import starter_rules

    rules = starter_rules()
    labels = re.findall(r'labels = "(\w+)"', rules)
    counts = "".join(
        f'[[rule]]\nkind = "at_least"\nn = 1\nlabels = "{label}"\n' for label in dict.fromkeys(labels)
    )
    pattern = '[[rule]]\nname = "p"\nkind = "pattern"\npattern = "author* (title|date){0,3} .*"\n'
    nested = "[[rule]]\nkind = 'not'\nrule = " + "{ kind = 'not', rule = " * 8 + "'x'" + " }" * 8
    return [
        ("/decode", {"text": TEXT}),
        ("/decode", {"tokens": ["a", "b", ",", "1999"], "off": NAMED[:1], "prices": {NAMED[1]: 2.5}}),
        ("/decode", {"text": TEXT, "explain": True, "runners_up": 3}),
        ("/decode", {"text": "a b c d e f", "rules": counts, "explain": True}),
        ("/decode", {"text": f"{TEXT} " * 20, "rules": rules, "prices": dict.fromkeys(NAMED, "hard")}),
        ("/decode", {"text": "x 1 " * 900, "rules": counts.replace("n = 1", "n = 300")}),
        ("/check", {"rules": rules, "draw": NAMED, "analyse": True}),
        ("/check", {"rules": pattern + counts, "draw": ["p"], "analyse": True}),
        ("/check", {"rules": pattern + nested}),
    ]


def valid_request(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A long text or a short one, under rules of any kind, which may be large."""
    rules = random_rules(
        np.random.default_rng(rng.randrange(2**32)),
        LABELS,
        rng.choice((1, 3, 12, 60)),
        depth=rng.choice((0, 2, 5)),
    )
    text = format_rules(rule for rule in rules if rule.price != "learn")
    if rng.random() < 0.3:
        text = re.sub(
            r"\b(n|min|max) = \d+", lambda match: f"{match[1]} = {rng.choice((0, 7, 300, 5000))}", text
        )
    if rng.random() < 0.4:
        return "/check", {"rules": text, "analyse": rng.random() < 0.5}
    tokens = rng.choices([*TEXT.split(), "(", ".", ",", "2001"], k=rng.choice((1, 6, 40, 300, 2000)))
    return "/decode", {
        "tokens": tokens,
        "rules": text,
        "explain": rng.random() < 0.5,
        "runners_up": rng.choice((0, 10)),
    }


def make_request(rng: random.Random, valid: list[tuple[str, dict[str, Any]]]) -> bytes:
    """The bytes of a request, more or less damaged."""
    path, body = rng.choice(valid) if rng.random() < 0.5 else valid_request(rng)
    for _ in range(rng.choice((0, 0, 0, 1, 2, 4))):
        body = mutate_data(rng, body)
    if isinstance(body, dict) and isinstance(body.get("rules"), str) and rng.random() < 0.3:
        other = rng.choice([held["rules"] for _, held in valid if "rules" in held])
        text = mutate_text(rng, body["rules"].encode("utf-8", "replace"), other.encode())
        body["rules"] = text.decode("utf-8", "replace")
    data = json.dumps(body).encode()
    if rng.random() < 0.1:
        data = mutate_text(rng, data, json.dumps(rng.choice(valid)[1]).encode())
    if rng.random() < 0.1:
        path = rng.choice([*WELL, "/nothing", "/../decode", "/" + rng.choice(NAMES)[:200], "*"])
    method = "POST" if rng.random() < 0.9 else rng.choice(["GET", "HEAD", "OPTIONS", "PUT", "BREW"])
    size = len(data) if rng.random() < 0.98 else rng.choice([0, 1, len(data) - 1, len(data) + 1, 10**9, -1])
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {size}\r\nconnection: {rng.choice(['close', 'close', 'keep-alive', 'upgrade'])}\r\n"
    )
    if rng.random() < 0.05:
        head = head.replace(f"content-length: {size}", "transfer-encoding: chunked")
    request = f"{head}\r\n".encode("utf-8", "replace") + data
    return mutate_bytes(rng, request, request) if rng.random() < 0.1 else request


def send(port: int, request: bytes, rng: random.Random) -> bytes | None:
    """The reply to a request; None if the client did not wait for it."""
    with socket.create_connection(("127.0.0.1", port), timeout=SLOWEST) as connection:
        try:
            behaviour = rng.random()
            if behaviour < 0.04:  # stops half way
                connection.sendall(request[: rng.randrange(len(request))])
                time.sleep(rng.random())
                return None
            if behaviour < 0.1:  # drop by drop
                for start in range(min(len(request), 40)):
                    connection.sendall(request[start : start + 1])
                connection.sendall(request[40:])
            else:
                connection.sendall(request)
            if behaviour > 0.95:  # leaves without a word
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return None
            return receive(connection)
        except (ConnectionError, BrokenPipeError):
            return b""


def receive(connection: socket.socket) -> bytes:
    """The first reply on a connection; nothing if it is closed without one."""
    content = b""
    while b"\r\n\r\n" not in content:
        part = connection.recv(2**16)
        if not part:
            return content
        content += part
    head = content.partition(b"\r\n\r\n")[0]
    length = re.search(rb"content-length: *(\d+)", head.lower())
    whole = len(head) + 4 + (int(length[1]) if length else 0)
    while len(content) < whole and (part := connection.recv(2**16)):
        content += part
    return content[:whole]


def judge(request: bytes, reply: bytes) -> str:
    """What is wrong with a reply; nothing if it is as documented."""
    head, _, body = reply.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", head)
    if match is None:
        return f"no HTTP: {head[:80]!r}"
    status = int(match[1])
    if status == 400 and b"application/json" not in head:
        return ""  # not HTTP, says uvicorn
    if status not in STATUSES:
        return f"status {status}: {body[:300]!r}"
    if request.startswith(b"HEAD") or b"application/json" not in head:
        return ""
    try:
        content = json.loads(body)
    except ValueError:
        return f"status {status} without JSON: {body[:80]!r}"
    if status != 200 and set(content.get("error", {})) - {"problems"} != {"kind", "message"}:
        return f"an error without kind and message: {body[:80]!r}"
    return ""


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, and its port."""
    command = [sys.executable, "-m", "lawful", "serve", "--no-open", "--timeout", str(TIMEOUT)]
    command += ["--max-memory", str(MEMORY), "--max-connections", str(CONNECTIONS)]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout is not None
            yield server, int(re.findall(r":(\d+)/", server.stdout.readline())[0])
        finally:
            server.kill()
            server.wait()
            log.seek(0)
            told = log.read().decode("utf-8", "replace")
            if "Traceback" in told:
                print(told[told.index("Traceback") :][:6000], file=sys.stderr)


def memory_of(pid: int) -> float:
    """Megabytes of a process that are in memory."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0.0


def workers_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


@dataclass
class Attack:
    """What the threads have seen so far."""

    port: int
    seed: int
    end: float
    statuses: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, thread: int) -> None:
        """Ask until the time is over."""
        valid = seeds()
        number = 0
        while time.monotonic() < self.end:
            number += 1
            rng = random.Random(f"{self.seed}-{thread}-{number}")  # noqa: S311 - no secret
            request = make_request(rng, valid)
            try:
                reply = send(self.port, request, rng)
            except OSError as error:  # a timeout, or nobody listens
                self.fail(request, f"no answer: {error!r}")
                continue
            if not reply:
                self.count("gone" if reply is None else "closed")
                continue
            self.count(reply[9:12].decode("ascii", "replace"))
            wrong = judge(request, reply)
            if wrong:
                self.fail(request, wrong)

    def count(self, word: str) -> None:
        with self.lock:
            self.statuses[word] += 1

    def fail(self, request: bytes, wrong: str) -> None:
        """Keep the request, if it is a new kind of failure."""
        key = re.sub(r"\d{4,}|0x\w+|'[^']{20,}'", "", wrong)[:120]
        with self.lock:
            if key in self.failures:
                return
            self.failures[key] = wrong
            KEPT.mkdir(parents=True, exist_ok=True)
            kept = KEPT / f"playground-{sha256(request).hexdigest()[:12]}.http"
            kept.write_bytes(request)
            print(
                f"\nFAILED playground: {wrong}\n  {sys.executable} tests/fuzz/fuzz.py --replay {kept}",
                flush=True,
            )


def attack(minutes: float, seed: int) -> int:
    """Attack a server, and look at it afterwards; 1 if anything failed."""
    with serving() as (server, port):
        before = {path: ask(port, path) for path in WELL}
        labelled = ask(port, "/decode")
        start = memory_of(server.pid)
        seen = Attack(port, seed, time.monotonic() + 60 * minutes)
        threads = [threading.Thread(target=seen.run, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        most, many = 0.0, 0
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.5)
            workers = workers_of(server.pid)
            most = max([most, *map(memory_of, workers)])
            many = max(many, len(workers))
        after = {path: ask(port, path) for path in WELL}
        wrong = list(seen.failures)
        wrong += [f"{path} is not what it was" for path in WELL if before[path] != after[path]]
        if ask(port, "/decode") != labelled:
            wrong.append("an ordinary text is not labelled as before")
        grown = memory_of(server.pid) - start
        if grown > GROWTH:
            wrong.append(f"the server has grown by {grown:.0f} MB")
        if most > MEMORY + 200:  # what a worker uses before its first request
            wrong.append(f"a worker had {most:.0f} MB")
        if many > 4:  # two, one that is being replaced, and multiprocessing's own
            wrong.append(f"there were {many} processes")
        began = time.monotonic()
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(SLOWEST)
        except subprocess.TimeoutExpired:
            wrong.append("SIGTERM does not end it")
        seconds = time.monotonic() - began
    counts = ", ".join(f"{count:,} {word}" for word, count in sorted(seen.statuses.items()))
    print(
        f"playground: {counts}; grew by {grown:.0f} MB, largest worker {most:.0f} MB, ended in {seconds:.1f} s"
    )
    for line in wrong:
        print(f"FAILED playground: {line}")
    return 1 if wrong else 0


def ask(port: int, path: str) -> bytes:
    """The body of a valid request's answer, without what changes from one to the next."""
    body = json.dumps({"text": TEXT}).encode() if path == "/decode" else b""
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port), timeout=SLOWEST) as connection:
            connection.sendall(head.encode() + body)
            reply = receive(connection)
        if not reply.startswith(b"HTTP/1.1 503"):
            break
        time.sleep(1)
    assert reply.startswith(b"HTTP/1.1 200"), reply[:500]
    return re.sub(rb'"seconds":[^,}]*', b"", reply.partition(b"\r\n\r\n")[2])


def replay(path: Path) -> str:
    """What is wrong with the reply to a kept request; nothing if it is as documented."""
    request = path.read_bytes()
    with serving() as (_, port):
        ask(port, "/decode")
        with socket.create_connection(("127.0.0.1", port), timeout=SLOWEST) as connection:
            connection.sendall(request)
            reply = receive(connection)
        print(reply.decode("utf-8", "replace")[:2000])
        return judge(request, reply)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=int(time.time()))
    given = options.parse_args()
    sys.exit(attack(given.minutes, given.seed))
