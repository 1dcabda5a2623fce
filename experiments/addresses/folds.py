"""Cross-validation on the labelled addresses: the package's features, parserator's training, several ways to decode."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
import usaddress as package

import lawful
from experiments.addresses.data import Labelled
from lawful.adapters import usaddress
from lawful.adapters.crfsuite.tagger import CrfsuiteTagger

__all__ = ["GRID", "cross_validate", "score_methods"]

FOLDS = 10
SEED = 20260101
PARSERATOR = {"c1": 0.1, "c2": 0.01, "feature.minfreq": 0}  # what `parserator train` passes to CRFsuite
GRID = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, math.inf]
Record = dict[str, Any]


def cross_validate(
    corpus: Sequence[Labelled], work: Path, show_progress: Callable[[str], None]
) -> list[list[Record]]:
    """What each fold's model says about the addresses it has not seen; folds that are already in `work` are read."""
    work.mkdir(parents=True, exist_ok=True)
    order = np.random.default_rng(SEED).permutation(len(corpus))
    folds = []
    for number, members in enumerate(np.array_split(order, FOLDS)):
        kept = work / f"fold-{number}.json"
        if not kept.exists():
            held_out = {int(index) for index in members}
            train = [address for index, address in enumerate(corpus) if index not in held_out]
            records = _fold(
                train, [corpus[index] for index in sorted(held_out)], work / f"fold-{number}.crfsuite"
            )
            aside = kept.with_suffix(".part")
            aside.write_text(json.dumps(records))
            aside.rename(kept)
            show_progress(f"  fold {number + 1} of {FOLDS} trained and decoded")
        folds.append(json.loads(kept.read_text()))
    return folds


def _fold(train: Sequence[Labelled], test: Sequence[Labelled], path: Path) -> list[Record]:
    trainer = pycrfsuite.Trainer(verbose=False, params=PARSERATOR)
    for address in train:
        trainer.append(package.tokens2features(list(address.tokens)), address.labels)
    trainer.train(str(path))
    tagger = CrfsuiteTagger.read(path)
    rules = usaddress.rules(tagger.labels)
    items = [package.tokens2features(list(address.tokens)) for address in test]
    lattices = tagger.lattices(items, tokens=[address.tokens for address in test])
    hard = lawful.Decoder(rules, labels=tagger.labels).decode_batch(lattices)
    priced = [rule.soft(_log_odds(rule, train)) for rule in rules]
    soft = lawful.Decoder(priced, labels=tagger.labels).decode_batch(lattices)
    judge = pycrfsuite.Tagger()
    judge.open(str(path))
    records = []
    for address, sequence, obeying, paying in zip(test, items, hard, soft, strict=True):
        plain = list(obeying.plain_labels)
        assert plain == judge.tag(sequence)
        records.append(
            {
                "tokens": address.tokens,
                "gold": address.labels,
                "plain": plain,
                "hard": obeying.labels,
                "soft": paying.labels,
                "loss": obeying.loss,
            }
        )
    return records


def _log_odds(rule: lawful.Rule, gold: Sequence[Labelled]) -> float:
    """The price of a rule: the log odds of keeping it in the training data, each count half a case up."""
    known = {label for label, _ in rule.classes}  # type: ignore[attr-defined]
    broken = sum(rule.violations(address.labels) > 0 for address in gold if known.issuperset(address.labels))
    return max(0.0, math.log((len(gold) - broken + 0.5) / (broken + 0.5)))


def score_methods(folds: Sequence[Sequence[Record]]) -> dict[str, Any]:
    """Tokens, addresses and answers right, for each way to decode."""
    records = [record for fold in folds for record in fold]
    chosen = [
        _best_max_loss([record for other, fold in enumerate(folds) if other != number for record in fold])
        for number in range(len(folds))
    ]
    by_fold = [
        _with_max_loss(record, limit) for limit, fold in zip(chosen, folds, strict=True) for record in fold
    ]
    methods = {
        "plain (the package)": _score(records, [record["plain"] for record in records], merge=None),
        "merged": _score(records, [record["plain"] for record in records], merge=True),
        "hard": _score(records, [record["hard"] for record in records]),
        "soft, learned prices": _score(records, [record["soft"] for record in records]),
        "max_loss chosen on the other folds": _score(records, by_fold),
    }
    grid = {
        f"{limit:g}": _score(records, [_with_max_loss(record, limit) for record in records]) for limit in GRID
    }
    failing = [record for record in records if record["loss"] > 0]
    arranged = usaddress.parser().arrange
    return {
        "addresses": len(records),
        "tokens": sum(len(record["gold"]) for record in records),
        "gold_breaks": sum(_breaks(record["gold"], arranged) for record in records),
        "failing": len(failing),
        "failing_gold_breaks": sum(_breaks(record["gold"], arranged) for record in failing),
        "methods": methods,
        "fixed_max_loss": grid,
        "chosen_max_loss": [f"{limit:g}" for limit in chosen],
    }


def _with_max_loss(record: Record, limit: float) -> Sequence[str]:
    return list(record["hard"] if record["loss"] <= limit else record["plain"])


def _best_max_loss(records: Sequence[Record]) -> float:
    """The limit with most addresses right, then most tokens right; the smallest of equals."""

    def quality(limit: float) -> tuple[int, int]:
        answers = [_with_max_loss(record, limit) for record in records]
        pairs = list(zip(answers, records, strict=True))
        return sum(answer == list(r["gold"]) for answer, r in pairs), sum(
            _right(a, r["gold"]) for a, r in pairs
        )

    return max(GRID, key=quality)


def _score(
    records: Sequence[Record], answers: Sequence[Sequence[str]], *, merge: bool | None = False
) -> dict[str, int]:
    """Counts of what is right; `merge=None` is the package, which has no answer where a label repeats."""
    arrange = usaddress.parser().arrange
    counts = dict.fromkeys(("tokens", "addresses", "failing_addresses", "answers", "no_answer"), 0)
    for record, answer in zip(records, answers, strict=True):
        gold = list(record["gold"])
        right = list(answer) == gold
        counts["tokens"] += _right(answer, gold)
        counts["addresses"] += right
        counts["failing_addresses"] += right and record["loss"] > 0
        if merge is None and _breaks(answer, arrange):
            counts["no_answer"] += 1
            continue
        made = arrange(record["tokens"], answer, merge=bool(merge))
        counts["answers"] += made == arrange(record["tokens"], gold, merge=bool(merge))
    return counts


def _right(answer: Sequence[str], gold: Sequence[str]) -> int:
    return sum(ours == theirs for ours, theirs in zip(answer, gold, strict=True))


def _breaks(labels: Sequence[str], arrange: Any) -> bool:
    """Whether the package would raise: then a numbered field appears."""
    fields, _ = arrange([""] * len(labels), labels, merge=False)
    return any(name.endswith(")") for name in fields)
