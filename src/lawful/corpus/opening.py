"""One door to all formats: open_corpus, read_corpus, write_corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any

from lawful.corpus.formats.columns.reading import read_columns
from lawful.corpus.formats.columns.writing import write_columns
from lawful.corpus.formats.conllu import read_conllu
from lawful.corpus.formats.csv.reading import read_csv
from lawful.corpus.formats.csv.writing import write_csv
from lawful.corpus.formats.jsonl import read_jsonl, write_jsonl
from lawful.corpus.formats.parquet import read_parquet, write_parquet
from lawful.corpus.formats.xml_references import read_xml
from lawful.corpus.guessing import FORMATS, format_by_name, guess_format
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of
from lawful.corpus.targets import Target
from lawful.errors import InputError

__all__ = ["Corpus", "open_corpus", "read_corpus", "write_corpus"]

_READERS: dict[str, Callable[..., Iterator[Sentence]]] = {
    "columns": read_columns,
    "conllu": read_conllu,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "xml": read_xml,
}
_WRITERS: dict[str, Callable[..., int]] = {
    "columns": write_columns,
    "conllu": write_columns,
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}


class Corpus(Iterable[Sentence]):
    """A corpus file that is read while it is iterated over; a path can be iterated over many times.

    Examples
    --------
    >>> import io
    >>> Corpus(io.StringIO("a X"), "columns")
    <Corpus 'the text', columns>
    """

    def __init__(self, source: Source, format: str, **options: Any) -> None:
        self.source, self.format, self.options = source, format, options

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return name_of(self.source)

    def __iter__(self) -> Iterator[Sentence]:
        try:
            return _READERS[self.format](self.source, **self.options)
        except TypeError as error:
            if "unexpected keyword argument" not in str(error):
                raise
            option = str(error).rsplit(" ", 1)[-1].strip("'")
            raise InputError(f"the format {self.format!r} has no option {option!r}") from None

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {self.format}>"


def open_corpus(source: Source, format: str | None = None, **options: Any) -> Corpus:
    r"""Open a corpus of any format, to be read while it is iterated over.

    Parameters
    ----------
    source : path, "-" or open file
        gzip is unpacked.
    format : str or None
        "columns", "conllu", "jsonl", "csv", "parquet", "xml". None or "auto": by the file's name, else by how it
        begins.
    **options
        Those of the format's reader: `read_columns`, `read_conllu`, `read_jsonl`, `read_csv`, `read_parquet`, `read_xml`.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("gold.txt").write_text("Confidence NN B-NP\nin IN B-PP\n")
    >>> corpus = open_corpus("gold.txt", columns="word,pos,chunk")
    >>> corpus
    <Corpus 'gold.txt', columns>
    >>> [sentence.labels for sentence in corpus]
    [('B-NP', 'B-PP')]
    """
    if format is None or format == "auto":
        format = guess_format(source)
    elif format not in FORMATS:
        raise InputError(f"unknown format {format!r}; the formats are {', '.join(FORMATS)}")
    return Corpus(source, format, **options)


def read_corpus(source: Source, format: str | None = None, **options: Any) -> list[Sentence]:
    """Read a whole corpus: the list of what `open_corpus` gives.

    Examples
    --------
    >>> import io
    >>> [sentence.tokens for sentence in read_corpus(io.StringIO("a X"))]
    [('a',)]
    """
    return list(open_corpus(source, format, **options))


def write_corpus(
    sentences: Iterable[Sentence], target: Target, format: str | None = None, **options: Any
) -> int:
    """Write sentences, as they come, and return how many there were.

    A path appears at once, when all is written; after an error or Ctrl-C nothing is left behind.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
        `.gz` is packed.
    format : str or None
        "columns", "conllu", "csv", "jsonl", "parquet". None or "auto": by the file's name, else columns.
    **options
        Those of the format's writer: `write_columns`, `write_csv`, `write_jsonl`, `write_parquet`.

    Examples
    --------
    >>> write_corpus([Sentence(("a",), ("X",))], "out.jsonl")
    1
    >>> read_corpus("out.jsonl")[0].labels
    ('X',)
    """
    if format is None or format == "auto":
        named = format_by_name(target) if isinstance(target, str | PathLike) else None
        format = named or "columns"
    if format not in _WRITERS:
        raise InputError(
            f"cannot write the format {format!r}; those that can be written are {', '.join(_WRITERS)}"
        )
    return _WRITERS[format](map(_as_sentence, sentences), target, **options)


def _as_sentence(given: object) -> Sentence:
    if not isinstance(given, Sentence):
        raise InputError(
            f"only Sentences can be written, got {given!r:.60}; make one with Sentence(tokens, labels)"
        )
    return given
