"""The systems of chapter 3: numbered roles divided by thematic ones, with features of both, and what that gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from experiments.shared.roles import frames
from experiments.trees.data import Proposition, propositions
from experiments.trees.scoring import pack, score
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

__all__ = [
    "COVERED",
    "ITERATIONS",
    "VARIANTS",
    "run_coherent",
    "run_confusion",
    "run_coverage",
    "run_themes",
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


@lru_cache(maxsize=1)
def _finder(train: str, c2: float) -> MaxEnt:
    data = propositions(train)
    return MaxEnt(max_iterations=ITERATIONS, jobs=1, c2=c2).fit(
        [one.finding for one in data],
        [["O" if label == "O" else "argument" for label in one.labels] for one in data],
    )


@lru_cache(maxsize=2)
def _namer(train: str, mapping: str, variant: str, c2: float) -> tuple[MaxEnt, SubdividedLabels]:
    theme = themes()[mapping]
    X, y = [], []
    for one in propositions(train):
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
def _found(train: str, test: str, c2: float) -> list[list[int]]:
    """The constituents of each proposition that are arguments, by the model that finds them."""
    finder = _finder(train, c2)
    argument = list(finder.labels).index("argument")
    return [
        np.flatnonzero(lattice.emissions[:, argument] > lattice.emissions[:, 1 - argument]).tolist()
        for lattice in finder.lattices([one.finding for one in propositions(test)])
    ]


def _answers(settings: dict[str, Any], part: str) -> list[list[str]]:
    test, c2 = propositions(settings["test"]), settings["c2"]
    model, labels = _namer(settings["train"], settings["mapping"], settings["variant"], c2)
    answers = []
    for one, found, lattice in zip(
        test,
        _found(settings["train"], settings["test"], c2),
        model.lattices([one.naming for one in test]),
        strict=True,
    ):
        names, scores = summed(lattice.emissions, list(model.labels), labels, part)  # type: ignore[arg-type]
        best = scores.argmax(axis=1)
        row = ["O"] * len(one.made)
        for position in found:
            row[position] = names[best[position]]
        answers.append(row)
    return answers


def run_coherent(settings: dict[str, Any]) -> dict[str, Any]:
    """Numbered roles by a model of subdivided ones: probabilities are summed (Eq. 3.3)."""
    test = propositions(settings["test"])
    answers = _answers(settings, "number")
    labels = _namer(settings["train"], settings["mapping"], settings["variant"], settings["c2"])[1]
    return {**score(test, answers), "labels": len(labels.labels), "answers": pack(test, answers)}


def run_confusion(settings: dict[str, Any]) -> dict[str, Any]:
    """Of the gold arguments that a model with a divided role labels right and the whole one does not: what the whole one says (Table 3.4)."""
    test = propositions(settings["test"])
    divided = _answers(settings, "number")
    whole = _answers({**settings, "mapping": "verbnet", "variant": "PropBank"}, "number")
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


def run_themes(settings: dict[str, Any]) -> dict[str, Any]:
    """Thematic roles: numbered ones predicted and mapped by the gold sense, or thematic ones predicted directly (section 3.8)."""
    test, theme = propositions(settings["test"]), themes()[settings["mapping"]]

    def mapped(one: Proposition, label: str) -> str:
        return (theme(one, label) or label) if label in COVERED else label

    result = {}
    gold = [{(role.start, role.end): mapped(one, role.type) for role in one.roles} for one in test]
    ways: dict[str, list[list[str]]] = {
        "predict and map": [
            [mapped(one, label) if label != "O" else "O" for label in row]
            for one, row in zip(test, _answers(settings, "number"), strict=True)
        ],
        "predict directly": _answers(settings, "theme"),
    }
    for way, answers in ways.items():
        rows = []
        for one, row, right in zip(test, answers, gold, strict=True):
            found = {span: label for span, label in zip(one.made.spans, row, strict=True) if label != "O"}
            rows.append(
                [sum(right.get(span) == label for span, label in found.items()), len(found), len(right)]
            )
        result[way] = {"all": np.sum(rows, axis=0).tolist(), "answers": rows}
    return result


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
