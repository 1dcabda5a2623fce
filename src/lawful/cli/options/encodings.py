"""Output encodings that a command is told of: by name, or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from lawful.automata.transducers.openfst_text import read_transducer
from lawful.cli.options.declarations import Option
from lawful.encodings import Encoding, encoding_named, read_encoding
from lawful.encodings.naming import NAMES, guess_source
from lawful.encodings.properties import domain_of, require_encoding
from lawful.errors import AttFormatError, InputError
from lawful.evaluation import evaluate
from lawful.models.linear.outputs import prefix_groups

__all__ = ["EncodingOption", "groups_for", "metric_for", "open_encoding", "span_f1"]

EncodingOption = Annotated[
    str | None,
    Option(
        "--encoding",
        metavar="NAME|FILE",
        help=f"Output encoding: {', '.join(NAMES)}, or a file that `lawful search` wrote.",
    ),
]


def open_encoding(
    name: str, labels: Sequence[Sequence[str]], *, source: str | None = None, separator: str = "-"
) -> Encoding:
    """The encoding of a name for the labels of a corpus, or that in a file: of lawful, or OpenFst's text.

    Examples
    --------
    >>> open_encoding("IOBES", [["B-PER", "O"]]).encode(["B-PER", "O"])
    ('S-PER', 'O')
    """
    path = Path(name)
    if name in NAMES or name.startswith("order") or not path.exists():
        return encoding_named(name, labels, source=source, separator=separator)
    if path.is_dir():
        raise InputError(f"{name} is a folder, not an encoding")
    with path.open("rb") as file:
        start = file.read(100).lstrip()
    if start[:1] == b"{":
        return read_encoding(path)
    try:
        encoding = Encoding(read_transducer(path), name=path.stem)
    except (AttFormatError, UnicodeDecodeError) as error:
        raise InputError(
            f"{name} is no encoding: neither JSON that `lawful search` wrote nor a transducer in OpenFst's text format ({error})"
        ) from error
    return require_encoding(encoding, domain_of(encoding))


def groups_for(encoding: Encoding) -> str | None:
    """How a CRF shares features among the tags: by prefixes, if some tags are subdivisions of others.

    Examples
    --------
    >>> from lawful.encodings import hand_crafted_encoding, identity_encoding
    >>> groups_for(identity_encoding(["A", "B"])), groups_for(hand_crafted_encoding())
    (None, 'prefix')
    """
    return "prefix" if prefix_groups(list(encoding.tags)) else None


def span_f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    """The F1 of spans.

    Examples
    --------
    >>> span_f1([["B-PER", "O"]], [["B-PER", "O"]])
    1.0
    """
    return evaluate(gold, predicted).micro.f1


def metric_for(labels: Sequence[Sequence[str]], name: str | None) -> str:
    """What a search should go by: what was asked for, or spans if the labels are chunks.

    Examples
    --------
    >>> metric_for([["B-PER"]], None), metric_for([["noun"]], None)
    ('span-f1', 'accuracy')
    """
    if name is not None:
        return name
    return "accuracy" if guess_source(labels) is None else "span-f1"
