"""Opening the corpora that a command reads."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

from lawful.cli.boundary import stop_if_interrupted
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.label_sets import refuse_absurd_labels
from lawful.corpus import Corpus, Sentence
from lawful.corpus.registry import FORMATS, guess_format
from lawful.errors import CorpusError, FileError, InputError

__all__ = ["Source", "one_stdin", "open_input", "read_labelled"]


Source = str | IO[bytes]


def open_input(
    file: str, options: CorpusOptions, *, columns: Callable[[Source], Mapping[str, Any]] | None = None
) -> Corpus:
    r"""The corpus in a file, or on stdin (`-`), to be read while it is iterated over.

    `columns` is asked how to read the columns of the file, where the options do not say it.

    Examples
    --------
    >>> _ = Path("gold.conll").write_text("in IN B-PP\n")
    >>> [sentence.labels for sentence in open_input("gold.conll", CorpusOptions(label="2"))]
    [('IN',)]
    """
    if options.format is not None and options.format not in FORMATS:
        raise InputError(f"unknown --format {options.format!r}; the formats are {', '.join(FORMATS)}")
    source = _source(file)
    format = options.format or guess_format(source)
    given = options.for_reader(format)
    if format == "columns" and columns is not None:
        given = {**columns(source), **given}
    return _Input(source, format, **given) if isinstance(source, str) else _Pipe(source, format, **given)


def read_labelled(
    file: str,
    options: CorpusOptions,
    *,
    what: str = "gold",
    columns: Callable[[Source], Mapping[str, Any]] | None = None,
) -> list[Sentence]:
    """All sentences of a file that have a token; they must have labels, and there must be some.

    A column that nobody named must also look like labels: words or features would keep a learner busy for hours.
    """
    found = [sentence for sentence in open_input(file, options, columns=columns) if len(sentence)]
    if not found:
        raise InputError(f"{_named(file)} has no sequences")
    for sentence in found:
        if sentence.labels is None:
            raise InputError(
                f"{sentence.place()}there are no {what} labels; --label says in which column they are"
            )
    if options.label is None and columns is None:
        refuse_absurd_labels(found, _named(file))
    return found


def one_stdin(*files: str | None) -> None:
    """Refuse a call that would read stdin twice.

    Examples
    --------
    >>> one_stdin("-", "rules.toml", None)
    """
    if sum(file == "-" for file in files) > 1:
        raise InputError("only one of the files can be stdin (-)")


def _named(file: str) -> str:
    return "<stdin>" if file == "-" else file


class _Input(Corpus):
    """A corpus whose end is not believed if Ctrl-C was pressed: what writes to our pipe has heard it too."""

    def __iter__(self) -> Iterator[Sentence]:
        yield from super().__iter__()
        stop_if_interrupted()


class _Pipe(_Input):
    """A corpus that is read from a pipe, once; the pipe is closed at its end."""

    def __iter__(self) -> Iterator[Sentence]:
        with cast(IO[bytes], self.source):
            yield from super().__iter__()


def _source(file: str) -> Source:
    """A path; an open stream if it is a pipe, which can be opened only once."""
    if file == "-":
        return file
    try:
        kind = Path(file).stat().st_mode
    except OSError as error:
        raise FileError.of(file, "opened", error) from error
    if stat.S_ISDIR(kind):
        raise CorpusError(file, None, "this is a folder, not a file")
    return file if stat.S_ISREG(kind) else Path(file).open("rb")
