"""How to train a model: what was asked for on the command line, and what is chosen where nothing was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lawful
from lawful.cli.console import show_iterations, show_progress
from lawful.cli.options.training import KINDS
from lawful.cli.work.checkpoints import Checkpoint
from lawful.corpus import Sentence
from lawful.errors import InputError

if TYPE_CHECKING:
    from lawful.learning.choosing import Choice
    from lawful.models import SequenceModel
    from lawful.models.features import Features

__all__ = ["SMALL_LABELS", "SMALL_TOKENS", "Recipe", "inputs_of", "labels_of"]

SMALL_TOKENS = 12_000
SMALL_LABELS = 60
"""With at most so many tokens and labels, folds take seconds, and choosing a model by them pays."""
FOLDS = 5
FEW_TOKENS = 4_000  # for more, fewer folds


@dataclass(frozen=True)
class Recipe:
    """What to train.

    Attributes
    ----------
    kind : str
        One of `KINDS`. "auto": for little data what folds choose, else a CRF.
    tune : bool
        Whether folds choose, whatever the size of the data.
    features : Features or None
    parameters : mapping
        Of the CRF, as far as they were given.
    labels : sequence of str or None
        All labels, if some may not occur.
    jobs, seed : int

    Examples
    --------
    >>> Recipe(kind="hmm", parameters={"c1": 0.1})
    Traceback (most recent call last):
    lawful.errors.InputError: --c1 is for --kind crf, not for hmm
    """

    kind: str = "auto"
    tune: bool = False
    features: Features | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    labels: Sequence[str] | None = None
    jobs: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"--kind must be one of {', '.join(KINDS)}, got {self.kind!r}")
        given = [name.replace("_", "-") for name in self.parameters]
        if self.kind in ("hmm", "blend") and given:
            raise InputError(f"--{given[0]} is for --kind crf, not for {self.kind}")
        if self.kind == "hmm" and (self.tune or self.features is not None):
            raise InputError(f"--{'tune' if self.tune else 'features'} is not for --kind hmm")
        if self.tune and given:
            raise InputError(f"--tune chooses the penalties of the CRF: leave out --{given[0]}")

    def chooses(self, sentences: Sequence[Sentence]) -> bool:
        """Whether folds choose the model for these sequences."""
        if self.tune or self.kind == "blend":
            return True
        labels = {label for sentence in sentences for label in sentence.labels or ()}
        small = sum(map(len, sentences)) <= SMALL_TOKENS and len(labels) <= SMALL_LABELS
        return self.kind == "auto" and not self.parameters and self.features is None and small

    def fit(
        self, sentences: Sequence[Sentence], *, checkpoint: Path | None = None
    ) -> tuple[SequenceModel, Choice | None]:
        """The model, and what folds had to choose from, if they did."""
        if checkpoint is None and self.chooses(sentences):
            return self._choose(sentences)
        if self.kind == "hmm":
            return lawful.HMM(labels=self.labels).fit(inputs_of(sentences), labels_of(sentences)), None
        return self._fit_crf(sentences, checkpoint), None

    def _choose(self, sentences: Sequence[Sentence]) -> tuple[SequenceModel, Choice]:
        from lawful.learning.choosing import KINDS as CHOICES, choose_model

        with show_progress("choosing a model by folds") as show:
            choice = choose_model(
                inputs_of(sentences),
                labels_of(sentences),
                kinds=(self.kind,)
                if self.kind != "auto"
                else CHOICES
                if self.features is None
                else ("crf", "blend"),
                features=self.features,
                labels=self.labels,
                folds=FOLDS if sum(map(len, sentences)) <= FEW_TOKENS else 3,
                jobs=self.jobs,
                seed=self.seed,
                on_fold=show,
            )
        return choice.model, choice

    def _fit_crf(self, sentences: Sequence[Sentence], folder: Path | None) -> lawful.CRF:
        from lawful.models.features import default_features

        features = self.features or default_features(inputs_of(sentences))
        model = lawful.CRF(features, jobs=self.jobs, seed=self.seed, labels=self.labels, **self.parameters)
        path = None
        if folder is not None:
            saved = Checkpoint(folder)
            path = saved.prepare()
            model = saved.resume(model)
        with show_iterations() as show:
            model.fit(inputs_of(sentences), labels_of(sentences), callback=show, checkpoint=path)
        # Not part of the model: the same data must give the same file on any machine.
        model.set_params(jobs=None, warm_start=False)
        return model


def inputs_of(sentences: Sequence[Sentence]) -> list[Sequence[Any]]:
    """What models see of sentences.

    Examples
    --------
    >>> inputs_of([Sentence(("a",))])
    [('a',)]
    """
    return [sentence.inputs() for sentence in sentences]


def labels_of(sentences: Sequence[Sentence]) -> list[Sequence[str]]:
    """The labels of sentences.

    Examples
    --------
    >>> labels_of([Sentence(("a",), ("X",))])
    [('X',)]
    """
    return [sentence.labels or () for sentence in sentences]
