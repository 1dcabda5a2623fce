"""The systems of chapter 5: separate and joint identification and classification, chains, histories; each with and without rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

import lawful
from experiments.trees.data import LABELS, Proposition, propositions, recall
from lawful.encodings import Encoded
from lawful.evaluation import compare_outputs, score_roles
from lawful.lattice import AnyLattice, GraphLattice, TagLattice
from lawful.models import CRF, MaxEnt, StructuredPerceptron
from lawful.tasks import load_rules
from lawful.tasks.srl.constituents import history_tags
from lawful.tasks.srl.constituents.histories import AFTER
from lawful.tasks.srl.units import CORE_ROLES

__all__ = ["RULES", "STEPS", "SYSTEMS", "answers_of", "run_filter", "run_system", "score"]

RULES = load_rules("srl/constituents")
_NO_DUPLICATE = tuple(f"NO DUPLICATE {role}" for role in CORE_ROLES)
STEPS: dict[str, tuple[str, ...]] = {
    "no rules": (),
    "no duplicate": _NO_DUPLICATE,
    "no nesting": ("NO ARGUMENT INSIDE ANOTHER",),
    "legal roles": ("LEGAL ROLES",),
    "all rules": tuple(RULES.names),
}
ITERATIONS = 100
Scored = tuple[list[list[str]], Sequence[AnyLattice]]


def complex_rows(one: Proposition) -> list[list[str]]:
    """Attributes that are marked by what they are for: finding arguments, or naming them (Eq. 5.4 to 5.6)."""
    after = one.after
    return [
        [
            *(f"id:{attribute}" for attribute in finding),
            *(f"cls:{attribute}" for attribute in naming),
            *([AFTER] if position == after else []),
        ]
        for position, (finding, naming) in enumerate(zip(one.finding, one.naming, strict=True))
    ]


def simple_rows(one: Proposition) -> list[list[str]]:
    """The attributes of both lists, each with every label (Eq. 5.1 to 5.3)."""
    return [
        [*naming, *(attribute for attribute in finding if attribute not in naming)]
        for finding, naming in zip(one.finding, one.naming, strict=True)
    ]


def separate(train: Sequence[Proposition], test: Sequence[Proposition], options: dict[str, Any]) -> Scored:
    """One model finds arguments, another names them (section 5.2); the product of their probabilities for the rules."""
    finder = MaxEnt(max_iterations=ITERATIONS, jobs=1, **options).fit(
        [one.finding for one in train],
        [["O" if label == "O" else "argument" for label in one.labels] for one in train],
    )
    named = [
        ([row for row, label in pairs], [label for _, label in pairs])
        for one in train
        if (pairs := [pair for pair in zip(one.naming, one.labels, strict=True) if pair[1] != "O"])
    ]
    namer = MaxEnt(max_iterations=ITERATIONS, jobs=1, **options).fit(
        [rows for rows, _ in named], [labels for _, labels in named]
    )
    roles = [label for label in LABELS[1:] if label in namer.labels]
    columns = [list(namer.labels).index(role) for role in roles]
    found_at = list(finder.labels).index("argument")
    plain, scored = [], []
    for one, finding, naming in zip(
        test,
        finder.lattices([one.finding for one in test]),
        namer.lattices([one.naming for one in test]),
        strict=True,
    ):
        is_argument = finding.emissions[:, found_at]
        joint = np.column_stack(
            [finding.emissions[:, 1 - found_at], is_argument[:, None] + naming.emissions[:, columns]]
        )
        best = naming.emissions[:, columns].argmax(axis=1)
        plain.append(
            [
                roles[best[t]] if is_argument[t] > finding.emissions[t, 1 - found_at] else "O"
                for t in range(len(one.made))
            ]
        )
        scored.append(lawful.Lattice(joint, labels=["O", *roles]))
    return plain, scored


def _apart(labels: Sequence[str]) -> dict[str, Any]:
    """Features for finding fire for arguments or for none, those for naming for single roles, and O has none of its own."""
    roles = [label for label in labels if label != "O"]
    return {"groups": {"argument": roles, "none": ["O"]}, "group_features": "id:", "label_features": roles}


def _by(
    model: Callable[[dict[str, Any], list[str]], Any], rows: Callable[[Proposition], list[list[str]]]
) -> Any:
    def run(train: Sequence[Proposition], test: Sequence[Proposition], options: dict[str, Any]) -> Scored:
        used = {label for one in train for label in one.labels}
        empty = model(options, [label for label in LABELS if label in used])
        fitted = empty.fit([rows(one) for one in train], [list(one.labels) for one in train])
        scored = list(fitted.lattices([rows(one) for one in test]))
        decoder = lawful.Decoder(labels=scored[0].labels)
        return [list(found.labels) for found in decoder.decode_batch(scored, jobs=1)], scored

    return run


def histories(train: Sequence[Proposition], test: Sequence[Proposition], options: dict[str, Any]) -> Scored:
    """A chain over tags with the 20 most frequent histories (section 5.6), decoded over the encoding."""
    most = options.get("most", 20)
    options = {name: value for name, value in options.items() if name != "most"}
    tags = history_tags(LABELS, [(one.labels, one.after) for one in train], most=most)
    used = sorted({tag for one in train for tag in tags.encode(one.labels, one.after)})
    groups = {
        name: kept
        for name, members in tags.groups().items()
        if (kept := [tag for tag in members if tag in used])
    }
    chain = StructuredPerceptron(groups=groups, jobs=1, **options)
    model = Encoded(chain, tags.encoding()).fit(
        [complex_rows(one) for one in train], [list(one.labels) for one in train]
    )
    scored: list[AnyLattice] = list(model.lattices([complex_rows(one) for one in test]))
    decoder = lawful.Decoder(labels=model.labels)
    return [list(found.labels) for found in decoder.decode_batch(scored, jobs=1)], scored


SYSTEMS: dict[str, Callable[..., Scored]] = {
    "separate": separate,
    "joint, simple features": _by(
        lambda options, labels: MaxEnt(max_iterations=ITERATIONS, jobs=1, **options), simple_rows
    ),
    "joint, complex features": _by(
        lambda options, labels: MaxEnt(max_iterations=ITERATIONS, jobs=1, **_apart(labels), **options),
        complex_rows,
    ),
    "chain": _by(
        lambda options, labels: CRF(max_iterations=ITERATIONS, jobs=1, **_apart(labels), **options),
        complex_rows,
    ),
    "chain, perceptron": _by(
        lambda options, labels: StructuredPerceptron(jobs=1, **_apart(labels), **options), complex_rows
    ),
    "histories, perceptron": histories,
}


@lru_cache(maxsize=1)
def _scored(system: str, train: str, test: str, options: tuple[tuple[str, Any], ...]) -> Any:
    began = time.process_time()
    found = SYSTEMS[system](propositions(train), propositions(test), dict(options))
    return *found, time.process_time() - began


def score(test: Sequence[Proposition], answers: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Counts (correct, predicted, gold) of all arguments, of core ones, and of each role."""
    gold = [one.roles for one in test]
    found = [one.made.unlabel(labels) for one, labels in zip(test, answers, strict=True)]
    every = score_roles(gold, found, roles=LABELS[1:])
    core = score_roles(gold, found, roles=CORE_ROLES)
    return {
        "all": [every.overall.correct, every.overall.predicted, every.overall.gold],
        "core": [core.overall.correct, core.overall.predicted, core.overall.gold],
        "roles": {name: [one.correct, one.predicted, one.gold] for name, one in every.roles.items()},
        "perfect": every.perfect,
    }


def answers_of(scored: Sequence[AnyLattice], test: Sequence[Proposition], rules: lawful.Rules) -> Any:
    """The best labels under rules, and CPU milliseconds per proposition."""
    ready = [
        in_context(lattice, {**one.made.sentence.context}, list(one.made.sentence.inputs()))
        for lattice, one in zip(scored, test, strict=True)
    ]
    decoder = lawful.Decoder(rules, labels=ready[0].labels, on_infeasible="least_bad")
    began = time.process_time()
    found = [list(one.labels) for one in decoder.decode_batch(ready, jobs=1)]
    return found, 1000 * (time.process_time() - began) / len(test)


def in_context(lattice: AnyLattice, context: dict[str, Any], tokens: list[Any]) -> AnyLattice:
    """The same scores, with what rules look at."""
    if isinstance(lattice, lawful.Lattice):
        return lawful.Lattice(
            lattice.emissions,
            lattice.transitions,
            start=lattice.start,
            end=lattice.end,
            labels=lattice.labels,
            tokens=tokens,
            context=context,
        )
    if isinstance(lattice, TagLattice):
        tags = in_context(lattice.tags, context, tokens)
        assert isinstance(tags, lawful.Lattice)
        return TagLattice(tags, lattice.columns, lattice._mask)
    assert isinstance(lattice, GraphLattice)
    return replace(lattice, tokens=tokens, context=context)


def run_system(settings: dict[str, Any]) -> dict[str, Any]:
    """Fit a system, label the test data with and without rules, and score."""
    test = propositions(settings["test"])
    plain, scored, seconds = _scored(
        settings["system"], settings["train"], settings["test"], tuple(sorted(settings["options"].items()))
    )
    steps: dict[str, Any] = {}
    kept: dict[str, list[list[str]]] = {}
    for step, names in STEPS.items():
        answers, ms = (
            (plain, None)
            if not names
            else answers_of(scored, test, lawful.Rules(RULES[name] for name in names))
        )
        steps[step] = {**score(test, answers), "ms": ms}
        kept[step] = answers
    gold = [list(one.labels) for one in test]
    tested = compare_outputs(gold, kept["no rules"], kept["all rules"], scheme="flat", rounds=1000)
    broken = dict.fromkeys(RULES.names, 0)
    for one, labels in zip(test, gold, strict=True):
        counts = RULES.violations(labels, list(one.made.sentence.inputs()), one.made.sentence.context)
        for name, count in counts.items():
            broken[name] += bool(count)
    return {
        "propositions": len(test),
        "seconds": round(seconds, 1),
        "steps": steps,
        "gold broken": broken,
        "ceiling": score(test, gold)["all"],
        "p": tested.p_randomization,
        "interval": [round(100 * edge, 2) for edge in tested.interval],
        "answers": {step: pack(test, kept[step]) for step in ("no rules", "all rules")},
    }


def pack(test: Sequence[Proposition], answers: Sequence[Sequence[str]]) -> list[list[int]]:
    """Correct, predicted and gold arguments of each proposition, from which any two systems can be compared."""
    rows = []
    for one, labels in zip(test, answers, strict=True):
        found = set(one.made.unlabel(labels))
        rows.append([len(found & set(one.roles)), len(found), len(one.roles)])
    return rows


def run_filter(settings: dict[str, Any]) -> dict[str, Any]:
    """The recall of the argument filter."""
    return recall(settings["test"])
