"""evaluate: all scores of an output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError, LawfulError
from lawful.evaluation.bootstrap import bootstrap_intervals
from lawful.evaluation.confusion import count_confusion
from lawful.evaluation.counting import count_sequences, find_both, score_fields, score_labels, score_spans
from lawful.evaluation.metrics import METRICS, measure
from lawful.evaluation.pairs import Labelled, Pair, pair_up
from lawful.evaluation.result import Evaluation, Violations
from lawful.evaluation.scores import macro_average, micro_average, weighted_average
from lawful.labels import LabelSet
from lawful.rules import Rules
from lawful.rules.bound_rules import bind
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.schemes import guess_scheme

__all__ = ["evaluate"]


def evaluate(
    gold: Iterable[Labelled],
    predicted: Iterable[Labelled],
    *,
    scheme: str | None = None,
    strict: bool = False,
    outside: str | Sequence[str] = ("O",),
    rules: RulesLike | None = None,
    tokens: Iterable[Sequence[Any]] | None = None,
    bootstrap: int = 0,
    confidence: float = 0.95,
    seed: int = 0,
) -> Evaluation:
    """Score predicted labels against gold ones.

    Parameters
    ----------
    gold, predicted : iterables of Sentence or of label lists
        The same sequences in the same order. Rules that look at tokens, and fields, need Sentences in `gold`, or `tokens`.
    scheme : str or None
        How labels describe spans: "IOB2", "IOBES", ..., or "flat" (every run of one label is a span). None: tags
        if all labels are tags, else flat.
    strict : bool
        False: read spans as conlleval and seqeval do by default. True: only what is legal in the scheme is a span,
        as in seqeval's strict mode.
    outside : str or sequence of str
        The labels of a flat scheme that are outside of all spans.
    rules : Rules, rule, iterable of rules, the path of a rule file, or None
        Count how often the gold and the predicted labels break each rule.
    tokens : iterable of token sequences, optional
        The tokens of each sequence, where `gold` has only labels.
    bootstrap : int
        Number of bootstrap samples for confidence intervals; 0 for none.
    confidence : float
        The level of the intervals.
    seed : int
        Of the bootstrap.

    Examples
    --------
    >>> gold = [["B-NP", "I-NP", "B-VP", "O"], ["B-NP", "B-VP"]]
    >>> found = evaluate(gold, [["B-NP", "I-NP", "I-NP", "O"], ["B-NP", "B-VP"]])
    >>> found.token_accuracy, found.micro.f1, found.spans["NP"]
    (0.8333333333333334, 0.5714285714285714, Score(correct=1, predicted=2, gold=2))
    >>> print(found)
    2 sequences, 6 tokens
    token accuracy: 83.33
    sequence accuracy: 50.00
    <BLANKLINE>
    span      precision  recall     F1  predicted  gold
    NP            50.00   50.00  50.00          2     2
    VP           100.00   50.00  66.67          1     2
    micro         66.67   50.00  57.14          3     4
    macro         75.00   50.00  58.33
    weighted      75.00   50.00  58.33
    """
    pairs = pair_up(gold, predicted, columns=rules is not None, tokens=tokens)
    if not pairs:
        raise InputError("there are no sequences to evaluate")
    if scheme is None:
        if strict:
            raise InputError("strict=True needs a scheme: 'IOB2', 'IOBES', ...")
        scheme = guess_scheme([side for pair in pairs for side in (pair.gold, pair.predicted)])
    both = find_both(pairs, scheme, strict=strict, outside=outside)
    counts = count_sequences(pairs, both)
    spans = score_spans(both)
    totals = counts.sum(axis=0)
    return Evaluation(
        sequences=len(pairs),
        tokens=int(totals[2]),
        token_accuracy=float(measure("token_accuracy", totals)),
        sequence_accuracy=float(measure("sequence_accuracy", totals)),
        scheme=scheme,
        strict=strict,
        labels=score_labels(pairs),
        spans=spans,
        micro=micro_average(spans.values()),
        macro=macro_average(spans.values()),
        weighted=weighted_average(spans.values()),
        fields=score_fields(pairs, both) if all(pair.tokens is not None for pair in pairs) else None,
        confusion=count_confusion(pairs),
        violations={} if rules is None else _count_violations(pairs, as_rules(rules)),
        intervals=bootstrap_intervals(
            counts, list(METRICS), rounds=bootstrap, confidence=confidence, seed=seed
        )
        if bootstrap
        else {},
    )


def _count_violations(pairs: Sequence[Pair], rules: Rules) -> dict[str, Violations]:
    counts = np.zeros(
        (4, len(rules)), dtype=np.int64
    )  # of gold and predicted; then sequences that break a rule
    count = _counter(pairs, rules)
    for pair in pairs:
        both = count(pair)
        counts[:2] += both
        counts[2:] += both > 0
    return {name: Violations(*numbers) for name, numbers in zip(rules.names, counts.T.tolist(), strict=True)}


def _counter(pairs: Sequence[Pair], rules: Rules) -> Callable[[Pair], npt.NDArray[np.int64]]:
    """Counts the violations (2, R) of gold and predicted labels: by the rules' machines, which are compiled once."""

    def by_meaning(pair: Pair) -> npt.NDArray[np.int64]:
        sides = (pair.gold, pair.predicted)
        counted = [list(rules.violations(labels, pair.tokens, pair.context).values()) for labels in sides]
        return np.array(counted, dtype=np.int64)

    by_meaning(
        pairs[0]
    )  # refuses what labels alone cannot say, such as an automaton that reads them as numbers
    names = sorted({label for pair in pairs for side in (pair.gold, pair.predicted) for label in side})
    number_of = {name: number for number, name in enumerate(names)}
    try:
        compiled = CompiledRules(rules, LabelSet(names))
    except LawfulError:  # too large for machines, or no labels at all
        return by_meaning

    def by_machines(pair: Pair) -> npt.NDArray[np.int64]:
        bound = bind(compiled, len(pair.gold), pair.tokens, pair.context)
        sides = (pair.gold,) if pair.predicted == pair.gold else (pair.gold, pair.predicted)
        counted = [
            bound.count(np.array([number_of[label] for label in labels], np.int32)) for labels in sides
        ]
        return np.array([counted[0], counted[-1]])

    return by_machines
