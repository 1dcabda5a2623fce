"""The runs of the experiment as the page's JSON file has them: each encoding once, and nothing that the page does not need."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lawful.encodings.model_store import digest_of

__all__ = ["pack", "read_published", "unpack", "write_published"]

Run = dict[str, Any]
NUMBER = "encoding number"
# Encodings from all over a search, by which other rankings are judged: most of the file, and not on the page.
LEFT_OUT = "sample"


def pack(runs: Iterable[Run]) -> Run:
    """All runs, and the encodings that they name: an encoding is in a search, among the finalists, and where it is scored.

    Examples
    --------
    >>> encoding = {"arcs": [[0, "A", 0, ["A"]]]}
    >>> packed = pack([{"settings": {"encodings": [encoding]}, "result": {"best": encoding, "sample": [1]}}])
    >>> len(packed["encodings"]), packed["runs"][0]["result"]
    (1, {'best': {'encoding number': 0}})
    >>> unpack(packed)[0]["settings"]["encodings"] == [encoding]
    True
    """
    numbers: dict[str, int] = {}
    encodings: list[Any] = []

    def packed(data: Any) -> Any:
        if isinstance(data, dict):
            if "arcs" in data:
                key = digest_of(data)
                if key not in numbers:
                    numbers[key] = len(encodings)
                    encodings.append(data)
                return {NUMBER: numbers[key]}
            return {name: packed(value) for name, value in data.items() if name != LEFT_OUT}
        return [packed(value) for value in data] if isinstance(data, list) else data

    return {"runs": [packed(run) for run in runs], "encodings": encodings}


def unpack(data: Run) -> list[Run]:
    """The runs, with the encodings in their places."""

    def unpacked(part: Any) -> Any:
        if isinstance(part, dict):
            if NUMBER in part:
                return data["encodings"][part[NUMBER]]
            return {name: unpacked(value) for name, value in part.items()}
        return [unpacked(value) for value in part] if isinstance(part, list) else part

    return [unpacked(run) for run in data["runs"]]


def read_published(path: Path) -> list[Run]:
    """The runs in a file; none if it is not there."""
    return unpack(json.loads(path.read_text())) if path.exists() else []


def write_published(path: Path, runs: Iterable[Run]) -> None:
    """Write the runs into a file, one a line."""
    packed = pack(runs)
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(one) for one in packed[name]) + "\n]"
        for name in ("runs", "encodings")
    ]
    path.write_text("{" + ",\n".join(parts) + "}\n")
