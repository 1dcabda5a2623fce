"""Scores from somebody else's model: the labels in a small JSON file, a table of scores with every sequence."""

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
    """Labels and transitions from a JSON file; each sequence brings its emissions (T, K) as `scores`.

    Examples
    --------
    >>> scores = GivenScores.parse(b'{"labels": ["O", "City"], "transitions": [[0, 0], [0, 1]]}', "labels.json")
    >>> scores.lattice(Sentence(("to", "Bonn"), context={"scores": [[1, 0], [0, 2]]}), ("to", "Bonn"))
    Lattice(2 tokens, 2 labels)
    """

    def __init__(
        self, labels: LabelSet, transitions: Transitions | None = None, start: Any = None, end: Any = None
    ) -> None:
        self.labels, self.transitions, self.start, self.end = labels, transitions, start, end

    @classmethod
    def parse(cls, data: bytes, name: str) -> GivenScores:
        """Read the JSON of a file; `name` is its name in error messages."""
        try:
            content = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}: not JSON: {error}") from None
        if not isinstance(content, dict) or not isinstance(content.get("labels"), list):
            raise InputError(f'{name}: expected an object with the labels: {{"labels": ["O", ...]}}')
        unknown = [key for key in content if key not in KEYS]
        if unknown:
            raise InputError(f"{name}: unknown key {unknown[0]!r}; the keys are {', '.join(KEYS)}")
        try:
            labels = LabelSet(content["labels"])
            table = content.get("transitions")
            transitions = (
                None if table is None else Transitions(float_array(table, "transitions"), labels=labels)
            )
            scores = cls(labels, transitions, content.get("start"), content.get("end"))
            # A made-up sequence of two tokens: wrong shapes are reported now, and not with the first sentence.
            Lattice([[0.0] * len(labels)] * 2, transitions, labels=labels, start=scores.start, end=scores.end)
        except LawfulError as error:
            raise InputError(f"{name}: {error}") from None
        return scores

    def lattice(self, sentence: Sentence, tokens: Any) -> Lattice:
        """The scores of one sequence."""
        scores = sentence.context.get("scores")
        if not isinstance(scores, list):
            raise InputError(
                'each line of the input must have scores: {"tokens": [...], "scores": [[...], ...]}'
            )
        if len(scores) != len(sentence):
            raise InputError(f"{len(sentence)} tokens, but {len(scores)} rows of scores")
        return Lattice(
            scores, self.transitions, labels=self.labels, start=self.start, end=self.end, tokens=tokens
        )
