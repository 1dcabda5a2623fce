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
from lawful.rules.files.scope import Document, Entry, Location, Scope, Skip
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
    """The content of a rule file.

    Attributes
    ----------
    rules : Rules
    labels : LabelSet or None
        The labels of the caller, or else those that the file declares.
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
        The functions that `function = "name"` refers to. A rule file contains no code.
    labels : sequence of str, optional
        The labels that rules may name, besides the `labels` that the file declares; by default those alone, or any if it
        declares none.
    root : str or path, optional
        Included files and word lists must be in this folder or below; by default the folder of the file.

    Raises
    ------
    RuleFileError
        Its `problems` list everything that is wrong: file, line, rule, key, and what was expected.
    FileError
        If the file cannot be read; a `MissingFileError` if it does not exist.

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
        The name of the text in errors.
    functions, labels
        As for `read_rules`.
    root : str or path, optional
        The folder in which `include` and `words_file` may open files; by default they may open none.
    trusted : bool
        False for a text from an untrusted source: its regular expressions are then matched in linear time, and
        limited to a subset of the syntax (no look-around, no back references).

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
    return _read_all(scope, lambda: load_file(whole, scope, shown=str(shown)), labels)


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
    return _read_all(scope, lambda: load_text(text, source, scope), labels)


def _read_all(scope: Scope, load: Callable[[], list[Document]], labels: Sequence[str] | None) -> RuleFile:
    try:
        documents = load()
        _collect(scope, documents)
        declared = _declared(scope, documents)
        given = declared if labels is None else LabelSet(labels)
        scope.labels = None if given is None else LabelSet(dict.fromkeys((*given, *(declared or ()))))
        located = list(_read(scope, documents))
    except Skip:
        raise _error(scope) from None
    except RecursionError:
        Location(scope, documents[-1]).note("rules or tests are nested too deep")
        raise _error(scope) from None
    if scope.problems:
        raise _error(scope)
    rules = Rules(*(rule for rule, _ in located), labels=declared)
    lines = {}
    for rule, (_, at) in zip(rules, located, strict=True):
        where = at.document.line_column(at.path)
        lines[rule.name] = (at.document.source, where.line if where else None)
    return RuleFile(rules, given, lines)


def _error(scope: Scope) -> RuleFileError:
    """All problems, file by file and from top to bottom."""
    sources = list(dict.fromkeys(problem.source for problem in scope.problems))
    return RuleFileError(
        sorted(
            scope.problems,
            key=lambda problem: (sources.index(problem.source), problem.line or 0, problem.column or 0),
        )
    )


def _collect(scope: Scope, documents: list[Document]) -> None:
    """Record everything that has a name, so that documents may refer to each other's definitions."""
    for document in documents:
        top = Location(scope, document)
        for key in document.content:
            if key not in TOP_KEYS:
                _quietly(top.under(key).unknown, "key", key, TOP_KEYS, "top-level keys")
        for table, entries in (("groups", scope.groups), ("tests", scope.tests), ("parts", scope.rules)):
            content = document.content.get(table, {})
            if not isinstance(content, dict):
                top.under(table).note(f"expected a table of {table} by name, got {content!r}")
                continue
            for name, value in content.items():
                at = Location(scope, document, (table, name), f"{table[:-1]} {name!r}")
                _enter(entries, name, Entry(at, value))
        for at, content in _tables(top):
            name = content.get("name") if isinstance(content, dict) else None
            if isinstance(name, str) and name:
                _enter(scope.rules, name, Entry(at, content))


def _enter(entries: dict[str, Entry], name: str, entry: Entry) -> None:
    first = entries.setdefault(name, entry)
    if first is not entry:
        where = first.location.document.line_column(first.location.path)
        line = f", line {where.line}" if where else ""
        source = first.location.document.source
        entry.location.note(f"{name!r} is already the name of another, in {source}{line}")


def _tables(top: Location) -> Iterator[tuple[Location, Any]]:
    """The `[[rule]]` tables of a document, each with its location."""
    tables = top.document.content.get("rule", [])
    if not isinstance(tables, list):
        tables = []
    for index, content in enumerate(tables[:MOST_RULES]):
        name = content.get("name") if isinstance(content, dict) else None
        shown = f"rule {name!r}" if isinstance(name, str) and name else f"rule {index + 1}"
        yield (top / "rule" / index).inside(shown), content


def _declared(scope: Scope, documents: list[Document]) -> LabelSet | None:
    """The labels of the documents, which must agree."""
    declared: LabelSet | None = None
    for document in documents:
        if "labels" not in document.content:
            continue
        names, at = document.content["labels"], Location(scope, document).under("labels")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            at.note(f"expected a list of label names, got {names!r}")
            continue
        try:
            here = LabelSet(names)
        except InputError as error:
            at.note(str(error))
            continue
        if declared is not None and declared != here:
            at.note("the files that are read together declare different labels, or in another order")
        declared = here
    return declared


def _read(scope: Scope, documents: list[Document]) -> Iterator[tuple[Rule, Location]]:
    for table, entries, read in (
        ("groups", scope.groups, read_group),
        ("tests", scope.tests, read_test),
        ("rules", scope.rules, read_named),
    ):
        for name, entry in entries.items():
            _quietly(scope.look_up, table, name, entry.location, read)
    for document in documents:
        top = Location(scope, document)
        tables = document.content.get("rule", [])
        if not isinstance(tables, list):
            top.under("rule").note("rules are tables of their own: write [[rule]], with two brackets")
        elif len(tables) > MOST_RULES:
            top.under("rule").note(f"a file has at most {MOST_RULES} rules, got {len(tables)}")
        for at, content in _tables(top):
            own = content.get("name") if isinstance(content, dict) else None
            if isinstance(own, str) and own in scope.rules and scope.rules[own].content is content:
                rule = _quietly(scope.look_up, "rules", own, at, read_named)
            else:
                rule = _quietly(read_rule, content, at)
            if rule is not None:
                yield rule, at


def _quietly(read: Callable[..., Any], *arguments: Any) -> Any:
    """What a reader returns; None where it gave up, since the problem has been recorded."""
    try:
        return read(*arguments)
    except Skip:
        return None
