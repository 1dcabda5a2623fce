"""The corpus formats, one record each. To add a format, write its module in `formats/` and its record here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from os import PathLike
from pathlib import PurePath
from typing import Any

from lawful.corpus.sentence import Sentence
from lawful.corpus.sources import Source, peek_start
from lawful.errors import InputError

__all__ = [
    "DEFAULT_FORMAT",
    "FORMATS",
    "READABLE",
    "WRITABLE",
    "CorpusFormat",
    "find_format",
    "format_by_content",
    "format_by_name",
    "guess_format",
]

DEFAULT_FORMAT = "columns"  # of files that no format recognises


@dataclass(frozen=True, slots=True)
class CorpusFormat:
    """A format that corpora are stored in.

    Attributes
    ----------
    name : str
    read : function or None
        From a source to an iterator of sentences; None if the format can only be written.
    write : function or None
        From sentences and a target to the number of sentences; None if the format can only be read.
    suffixes : tuple of str
        The file names that it is known by.
    recognise : function or None
        Whether the first bytes of a file are in this format; None if they do not tell.
    options : mapping of str to str
        The layout options that the command line offers for it, each with the reader's argument that it sets.
    numbered : bool
        Whether columns can be given by number.
    cuts : bool
        Whether its reader may have to cut texts, and takes a tokenizer.
    wants_labels : bool
        Whether its writer is told all labels there are.

    Examples
    --------
    >>> FORMATS["jsonl"].suffixes, FORMATS["text"].write
    (('.jsonl', '.ndjson'), None)
    """

    name: str
    read: Callable[..., Iterator[Sentence]] | None
    write: Callable[..., int] | None = None
    suffixes: tuple[str, ...] = ()
    recognise: Callable[[bytes], bool] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = False
    cuts: bool = False
    wants_labels: bool = False


def _late(module: str, name: str) -> Callable[..., Any]:
    """A function of a format's module, which is imported when the function is called: few runs need more than one format."""

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(f"lawful.corpus.formats.{module}"), name)(*arguments, **options)

    return call


def _same(*names: str) -> dict[str, str]:
    """Options that the reader calls by the same names."""
    return {name: name for name in names}


_MARKED = ("tokenizer", "outside", "encoding")  # of formats that mark spans in texts

FORMATS = {
    record.name: record
    for record in (
        CorpusFormat(
            "columns",
            _late("columns.reading", "read_columns"),
            _late("columns.writing", "write_columns"),
            suffixes=(".conll",),
            options=_same("columns", "token", "label", "separator", "comment", "encoding"),
            numbered=True,
        ),
        CorpusFormat(
            "conllu",
            _late("conllu", "read_conllu"),
            _late("conllu", "write_conllu"),
            suffixes=(".conllu",),
            recognise=_late("conllu", "looks_like_conllu"),
            options=_same("token", "label", "encoding"),
            numbered=True,
        ),
        CorpusFormat(
            "jsonl",
            _late("jsonl", "read_jsonl"),
            _late("jsonl", "write_jsonl"),
            suffixes=(".jsonl", ".ndjson"),
            recognise=_late("jsonl", "looks_like_jsonl"),
            options={"token": "tokens", "label": "labels", "encoding": "encoding", "tokenizer": "tokenizer"},
            cuts=True,
        ),
        CorpusFormat(
            "csv",
            _late("csv", "read_csv"),
            _late("csv", "write_csv"),
            suffixes=(".csv",),
            options=_same("token", "label", "sequence", "separator", "tokenizer", "encoding"),
            cuts=True,
        ),
        CorpusFormat(
            "parquet",
            _late("parquet", "read_parquet"),
            _late("parquet", "write_parquet"),
            suffixes=(".parquet", ".pq"),
            recognise=_late("parquet", "looks_like_parquet"),
            options={"token": "tokens", "label": "labels", "sequence": "sequence"},
        ),
        CorpusFormat(
            "tei",
            _late("annotations.tei", "read_tei"),
            _late("annotations.tei", "write_tei"),
            suffixes=(".tei", ".tei.xml"),
            recognise=_late("annotations.tei", "looks_like_tei"),
            options=_same("tokenizer", "outside"),
            cuts=True,
        ),
        CorpusFormat(
            "xml",
            _late("xml_references", "read_xml"),
            _late("xml_references", "write_xml"),
            suffixes=(".xml",),
            recognise=_late("xml_references", "looks_like_xml"),
            options=_same("outside"),
        ),
        CorpusFormat("text", _late("text", "read_text"), options=_same("tokenizer", "encoding"), cuts=True),
        CorpusFormat(
            "doccano",
            _late("annotations.tools", "read_doccano"),
            _late("annotations.tools", "write_doccano"),
            options=_same(*_MARKED),
            cuts=True,
        ),
        CorpusFormat(
            "label-studio",
            _late("annotations.tools", "read_label_studio"),
            _late("annotations.tools", "write_label_studio"),
            recognise=_late("annotations.tools", "looks_like_label_studio"),
            options=_same(*_MARKED),
            cuts=True,
        ),
        CorpusFormat(
            "brat",
            _late("annotations.tools", "read_brat"),
            _late("annotations.tools", "write_brat"),
            suffixes=(".ann",),
            options=_same(*_MARKED),
            cuts=True,
        ),
        CorpusFormat(
            "huggingface",
            _late("annotations.huggingface", "read_huggingface"),
            _late("annotations.huggingface", "write_huggingface"),
            options={"label": "tags", "label_names": "names", "encoding": "encoding"},
            wants_labels=True,
        ),
        CorpusFormat(
            "docbin",
            _late("annotations.docbin", "read_docbin"),
            _late("annotations.docbin", "write_docbin"),
            suffixes=(".spacy",),
        ),
        CorpusFormat("fields", None, _late("fields", "write_fields"), wants_labels=True),
        CorpusFormat("fields-csv", None, _late("fields", "write_fields_csv"), wants_labels=True),
    )
}

READABLE = tuple(record.name for record in FORMATS.values() if record.read is not None)
WRITABLE = tuple(record.name for record in FORMATS.values() if record.write is not None)

_BY_SUFFIX = {suffix: record.name for record in FORMATS.values() for suffix in record.suffixes}


def find_format(name: str) -> CorpusFormat:
    """The format with a name, to read from.

    Examples
    --------
    >>> find_format("conll")
    Traceback (most recent call last):
    lawful.errors.InputError: unknown format 'conll'; the formats are columns, conllu, jsonl, csv, parquet, \
tei, xml, text, doccano, label-studio, brat, huggingface, docbin
    """
    if name not in READABLE:
        raise InputError(f"unknown format {name!r}; the formats are {', '.join(READABLE)}")
    return FORMATS[name]


def format_by_name(path: str | PathLike[str]) -> str | None:
    """The format that a file's name stands for.

    Examples
    --------
    >>> format_by_name("gold.jsonl.gz"), format_by_name("train.txt")
    ('jsonl', None)
    """
    name = PurePath(path)
    if name.suffix == ".gz":
        name = name.with_suffix("")
    if name.name.lower().endswith(".tei.xml"):
        return "tei"
    return _BY_SUFFIX.get(name.suffix.lower())


def format_by_content(start: bytes) -> str:
    r"""The format that the first bytes of a file are in.

    Examples
    --------
    >>> format_by_content(b'{"tokens": ["a"]}\n'), format_by_content(b"a DT O\n")
    ('jsonl', 'columns')
    """
    for record in FORMATS.values():
        if record.recognise is not None and record.recognise(start):
            return record.name
    return DEFAULT_FORMAT


def guess_format(source: Source) -> str:
    """The format of a file, by its name or else by its first bytes. An open file is not consumed.

    Examples
    --------
    >>> import io
    >>> guess_format(io.BytesIO(b"a DT O"))
    'columns'
    """
    named = format_by_name(source) if isinstance(source, str | PathLike) else None
    return named or format_by_content(peek_start(source))
