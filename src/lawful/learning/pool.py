"""Labelling a pool of unlabelled sequences: in threads here, or in the processes of an executor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from lawful.corpus.sequences import ContextsLike, SequencesLike, TokenSequences, filled_sequences
from lawful.decoding import Decoder
from lawful.decoding.options import DecoderOptions
from lawful.lattice import Tagger
from lawful.models.base.estimator import SequenceModel
from lawful.models.loading import restore
from lawful.models.saving import SavedModel
from lawful.rules.ruleset import Rules
from lawful.support.numbers import check_number

__all__ = ["check_gamma", "label_pool", "pool_of"]

AT_ONCE = 200  # sequences for one task of an executor


def check_gamma(gamma: object) -> float:
    """The weight of the labelled data, checked.

    Examples
    --------
    >>> check_gamma(0.9)
    0.9
    """
    return check_number("gamma", gamma, most=1.0)


def pool_of(unlabelled: SequencesLike, contexts: ContextsLike = None) -> TokenSequences:
    """The unlabelled sequences, without empty ones.

    Examples
    --------
    >>> pool_of([("a", "b"), ()]).tokens
    [('a', 'b')]
    """
    return filled_sequences(unlabelled, contexts, name="unlabelled")


def label_pool(
    tagger: Tagger,
    rules: Rules,
    X: Sequence[Sequence[Any]],
    *,
    contexts: Sequence[Mapping[str, Any]] | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    options: DecoderOptions | None = None,
) -> list[list[str]]:
    """The best labels of many sequences under rules.

    Parameters
    ----------
    tagger : Tagger
    rules : Rules
    X : sequence of token sequences
    contexts : sequence of mappings, optional
        What comes with each of them by name, for rules that ask for it.
    jobs : int, optional
        Threads; all cores if not given.
    executor : Executor, optional
        What does the work instead, a few hundred sequences at a time. Models of ours travel as data, rules as Python
        objects: those with functions of your own need an executor of threads.
    options : DecoderOptions, optional
        The keyword arguments of the `Decoder`.

    Examples
    --------
    >>> import lawful
    >>> model = lawful.HMM().fit([["a", "b"]], [["X", "Y"]])
    >>> label_pool(model, lawful.Rules(lawful.at_most(1, "Y")), [["b", "b"], ["a"]])
    [['X', 'Y'], ['X']]
    """
    decoder_options: DecoderOptions = {} if options is None else options
    if executor is None:
        return Decoder(rules, tagger=tagger, **decoder_options).predict(X, contexts=contexts, jobs=jobs)
    packed = _packed(tagger)
    tasks = []
    for first in range(0, len(X), AT_ONCE):
        chosen = slice(first, first + AT_ONCE)
        named = None if contexts is None else list(map(dict, contexts[chosen]))
        tasks.append(executor.submit(_label, packed, rules, list(X[chosen]), named, decoder_options))
    return [labels for task in tasks for labels in task.result()]


def _packed(tagger: Tagger) -> Tagger | tuple[str, dict[str, Any], dict[str, Any]]:
    """A model of ours as data: its kernels' objects do not travel to other processes."""
    if not isinstance(tagger, SequenceModel):
        return tagger
    meta, arrays = tagger._saved_as()
    return tagger.kind, meta, dict(arrays)


def _label(
    packed: Tagger | tuple[str, dict[str, Any], dict[str, Any]],
    rules: Rules,
    X: list[Sequence[Any]],
    contexts: list[dict[str, Any]] | None,
    options: DecoderOptions,
) -> list[list[str]]:
    tagger = restore(SavedModel(*packed)) if isinstance(packed, tuple) else packed
    return Decoder(rules, tagger=tagger, **options).predict(X, contexts=contexts, jobs=1)
