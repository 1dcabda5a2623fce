"""Reading rule files: `read_rules`, `parse_rules`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from lawful.errors import InputError, RuleFileError
from lawful.labels import LabelSet
from lawful.rules.files.documents import load_file, load_text
from lawful.rules.files.rule_tables import read_named, read_rule
from lawful.rules.files.scope import Document, Entry, Place, Scope, Skip
from lawful.rules.files.values.base import read_group
from lawful.rules.files.values.token_tests import read_test
from lawful.rules.rule import Rule
from lawful.rules.ruleset import Rules

__all__ = ["TOP_KEYS", "RuleFile", "parse_rule_file", "parse_rules", "read_rule_file", "read_rules"]

TOP_KEYS = ("include", "labels", "groups", "tests", "parts", "rule")
MOST_RULES = 10_000

Functions = Mapping[str, Callable[[Any], Any]]


@dataclass(frozen=True)
class RuleFile:
    """What a rule file says.

    Attributes
    ----------
    rules : Rules
    labels : LabelSet or None
        The labels that the file, or the caller, says there are.
    lines : mapping of a rule's name to its (source, line)
    """

    rules: Rules
    labels: LabelSet | None
    lines: Mapping[str, tuple[str, int | None]]


def read_rules(
    path: str | os.PathLike[str],
    *,
    functions: Functions | None = None,
    labels: Sequence[str] | None = None,
    root: str | os.PathLike[str] | None = None,
) -> Rules:
    r"""The rules of a rule file (TOML), and of the files that it includes.

    Parameters
    ----------
    path : str or path
    functions : mapping of name to function, optional
        What `function = "name"` refers to. A rule file holds no code.
    labels : sequence of str, optional
        What labels are checked against; by default the `labels` of the file, if it has them.
    root : str or path, optional
        Included files and word lists are taken from this folder and below; by default the folder of the file.

    Raises
    ------
    RuleFileError
        Its `problems` tell all that is wrong: file, line, rule, key, and what was expected.
    FileError
        If the file itself cannot be read; a `MissingFileError` if it is not there.

    Examples
    --------
    >>> _ = FilePath("rules.toml").write_text('[[rule]]\nkind = "forbid"\nlabels = ["A", "B"]\n')
    >>> read_rules("rules.toml")
    Rules(forbid('A', 'B'))
    """
    return read_rule_file(path, functions=functions, labels=labels, root=root).rules


def parse_rules(
    text: str,
    source: str = "<text>",
    *,
    functions: Functions | None = None,
    labels: Sequence[str] | None = None,
    root: str | os.PathLike[str] | None = None,
    trusted: bool = True,
) -> Rules:
    """The rules of a text in the format of rule files.

    Parameters
    ----------
    text : str
    source : str
        What errors call the text.
    functions, labels
        As for `read_rules`.
    root : str or path, optional
        The folder that `include` and `words_file` may open files in; by default the text may open none.
    trusted : bool
        False for a text from a stranger: its regular expressions are then matched in linear time, by a
        subset of their syntax (no look-around, no back references).

    Examples
    --------
    >>> parse_rules('''
    ... [[rule]]
    ... name = "one street"
    ... kind = "at_most_segments"
    ... n = 1
    ... labels = "Street"
    ... price = 2.5
    ... ''')
    Rules(at_most_segments(1, 'Street').soft(2.5, name='one street'))
    """
    return parse_rule_file(text, source, functions=functions, labels=labels, root=root, trusted=trusted).rules


def read_rule_file(
    path: str | os.PathLike[str],
    *,
    functions: Functions | None = None,
    labels: Sequence[str] | None = None,
    root: str | os.PathLike[str] | None = None,
) -> RuleFile:
    r"""As `read_rules`, with the labels that the file declares, and the line of each rule.

    Examples
    --------
    >>> _ = FilePath("rules.toml").write_text('labels = ["A"]\n\n[[rule]]\nkind = "forbid"\nlabels = "A"\n')
    >>> read_rule_file("rules.toml").lines
    {"forbid('A')": ('rules.toml', 3)}
    """
    shown = FilePath(path)
    whole = shown.absolute().resolve()
    scope = Scope(functions or {}, root=whole.parent if root is None else FilePath(root).resolve())
    return _whole(scope, lambda: load_file(whole, scope, shown=str(shown)), labels)


def parse_rule_file(
    text: str,
    source: str = "<text>",
    *,
    functions: Functions | None = None,
    labels: Sequence[str] | None = None,
    root: str | os.PathLike[str] | None = None,
    trusted: bool = True,
) -> RuleFile:
    """As `parse_rules`, with the labels that the text declares, and the line of each rule.

    Examples
    --------
    >>> parse_rule_file('labels = ["O", "City"]').labels
    LabelSet(['O', 'City'])
    """
    scope = Scope(functions or {}, trusted=trusted, root=None if root is None else FilePath(root).resolve())
    return _whole(scope, lambda: load_text(text, source, scope), labels)


def _whole(scope: Scope, load: Callable[[], list[Document]], labels: Sequence[str] | None) -> RuleFile:
    try:
        documents = load()
        _collect(scope, documents)
        scope.labels = _labels(scope, documents, labels)
        found = list(_read(scope, documents))
    except Skip:
        raise _error(scope) from None
    except RecursionError:
        Place(scope, documents[-1]).note("rules or tests are nested too deep")
        raise _error(scope) from None
    if scope.problems:
        raise _error(scope)
    rules = Rules(*(rule for rule, _ in found))
    places = {}
    for rule, (_, place) in zip(rules, found, strict=True):
        spot = place.document.spot(place.path)
        places[rule.name] = (place.document.source, spot.line if spot else None)
    return RuleFile(rules, scope.labels, places)


def _error(scope: Scope) -> RuleFileError:
    """All problems, file by file and from top to bottom."""
    sources = list(dict.fromkeys(problem.source for problem in scope.problems))
    return RuleFileError(
        sorted(scope.problems, key=lambda one: (sources.index(one.source), one.line or 0, one.column or 0))
    )


def _collect(scope: Scope, documents: list[Document]) -> None:
    """All that has a name, so that the documents may refer to each other's."""
    for document in documents:
        top = Place(scope, document)
        for key in document.content:
            if key not in TOP_KEYS:
                _quietly(top.under(key).unknown, "key", key, TOP_KEYS, "top-level keys")
        for room, entries in (("groups", scope.groups), ("tests", scope.tests), ("parts", scope.rules)):
            held, here = document.content.get(room, {}), top.under(room)
            if not isinstance(held, dict):
                here.note(f"expected a table of {room} by name, got {held!r}")
                continue
            for name, content in held.items():
                place = Place(scope, document, (room, name), f"{room[:-1]} {name!r}")
                _enter(entries, name, Entry(place, content))
        for place, content in _tables(top):
            name = content.get("name") if isinstance(content, dict) else None
            if isinstance(name, str) and name:
                _enter(scope.rules, name, Entry(place, content))


def _enter(entries: dict[str, Entry], name: str, entry: Entry) -> None:
    first = entries.setdefault(name, entry)
    if first is not entry:
        spot = first.place.document.spot(first.place.path)
        line = f", line {spot.line}" if spot else ""
        entry.place.note(f"{name!r} is already the name of another, in {first.place.document.source}{line}")


def _tables(top: Place) -> Iterator[tuple[Place, Any]]:
    """The `[[rule]]` tables of a document, each with its place."""
    held = top.document.content.get("rule", [])
    if not isinstance(held, list):
        held = []
    for number, content in enumerate(held[:MOST_RULES]):
        name = content.get("name") if isinstance(content, dict) else None
        shown = f"rule {name!r}" if isinstance(name, str) and name else f"rule {number + 1}"
        yield (top / "rule" / number).inside(shown), content


def _labels(scope: Scope, documents: list[Document], given: Sequence[str] | None) -> LabelSet | None:
    """The labels of the caller, or of the documents, which must then agree."""
    found: LabelSet | None = None
    for document in documents:
        if "labels" not in document.content:
            continue
        names, at = document.content["labels"], Place(scope, document).under("labels")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            at.note(f"expected a list of label names, got {names!r}")
            continue
        try:
            here = LabelSet(names)
        except InputError as error:
            at.note(str(error))
            continue
        if found is not None and found != here:
            at.note("the files that are read together declare different labels, or in another order")
        found = here
    return LabelSet(given) if given is not None else found


def _read(scope: Scope, documents: list[Document]) -> Iterator[tuple[Rule, Place]]:
    for room, entries, read in (
        ("groups", scope.groups, read_group),
        ("tests", scope.tests, read_test),
        ("rules", scope.rules, read_named),
    ):
        for name, entry in entries.items():
            _quietly(scope.look_up, room, name, entry.place, read)
    for document in documents:
        top = Place(scope, document)
        held = document.content.get("rule", [])
        if not isinstance(held, list):
            top.under("rule").note("rules are tables of their own: write [[rule]], with two brackets")
        elif len(held) > MOST_RULES:
            top.under("rule").note(f"a file has at most {MOST_RULES} rules, got {len(held)}")
        for place, content in _tables(top):
            own = content.get("name") if isinstance(content, dict) else None
            if isinstance(own, str) and own in scope.rules and scope.rules[own].content is content:
                rule = _quietly(scope.look_up, "rules", own, place, read_named)
            else:
                rule = _quietly(read_rule, content, place)
            if rule is not None:
                yield rule, place


def _quietly(read: Callable[..., Any], *arguments: Any) -> Any:
    """What a reader gives; None where it gave up, since the problem has been noted."""
    try:
        return read(*arguments)
    except Skip:
        return None
