"""Scores that somebody else's model made: a small JSON file for the labels, and a table with every sequence."""

from __future__ import annotations

import json
from typing import Any

from lawful.corpus import Sentence
from lawful.errors import InputError, LawfulError
from lawful.labels import LabelSet
from lawful.lattice import Lattice, Transitions
from lawful.lattice.arrays import float_array

__all__ = ["GivenScores"]

KEYS = ("labels", "transitions", "start", "end")


class GivenScores:
    """Labels and transitions from a JSON file; the emissions (T, K) come with the sequences, as their `scores`.

    Examples
    --------
    >>> given = GivenScores.parse(b'{"labels": ["O", "City"], "transitions": [[0, 0], [0, 1]]}', "labels.json")
    >>> given.lattice(Sentence(("to", "Bonn"), context={"scores": [[1, 0], [0, 2]]}), ("to", "Bonn"))
    Lattice(2 tokens, 2 labels)
    """

    def __init__(
        self, labels: LabelSet, transitions: Transitions | None = None, start: Any = None, end: Any = None
    ) -> None:
        self.labels, self.transitions, self.start, self.end = labels, transitions, start, end

    @classmethod
    def parse(cls, data: bytes, name: str) -> GivenScores:
        """What a file says; `name` is for the errors."""
        try:
            told = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}: not JSON: {error}") from None
        if not isinstance(told, dict) or not isinstance(told.get("labels"), list):
            raise InputError(f'{name}: expected an object with the labels: {{"labels": ["O", ...]}}')
        unknown = [key for key in told if key not in KEYS]
        if unknown:
            raise InputError(f"{name}: unknown key {unknown[0]!r}; the keys are {', '.join(KEYS)}")
        try:
            labels = LabelSet(told["labels"])
            steps = told.get("transitions")
            held = None if steps is None else Transitions(float_array(steps, "transitions"), labels=labels)
            found = cls(labels, held, told.get("start"), told.get("end"))
            # A made-up sequence shows whether the shapes fit.
            Lattice([[0.0] * len(labels)] * 2, held, labels=labels, start=found.start, end=found.end)
        except LawfulError as error:
            raise InputError(f"{name}: {error}") from None
        return found

    def lattice(self, sentence: Sentence, tokens: Any) -> Lattice:
        """The scores of one sequence."""
        scores = sentence.context.get("scores")
        if not isinstance(scores, list):
            raise InputError(
                'each line of the input must bring its scores: {"tokens": [...], "scores": [[...], ...]}'
            )
        if len(scores) != len(sentence):
            raise InputError(f"{len(sentence)} tokens, but {len(scores)} rows of scores")
        return Lattice(
            scores, self.transitions, labels=self.labels, start=self.start, end=self.end, tokens=tokens
        )
