"""Cross-validation: each sequence is labelled by a model that was not trained on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import lawful
from lawful.cli.console import show_progress
from lawful.cli.work.training.recipe import Recipe, inputs_of, labels_of
from lawful.corpus import Sentence
from lawful.learning.prices.cross_fitting import model_like, parts_of
from lawful.models import SequenceModel

__all__ = ["predict_by_folds"]


def predict_by_folds(
    sentences: Sequence[Sentence],
    recipe: Recipe | SequenceModel,
    *,
    folds: int,
    rules: lawful.Rules | None = None,
    seed: int = 0,
) -> tuple[list[Sequence[str]], list[Sequence[str]] | None]:
    """The labels of each sequence by a model that was trained on the other parts, without rules and with them.

    A recipe is followed anew for each part, choices included, so that nothing of a part is known to what labels it. A
    model is fitted again with the parameters that it has.
    """
    labels = sorted({label for sentence in sentences for label in sentence.labels or ()})
    plain: list[Sequence[str]] = [()] * len(sentences)
    ruled: list[Sequence[str]] = [()] * len(sentences)
    with show_progress("training on parts of the data") as show:
        for number, (part, others) in enumerate(parts_of(len(sentences), folds, seed), 1):
            model = _fit(recipe, [sentences[index] for index in others], labels)
            held_out = [sentences[index] for index in part]
            for index, found in zip(part, model.predict(held_out), strict=True):
                plain[index] = found
            if rules is not None:
                answers = model.predict(held_out, rules, on_infeasible="least_bad")
                for index, found in zip(part, answers, strict=True):
                    ruled[index] = found
            if show is not None:
                show(number, folds)
    return plain, None if rules is None else ruled


def _fit(
    recipe: Recipe | SequenceModel, sentences: Sequence[Sentence], labels: Sequence[str]
) -> SequenceModel:
    if isinstance(recipe, Recipe):
        return replace(recipe, labels=recipe.labels or labels).fit(sentences)[0]
    return model_like(recipe, labels).fit(inputs_of(sentences), labels_of(sentences))
