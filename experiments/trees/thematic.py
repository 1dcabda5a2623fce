"""Thematic roles: numbered ones predicted and mapped, or thematic ones predicted directly (Loper 2008, section 3.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from experiments.shared.roles import frames
from experiments.trees.coherent import (
    COVERED,
    answers_by_sums,
    found_arguments,
    learned_from,
    name_scores,
)
from experiments.trees.data import Proposition, propositions
from lawful.tasks.srl.thematic import link_roles
from lawful.tasks.srl.thematic.subdivided import Part

__all__ = ["KNOWLEDGE", "commonest_senses", "count_thematic", "run_themes"]

KNOWLEDGE = ("gold sense maps", "no gold sense", "gold sense for both")
"""What the two ways know of the sense: the thesis's comparison gives it to the mapping alone; then to none; then to both."""

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
    """Correct, predicted and gold roles of each proposition: thematic ones, and all with the modifiers."""
    rows: dict[str, list[list[int]]] = {"thematic": [], "all": []}
    for one, labels in zip(test, answers, strict=True):
        gold = {(role.start, role.end): _mapped(role.type, one.sense) for role in one.roles}
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
    """Both ways from the same model, for each state of knowledge, on the propositions that the mapping covers."""
    test = learned_from(settings["test"])
    usual = commonest_senses("ewt-train" if "ewt" in settings["train"] else "train")

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
    result: dict[str, Any] = {
        "training": len(learned_from(settings["train"])),
        "propositions": len(test),
        "of": len(propositions(settings["test"].rpartition(" ")[2])),
        "guessed": sum(guessed(one) == one.sense for one in test),
    }
    for knowledge, answers in ways.items():
        result[knowledge] = {
            way: count_thematic(test, rows)
            for way, rows in zip(("predict and map", "predict directly"), answers, strict=True)
        }
    return result


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
        learned_from(settings["test"]),
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
