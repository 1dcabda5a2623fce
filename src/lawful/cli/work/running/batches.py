"""Decoding a batch of sentences: the same work here, in another process, or on a cluster."""

from __future__ import annotations

import gc
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lawful.cli.boundary import COLLECTING, Failure
from lawful.cli.work.models import ModelFile, SentenceTagger
from lawful.cli.work.remarks import require_labels
from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decoding
from lawful.errors import (
    InputError,
    InternalError,
    LawfulError,
    MissingContextError,
    MissingLabelWarning,
    SearchError,
    TokenError,
)
from lawful.rules.ruleset import Rules

__all__ = ["Answers", "Batch", "BatchDecoder", "Work", "collecting_rarely", "cut_into_batches"]

Batch = list[Sentence]

MOST_TOKENS = 1 << 16
MOST_SEQUENCES = 1 << 12

_ALONE = re.compile("^sequence 1[:,] ")  # how a batch of one names its only sequence


@dataclass(frozen=True)
class Work:
    """What is needed to decode a batch, as plain data that can be sent to a worker.

    Attributes
    ----------
    model : ModelFile
    rules : str or None
        The text of a rule file that refers to no other file.
    options : mapping
        Options of the `Decoder`.
    details : bool
        Whether to give scores, changes and violations as well as labels.
    confidence : bool
        Whether the details have the probabilities of labels and fields.
    nbest : int
        How many answers the details have, the best one included; 0 for none.
    skips : bool
        Whether a sequence for which a limit left no labels gets none; otherwise it is an error.
    """

    model: ModelFile
    rules: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    details: bool = False
    confidence: bool = False
    nbest: int = 0
    skips: bool = False


@dataclass(frozen=True)
class Answers:
    """The results of a batch.

    Attributes
    ----------
    labels : list of sequences of str
        Of each sequence; none if it has no tokens, or if a limit left it without any and such sequences are skipped.
    details : list of dicts, or None
        For each sequence: what the rules changed, and at what cost.
    statuses : list of str
        How much is proved of the labels of each sequence that has tokens; none for labels without rules.
    """

    labels: list[Sequence[str]]
    details: list[dict[str, Any]] | None = None
    statuses: Sequence[str] = ()


class BatchDecoder:
    """Decodes batches; the model is restored and the rules are compiled once.

    `advised` is what comes before the options that errors advise, if they are not those of this command.
    """

    def __init__(
        self,
        work: Work,
        *,
        jobs: int,
        tagger: SentenceTagger | None = None,
        rules: Rules | None = None,
        advised: str | None = None,
    ) -> None:
        self.advised = advised
        self.jobs, self.details = jobs, work.details or work.confidence or work.nbest > 0
        self.confidence, self.nbest, self.skips = work.confidence, work.nbest, work.skips
        self.tagger = tagger or SentenceTagger(work.model, jobs=jobs)
        if rules is None:
            rules = _parse_rules(work.rules, self.tagger) if work.rules is not None else Rules()
        self.rules = rules
        self.plain = not rules and not work.options and not self.details
        self.decoder = Decoder(rules, labels=self.tagger.labels, **work.options)

    def decode(self, sentences: Sequence[Sentence]) -> Answers:
        """The labels of all sentences; an error about a sentence says where it is in the file."""
        try:
            return self._decode(sentences)
        except InternalError:
            raise
        except LawfulError:
            for sentence in sentences:  # decode again one by one, to find the first sentence that fails
                self.check(sentence)
            raise

    def decode_plain(self, sentences: Sequence[Sentence]) -> list[Sequence[str]]:
        """The labels without rules."""
        lattices = self.tagger.lattices([sentence for sentence in sentences if sentence.tokens])
        decodings = Decoder(labels=self.tagger.labels).decode_batch(lattices, jobs=self.jobs)
        return _with_empty(sentences, [*decodings.labels], ())

    def check(self, sentence: Sentence) -> None:
        """Raise the error that decoding this sentence raises, with its location in the file."""
        try:
            self._decode([sentence])
        except InternalError:
            raise
        except InputError as error:
            location, message = sentence.location(), _ALONE.sub("", str(error))
            if isinstance(error, TokenError) and "column" in message:
                message += self._about_columns(sentence)
            if isinstance(error, MissingContextError):
                message += f"; in JSONL, as the key {error.name!r} beside the tokens"
            raise InputError(message if message.startswith(location) else f"{location}{message}") from None
        except LawfulError as error:
            if isinstance(error, SearchError) and self.advised is not None:
                error = error.advising(self.advised)
            raise Failure(f"{sentence.location()}{_ALONE.sub('', str(error))}") from None

    def _about_columns(self, sentence: Sentence) -> str:
        """What to do about a token that lacks a column which the model or a rule needs."""
        trained = self.tagger.notes.get("columns")
        note = f". {self.tagger.name} was trained on the columns {', '.join(trained)}" if trained else ""
        if not sentence.source:
            return f"{note}. --text gives words only: use a file"
        if sentence.layout is not None and sentence.layout.sequence is None:
            return f"{note}. Name the columns of the file with --columns"
        return f'{note}. In JSONL the columns are under "columns", in CSV in the header'

    def _decode(self, sentences: Sequence[Sentence]) -> Answers:
        filled = [sentence for sentence in sentences if sentence.tokens]
        if self.plain and filled:
            predicted = self.tagger.predict(filled, jobs=self.jobs)
            if predicted is not None:
                return Answers(_with_empty(sentences, list(predicted), ()))
        lattices = self.tagger.lattices(filled) if filled else []
        decodings = self.decoder.decode_batch(lattices, jobs=self.jobs)
        labels: list[Sequence[str]] = [*decodings.labels]
        statuses = decodings.statuses
        if "bounded" in statuses and not self.skips:
            for sentence, found in zip(filled, labels, strict=True):
                require_labels(found, sentence.location())
        details = None
        if self.details:
            plain = Decoder(labels=self.tagger.labels).decode_batch(lattices, jobs=self.jobs)
            filled_details = [
                _detail(decoding, before) | self._more(decoding) if decoding.labels else {}
                for decoding, before in zip(decodings, plain, strict=True)
            ]
            details = _with_empty(sentences, filled_details, {})
        return Answers(
            _with_empty(sentences, labels, ()),
            details,
            statuses,
        )

    def _more(self, decoding: Decoding) -> dict[str, Any]:
        """Probabilities and further answers of one sequence."""
        more: dict[str, Any] = {}
        if self.confidence:
            from lawful.decoding.confidence import estimate_confidence  # seldom needed

            sure = estimate_confidence(self.decoder, decoding.lattice, decoding.labels)
            more["probabilities"] = [_rounded(value) for value in sure.labels]
            more["fields"] = [
                {**span._asdict(), "probability": _rounded(value)} for span, value in sure.fields
            ]
            more["probability_method"] = sure.method
        if self.nbest:
            ranked = self.decoder.nbest(decoding.lattice, self.nbest)
            more["nbest"] = [{"labels": list(one.labels), "score": one.score} for one in ranked]
        return more


def _rounded(probability: float) -> float:
    return round(min(1.0, max(0.0, probability)), 4)


def _parse_rules(text: str, tagger: SentenceTagger) -> Rules:
    from lawful.rules.files import parse_rules  # a command without rules need not wait for it

    warnings.simplefilter("ignore", MissingLabelWarning)  # the command has reported them
    return parse_rules(text, labels=list(tagger.labels))


def _detail(decoding: Decoding, plain: Decoding) -> dict[str, Any]:
    from lawful.support.styled_text import finite  # slow to import, seldom needed

    pairs = zip(decoding.labels, plain.labels, strict=True)
    detail: dict[str, Any] = {
        "score": finite(decoding.score),
        "loss": finite(max(0.0, plain.score - decoding.score)),
        "status": decoding.status,
        "plain_labels": list(plain.labels),
        "changed": [position for position, (new, old) in enumerate(pairs) if new != old],
        "violations": {name: count for name, count in decoding.violations.items() if count},
    }
    return detail | ({"fell_back": True} if decoding.fell_back else {})


def _with_empty(sentences: Sequence[Sentence], results: list[Any], empty: Any) -> list[Any]:
    """One result per sentence: `empty` for those without tokens, the given results for the others."""
    if len(results) == len(sentences):
        return results
    remaining = iter(results)
    return [next(remaining) if sentence.tokens else empty for sentence in sentences]


def cut_into_batches(
    sentences: Iterable[Sentence], *, most_tokens: int = MOST_TOKENS, most: int = MOST_SEQUENCES
) -> Iterator[Batch]:
    """Consecutive sentences in batches: large enough to be worth a call, small enough for little memory.

    Examples
    --------
    >>> [len(batch) for batch in cut_into_batches([Sentence(("a", "b"))] * 5, most_tokens=4)]
    [2, 2, 1]
    """
    batch: Batch = []
    tokens = 0
    for sentence in sentences:
        batch.append(sentence)
        tokens += len(sentence.tokens)
        if tokens >= most_tokens or len(batch) >= most:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Let Python's garbage collector run rarely, and never over the objects that exist already.

    By default it visits every living object again and again while sentences are made, which takes a third of the time of
    reading them. Sentences have no cycles, so there is nothing to find.

    Examples
    --------
    >>> with collecting_rarely():
    ...     gc.get_threshold()[0]
    200000
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
