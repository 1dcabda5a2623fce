"""US addresses: the `usaddress` package's answers, but never its RepeatedLabelError.

The package's condition, as rules: after the first IntersectionSeparator, labels that contain "StreetName" count as others
("SecondStreetName"); then the tag mapping renames; then each name may fill one run of tokens only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from lawful import _core
from lawful.adapters.crfsuite.tagger import CrfsuiteTagger
from lawful.adapters.parserator.core import FieldTable, core_arguments, reads_like
from lawful.adapters.parserator.parser import (
    MAX_LOSS,
    Arranged,
    Naming,
    OnExceed,
    Parsed,
    Parser,
    gather,
    import_package,
)
from lawful.automata.counting import explore
from lawful.errors import InputError
from lawful.rules.kinds.machines import automaton
from lawful.rules.rule import Rule

__all__ = ["decode", "decode_many", "parse", "parser", "rules", "tag"]

SEPARATOR = "IntersectionSeparator"
# The source that cpp/core/parserator/usaddress.cpp does the same as; beside any other, its own Python is used.
KNOWN_SOURCE = "85ba451f697990937396ae7daba114df0958244deae4bcb0d24eb3cf3d5bc4fc"  # of usaddress 0.5.16
AMPERSANDS = re.compile("(&#38;)|(&amp;)")


def tag(
    text: str,
    tag_mapping: Mapping[str, str] | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> Arranged:
    """Like `usaddress.tag`, without RepeatedLabelError: fields by name, and the type of the address.

    Parameters
    ----------
    text : str
    tag_mapping : mapping of label to label, optional
        Renames labels; those renamed to one name share one field, and so one run of tokens.
    max_loss : float or None
        Obey only where that gives up at most this much score; None obeys always.
    on_exceed : "plain", "merge" or "raise"
        Beyond `max_loss`, take the model's plain labels, and keep what repeats a field apart ("StreetName (2)"), or
        merge it into that field; or raise `LossError`.

    Examples
    --------
    The package itself labels the 12 as a second StreetName, and raises an error:

    >>> fields, kind = tag("77 W Wacker Dr Floor 12 St Paul, MN 55101")
    >>> kind, fields["StreetName"], fields["OccupancyIdentifier"], fields["PlaceName"]
    ('Street Address', 'Wacker', '12', 'St Paul')
    """
    parsed = decode(text, tag_mapping, max_loss=max_loss, on_exceed=on_exceed)
    return parsed.fields, parsed.kind


def parse(
    text: str,
    tag_mapping: Mapping[str, str] | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> list[tuple[str, str]]:
    """Like `usaddress.parse`, with labels that `tag` can use: tokens and their labels.

    Examples
    --------
    >>> parse("1 Main St")
    [('1', 'AddressNumber'), ('Main', 'StreetName'), ('St', 'StreetNamePostType')]
    """
    return decode(text, tag_mapping, max_loss=max_loss, on_exceed=on_exceed).pairs


def decode(
    text: str,
    tag_mapping: Mapping[str, str] | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> Parsed:
    """What `tag` finds, and what it cost: `loss`, `plain_labels`, `changed`, `fell_back`.

    Examples
    --------
    >>> parsed = decode("77 W Wacker Dr Floor 12 St Paul, MN 55101")
    >>> parsed.changed, parsed.plain_labels[5], parsed.labels[5], round(parsed.loss, 2)
    ((5,), 'StreetName', 'OccupancyIdentifier', 0.77)
    """
    return parser(tag_mapping).decode(text, max_loss=max_loss, on_exceed=on_exceed)


def decode_many(
    texts: Iterable[str],
    tag_mapping: Mapping[str, str] | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
    jobs: int | None = None,
) -> list[Parsed]:
    """`decode` for many addresses at once, on all cores, or on as many as `jobs` says.

    Of millions, take some ten thousand at a time: the answers to all of them would fill the memory.

    Examples
    --------
    >>> [parsed.kind for parsed in decode_many(["1 Main St", "Elm St & Oak St", ""])]
    ['Street Address', 'Intersection', 'Ambiguous']
    """
    return parser(tag_mapping).decode_many(texts, max_loss=max_loss, on_exceed=on_exceed, jobs=jobs)


def rules(labels: Iterable[str], tag_mapping: Mapping[str, str] | None = None) -> list[Rule]:
    """The condition under which `usaddress.tag` does not raise, as one small machine for each field.

    Parameters
    ----------
    labels : iterable of str
        The labels of the model.
    tag_mapping : mapping of label to label, optional

    Examples
    --------
    >>> by_name = {rule.name: rule for rule in rules(["AddressNumber", "StreetName", "IntersectionSeparator"])}
    >>> list(by_name)
    ['one AddressNumber', 'one StreetName', 'one IntersectionSeparator', 'one SecondStreetName']
    >>> by_name["one StreetName"].violations(["StreetName", "IntersectionSeparator", "StreetName"])
    0
    >>> by_name["one StreetName"].violations(["StreetName", "AddressNumber", "StreetName"])
    1
    """
    known = list(labels)
    mapping = tag_mapping or {}
    names = [_name(label, mapping, after=after) for after in (False, True) for label in known]
    return [_one_run(name, known, mapping) for name in dict.fromkeys(names)]


def parser(tag_mapping: Mapping[str, str] | None = None, *, tagger: CrfsuiteTagger | None = None) -> Parser:
    """The package's model under its rules, compiled once and kept.

    Parameters
    ----------
    tag_mapping : mapping of label to label, optional
    tagger : CrfsuiteTagger, optional
        A model of your own over the package's features; by default the package's model.

    Examples
    --------
    >>> parser().decoder.rules.names[:2]
    ('one AddressNumber', 'one StreetName')
    """
    pairs = _checked(tag_mapping)
    if tagger is not None:
        return _parser(tagger, pairs, kept=False)
    return _kept_parser(import_package("usaddress").MODEL_PATH, pairs)


def _checked(tag_mapping: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """The pairs of a tag mapping, whose names must be text; an empty one leaves a label as it is, as in the package."""
    if tag_mapping is None:
        return ()
    if not isinstance(tag_mapping, Mapping):
        raise InputError(f"tag_mapping must be a mapping of labels to names, got {tag_mapping!r:.60}")
    for label, name in tag_mapping.items():
        if name is not None and not isinstance(name, str):
            raise InputError(f"tag_mapping[{label!r}] must be a string, got {name!r:.60}")
    return tuple(tag_mapping.items())


@lru_cache(maxsize=32)
def _kept_parser(path: str, mapping: tuple[tuple[str, str], ...]) -> Parser:
    return _parser(_model(path), mapping, kept=True)


_model = lru_cache(maxsize=4)(CrfsuiteTagger.read)


def _parser(tagger: CrfsuiteTagger, pairs: tuple[tuple[str, str], ...], *, kept: bool) -> Parser:
    package, mapping = import_package("usaddress"), dict(pairs)
    return Parser(
        tokenize=package.tokenize,
        features=package.tokens2features,
        tagger=tagger,
        rules=rules(tagger.labels, mapping),
        arrange=partial(_arrange, mapping=mapping),
        core=_core_parser(package, tagger, mapping),
        again=partial(parser, mapping, tagger=None if kept else tagger),
    )


def _core_parser(
    package: Any, tagger: CrfsuiteTagger, mapping: Mapping[str, str]
) -> _core.UsaddressParser | None:
    read = (package.tokenize, package.tokens2features, package.tokenFeatures, package.digits)
    if not reads_like(KNOWN_SOURCE, (*read, package.trailingZeros)):
        return None
    table = FieldTable(
        names=[[_name(label, mapping, after=after) for label in tagger.labels] for after in (False, True)],
        levels={SEPARATOR: 1},
        only_repeated=False,
        interrupting=(),
        signs={SEPARATOR: 1, "AddressNumber": 2, "USPSBoxID": 4},
        kinds=[_kind(signs & 1 > 0, signs & 2 > 0, signs & 4 > 0) for signs in range(8)],
    )
    return _core.UsaddressParser(
        partial(AMPERSANDS.sub, "&"),
        package.DIRECTIONS,
        package.STREET_NAMES,
        **core_arguments(tagger, table),
    )


def _name(label: str, mapping: Mapping[str, Any], *, after: bool) -> str:
    """The field of a label, before or after the first separator."""
    second = f"Second{label}" if after and "StreetName" in label else label
    return mapping.get(second) or second


def _one_run(name: str, labels: Sequence[str], mapping: Mapping[str, str]) -> Rule:
    """Field `name` fills at most one run of tokens. State: whether a separator was read, and whether the run is to come, inside or over."""
    kinds = {
        label: (
            label == SEPARATOR,
            _name(label, mapping, after=False) == name,
            _name(label, mapping, after=True) == name,
        )
        for label in labels
    }
    classes = list(dict.fromkeys(kinds.values()))

    def step(state: tuple[bool, str], read: int) -> tuple[tuple[bool, str], int]:
        after, run = state
        separates, fills_before, fills_after = classes[read]
        after = after or separates
        if fills_after if after else fills_before:
            return (after, "inside"), int(run == "over")
        return (after, "over" if run != "to come" else run), 0

    machine = explore((False, "to come"), len(classes), step, lambda state: 0)
    return automaton(machine, classes={label: classes.index(kind) for label, kind in kinds.items()}).named(
        f"one {name}"
    )


def _naming(labels: Iterable[str], mapping: Mapping[str, str]) -> Naming:
    after, last = False, None
    seen: set[str] = set()
    for label in labels:
        after = after or label == SEPARATOR
        name = _name(label, mapping, after=after)
        yield name, name in seen and name != last
        seen.add(name)
        last = name


def _arrange(
    tokens: Sequence[str], labels: Sequence[str], *, merge: bool, mapping: Mapping[str, str]
) -> Arranged:
    fields = gather(tokens, _naming(labels, mapping), merge=merge)
    return fields, _kind(SEPARATOR in labels, "AddressNumber" in labels, "USPSBoxID" in labels)


def _kind(intersects: bool, numbered: bool, boxed: bool) -> str:  # noqa: FBT001
    if numbered and not intersects:
        return "Street Address"
    if intersects and not numbered:
        return "Intersection"
    return "PO Box" if boxed else "Ambiguous"
