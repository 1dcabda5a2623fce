"""Names of people and companies: the `probablepeople` package's answers, but never its RepeatedLabelError.

The package's condition depends on history. A repeated label counts as another one after an And ("SecondGivenName"), else
after an AKA ("Other..."), else after a ProxyFor ("Proxied..."). A field may then go on only right after itself, or after a
field that may interrupt others, or if it may interrupt others itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

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
from lawful.automata.counting import CountingMachine, explore
from lawful.automata.operations.minimization import minimize_counting
from lawful.errors import InputError
from lawful.rules.kinds.machines import automaton
from lawful.rules.rule import Rule

__all__ = ["decode", "decode_many", "parse", "parser", "rules", "tag"]

SWITCHES = {"And": "Second", "AKA": "Other", "ProxyFor": "Proxied"}
STRENGTH = ["", "Proxied", "Other", "Second"]  # if several came, the strongest gives the prefix
MAY_INTERRUPT = {
    "CorporationNameOrganization",
    "CorporationNameBranchType",
    "CorporationNameBranchIdentifier",
    "ProxiedCorporationNameOrganization",
    "OtherCorporationNameOrganization",
    "OtherCorporationNameBranchType",
    "OtherCorporationNameBranchIdentifier",
}
ANY_THAT_INTERRUPTS = "CorporationNameOrganization"
KNOWN_SOURCE = "bef107ddf0f8a904c3d82492dfa52a516fb11d358246b70826f61dcdf79b0558"  # of probablepeople 0.5.6; cpp/core/parserator/probablepeople.cpp does the same


def tag(
    text: str,
    type: str | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> Arranged:
    """Like `probablepeople.tag`, without RepeatedLabelError: fields by name, and the type of the name.

    Parameters
    ----------
    text : str
    type : "generic", "person" or "company", optional
        The model; by default the generic one.
    max_loss : float or None
        Obey only where that gives up at most this much score; None obeys always.
    on_exceed : "plain", "merge" or "raise"
        Beyond `max_loss`, take the model's plain labels, and keep what repeats a field apart ("Surname (2)"), or
        merge it into that field; or raise `LossError`.

    Examples
    --------
    >>> tag("Mr. and Mrs. John Smith")
    ({'PrefixMarital': 'Mr.', 'And': 'and', 'SecondPrefixMarital': 'Mrs.', 'GivenName': 'John', 'Surname': 'Smith'}, 'Household')
    """
    parsed = decode(text, type, max_loss=max_loss, on_exceed=on_exceed)
    return parsed.fields, parsed.kind


def parse(
    text: str,
    type: str | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> list[tuple[str, str]]:
    """Like `probablepeople.parse`, with labels that `tag` can use: tokens and their labels.

    Examples
    --------
    >>> parse("Jane Doe", "person")
    [('Jane', 'GivenName'), ('Doe', 'Surname')]
    """
    return decode(text, type, max_loss=max_loss, on_exceed=on_exceed).pairs


def decode(
    text: str,
    type: str | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
) -> Parsed:
    """What `tag` finds, and what it cost: `loss`, `plain_labels`, `changed`, `fell_back`.

    Examples
    --------
    >>> decode("Jane Doe").changed
    ()
    """
    return parser(type).decode(text, max_loss=max_loss, on_exceed=on_exceed)


def decode_many(
    texts: Iterable[str],
    type: str | None = None,
    *,
    max_loss: float | None = MAX_LOSS,
    on_exceed: OnExceed = "plain",
    jobs: int | None = None,
) -> list[Parsed]:
    """`decode` for many names at once, on all cores, or on as many as `jobs` says.

    Of millions, take some ten thousand at a time: the answers to all of them would fill the memory.

    Examples
    --------
    >>> [parsed.kind for parsed in decode_many(["Jane Doe", "Acme Widgets LLC", ""])]
    ['Person', 'Corporation', 'Person']
    """
    return parser(type).decode_many(texts, max_loss=max_loss, on_exceed=on_exceed, jobs=jobs)


def parser(type: str | None = None, *, tagger: CrfsuiteTagger | None = None) -> Parser:
    """One of the package's models under its rules, compiled once and kept.

    Parameters
    ----------
    type : "generic", "person" or "company", optional
    tagger : CrfsuiteTagger, optional
        A model of your own over the package's features, instead.

    Examples
    --------
    >>> len(parser("person").tagger.labels)
    12
    """
    package = import_package("probablepeople")
    if tagger is not None:
        return _parser(tagger, partial(parser, tagger=tagger))
    files = package.MODEL_FILES
    if (type or "generic") not in files:
        raise InputError(f"type must be {', '.join(map(repr, files))} or None, got {type!r}")
    return _kept_parser(str(Path(package.__file__).parent / files[type or "generic"]), type)


@lru_cache(maxsize=8)
def _kept_parser(path: str, type: str | None) -> Parser:
    return _parser(CrfsuiteTagger.read(path), partial(parser, type))


def _parser(tagger: CrfsuiteTagger, again: Callable[[], Parser]) -> Parser:
    package = import_package("probablepeople")
    return Parser(
        tokenize=package.tokenize,
        features=package.tokens2features,
        tagger=tagger,
        rules=rules(tagger.labels),
        arrange=_arrange,
        core=_core_parser(package, tagger),
        again=again,
    )


def _core_parser(package: Any, tagger: CrfsuiteTagger) -> _core.ProbablepeopleParser | None:
    read = (package.tokenize, package.tokens2features, package.tokenFeatures)
    if not reads_like(KNOWN_SOURCE, (*read, package.vowelRatio, package.digits, package.ngrams)):
        return None
    table = FieldTable(
        names=[[prefix + label for label in tagger.labels] for prefix in STRENGTH],
        levels={label: STRENGTH.index(prefix) for label, prefix in SWITCHES.items()},
        only_repeated=True,
        interrupting=MAY_INTERRUPT,
        signs={"CorporationName": 1, "ShortForm": 1, "And": 2},
        kinds=["Person", "Corporation", "Household", "Corporation"],
    )
    return _core.ProbablepeopleParser(
        package.doublemetaphone,
        package.PREPOSITIONS,
        package.ratios,
        package.gender_names,
        **core_arguments(tagger, table),
    )


class History(NamedTuple):
    """What matters about the labels so far: the current prefix, the fields seen, and the last field."""

    prefix: str = ""
    fields: frozenset[str] = frozenset()
    last: str | None = None


def _read(history: History, label: str) -> tuple[History, bool]:
    """The history after a label, and whether the package would raise there."""
    prefix, fields, last = history
    name = label
    if label in SWITCHES:
        prefix = max(prefix, SWITCHES[label], key=STRENGTH.index)
    elif label in fields:
        name = prefix + label
    goes_on = name == last or last in MAY_INTERRUPT or name in MAY_INTERRUPT
    return History(prefix, fields | {name}, name), name in fields and not goes_on


def rules(labels: Iterable[str]) -> list[Rule]:
    """The condition under which `probablepeople.tag` does not raise, as one machine for each label.

    Parameters
    ----------
    labels : iterable of str
        The labels of the model.

    Examples
    --------
    >>> [name] = rules(["GivenName"])
    >>> name.violations(["GivenName", "GivenName"])
    0
    >>> given_name, surname, conjunction = rules(["GivenName", "Surname", "And"])
    >>> given_name.violations(["GivenName", "And", "GivenName", "Surname"])
    0
    >>> given_name.violations(["GivenName", "Surname", "GivenName"])
    1
    """
    known = list(labels)
    return [_rule(label, known) for label in known]


def _rule(watched: str, labels: Sequence[str]) -> Rule:
    special = tuple(sorted({*SWITCHES, *MAY_INTERRUPT} & set(labels) - {watched}))
    ordinary = watched not in SWITCHES and watched not in MAY_INTERRUPT
    machine = _machine("any ordinary label" if ordinary else watched, special)
    numbers = {label: 1 + special.index(label) if label in special else len(special) + 1 for label in labels}
    return automaton(machine, classes=numbers | {watched: 0}).named(f"{watched} does not come back")


@lru_cache(maxsize=64)
def _machine(watched: str, special: tuple[str, ...]) -> CountingMachine:
    """Counts where the fields of one label are repeated; of other labels it only remembers whether they interrupt.

    Classes: the watched label, the other special ones, and all the rest.
    """
    own = {prefix + watched for prefix in STRENGTH}
    needed = own | (MAY_INTERRUPT & set(special))
    classes = [watched, *special, "one of the rest"]

    def step(history: History, read: int) -> tuple[History, int]:
        (prefix, fields, last), raises = _read(history, classes[read])
        if last not in own:
            last, raises = ANY_THAT_INTERRUPTS if last in MAY_INTERRUPT else None, False
        return History(prefix, fields & needed, last), int(raises)

    return minimize_counting(explore(History(), len(classes), step, lambda history: 0))


def _naming(labels: Iterable[str]) -> Naming:
    history = History()
    for label in labels:
        history, raises = _read(history, label)
        yield history.last or label, raises


def _arrange(tokens: Sequence[str], labels: Sequence[str], *, merge: bool) -> Arranged:
    fields = gather(tokens, _naming(labels), merge=merge)
    if "CorporationName" in fields or "ShortForm" in fields:
        return fields, "Corporation"
    return fields, "Household" if "And" in labels else "Person"
