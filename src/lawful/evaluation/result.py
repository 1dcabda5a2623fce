"""The result of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lawful.evaluation.bootstrap import Interval
from lawful.evaluation.confusion import Confusion
from lawful.evaluation.scores import Average, Score
from lawful.evaluation.table import format_table

__all__ = ["Evaluation", "Violations"]


class Violations(NamedTuple):
    """How often a rule is broken.

    Attributes
    ----------
    gold, predicted : int
        The number of violations in the gold and in the predicted labels.
    gold_sequences, predicted_sequences : int
        The number of sequences with violations.
    """

    gold: int
    predicted: int
    gold_sequences: int
    predicted_sequences: int


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores of predicted labels against gold labels. Prints as tables.

    Attributes
    ----------
    sequences, tokens : int
    token_accuracy, sequence_accuracy : float
        The share of tokens, and of whole sequences, that are correct.
    scheme : str
        The scheme by which spans were read.
    strict : bool
    labels : mapping of label to Score
        Token by token.
    spans : mapping of type to Score
    micro : Score
        All spans together, as conlleval and seqeval report.
    macro, weighted : Average
        Over the types of spans.
    fields : mapping of type to Score, or None
        By distinct values of a field in a sequence; None if the tokens are not known.
    confusion : Confusion
    violations : mapping of rule to Violations
    intervals : mapping of metric to Interval
        Bootstrap intervals, if requested.
    """

    sequences: int
    tokens: int
    token_accuracy: float
    sequence_accuracy: float
    scheme: str
    strict: bool
    labels: Mapping[str, Score]
    spans: Mapping[str, Score]
    micro: Score
    macro: Average
    weighted: Average
    fields: Mapping[str, Score] | None
    confusion: Confusion
    violations: Mapping[str, Violations]
    intervals: Mapping[str, Interval]

    def to_dict(self) -> dict[str, object]:
        """All of it as numbers, strings, lists and dicts, for JSON."""
        return {
            "sequences": self.sequences,
            "tokens": self.tokens,
            "token_accuracy": self.token_accuracy,
            "sequence_accuracy": self.sequence_accuracy,
            "scheme": self.scheme,
            "strict": self.strict,
            "labels": {name: score.to_dict() for name, score in self.labels.items()},
            "spans": {name: score.to_dict() for name, score in self.spans.items()},
            "micro": self.micro.to_dict(),
            "macro": self.macro.to_dict(),
            "weighted": self.weighted.to_dict(),
            "fields": None
            if self.fields is None
            else {name: score.to_dict() for name, score in self.fields.items()},
            "confusion": self.confusion.to_dict(),
            "violations": {name: counts._asdict() for name, counts in self.violations.items()},
            "intervals": {name: list(interval) for name, interval in self.intervals.items()},
        }

    def __str__(self) -> str:
        head = f"{self.sequences} sequences, {self.tokens} tokens\n"
        accuracies = {"token_accuracy": self.token_accuracy, "sequence_accuracy": self.sequence_accuracy}
        head += "".join(
            f"{name.replace('_', ' ')}: {100 * value:.2f}{self._interval(name)}\n"
            for name, value in accuracies.items()
        )
        parts = [head.rstrip(), self._span_table()]
        if self.violations:
            rows = [(name, *counts) for name, counts in self.violations.items()]
            parts.append(
                format_table(("rule", "gold", "predicted", "in gold seq.", "in predicted seq."), rows)
            )
        return "\n\n".join(parts)

    def _span_table(self) -> str:
        rows: list[tuple[object, ...]] = [
            (name, score.precision, score.recall, score.f1, score.predicted, score.gold)
            for name, score in self.spans.items()
        ]
        micro = self.micro
        rows.append(("micro", micro.precision, micro.recall, micro.f1, micro.predicted, micro.gold))
        rows += [
            (name, mean.precision, mean.recall, mean.f1, "", "")
            for name, mean in (("macro", self.macro), ("weighted", self.weighted))
        ]
        table = format_table(("span", "precision", "recall", "F1", "predicted", "gold"), rows)
        interval = self._interval("span_f1")
        return table + (f"\nmicro F1{interval}" if interval else "")

    def _interval(self, metric: str) -> str:
        if metric not in self.intervals:
            return ""
        low, high = self.intervals[metric]
        return f"  ({100 * low:.2f} to {100 * high:.2f})"
