"""evaluate: all scores of an output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError, LawfulError
from lawful.evaluation.bootstrap import bootstrap_intervals
from lawful.evaluation.confusion import count_confusion
from lawful.evaluation.counting import count_sequences, score_fields, score_labels, score_spans
from lawful.evaluation.metrics import METRICS, measure
from lawful.evaluation.numbered import Numbered, label_names
from lawful.evaluation.pairs import Labelled, Pair, pair_up
from lawful.evaluation.result import Evaluation, Violations
from lawful.evaluation.scores import macro_average, micro_average, weighted_average
from lawful.labels import LabelSet
from lawful.rules import Rules
from lawful.rules.compiled_rules import CompiledRules
from lawful.rules.counting_many import count_many
from lawful.rules.given_rules import RulesLike, as_rules
from lawful.rules.tokens.values import TEXT_KEYS
from lawful.schemes import guess_scheme

__all__ = ["Resampling", "evaluate", "evaluate_numbered"]


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
    pairs = pair_up(gold, predicted, tokens=tokens)
    if not pairs:
        raise InputError("there are no sequences to evaluate")
    names = label_names(side for pair in pairs for side in (pair.gold, pair.predicted))
    if scheme is None:
        if strict:
            raise InputError("strict=True needs a scheme: 'IOB2', 'IOBES', ...")
        scheme = guess_scheme([names])
    numbered = Numbered(pairs, names, scheme, strict=strict, outside=outside)
    violations = {} if rules is None else _count_violations(pairs, numbered, as_rules(rules))
    intervals = Resampling(bootstrap, confidence, seed) if bootstrap else None
    return evaluate_numbered(numbered, pairs, violations=violations, intervals=intervals)


class Resampling(NamedTuple):
    """How confidence intervals are found."""

    rounds: int
    confidence: float
    seed: int


def evaluate_numbered(
    numbered: Numbered,
    pairs: Sequence[Pair] = (),
    *,
    violations: Mapping[str, Violations] = MappingProxyType({}),
    intervals: Resampling | None = None,
) -> Evaluation:
    """The same for labels that were read already; fields need the tokens, which are in `pairs`.

    Examples
    --------
    >>> evaluate_numbered(Numbered([Pair(("A", "B"), ("A", "A"), None, {})], ["A", "B"], "flat")).token_accuracy
    0.5
    """
    counts = count_sequences(numbered)
    spans = score_spans(numbered)
    totals = counts.sum(axis=0)
    return Evaluation(
        sequences=len(numbered.lengths),
        tokens=int(totals[2]),
        token_accuracy=float(measure("token_accuracy", totals)),
        sequence_accuracy=float(measure("sequence_accuracy", totals)),
        scheme=numbered.scheme,
        strict=numbered.strict,
        labels=score_labels(numbered),
        spans=spans,
        micro=micro_average(spans.values()),
        macro=macro_average(spans.values()),
        weighted=weighted_average(spans.values()),
        fields=score_fields(pairs, numbered)
        if pairs and all(pair.tokens is not None for pair in pairs)
        else None,
        confusion=count_confusion(numbered),
        violations=violations,
        intervals={}
        if intervals is None
        else bootstrap_intervals(counts, list(METRICS), **intervals._asdict()),
    )


def _count_violations(pairs: Sequence[Pair], numbered: Numbered, rules: Rules) -> dict[str, Violations]:
    each = _violations(pairs, numbered, rules)  # (N, 2, R): of gold and predicted labels
    sums = np.concatenate([each.sum(axis=0), (each > 0).sum(axis=0)])
    return {name: Violations(*numbers) for name, numbers in zip(rules.names, sums.T.tolist(), strict=True)}


def _violations(pairs: Sequence[Pair], numbered: Numbered, rules: Rules) -> npt.NDArray[np.int64]:
    """By the rules' machines, which are compiled once; by the rules' meaning where there can be none."""

    def by_meaning(pair: Pair) -> list[list[int]]:
        tokens = pair.inputs()
        sides = (pair.gold, pair.predicted)
        return [list(rules.violations(labels, tokens, pair.context).values()) for labels in sides]

    by_meaning(
        pairs[0]
    )  # refuses what labels alone cannot say, such as an automaton that reads them as numbers
    try:
        compiled = CompiledRules(rules, LabelSet(numbered.names))
    except LawfulError:  # too large for machines, or no labels at all
        return np.array([by_meaning(pair) for pair in pairs], dtype=np.int64)
    tokens = [
        pair.tokens if compiled.reads_only_text and _text_is_token(pair) else pair.inputs() for pair in pairs
    ]
    rows = np.full(len(pairs), 2)
    contexts = [pair.context for pair in pairs]
    counts = count_many(compiled, tokens, contexts, numbered.lengths, numbered.both, rows)
    return counts.reshape(len(pairs), 2, len(rules))


def _text_is_token(pair: Pair) -> bool:
    """Whether the text of a sentence's tokens is what rules would read in its rows, which are not made then."""
    return pair.sentence is not None and pair.sentence.columns.keys().isdisjoint(TEXT_KEYS)
