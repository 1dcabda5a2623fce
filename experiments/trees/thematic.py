"""Thematic roles: numbered ones predicted and mapped, or thematic ones predicted directly (Loper 2008, section 3.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import Any

import numpy as np

from experiments.shared.roles import frames
from experiments.trees.coherent import (
    COVERED,
    answers_by_sums,
    found_arguments,
    is_linked,
    learned_from,
    name_scores,
)
from experiments.trees.comparing import pack
from experiments.trees.data import Proposition, propositions
from lawful.tasks.srl.thematic import link_roles
from lawful.tasks.srl.thematic.subdivided import Part

__all__ = ["KNOWLEDGE", "OFTEN", "commonest_senses", "count_thematic", "run_themes"]

KNOWLEDGE = (
    "gold sense maps",
    "gold sense maps, all propositions",
    "no gold sense",
    "gold sense for both",
)
"""What the two ways know of the sense: the thesis's comparison gives it to the mapping alone; then to none; then to both.

Where it is not said that all propositions count, those do whose numbered roles all have a link.
"""

OFTEN = {"never": (0, 1), "1 to 4 times": (1, 5), "5 to 19 times": (5, 20), "20 times or more": (20, 10**9)}
"""How often the predicate is in the training data: from, and below."""

Sense = Callable[[Proposition], str]


@lru_cache(maxsize=1)
def commonest_senses(train: str) -> dict[str, str]:
    """The sense that each lemma has most often in the training data."""
    counted: dict[str, Counter[str]] = {}
    for one in propositions(train):
        if one.sense:
            counted.setdefault(_lemma(one), Counter())[one.sense] += 1
    return {lemma: senses.most_common(1)[0][0] for lemma, senses in counted.items()}


@lru_cache(maxsize=1)
def _links() -> Mapping[tuple[str, str], str]:
    return link_roles(frames())


def _lemma(one: Proposition) -> str:
    return str(one.made.sentence.context["lemma"])


def _mapped(role: str, sense: str) -> str:
    """The thematic role of a numbered one by a sense; the number itself if the sense does not link it, which is never right."""
    if role not in COVERED:
        return role
    return _links().get((sense, role)) or role


def count_thematic(
    test: Sequence[Proposition], answers: Sequence[Sequence[str]]
) -> dict[str, list[list[int]]]:
    """Correct, predicted and gold roles of each proposition: thematic ones, and all with the modifiers.

    A numbered role of the corpus without a link is no gold role, and a predicted one is wrong.
    """
    rows: dict[str, list[list[int]]] = {"thematic": [], "all": []}
    for one, labels in zip(test, answers, strict=True):
        gold = {
            (role.start, role.end): name
            for role in one.roles
            if (name := _mapped(role.type, one.sense)) not in COVERED
        }
        found = {span: label for span, label in zip(one.made.spans, labels, strict=True) if label != "O"}
        for kind, counted in rows.items():
            right, said = (
                {span: role for span, role in some.items() if kind == "all" or not role.startswith("AM-")}
                for some in (gold, found)
            )
            counted.append(
                [sum(right.get(span) == role for span, role in said.items()), len(said), len(right)]
            )
    return rows


def run_themes(settings: dict[str, Any]) -> dict[str, Any]:
    """Both ways from the same model, for each state of knowledge; and by how often the predicate was seen in training."""
    test, train = propositions(settings["test"]), learned_from(settings["train"])
    linked = [is_linked(one) for one in test]
    usual = commonest_senses(settings["train"].removeprefix("linked ").partition("/")[0])

    def guessed(one: Proposition) -> str:
        return usual.get(_lemma(one)) or _first_sense(_lemma(one))

    def gold(one: Proposition) -> str:
        return one.sense

    numbers, direct = (answers_by_sums(settings, part) for part in ("number", "theme"))
    numbers_of, themes_of = (_answers_of_the_sense(settings, part) for part in ("number", "theme"))
    ways = {
        "gold sense maps": (_map(test, numbers, gold), direct),
        "no gold sense": (_map(test, numbers, guessed), direct),
        "gold sense for both": (_map(test, numbers_of, gold), themes_of),
    }

    def both(knowledge: str, chosen: Sequence[bool]) -> dict[str, dict[str, str]]:
        some = list(compress(test, chosen))
        counted = {
            way: count_thematic(some, list(compress(answers, chosen)))
            for way, answers in zip(("predict and map", "predict directly"), ways[knowledge], strict=True)
        }
        return {way: {kind: pack(rows) for kind, rows in counts.items()} for way, counts in counted.items()}

    seen = Counter(_lemma(one) for one in train)
    often = {
        name: [known and least <= seen[_lemma(one)] < most for one, known in zip(test, linked, strict=True)]
        for name, (least, most) in OFTEN.items()
    }
    if settings.get("brief"):
        return {"training": len(train), "gold sense maps": both("gold sense maps", linked)}
    return {
        "training": len(train),
        "propositions": sum(linked),
        "of": len(test),
        "guessed": sum(guessed(one) == one.sense for one in compress(test, linked)),
        **{knowledge: both(knowledge, linked) for knowledge in ways},
        "gold sense maps, all propositions": both("gold sense maps", [True] * len(test)),
        "seen": {name: both("gold sense maps", chosen) for name, chosen in often.items() if any(chosen)},
    }


def _map(test: Sequence[Proposition], answers: Sequence[Sequence[str]], sense: Sense) -> list[list[str]]:
    return [[_mapped(role, sense(one)) for role in row] for one, row in zip(test, answers, strict=True)]


@lru_cache(maxsize=1)
def _first_senses() -> dict[str, str]:
    first: dict[str, str] = {}
    for roleset in frames().rolesets:
        first.setdefault(roleset.id.rpartition(".")[0], roleset.id)
    return first


def _first_sense(lemma: str) -> str:
    return _first_senses().get(lemma, "")


def _answers_of_the_sense(settings: dict[str, Any], part: Part) -> list[list[str]]:
    """The likeliest role that the gold sense links, or modifier, of each constituent that was found to be an argument."""
    answers = []
    for one, found, (names, scores) in zip(
        propositions(settings["test"]),
        found_arguments(settings["train"], settings["test"], settings["c2"]),
        name_scores(settings, part),
        strict=True,
    ):
        linked = {role: name for role in COVERED if (name := _links().get((one.sense, role)))}
        legal = linked.keys() if part == "number" else set(linked.values())
        barred = _barred(names, legal)
        row = ["O"] * len(one.made)
        for position in found:
            row[position] = names[np.where(barred, -np.inf, scores[position]).argmax()]
        answers.append(row)
    return answers


def _barred(names: Sequence[str], legal: Collection[str]) -> list[bool]:
    return [not name.startswith("AM-") and name not in legal for name in names]
