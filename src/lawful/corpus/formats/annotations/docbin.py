"""spaCy's DocBin files (`.spacy`, extra `spacy`): documents with entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

from lawful.corpus.formats.annotations.marked_texts import spans_of
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of
from lawful.corpus.targets import Target
from lawful.corpus.texts.alignment import place_tokens
from lawful.corpus.texts.tokenizer import text_sentence
from lawful.errors import CorpusError, FileError, InputError, MissingExtraError
from lawful.support.files import written_aside

__all__ = ["read_docbin", "write_docbin"]


def _spacy() -> Any:
    try:
        import spacy
        import spacy.tokens
    except ImportError:
        raise MissingExtraError("DocBin", "spacy", "spacy") from None
    return spacy


def read_docbin(source: Source) -> Iterator[Sentence]:
    """Read the documents of a DocBin, one after another: spaCy's tokens, and its entities as IOB2 labels.

    Parameters
    ----------
    source : path
    """
    spacy, name = _spacy(), name_of(source)
    if not isinstance(source, str | PathLike) or str(source) == "-":
        raise InputError("a DocBin is read from a path")
    try:
        docs = spacy.tokens.DocBin().from_disk(source)
    except OSError as error:
        raise FileError.of(source, "opened", error) from error
    except Exception as error:  # noqa: BLE001 - zlib's, msgpack's or spaCy's own
        raise CorpusError(name, None, f"not a DocBin that can be read: {error}") from None
    vocab = spacy.blank("xx").vocab
    for number, doc in enumerate(docs.get_docs(vocab), 1):
        words = [token for token in doc if not token.is_space]
        labels = [token.ent_iob_ if token.ent_iob_ in ("B", "I") else "O" for token in words]
        tags = [
            label if label == "O" else f"{label}-{token.ent_type_}"
            for label, token in zip(labels, words, strict=True)
        ]
        spans = [(token.idx, token.idx + len(token)) for token in words]
        yield text_sentence(doc.text, spans, tags, source=name, lines=(number,) * len(spans))


def write_docbin(sentences: Iterable[Sentence], target: Target) -> int:
    """Write sentences as documents with entities to a DocBin, and return their number.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path
    """
    spacy = _spacy()
    if not isinstance(target, str | PathLike) or str(target) == "-":
        raise InputError("a DocBin is written to a path")
    vocab, docs, count = spacy.blank("xx").vocab, spacy.tokens.DocBin(), 0
    for sentence in sentences:
        count += 1
        text, places = place_tokens(sentence)
        ends = [*(start for start, _ in places[1:]), len(text)]
        spaces = [
            end < following and text[end:following].startswith(" ")
            for (_, end), following in zip(places, ends, strict=True)
        ]
        doc = spacy.tokens.Doc(vocab, words=list(sentence.tokens), spaces=spaces)
        starts, stops = (
            {start: t for t, (start, _) in enumerate(places)},
            {end: t + 1 for t, (_, end) in enumerate(places)},
        )
        doc.ents = [
            spacy.tokens.Span(doc, starts[field.start], stops[field.end], label=field.name)
            for field in spans_of(sentence)[1]
        ]
        docs.add(doc)
    with written_aside(target) as file:
        file.write(docs.to_bytes())
    return count
