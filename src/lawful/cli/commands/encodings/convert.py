"""`lawful convert`: labels in another scheme or encoding."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from lawful.cli.boundary import DONE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Argument, Option
from lawful.cli.options.encodings import open_encoding
from lawful.cli.options.output import OutputOption
from lawful.cli.options.running import JsonOption
from lawful.cli.work.inputs import read_labelled
from lawful.cli.work.output import STDOUT, check_output, print_json
from lawful.corpus import Sentence, write_corpus
from lawful.corpus.registry import DEFAULT_FORMAT, FORMATS, format_by_name
from lawful.encodings import Encoding, encoding_named, guess_source
from lawful.errors import EncodingError, InputError
from lawful.schemes import SCHEME_NAMES, SCHEMES, convert_labels

__all__ = ["convert"]

MOST_SHOWN = 5


def convert(
    file: Annotated[str, Argument(metavar="FILE", help="Labelled sequences; - for stdin.")],
    to: Annotated[
        str,
        Option(
            "--to",
            metavar="NAME|FILE",
            help=f"What to write: {', '.join(SCHEMES)}, order2, ..., or an encoding in a file.",
        ),
    ],
    output: OutputOption = STDOUT,
    source: Annotated[
        str | None,
        Option(
            "--from",
            metavar="SCHEME",
            help="Scheme of the labels, flat if they are types without tags; by default the one they fit best.",
        ),
    ] = None,
    back: Annotated[
        bool, Option("--back", help="The other way: the labels are tags of the encoding --to.")
    ] = False,
    strict: Annotated[
        bool, Option("--strict", help="Refuse labels that are not valid instead of repairing them.")
    ] = False,
    tag_separator: Annotated[
        str, Option("--tag-separator", metavar="TEXT", help="What stands between tag and type.")
    ] = "-",
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Convert labels to another chunk scheme, or to the tags of an encoding and back.

    Labels that the scheme does not allow are changed as little as possible first; how many of them, and where, is reported.

    \b
    Examples:
      lawful convert gold.conll --to BILOU -o bilou.conll
      lawful convert old.conll --from IOB1 --to IOB2 --strict > new.conll
      lawful convert gold.conll --to best.json -o tags.conll
      lawful convert tags.conll --to best.json --back -o gold.conll
    """  # noqa: D301 - click reads the \b
    check_output(output, file)
    if json and output == STDOUT:
        raise InputError(
            "--json and the labels would both be written to stdout: write the labels to a file with -o"
        )
    if not tag_separator:
        raise InputError("--tag-separator must not be empty")
    if source is not None and source not in SCHEME_NAMES:
        raise InputError(f"--from: unknown scheme {source!r}; the schemes are {', '.join(SCHEME_NAMES)}")
    sentences = read_labelled(file, options)
    if source == "flat":
        sentences, source = (
            [_in_chunks(sentence, options.outside or "O", tag_separator) for sentence in sentences],
            "IOB2",
        )
    if source is not None and not back:
        _refuse_other_tags(sentences, source, tag_separator)
    labels = [sentence.labels or () for sentence in sentences]
    if back and to in SCHEMES:
        raise InputError(f"--back is for encodings in a file; for schemes name both: --from {to} --to SCHEME")
    encoding = open_encoding(to, labels, source=source, separator=tag_separator)
    read = _reading(labels, encoding, source, tag_separator) if not back else encoding
    written, repaired = [], []
    for sentence in sentences:
        tags, repairs = _converted(sentence, encoding, read, back=back)
        if repairs:
            if strict:
                raise InputError(
                    f"{sentence.location()}{repairs} label{'s' * (repairs > 1)} of this sequence would have to be changed to make it "
                    f"valid: {' '.join(sentence.labels or ())}"
                )
            repaired.append((sentence, repairs))
        written.append(sentence.with_labels(tags))
    format = format_by_name(output) or _format_of(sentences)
    write_corpus(written, output, format)
    summary = {
        "encoding": encoding.name,
        "sequences": len(sentences),
        "tokens": sum(map(len, sentences)),
        "repaired_sequences": len(repaired),
        "repaired_labels": sum(repairs for _, repairs in repaired),
        "repairs": [
            {
                "source": sentence.source,
                "line": sentence.lines[0] if sentence.lines else None,
                "labels": repairs,
            }
            for sentence, repairs in repaired
        ],
    }
    if json:
        print_json(summary)
    else:
        print(_as_text(summary, repaired), file=sys.stderr if output == STDOUT else sys.stdout)
    return DONE


def _in_chunks(sentence: Sentence, outside: str, separator: str) -> Sentence:
    """The sentence with chunks in place of plain types: each run of one label is a span."""
    labels = convert_labels(sentence.labels or (), "flat", "IOB2", outside=outside, separator=separator)
    return sentence.with_labels(labels)


def _refuse_other_tags(sentences: list[Sentence], scheme: str, separator: str) -> None:
    """Refuse labels that are no tags of the scheme that the user named."""
    for sentence in sentences:
        for position, label in enumerate(sentence.labels or ()):
            if SCHEMES[scheme].split(label, separator) is None:
                tags = ", ".join(SCHEMES[scheme].tags)
                raise InputError(
                    f"{sentence.location(position)}{label!r} is none of {scheme}, whose tags are {tags}; "
                    "types without tags are --from flat"
                )


def _reading(labels: list[Any], encoding: Encoding, source: str | None, separator: str) -> Encoding | None:
    """What repairs labels before they are encoded: their own scheme, if they have one."""
    scheme = source or guess_source(labels, separator=separator)
    if scheme is None:
        return None
    own = encoding_named("canonical", labels, source=scheme, separator=separator)
    return own if set(own.labels) <= set(encoding.labels) else None


def _converted(
    sentence: Sentence, encoding: Encoding, read: Encoding | None, *, back: bool
) -> tuple[tuple[str, ...], int]:
    labels = sentence.labels or ()
    try:
        if back:
            return encoding.decode(labels)
        try:
            return encoding.encode(labels, sentence.inputs()), 0
        except EncodingError:
            if read is None:
                raise
            repaired = read.decode(labels)
            return encoding.encode(repaired.labels, sentence.inputs()), repaired.repairs
    except EncodingError as error:
        raise EncodingError(f"{sentence.location()}{error}") from error


def _format_of(sentences: list[Sentence]) -> str:
    layout = sentences[0].layout
    if layout is not None:
        return DEFAULT_FORMAT
    return "jsonl" if FORMATS["jsonl"].write is not None else DEFAULT_FORMAT


def _as_text(summary: dict[str, Any], repaired: list[tuple[Sentence, int]]) -> str:
    lines = [
        f"{summary['encoding']}: {summary['tokens']:,} labels of {summary['sequences']:,} sequences converted",
        f"{summary['repaired_labels']:,} labels of {summary['repaired_sequences']:,} sequences were not valid, and were changed"
        if repaired
        else "all of them were valid",
    ]
    lines += (f"  {sentence.location()}{repairs} changed" for sentence, repairs in repaired[:MOST_SHOWN])
    if len(repaired) > MOST_SHOWN:
        lines.append(f"  and {len(repaired) - MOST_SHOWN:,} more")
    return "\n".join(lines)
