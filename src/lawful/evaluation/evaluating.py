"""evaluate: all scores of an output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lawful.errors import InputError
from lawful.evaluation.bootstrap import bootstrap_intervals
from lawful.evaluation.confusion import count_confusion
from lawful.evaluation.counting import count_sequences, find_both, score_fields, score_labels, score_spans
from lawful.evaluation.metrics import METRICS, measure
from lawful.evaluation.pairs import Labelled, Pair, pair_up
from lawful.evaluation.result import Evaluation, Violations
from lawful.evaluation.scores import macro_average, micro_average, weighted_average
from lawful.rules import Rules
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
    counts = {name: [0, 0, 0, 0] for name in rules.names}
    for pair in pairs:
        for side, labels in enumerate((pair.gold, pair.predicted)):
            for name, count in rules.violations(labels, pair.tokens, pair.context).items():
                counts[name][side] += count
                counts[name][2 + side] += count > 0
    return {name: Violations(*numbers) for name, numbers in counts.items()}
