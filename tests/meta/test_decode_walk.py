"""How many files a reader walks through for one `decode`: those whose functions are called, counted by a profiler."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import lawful

PACKAGE = Path(lawful.__file__).parent
MOST_FILES = 15  # from compiling one rule to the labels of the answer
MOST_FOR_THREE_KINDS = 20  # one of which tests tokens


def question(labels: Sequence[str], tokens: Sequence[str]) -> tuple[lawful.Lattice, list[lawful.Rule]]:
    rules = [
        lawful.at_most_segments(1, labels[0]),
        lawful.before(labels[0], labels[1]),
        lawful.when(lawful.token.matches(r"\d+")).then(labels[1]),
    ]
    scores = [[1.0, 0.0, 0.5], [0.0, 0.5, 1.0], [1.0, 0.0, 0.0]]
    return lawful.Lattice(scores, labels=labels, tokens=tokens), rules


def walked(lattice: lawful.Lattice, rules: list[lawful.Rule]) -> set[str]:
    """The files of lawful whose functions are called; what an import runs does not count."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE) and frame.f_code.co_name != "<module>":
            files.add(str(path.relative_to(PACKAGE)))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        assert len(lawful.decode(lattice, rules).labels) == 3
    finally:
        sys.setprofile(before)
    return files


def test_a_decode_is_understood_from_few_files() -> None:
    walked(*question(["A", "B", "C"], ["a", "1", "b"]))  # so that everything is imported
    lattice, rules = question(["D", "E", "F"], ["a", "1", "b"])
    of_one_rule, of_three = walked(lattice, rules[:1]), walked(lattice, rules)
    assert {"decoding/decoder.py", "rules/compiled_rules.py", "rules/kinds/segments.py"} < of_one_rule
    assert len(of_one_rule) <= MOST_FILES, sorted(of_one_rule)
    assert len(of_three) <= MOST_FOR_THREE_KINDS, sorted(of_three)
