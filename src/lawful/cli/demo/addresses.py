"""Hand-made addresses for the demo, and a tagger that looks at one token at a time.

The tagger is a dozen cues with scores. Like a real one it is right about most tokens but blind to the whole: it does
not know that an address names its city once, or that a zip needs a state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import lawful

__all__ = ["ADDRESSES", "Task"]


@dataclass(frozen=True)
class Task:
    """Sentences, cues that score labels, and the rules that the cues cannot know.

    Attributes
    ----------
    cues : sequence of (regular expression, label, score)
        A token that matches adds the score to the label.
    stay : float
        The score for giving a token the same label as the one before.
    """

    name: str
    labels: lawful.LabelSet
    cues: Sequence[tuple[str, str, float]]
    stay: float
    rules: lawful.Rules
    sentences: Sequence[str]

    def lattice(self, sentence: str) -> lawful.Lattice:
        """The tagger's scores for one sentence, split at spaces."""
        tokens = sentence.split()
        emissions = np.zeros((len(tokens), len(self.labels)))
        for t, token in enumerate(tokens):
            for pattern, label, score in self.cues:
                if re.fullmatch(pattern, token):
                    emissions[t, self.labels.index(label)] += score
        transitions = self.stay * np.eye(len(self.labels))
        return lawful.Lattice(emissions, transitions, labels=self.labels, tokens=tokens)


ADDRESSES = Task(
    name="addresses",
    labels=lawful.LabelSet(["number", "street", "city", "state", "zip"]),
    cues=[
        (r"\d{1,5}", "number", 2.0),
        (r"\d{5}", "zip", 1.5),
        (r"[A-Z][a-z]+", "street", 1.0),
        (r"[A-Z][a-z]+", "city", 0.8),
        (r"Street|Avenue|Road|Lane|Drive", "street", 3.0),
        (r"Springfield|Washington|Lincoln|Madison|Chicago", "city", 1.5),
        (r"[A-Z]{2}", "state", 3.0),
        (r"North|South|East|West", "street", 0.8),
        (r",", "city", 0.2),
    ],
    stay=0.5,
    rules=lawful.Rules(
        lawful.starts_with("number", "street").named("starts with number or street"),
        *(
            lawful.at_most_segments(1, label).named(f"one {label}")
            for label in ("number", "street", "city", "state", "zip")
        ),
        lawful.before("street", "city").named("street before city"),
        lawful.pattern("number? street+ city* state? zip*").named("fields in order"),
        lawful.requires("zip", "state").soft(2.0, name="a zip needs a state"),
    ),
    sentences=[
        "742 Evergreen Road Springfield OR 97475",
        "1600 Washington Avenue , Lincoln NE 68501",
        "Lincoln Street Madison WI 53703",
        "10001 North Madison Drive Chicago IL 60601",
    ],
)
