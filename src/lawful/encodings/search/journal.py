"""What a search has tried, in a SQLite file: killed at any moment, it goes on where it was."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from lawful.encodings.encoding import Encoding
from lawful.errors import FileError, InputError

__all__ = ["Candidate", "Journal"]

_TABLES = """
CREATE TABLE IF NOT EXISTS search (fingerprint TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS candidates (
    number INTEGER PRIMARY KEY, parent INTEGER, move TEXT, encoding TEXT NOT NULL, score REAL, seconds REAL
);
"""


@dataclass(frozen=True)
class Candidate:
    """One encoding of a search.

    Attributes
    ----------
    number : int
        0 is the encoding that the search started from.
    parent : int or None
        The candidate that it was made from.
    move : mapping or None
        How it was made, as `Move.to_dict` says it.
    encoding : mapping
        As `Encoding.to_dict` says it.
    score : float or None
        On the held-out data; None as long as it is being tried.
    seconds : float or None
    """

    number: int
    parent: int | None
    move: Mapping[str, Any] | None
    encoding: Mapping[str, Any]
    score: float | None = None
    seconds: float | None = None

    def load(self) -> Encoding:
        """The encoding itself."""
        return Encoding.from_dict(self.encoding)


class Journal:
    """The candidates of one search, written down before and after they are tried.

    Parameters
    ----------
    path : path or None
        The file; None keeps the journal in memory.
    fingerprint : str
        What is searched: data, model and settings. The journal of another search is refused.

    Examples
    --------
    >>> from lawful.encodings import identity_encoding
    >>> with Journal(None, "a search") as journal:
    ...     journal.begin(Candidate(0, None, None, identity_encoding(["A"]).to_dict()))
    ...     journal.finish(0, 0.5, 1.0)
    ...     [(candidate.number, candidate.score) for candidate in journal.candidates()]
    [(0, 0.5)]
    """

    def __init__(self, path: str | os.PathLike[str] | None, fingerprint: str) -> None:
        self.path = None if path is None else Path(path)
        try:
            self._database = sqlite3.connect(":memory:" if path is None else str(path), isolation_level=None)
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_TABLES)
            known = self._database.execute("SELECT fingerprint FROM search").fetchone()
            if known is None:
                self._database.execute("INSERT INTO search VALUES (?)", [fingerprint])
        except sqlite3.Error as error:
            raise FileError(path or "the journal", f"it is no journal of a search ({error})") from error
        if known is not None and known[0] != fingerprint:
            self.close()
            raise InputError(f"{path} is the journal of a search over other data or with other settings")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def begin(self, candidate: Candidate) -> None:
        """Write down what is going to be tried."""
        row = (
            candidate.number,
            candidate.parent,
            json.dumps(candidate.move),
            json.dumps(candidate.encoding),
            candidate.score,
            candidate.seconds,
        )
        self._database.execute("INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?)", row)

    def finish(self, number: int, score: float, seconds: float) -> None:
        """Write down what it scored."""
        self._database.execute(
            "UPDATE candidates SET score = ?, seconds = ? WHERE number = ?", [score, seconds, number]
        )

    def candidates(self) -> list[Candidate]:
        """All that was tried or is being tried, in order."""
        with closing(self._database.execute("SELECT * FROM candidates ORDER BY number")) as rows:
            return [
                Candidate(number, parent, json.loads(move), json.loads(encoding), score, seconds)
                for number, parent, move, encoding, score, seconds in rows
            ]
