"""The comparisons that are already done, in a file to which each of them adds a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lawful
from lawful import _core

__all__ = ["State", "fingerprint"]


def fingerprint() -> str:
    """A hash of all code that determines the answers: results of other code are not resumed."""
    package, here = Path(lawful.__file__).parent, Path(__file__).parent
    rooms = ("lattice", "automata", "rules", "solvers", "decoding", "testing")
    files = [file for room in rooms for file in sorted((package / room).rglob("*.py"))]
    files += [Path(_core.__file__), here.parent / "shared" / "workloads.py", *sorted(here.glob("*.py"))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class State:
    """Records by name. A line that was cut off is ignored."""

    def __init__(self, path: Path) -> None:
        self.path, self.code = path, fingerprint()
        self.records: dict[str, dict[str, Any]] = {}
        for line in self._lines():
            if line.get("code") == self.code:
                self.records[line["name"]] = line["record"]

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        for line in self.path.read_text().splitlines():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                continue

    def add(self, name: str, record: dict[str, Any]) -> None:
        """Add a record, on disk at once."""
        self.records[name] = record
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps({"code": self.code, "name": name, "record": record}) + "\n")
