"""Learning from few labelled and many unlabelled sequences under rules (CoDL)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import lawful
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.work.inputs import open_input
from lawful.cli.work.training.recipe import Recipe, inputs_of, labels_of
from lawful.corpus import Sentence, Tokenizer
from lawful.errors import InputError
from lawful.learning import Round
from lawful.models import SequenceModel

__all__ = ["learn_with_pool", "read_pool", "remove_progress"]


def read_pool(file: str, options: CorpusOptions, tokenizer: Tokenizer, like: Sentence) -> list[Sentence]:
    """The unlabelled sequences of a file: of any format, with or without labels, which are not looked at.

    A text is cut as the labelled sequences were. Columns are those of the labelled file, as far as they are the same.
    """
    corpus = open_input(file, options, tokenizer=lambda: tokenizer)
    pool = [sentence.with_labels(None) for sentence in corpus if len(sentence)]
    if not pool:
        raise InputError(f"--unlabelled {file} has no sequences")
    missing = [name for name in like.columns if name not in pool[0].columns and not name.startswith("_")]
    if missing:
        raise InputError(
            f"--unlabelled {file} lacks the column {missing[0]!r} of the labelled sequences: leave it out of both with "
            "--columns and _ for its name"
        )
    return pool


def learn_with_pool(
    sentences: Sequence[Sentence],
    pool: Sequence[Sentence],
    rules: lawful.Rules,
    recipe: Recipe,
    *,
    rounds: int,
    checkpoint: Path | None,
) -> tuple[SequenceModel, lawful.Rules, list[Round]]:
    """The model that constraint-driven learning ends with, the rules at their learned prices, and what each round did."""
    if recipe.kind == "blend":
        raise InputError("--unlabelled trains --kind hmm (the default) or crf, not a blend")
    base: SequenceModel = lawful.HMM(labels=recipe.labels)
    if recipe.kind == "crf":
        from lawful.models.features import default_features

        features = recipe.features or default_features(inputs_of(sentences))
        base = lawful.CRF(
            features, jobs=recipe.jobs, seed=recipe.seed, labels=recipe.labels, **recipe.parameters
        )
    elif recipe.parameters or recipe.features is not None:
        raise InputError("with --unlabelled, options of the CRF need --kind crf")
    learner = lawful.CoDL(base, rules, rounds=rounds, jobs=recipe.jobs, checkpoint=checkpoint)
    contexts = [sentence.context for sentence in sentences]
    learner.fit(
        inputs_of(sentences),
        labels_of(sentences),
        unlabelled=inputs_of(pool),
        contexts=contexts,
        unlabelled_contexts=[sentence.context for sentence in pool],
        on_round=lambda done: print(_told(done, rounds), file=sys.stderr, flush=True),
    )
    return learner.model_, learner.rules_, learner.history_


def _told(done: Round, rounds: int) -> str:
    if not done.number:
        return f"before the first round: trained on the labelled sequences in {done.seconds:.1f} s"
    what = (
        "the texts were labelled"
        if done.number == 1
        else f"{100 * done.changed:.1f} % of their labels changed"
    )
    broken = sum(done.violations.values())
    rules = (
        "no rule is broken"
        if not broken
        else f"rules are broken {'once' if broken == 1 else f'{broken:,} times'}"
    )
    return f"round {done.number} of {rounds}: {what}; {rules}; {done.seconds:.1f} s"


def remove_progress(folder: Path) -> None:
    """Remove what the rounds left in their folder, once the model is saved; other files stay."""
    for path in [folder / "progress.json", folder / "supervised.lawful", *folder.glob("round-*.lawful")]:
        path.unlink(missing_ok=True)
    with suppress(OSError):  # there may be files of the user in the folder
        folder.rmdir()
