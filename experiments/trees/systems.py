"""The systems of chapter 5: separate and joint identification and classification, chains, histories; each fitted once, and scored on any split."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import lawful
from experiments.trees.data import LABELS, Proposition, propositions
from lawful.encodings import Encoded
from lawful.lattice import AnyLattice
from lawful.models import CRF, MaxEnt, StructuredPerceptron
from lawful.models.base.estimator import SequenceModel
from lawful.tasks.srl.constituents import HistoryTags, history_tags
from lawful.tasks.srl.constituents.histories import AFTER

__all__ = [
    "ITERATIONS",
    "SYSTEMS",
    "Scores",
    "apart",
    "complex_rows",
    "fitted_system",
    "known_histories",
    "model_scores",
    "plain_answers",
]

ITERATIONS = 80
"""Of L-BFGS, at most."""

Scores = Callable[[Sequence[Proposition]], tuple[list[list[str]], list[AnyLattice]]]
"""What a fitted system says of propositions: its labels without rules, and the scores for decoding under rules."""


# --- what a learner sees -------------------------------------------------------------------------------------------


def complex_rows(one: Proposition) -> list[list[str]]:
    """Attributes that are marked by what they are for: finding arguments, or naming them (Eq. 5.4 to 5.6)."""
    rows = [[*finding, *naming] for finding, naming in zip(one.finding, one.naming, strict=True)]
    if one.after < len(rows):
        rows[one.after].append(AFTER)
    return rows


def simple_rows(one: Proposition) -> list[list[str]]:
    """The attributes of both lists, each with every label (Eq. 5.1 to 5.3); what is in both lists stands once."""
    rows = []
    for finding, naming in zip(one.finding, one.naming, strict=True):
        known = {attribute.partition(":")[2] for attribute in naming}
        rows.append(
            [*naming, *(attribute for attribute in finding if attribute.partition(":")[2] not in known)]
        )
    if one.after < len(rows):
        rows[one.after].append(AFTER)
    return rows


def apart(labels: Sequence[str]) -> dict[str, Any]:
    """Features for finding fire for arguments or for none, those for naming for single roles, and O has none of its own."""
    roles = [label for label in labels if label != "O"]
    return {"groups": {"argument": roles, "none": ["O"]}, "group_features": "id:", "label_features": roles}


# --- systems -------------------------------------------------------------------------------------------------------


def separate(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """One model finds arguments, another names them (section 5.2); the product of their probabilities for the rules."""
    finder = _maxent(options).fit(
        [one.finding for one in train],
        [["O" if label == "O" else "argument" for label in one.labels] for one in train],
    )
    named = [
        pairs
        for one in train
        if (pairs := [pair for pair in zip(one.naming, one.labels, strict=True) if pair[1] != "O"])
    ]
    namer = _maxent(options).fit(
        [[row for row, _ in pairs] for pairs in named], [[label for _, label in pairs] for pairs in named]
    )
    roles = [label for label in LABELS[1:] if label in namer.labels]
    columns = [list(namer.labels).index(role) for role in roles]
    found_at = list(finder.labels).index("argument")

    def scores(test: Sequence[Proposition]) -> tuple[list[list[str]], list[AnyLattice]]:
        plain, scored = [], []
        for finding, naming in zip(
            finder.lattices([one.finding for one in test]),
            namer.lattices([one.naming for one in test]),
            strict=True,
        ):
            is_argument, is_none = finding.emissions[:, found_at], finding.emissions[:, 1 - found_at]
            of_roles = naming.emissions[:, columns]
            best = of_roles.argmax(axis=1)
            plain.append(
                [
                    roles[role] if argument > none else "O"
                    for role, argument, none in zip(best, is_argument, is_none, strict=True)
                ]
            )
            joint = np.column_stack([is_none, is_argument[:, None] + of_roles])
            scored.append(lawful.Lattice(joint, labels=["O", *roles]))
        return plain, list[AnyLattice](scored)

    return scores


def _maxent(options: Mapping[str, Any], **more: Any) -> MaxEnt:
    return MaxEnt(max_iterations=ITERATIONS, jobs=1, **more, **options)


def model_scores(model: SequenceModel, rows: Callable[[Proposition], list[list[str]]]) -> Scores:
    """What a fitted model says of propositions."""

    def scores(test: Sequence[Proposition]) -> tuple[list[list[str]], list[AnyLattice]]:
        scored: list[AnyLattice] = list(model.lattices([rows(one) for one in test]))
        return plain_answers(scored), scored

    return scores


def plain_answers(scored: Sequence[AnyLattice]) -> list[list[str]]:
    """The best labels without rules."""
    decoder = lawful.Decoder(labels=scored[0].labels)
    return [list(found.labels) for found in decoder.decode_batch(scored, jobs=1)]


def _fit(
    model: SequenceModel, rows: Callable[[Proposition], list[list[str]]], train: Sequence[Proposition]
) -> Scores:
    fitted = model.fit([rows(one) for one in train], [list(one.labels) for one in train])
    return model_scores(fitted, rows)


def _used(train: Sequence[Proposition]) -> list[str]:
    used = {label for one in train for label in one.labels}
    return [label for label in LABELS if label in used]


def joint_simple(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """Both at once, each attribute with each label (section 5.3)."""
    return _fit(_maxent(options), simple_rows, train)


def joint_complex(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """Both at once, with features for finding and for naming apart."""
    return _fit(_maxent(options, **apart(_used(train))), complex_rows, train)


def chain(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """The same with transitions (section 5.4), by maximum likelihood."""
    model = CRF(max_iterations=ITERATIONS, jobs=1, **apart(_used(train)), **options)
    return _fit(model, complex_rows, train)


def chain_perceptron(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """The same chain, by the averaged perceptron."""
    return _fit(StructuredPerceptron(jobs=1, **apart(_used(train)), **options), complex_rows, train)


def known_histories(train: Sequence[Proposition], most: int) -> tuple[HistoryTags, dict[str, Any]]:
    """The tags, and what a model has to know of them: groups that share features, and which tags may stand side by side.

    As in the chain, features for finding fire for arguments or for none, and features for naming never for O (Eq. 5.6): a history adds features, it
    must not take that division away.
    """
    tags = history_tags(LABELS, [(one.labels, one.after) for one in train], most=most)
    used = {tag for one in train for tag in tags.encode(one.labels, one.after)}
    nones = [tag for tag in tags.tags() if tag in used and tag.endswith(":O")]
    arguments = [tag for tag in tags.tags() if tag in used and not tag.endswith(":O")]
    groups = {
        name: kept
        for name, members in tags.groups().items()
        if (kept := [tag for tag in members if tag in used and not tag.endswith(":O")])
    }
    groups |= {"argument": arguments, "none": nones}
    steps = [pair for pair in tags.transitions() if pair[0] in used and pair[1] in used]
    return tags, {
        "groups": groups,
        "group_features": ("id:", ["argument", "none"]),
        "label_features": arguments,
        "allowed_transitions": steps,
    }


def histories(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """A chain over tags with the most frequent histories (section 5.6), by maximum likelihood."""
    options = dict(options)
    tags, known = known_histories(train, options.pop("most", 20))
    model = CRF(max_iterations=ITERATIONS, jobs=1, **known, **options)
    return _fit(Encoded(model, tags.encoding()), complex_rows, train)


def histories_perceptron(train: Sequence[Proposition], options: Mapping[str, Any]) -> Scores:
    """The same, by the averaged perceptron."""
    options = dict(options)
    tags, known = known_histories(train, options.pop("most", 20))
    model = StructuredPerceptron(jobs=1, **known, **options)
    return _fit(Encoded(model, tags.encoding()), complex_rows, train)


SYSTEMS: dict[str, Callable[[Sequence[Proposition], Mapping[str, Any]], Scores]] = {
    "separate": separate,
    "joint, simple features": joint_simple,
    "joint, complex features": joint_complex,
    "chain": chain,
    "histories": histories,
    "chain, perceptron": chain_perceptron,
    "histories, perceptron": histories_perceptron,
}


@lru_cache(maxsize=1)
def fitted_system(system: str, train: str, options: tuple[tuple[str, Any], ...]) -> tuple[Scores, float]:
    """A system, and the CPU seconds of its training; the last one is kept, because several splits are scored with it."""
    began = time.process_time()
    scores = SYSTEMS[system](propositions(train), dict(options))
    return scores, time.process_time() - began
