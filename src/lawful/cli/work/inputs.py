"""Opening and checking the corpora that a command reads."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

from lawful.cli.boundary import stop_if_interrupted
from lawful.cli.options.corpus import CorpusOptions
from lawful.corpus import Corpus, Sentence
from lawful.corpus.formats.text import could_be_text, looks_like_text
from lawful.corpus.registry import DEFAULT_FORMAT, FORMATS, READABLE, format_by_name, guess_format
from lawful.corpus.sources import name_of, peek_start
from lawful.corpus.texts.tokenizer import Tokenizer
from lawful.errors import CorpusError, FileError, InputError, RaggedRowError

__all__ = ["Source", "open_input", "read_labelled", "refuse_implausible_labels", "refuse_stdin_twice"]

Source = str | IO[bytes]

IMPLAUSIBLE = ((100, 3), (500, 20))
"""More labels than the first number are implausible with fewer tokens per label than the second.

Tag sets with full morphology reach some 1,500 labels, in corpora with fifty and more tokens for each; a column of words or
features has one to fifteen.
"""
MOST_LABELS = 5000  # a column of words in a corpus of millions has more
SHOWN_LABELS = 4


def open_input(
    file: str,
    options: CorpusOptions,
    *,
    columns: Callable[[Source], Mapping[str, Any]] | None = None,
    tokenizer: Callable[[], Tokenizer] | None = None,
) -> Corpus:
    r"""The corpus in a file, or on stdin (`-`), to be read while it is iterated over.

    `columns` is asked how to read the columns of the file, and `tokenizer` how to cut texts, where the options do not say it. A
    command that takes texts gives a tokenizer: then a file whose lines have different numbers of words is a text.

    Examples
    --------
    >>> _ = Path("gold.conll").write_text("in IN B-PP\n")
    >>> [sentence.labels for sentence in open_input("gold.conll", CorpusOptions(label="2"))]
    [('IN',)]
    """
    if options.format is not None and options.format not in READABLE:
        raise InputError(f"unknown --format {options.format!r}; the formats are {', '.join(READABLE)}")
    source = _source(file)
    format = options.format or guess_format(source)
    if tokenizer is not None and _is_text(source, format, options):
        format = "text"
        print(f"lawful: {name_of(file)} is read as text, one sequence a line", file=sys.stderr)
    elif (
        tokenizer is not None and _undescribed(source, format, options) and could_be_text(peek_start(source))
    ):
        print(
            f"lawful: {name_of(file)} is read as columns, one token a line, since all lines have as many words; if each line is a "
            "text, pass --format text",
            file=sys.stderr,
        )
    arguments = options.for_reader(format)
    if tokenizer is not None and options.tokenizer is not None and not FORMATS[format].cuts:
        raise InputError(
            f"--tokenizer is for texts, but {name_of(file)} has tokens ({format}); for lines of text pass --format text"
        )
    if FORMATS[format].cuts and tokenizer is not None and options.tokenizer is None:
        arguments["tokenizer"] = tokenizer() if format == "text" else tokenizer
    if format == "columns" and columns is not None:
        arguments = {**columns(source), **arguments}
    kind = _InputCorpus if isinstance(source, str) else _PipedCorpus
    return kind(source, format, **arguments)


def _is_text(source: Source, format: str, options: CorpusOptions) -> bool:
    """Whether a file of unknown format is a text: nothing says that it has columns, and it does not look so."""
    return _undescribed(source, format, options) and looks_like_text(peek_start(source))


def _undescribed(source: Source, format: str, options: CorpusOptions) -> bool:
    """Whether nothing says that a file has columns: not its name, and no option."""
    layout = (options.columns, options.token, options.label, options.separator, options.comment)
    if format != DEFAULT_FORMAT or options.format is not None or any(option is not None for option in layout):
        return False
    return not isinstance(source, str) or format_by_name(source) is None


def read_labelled(
    file: str,
    options: CorpusOptions,
    *,
    what: str = "gold",
    columns: Callable[[Source], Mapping[str, Any]] | None = None,
) -> list[Sentence]:
    """All sentences of a file that have tokens; there must be some, and they must have labels.

    A label column that nobody named must also look like labels: words or features would keep a learner busy for hours.
    """
    corpus = open_input(file, options, columns=columns)
    try:
        sentences = [sentence for sentence in corpus if len(sentence)]
    except RaggedRowError as error:
        if error.advice:
            raise
        raise InputError(
            f"{error}; a line is one token with its label, and a blank line ends a sequence"
        ) from error
    if not sentences:
        raise InputError(f"{name_of(file)} has no sequences")
    for sentence in sentences:
        if sentence.labels is None:
            advice = _where_labels_are(sentence, corpus.format)
            raise InputError(f"{sentence.location()}there are no {what} labels; {advice}")
    if options.label is None and columns is None:
        refuse_implausible_labels(sentences, name_of(file))
    return sentences


def _where_labels_are(sentence: Sentence, format: str) -> str:
    """What to do about a sentence that was read without labels."""
    if format == "jsonl":
        if "ner_tags" in sentence.context:
            return "the 'ner_tags' of Hugging Face's datasets are read with --format huggingface"
        if any(isinstance(sentence.context.get(key), list) for key in ("label", "entities")):
            return "marked spans of a text, as doccano exports them, are read with --format doccano"
        return "each line needs 'labels', as many as tokens"
    if format == "text":
        return "a text has none: label some of its tokens, one a line with its label"
    return "pass --label to say which column has them"


def refuse_stdin_twice(*files: str | None) -> None:
    """Refuse a call that would read stdin more than once.

    Examples
    --------
    >>> refuse_stdin_twice("-", "rules.toml", None)
    """
    if sum(file == "-" for file in files) > 1:
        raise InputError("only one of the files can be stdin (-)")


def refuse_implausible_labels(sentences: Sequence[Sentence], name: str) -> None:
    """Raise an error if the labels of a file look like words or features: most likely the wrong column was read.

    Examples
    --------
    >>> refuse_implausible_labels([Sentence(("in", "it"), ("IN", "PRP"))] * 9, "gold.conll")
    >>> words = tuple(f"w{number}" for number in range(300))
    >>> refuse_implausible_labels([Sentence(words, words)], "gold.conll")
    Traceback (most recent call last):
    lawful.errors.InputError: gold.conll: 300 different labels on 300 tokens ('w0', 'w1', 'w2', 'w3', ...) do not look like \
labels. They were read from the labels field. Pass --label COLUMN (a number, or a name from --columns) to say which column \
has the labels
    """
    labels: dict[str, None] = {}
    tokens = 0
    for sentence in sentences:
        labels.update(dict.fromkeys(sentence.labels or ()))
        tokens += len(sentence)
    count = len(labels)
    if count <= MOST_LABELS and not any(count > many and tokens < each * count for many, each in IMPLAUSIBLE):
        return
    shown = ", ".join(map(repr, list(labels)[:SHOWN_LABELS]))
    raise InputError(
        f"{name}: {count:,} different labels on {tokens:,} tokens ({shown}, ...) do not look like labels. "
        f"They were read from {_label_column(sentences[0])}. "
        "Pass --label COLUMN (a number, or a name from --columns) to say which column has the labels"
    )


def _label_column(sentence: Sentence) -> str:
    layout = sentence.layout
    if layout is None or layout.label is None:
        return "the labels field"
    names = list(layout.names)
    number = names.index(layout.label) + 1
    name = "" if layout.label in ("label", str(number)) else f" ({layout.label})"
    last = f", the last of {len(names)}" if number == len(names) else ""
    return f"column {number}{name}{last}"


class _InputCorpus(Corpus):
    """A corpus whose end is not trusted after Ctrl-C: the program that writes to our pipe was interrupted too."""

    def __iter__(self) -> Iterator[Sentence]:
        yield from super().__iter__()
        stop_if_interrupted()


class _PipedCorpus(_InputCorpus):
    """A corpus that is read from a pipe, once; the pipe is closed at its end."""

    def __iter__(self) -> Iterator[Sentence]:
        with cast(IO[bytes], self.source):
            yield from super().__iter__()


def _source(file: str) -> Source:
    """A path; an open stream if it is a pipe, which can be opened only once."""
    if file == "-":
        return file
    try:
        mode = Path(file).stat().st_mode
    except OSError as error:
        raise FileError.of(file, "opened", error) from error
    if stat.S_ISDIR(mode):
        raise CorpusError(file, None, "this is a folder, not a file")
    return file if stat.S_ISREG(mode) else Path(file).open("rb")
