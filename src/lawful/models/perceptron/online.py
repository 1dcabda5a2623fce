"""What perceptrons and winnow share: learning from one example at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.labels import LabelSet
from lawful.models.linear.model import LinearModel
from lawful.models.linear.progress import Progress, showing
from lawful.models.linear.scoring import Scorer
from lawful.models.linear.weights import Weights
from lawful.models.perceptron.weight_history import HistoryScorer, WeightHistory
from lawful.support.numbers import check_seed

__all__ = ["OnlineModel", "check_online", "check_positive"]

AVERAGINGS = ("averaged", "voted", "last")


class OnlineModel(LinearModel):
    """A linear model that learns from one example at a time; how its weight vectors are used is its `averaging`."""

    averaging: str
    epochs: int
    seed: int
    shuffle: bool
    verbose: bool
    max_vectors: int | None

    history_: list[Progress]

    def _scores_are_log_probabilities(self) -> bool:
        return False

    _weight_history: WeightHistory | None = None

    def _weight_history_from(self, arrays: Mapping[str, npt.NDArray[Any]], weights: Weights) -> WeightHistory:
        raise NotImplementedError

    def _run(
        self,
        examples: int,
        epoch: Callable[[npt.NDArray[np.int64]], float],
        callback: Callable[[Progress], object] | None,
    ) -> list[Progress]:
        """Run epochs, each in a new order, until nothing is wrong or the callback returns True."""
        rng = np.random.default_rng(check_seed("seed", self.seed))
        history: list[Progress] = []
        began = perf_counter()
        with showing(verbose=self.verbose) as show:
            for number in range(1, self.epochs + 1):
                wrong = epoch(rng.permutation(examples) if self.shuffle else np.arange(examples))
                history.append(Progress(self.kind, number, wrong, None, None, perf_counter() - began))
                show(history[-1])
                if (callback is not None and callback(history[-1]) is True) or wrong == 0:
                    break
        return history

    def _set(self, weights: Weights, labels: LabelSet) -> Self:
        if self._weight_history is None:
            return super()._set(weights, labels)
        # Not pruned: the history knows every feature by its index.
        self.labels_, self._weights = labels, weights
        self._scorer: Scorer = HistoryScorer(labels, weights, self._weight_history, self.max_vectors)
        return self

    def _saved(self) -> tuple[Mapping[str, Any], Mapping[str, npt.ArrayLike]]:
        meta, arrays = super()._saved()
        return meta, {**arrays, **(self._weight_history.saved() if self._weight_history is not None else {})}

    def _restore(self, meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        check_online(self)
        self.history_ = []
        weights = self._weights_from(meta, arrays)
        self._weight_history = (
            self._weight_history_from(arrays, weights) if self.averaging == "voted" else None
        )
        self._set(weights, self.labels_)


def check_online(model: OnlineModel) -> None:
    """Check the parameters `averaging`, `epochs`, `margin`, `max_vectors` and `rate`.

    Examples
    --------
    >>> import lawful
    >>> check_online(lawful.StructuredPerceptron(averaging="mean"))
    Traceback (most recent call last):
    lawful.errors.InputError: averaging must be one of averaged, voted, last, got 'mean'
    """
    if model.averaging not in AVERAGINGS:
        raise InputError(f"averaging must be one of {', '.join(AVERAGINGS)}, got {model.averaging!r}")
    if not isinstance(epochs := _given(model, "epochs"), int) or epochs < 1:
        raise InputError(f"epochs must be 1 or more, got {epochs!r}")
    margin = _given(model, "margin")
    if not (isinstance(margin, (int, float)) and 0 <= margin < float("inf")):
        raise InputError(f"margin must be a number from 0 on, got {margin!r}")
    max_vectors = _given(model, "max_vectors")
    if max_vectors is not None and not (isinstance(max_vectors, int) and max_vectors >= 1):
        raise InputError(f"max_vectors must be 1 or more, or None for all, got {max_vectors!r}")
    if hasattr(model, "rate"):
        check_positive("rate", model.rate)


def _given(model: OnlineModel, name: str) -> Any:
    """A parameter: before these checks it may be anything, whatever its type says."""
    return getattr(model, name)


def check_positive(name: str, value: Any) -> float:
    """A finite number above 0.

    Examples
    --------
    >>> check_positive("rate", 0.5)
    0.5
    """
    if not (isinstance(value, (int, float)) and 0 < value < float("inf")):
        raise InputError(f"{name} must be a number above 0, got {value!r}")
    return value
