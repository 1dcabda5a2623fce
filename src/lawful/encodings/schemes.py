"""Chunk schemes and histories as encodings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lawful.automata.transducers.minimization import minimize_transducer
from lawful.automata.transducers.transducer import Ending, Transducer, TransducerArc
from lawful.encodings.encoding import Encoding
from lawful.errors import EncodingError, InputError
from lawful.labels import LabelSet
from lawful.schemes.table import SCHEMES, Scheme
from lawful.schemes.tags import tag_in_span
from lawful.support.numbers import check_count

__all__ = ["history_encoding", "identity_encoding", "scheme_encoding"]

START = "^"  # what stands before the first label


def identity_encoding(labels: LabelSet | Iterable[str], *, name: str = "canonical") -> Encoding:
    """The labels themselves, in any order: where a search for better encodings starts.

    Examples
    --------
    >>> identity_encoding(["N", "V"]).encode(["V", "N"])
    ('V', 'N')
    """
    label_set = LabelSet(labels)
    arcs = [TransducerArc(0, label, 0, (label,)) for label in label_set]
    return Encoding(Transducer(arcs, [Ending(0)]), labels=label_set, name=name)


class _Token(NamedTuple):
    """What is known of the last token before the next one is read."""

    tag: str  # in the source scheme, spelled as in IOBES
    type: str
    first: bool
    after_same: bool
    exists: bool = True


_BEFORE_ALL = _Token("O", "", first=False, after_same=False, exists=False)  # both ends count as an O


def scheme_encoding(
    source: str, target: str, types: Sequence[str] = ("",), *, separator: str = "-"
) -> Encoding:
    """Chunks from one scheme into another: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES, BMEWO or IO.

    The domain is what the source scheme allows. IO as a target forgets where a chunk ends that another of its type follows, so
    it is no encoding; it can be a source.

    Parameters
    ----------
    source, target : str
        The scheme of the canonical labels, and that of the tags.
    types : sequence of str
        The types of chunks; none by default: labels are single letters.
    separator : str
        What stands between tag and type.

    Examples
    --------
    >>> scheme_encoding("IOB2", "IOBES", ["NP"]).encode(["B-NP", "B-NP", "I-NP", "O"])
    ('S-NP', 'B-NP', 'E-NP', 'O')
    """
    for name in (source, target):
        if name not in SCHEMES:
            raise InputError(f"unknown scheme {name!r}; the schemes are {', '.join(SCHEMES)}")
    if not types:
        raise InputError("there must be at least one type of chunks, got none")
    read, written = SCHEMES[source], SCHEMES[target]
    labels = ["O", *(_label(tag, kind, separator) for kind in types for tag in read.tags if tag != "O")]
    split = {label: read.split(label, separator) for label in labels}
    number = {_BEFORE_ALL: 0}
    queue = [_BEFORE_ALL]
    arcs: list[TransducerArc] = []
    endings: list[Ending] = []
    for token in queue:  # grows inside the loop
        for label in labels:
            parts = split[label]
            if parts is None or not _may_follow(read, token, parts):
                continue
            inside = _inside(read, token, parts)
            output = (
                ()
                if token is _BEFORE_ALL
                else (_tag(written, token, parts, inside=inside, separator=separator),)
            )
            following = _next(token, parts, inside=inside)
            if following not in number:
                number[following] = len(number)
                queue.append(following)
            arcs.append(TransducerArc(number[token], label, number[following], output))
        if _may_follow(read, token, ("O", "")):
            last = (
                ()
                if token is _BEFORE_ALL
                else (_tag(written, token, ("O", ""), inside=False, separator=separator),)
            )
            endings.append(Ending(number[token], last))
    # Everything was written one token late; the smallest machine writes each tag as early as can be.
    return Encoding(
        minimize_transducer(Transducer(arcs, endings), ahead=False),
        labels=labels,
        name=target if target == source else f"{target} of {source}",
    )


def _label(tag: str, kind: str, separator: str) -> str:
    return f"{tag}{separator}{kind}" if kind else tag


def _may_follow(scheme: Scheme, token: _Token, parts: tuple[str, str]) -> bool:
    return (token.tag, parts[0], token.type == parts[1]) in scheme.legal


def _inside(scheme: Scheme, token: _Token, parts: tuple[str, str]) -> bool:
    return (token.tag, parts[0], token.type == parts[1]) in scheme.inside


def _next(token: _Token, parts: tuple[str, str], *, inside: bool) -> _Token:
    tag, kind = parts
    if tag == "O":
        return _Token("O", "", first=False, after_same=False)
    follows_same = not inside and token.tag != "O" and token.type == kind
    return _Token(tag, kind, first=not inside, after_same=token.after_same if inside else follows_same)


def _tag(scheme: Scheme, token: _Token, after: tuple[str, str], *, inside: bool, separator: str) -> str:
    """The tag of a token, now that the next one is known."""
    if token.tag == "O":
        return "O"
    before_same = not inside and after[0] != "O" and after[1] == token.type
    tag = tag_in_span(
        scheme, first=token.first, last=not inside, after_same=token.after_same, before_same=before_same
    )
    return _label(tag, token.type, separator)


def history_encoding(labels: LabelSet | Iterable[str], order: int) -> Encoding:
    """Each label with the `order - 1` labels before it, nearest first: a first-order model then is one of that order.

    Examples
    --------
    >>> history_encoding(["A", "B"], 2).encode(["A", "B", "B"])
    ('A.^', 'B.A', 'B.B')
    """
    check_count("order", order, least=1)
    label_set = LabelSet(labels)
    if START in label_set:
        raise EncodingError(
            f"{START!r} stands for what comes before the first label, so it cannot be a label"
        )
    start = (START,) * (order - 1)
    number = {start: 0}
    queue = [start]
    arcs: list[TransducerArc] = []
    names: dict[str, tuple[str, ...]] = {}
    for history in queue:  # grows inside the loop
        for label in label_set:
            seen = (label, *history)
            tag = ".".join(seen)
            if names.setdefault(tag, seen) != seen:
                raise EncodingError(
                    f"tag {tag!r} would stand for {names[tag]} and for {seen}; rename labels with dots"
                )
            following = seen[: order - 1]
            if following not in number:
                number[following] = len(number)
                queue.append(following)
            arcs.append(TransducerArc(number[history], label, number[following], (tag,)))
    endings = [Ending(state) for state in number.values()]
    return Encoding(Transducer(arcs, endings), labels=label_set, name=f"order {order}")
