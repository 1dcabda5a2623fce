"""The systems of chapter 3: numbered roles divided by thematic ones, with features of both, and what that gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from experiments.shared.roles import frames
from experiments.trees.comparing import pack
from experiments.trees.data import Proposition, propositions
from experiments.trees.scoring import counts_of, score
from lawful.lattice.arrays import Floats
from lawful.models import MaxEnt
from lawful.tasks.srl.thematic import (
    ARG1_GROUPS,
    ARG2_GROUPS,
    SubdividedLabels,
    describe_roles,
    group_of,
    link_roles,
    summed,
)
from lawful.tasks.srl.thematic.subdivided import Part

__all__ = [
    "COVERED",
    "ITERATIONS",
    "VARIANTS",
    "answers_by_sums",
    "found_arguments",
    "is_linked",
    "learned_from",
    "name_scores",
    "run_coherent",
    "run_confusion",
    "run_coverage",
    "themes",
]

Theme = Callable[[Proposition, str], str | None]
ITERATIONS = 80
COVERED = ("A0", "A1", "A2", "A3", "A4", "A5")

VARIANTS: dict[str, dict[str, Any]] = {
    "PropBank": {"groups": ("number",), "label_features": False},
    "simple": {"groups": (), "label_features": True},
    "simple + PropBank": {"groups": ("number",), "label_features": True},
    "simple + mapped": {"groups": ("theme",), "label_features": True},
    "simple + PropBank + mapped": {"groups": ("number", "theme"), "label_features": True},
}


def _links() -> dict[str, Theme]:
    linked, described = link_roles(frames()), describe_roles(frames())

    def by(table: Any) -> Theme:
        return lambda one, role: table.get((one.sense, role))

    def grouped(role: str, groups: Any) -> Theme:
        def theme(one: Proposition, label: str) -> str | None:
            found = linked.get((one.sense, label)) if label == role else None
            return None if found is None else group_of(found, groups)

        return theme

    return {
        "verbnet": by(linked),
        "descriptions": by(described),
        "A1 by groups": grouped("A1", ARG1_GROUPS),
        "A2 by groups": grouped("A2", ARG2_GROUPS),
    }


@lru_cache(maxsize=1)
def themes() -> dict[str, Theme]:
    """The mappings by name: from a proposition and a numbered role to a thematic one."""
    return _links()


def _label(one: Proposition, role: str, theme: Theme) -> str:
    return SubdividedLabels.join(role, theme(one, role) if role in COVERED else None)


@lru_cache(maxsize=4)
def learned_from(split: str) -> list[Proposition]:
    """The propositions of a split; with "linked" before it only those that the mapping covers: each numbered role has a link to VerbNet.

    The thesis learns from these alone. A role without a link would be one more division of its number, and one
    that means nothing: whether a sense is linked is a matter of how far the frame files have got.
    """
    whole = split.removeprefix("linked ")
    return [one for one in propositions(whole) if whole == split or is_linked(one)]


def is_linked(one: Proposition) -> bool:
    """Whether each numbered role of a proposition has a link to VerbNet."""
    theme = themes()["verbnet"]
    return all(theme(one, role.type) for role in one.roles if role.type in COVERED)


@lru_cache(maxsize=1)
def _finder(train: str, c2: float) -> MaxEnt:
    data = learned_from(train)
    return MaxEnt(max_iterations=ITERATIONS, jobs=1, c2=c2).fit(
        [one.finding for one in data],
        [["O" if label == "O" else "argument" for label in one.labels] for one in data],
    )


@lru_cache(maxsize=2)
def _namer(train: str, mapping: str, variant: str, c2: float) -> tuple[MaxEnt, SubdividedLabels]:
    theme = themes()[mapping]
    X, y = [], []
    for one in learned_from(train):
        rows = [
            (row, _label(one, label, theme))
            for row, label in zip(one.naming, one.labels, strict=True)
            if label != "O"
        ]
        if rows:
            X.append([row for row, _ in rows])
            y.append([label for _, label in rows])
    labels = SubdividedLabels.of(label for row in y for label in row)
    chosen = VARIANTS[variant]
    groups = labels.groups(*chosen["groups"]) or None
    model = MaxEnt(
        groups=groups, label_features=chosen["label_features"], max_iterations=ITERATIONS, jobs=1, c2=c2
    )
    return model.fit(X, y), labels


@lru_cache(maxsize=4)
def found_arguments(train: str, test: str, c2: float) -> list[list[int]]:
    """The constituents of each proposition that are arguments, by the model that finds them."""
    finder = _finder(train, c2)
    argument = list(finder.labels).index("argument")
    return [
        np.flatnonzero(lattice.emissions[:, argument] > lattice.emissions[:, 1 - argument]).tolist()
        for lattice in finder.lattices([one.finding for one in learned_from(test)])
    ]


def name_scores(settings: dict[str, Any], part: Part) -> Iterator[tuple[list[str], Floats]]:
    """The names of numbered or of thematic roles, and the log-probabilities of each for the constituents of each test proposition."""
    model, labels = _namer(settings["train"], settings["mapping"], settings["variant"], settings["c2"])
    for lattice in model.lattices([one.naming for one in learned_from(settings["test"])]):
        yield summed(lattice.emissions, list(model.labels), labels, part)


def answers_by_sums(settings: dict[str, Any], part: Part) -> list[list[str]]:
    """The likeliest numbered or thematic role of each constituent that was found to be an argument."""
    answers = []
    for one, found, (names, scores) in zip(
        learned_from(settings["test"]),
        found_arguments(settings["train"], settings["test"], settings["c2"]),
        name_scores(settings, part),
        strict=True,
    ):
        row = ["O"] * len(one.made)
        for position in found:
            row[position] = names[scores[position].argmax()]
        answers.append(row)
    return answers


def run_coherent(settings: dict[str, Any]) -> dict[str, Any]:
    """Numbered roles by a model of subdivided ones: probabilities are summed (Eq. 3.3)."""
    test = propositions(settings["test"])
    answers = answers_by_sums(settings, "number")
    labels = _namer(settings["train"], settings["mapping"], settings["variant"], settings["c2"])[1]
    return {
        **score(test, answers),
        "labels": len(labels.labels),
        "answers": pack(counts_of(test, answers)),
        "of roles": {role: pack(counts_of(test, answers, role)) for role in ("A1", "A2")},
    }


def run_confusion(settings: dict[str, Any]) -> dict[str, Any]:
    """Of the gold arguments that a model with a divided role labels right and the whole one does not: what the whole one says (Table 3.4)."""
    test = propositions(settings["test"])
    divided = answers_by_sums(settings, "number")
    whole = answers_by_sums({**settings, "mapping": "verbnet", "variant": "PropBank"}, "number")
    confused: Counter[str] = Counter()
    mended = spoiled = 0
    for one, ours, theirs in zip(test, divided, whole, strict=True):
        for gold, new, old in zip(one.labels, ours, theirs, strict=True):
            if gold == "O":
                continue
            if new == gold != old:
                mended += 1
                confused[f"{_kind(gold)} {_kind(old)}"] += 1
            spoiled += new != gold == old
    return {"confused": dict(confused), "mended": mended, "spoiled": spoiled}


def _kind(role: str) -> str:
    return role.partition("-")[0]


def run_coverage(settings: dict[str, Any]) -> dict[str, Any]:
    """How many numbered arguments have a thematic role, by number, and which ones (Tables 3.1 and 3.9)."""
    found: dict[str, Any] = {}
    for mapping in ("verbnet", "descriptions"):
        theme = themes()[mapping]
        table: dict[str, dict[str, int]] = {role: {} for role in COVERED}
        for one in propositions(settings["test"]):
            for role in one.roles:
                if role.type in COVERED:
                    name = theme(one, role.type) or ""
                    table[role.type][name] = table[role.type].get(name, 0) + 1
        found[mapping] = table
    described = describe_roles(frames())
    late = [
        (sense.id, f"A{role.number}")
        for sense in frames().rolesets
        for role in sense.roles
        if role.number in "2345"
    ]
    found["lexicon"] = [sum(key in described for key in late), len(late)]
    return found
