"""Corpora of any format: open_corpus, read_corpus, write_corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TypedDict, Unpack

from lawful.corpus.registry import (
    DEFAULT_FORMAT,
    FORMATS,
    WRITABLE,
    find_format,
    format_by_name,
    guess_format,
)
from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, name_of
from lawful.corpus.targets import Target
from lawful.corpus.texts.tokenizer import TokenizerLike
from lawful.errors import InputError

__all__ = ["Corpus", "ReadOptions", "WriteOptions", "open_corpus", "read_corpus", "write_corpus"]


class ReadOptions(TypedDict, total=False):
    """The options of all readers; each format takes some of them, and refuses the others by name."""

    columns: Sequence[str] | str | None
    token: str | int | None
    label: str | int | None
    tokens: str | None
    labels: str | None
    sequence: str | None
    separator: str | None
    tokenizer: TokenizerLike
    outside: str | None
    tags: str
    names: Sequence[str] | str | None
    comment: str | None
    docstart: str
    encoding: str
    max_line: int
    max_tokens: int


class WriteOptions(TypedDict, total=False):
    """The options of all writers; each format takes some of them."""

    columns: Sequence[str] | str | None
    sequence: str | None
    separator: str | None
    labels: Iterable[str] | None


class Corpus(Iterable[Sentence]):
    """A corpus file that is read while it is iterated over. A path can be iterated over many times.

    Examples
    --------
    >>> import io
    >>> Corpus(io.StringIO("a X"), "columns")
    <Corpus 'the text', columns>
    """

    def __init__(self, source: Source, format: str, **options: Unpack[ReadOptions]) -> None:
        self.source, self.format, self.options = source, format, options

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return name_of(self.source)

    def __iter__(self) -> Iterator[Sentence]:
        read = find_format(self.format).read
        assert read is not None, "find_format gives formats that can be read"  # noqa: S101
        try:
            return read(self.source, **self.options)
        except TypeError as error:
            if "unexpected keyword argument" not in str(error):
                raise
            option = str(error).rsplit(" ", 1)[-1].strip("'")
            raise InputError(f"the format {self.format!r} has no option {option!r}") from None

    def __repr__(self) -> str:
        return f"<Corpus {self.name!r}, {self.format}>"


def open_corpus(source: Source, format: str | None = None, **options: Unpack[ReadOptions]) -> Corpus:
    r"""Open a corpus of any format; it is read while it is iterated over.

    Parameters
    ----------
    source : path, "-" or open file
        gzip is decompressed.
    format : str or None
        "columns", "conllu", "jsonl", "csv", "parquet", "xml", "tei", "text", "doccano", "label-studio", "brat", "huggingface", "docbin". None or "auto": by the file's name, else by its
        first bytes.
    **options
        Options of the format's reader: `read_columns`, `read_conllu`, `read_jsonl`, `read_csv`, `read_parquet`, `read_xml`,
        `read_text`, `read_doccano`, `read_label_studio`, `read_brat`, `read_tei`, `read_huggingface`, `read_docbin`.

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
    return Corpus(source, find_format(format).name, **options)


def read_corpus(source: Source, format: str | None = None, **options: Unpack[ReadOptions]) -> list[Sentence]:
    """Read a whole corpus into a list; see `open_corpus`.

    Examples
    --------
    >>> import io
    >>> [sentence.tokens for sentence in read_corpus(io.StringIO("a X"))]
    [('a',)]
    """
    return list(open_corpus(source, format, **options))


def write_corpus(
    sentences: Iterable[Sentence], target: Target, format: str | None = None, **options: Unpack[WriteOptions]
) -> int:
    """Write sentences as they arrive, and return their number.

    The file appears at its path when it is complete; after an error or Ctrl-C nothing is left behind.

    Parameters
    ----------
    sentences : iterable of Sentence
    target : path, "-" or open file
        A name that ends in `.gz` is compressed.
    format : str or None
        "columns", "conllu", "csv", "jsonl", "parquet", "fields", "fields-csv", and all others that can be read but "text". None or "auto": by the file's name, else columns.
    **options
        Options of the format's writer: `write_columns`, `write_csv`, `write_jsonl`, `write_parquet`, `write_fields`,
        `write_fields_csv`.

    Examples
    --------
    >>> write_corpus([Sentence(("a",), ("X",))], "out.jsonl")
    1
    >>> read_corpus("out.jsonl")[0].labels
    ('X',)
    """
    if format is None or format == "auto":
        named = format_by_name(target) if isinstance(target, str | PathLike) else None
        format = named or DEFAULT_FORMAT
    given: object = sentences
    if isinstance(given, Sentence | str) or not isinstance(given, Iterable):
        raise InputError(f"a corpus is a list of Sentences, got {given!r:.60}")
    write = FORMATS[format].write if format in FORMATS else None
    if write is None:
        raise InputError(f"cannot write the format {format!r}; choose one of {', '.join(WRITABLE)}")
    return write(map(_as_sentence, sentences), target, **options)


def _as_sentence(value: object) -> Sentence:
    if not isinstance(value, Sentence):
        raise InputError(
            f"only Sentences can be written, got {value!r:.60}; make one with Sentence(tokens, labels)"
        )
    return value
