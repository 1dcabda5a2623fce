"""One part of a corpus, from sentences to labels: the same work here, in another process, or on a cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.cli.boundary import Failure
from lawful.cli.work.tagging import ModelFile, SentenceTagger
from lawful.corpus import Sentence
from lawful.decoding import Decoder, Decoding
from lawful.errors import InputError, InternalError, LawfulError, TokenError
from lawful.rules.ruleset import Rules

__all__ = ["Answers", "PartDecoder", "Work", "cut_into_parts"]

MOST_TOKENS = 1 << 16
MOST_SEQUENCES = 1 << 12

_ALONE = re.compile("^sequence 0[:,] ")  # the number that a batch of one gives its only sequence


@dataclass(frozen=True)
class Work:
    """All that must be known to decode a part, as plain data that can be sent.

    Attributes
    ----------
    model : ModelFile
    rules : str or None
        A rule file's text, with nothing in it that stands in other files.
    options : mapping
        Those of the `Decoder`.
    details : bool
        Whether to say more than labels.
    """

    model: ModelFile
    rules: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    details: bool = False


@dataclass(frozen=True)
class Answers:
    """What became of a part.

    Attributes
    ----------
    labels : list of sequences of str
    details : list of dicts, or None
        For each sequence what the rules changed, and what that cost.
    infeasible, bounded : int
        Sequences whose labels break hard rules, or are not proved best.
    """

    labels: list[Sequence[str]]
    details: list[dict[str, Any]] | None = None
    infeasible: int = 0
    bounded: int = 0


class PartDecoder:
    """Decodes parts; the model is restored and the rules are compiled once."""

    def __init__(
        self, work: Work, *, jobs: int, tagger: SentenceTagger | None = None, rules: Rules | None = None
    ) -> None:
        self.jobs, self.details = jobs, work.details
        self.tagger = tagger or SentenceTagger(work.model, jobs=jobs)
        if rules is None:
            rules = _rules(work.rules, self.tagger) if work.rules is not None else Rules()
        self.rules = rules
        self.plain = not rules and not work.options and not work.details
        self.decoder = Decoder(rules, labels=self.tagger.labels, **work.options)

    def decode(self, sentences: Sequence[Sentence]) -> Answers:
        """The labels of all sentences; an error about one of them says where it stands."""
        try:
            return self._decode(sentences)
        except InternalError:
            raise
        except LawfulError:
            for one in sentences:  # again, one by one: the first that fails is the one to tell of
                self.check(one)
            raise

    def decode_plain(self, sentences: Sequence[Sentence]) -> list[Sequence[str]]:
        """The labels without rules."""
        held = [one for one in sentences if one.tokens]
        found = Decoder(labels=self.tagger.labels).decode_batch(self.tagger.lattices(held), jobs=self.jobs)
        return _with_empty(sentences, [*found.labels], ())

    def check(self, sentence: Sentence) -> None:
        """Raise what decoding this sentence raises, with its place."""
        try:
            self._decode([sentence])
        except InternalError:
            raise
        except InputError as error:
            place, message = sentence.place(), _ALONE.sub("", str(error))
            if isinstance(error, TokenError) and "column" in message:
                message += self._about_columns(sentence)
            raise InputError(message if message.startswith(place) else f"{place}{message}") from None
        except LawfulError as error:
            raise Failure(f"{sentence.place()}{_ALONE.sub('', str(error))}") from None

    def _about_columns(self, sentence: Sentence) -> str:
        """What to do about a token without the column that the model or a rule looks at."""
        trained = self.tagger.notes.get("columns")
        told = f". {self.tagger.name} was trained on the columns {', '.join(trained)}" if trained else ""
        if not sentence.source:
            return f"{told}. A text has words only: give a file"
        if sentence.layout is not None and sentence.layout.sequence is None:
            return f"{told}. --columns names the columns of a file"
        return f'{told}. In JSONL they stand under "columns", in CSV in the header'

    def _decode(self, sentences: Sequence[Sentence]) -> Answers:
        held = [one for one in sentences if one.tokens]
        found: list[Sequence[str]] | None = None
        if self.plain and held:
            quick = self.tagger.predict(held, jobs=self.jobs)
            found = None if quick is None else list(quick)
        if found is not None:
            return Answers(_with_empty(sentences, found, ()))
        lattices = self.tagger.lattices(held) if held else []
        decodings = self.decoder.decode_batch(lattices, jobs=self.jobs)
        labels: list[Sequence[str]] = [*decodings.labels]
        statuses = decodings.statuses
        details = None
        if self.details:
            before = Decoder(labels=self.tagger.labels).decode_batch(lattices, jobs=self.jobs)
            told = [_detail(one, plain) for one, plain in zip(decodings, before, strict=True)]
            details = _with_empty(sentences, told, {})
        return Answers(
            _with_empty(sentences, labels, ()),
            details,
            statuses.count("infeasible"),
            statuses.count("bounded"),
        )


def _rules(text: str, tagger: SentenceTagger) -> Rules:
    from lawful.rules.files import parse_rules  # who has no rules need not wait for it

    return parse_rules(text, labels=list(tagger.labels))


def _detail(found: Decoding, plain: Decoding) -> dict[str, Any]:
    from lawful.support.styled_text import finite  # slow to import, seldom needed

    changed = [t for t, (now, then) in enumerate(zip(found.labels, plain.labels, strict=True)) if now != then]
    return {
        "score": finite(found.score),
        "loss": finite(max(0.0, plain.score - found.score)),
        "status": found.status,
        "plain_labels": list(plain.labels),
        "changed": changed,
        "violations": {name: count for name, count in found.violations.items() if count},
    } | ({"fell_back": True} if found.fell_back else {})


def _with_empty(sentences: Sequence[Sentence], found: list[Any], nothing: Any) -> list[Any]:
    """The results in the places of their sentences; those without a token have none."""
    if len(found) == len(sentences):
        return found
    results = iter(found)
    return [next(results) if one.tokens else nothing for one in sentences]


def cut_into_parts(
    sentences: Iterable[Sentence], *, most_tokens: int = MOST_TOKENS, most: int = MOST_SEQUENCES
) -> Iterator[list[Sentence]]:
    """Neighbouring sentences together, as many as are worth a call and fit into little memory.

    Examples
    --------
    >>> [len(part) for part in cut_into_parts([Sentence(("a", "b"))] * 5, most_tokens=4)]
    [2, 2, 1]
    """
    part: list[Sentence] = []
    tokens = 0
    for one in sentences:
        part.append(one)
        tokens += len(one.tokens)
        if tokens >= most_tokens or len(part) >= most:
            yield part
            part, tokens = [], 0
    if part:
        yield part
