"""Reading and writing one rule as a table of a file, by the entries of the vocabulary."""

from __future__ import annotations

import math
import sys
from typing import Any

from lawful.errors import InputError, RuleError
from lawful.rules.files.entry import ABSENT, Kind
from lawful.rules.files.scope import Location, Skip
from lawful.rules.files.vocabulary import PLAIN_KINDS, logic_kinds
from lawful.rules.rule import Rule

__all__ = [
    "COMMON",
    "KINDS",
    "clause",
    "kind_of",
    "read_named",
    "read_operand",
    "read_rule",
    "write_operand",
    "write_rule",
]

COMMON = ("kind", "name", "price", "per")
DEEPEST = 60  # logic within logic
LARGEST = sys.float_info.max


def read_rule(table: Any, at: Location, *, name: str = "") -> Rule:
    """The rule of a table. All its problems are recorded before giving up.

    `name` is the name of a rule whose table has none.
    """
    if not isinstance(table, dict):
        at.expected("a table with the kind of a rule and its keys", table)
    if len(at.path) > 2 * DEEPEST:
        at.fail(f"rules are nested deeper than {DEEPEST}")
    kind = _kind(table, at)
    values: dict[str, Any] = {"name": name}
    failed = False
    for key in table:
        if key not in (*COMMON, *kind.key_names):
            failed = True
            _try(
                at.under(key).unknown, f"key of {kind.name}:", key, [*kind.key_names, *COMMON], plural="keys"
            )
    for key in kind.keys:
        if key.name in table:
            value = _try(key.value.read, table[key.name], at.under(key.name))
            failed |= value is ABSENT
            values[key.field or key.name] = value
        elif key.needed:
            failed = True
            at.note(f"{kind.name} needs {key.name!r}: {key.about}")
        else:
            values[key.field or key.name] = key.default
    failed |= not _read_common(table, at, values)
    if failed:
        raise Skip
    try:
        return kind.build(values, at)
    except InputError as error:
        at.fail(str(error))


def read_operand(name_or_table: Any, at: Location) -> Rule:
    """A rule inside another: the name of one, or its table."""
    if not isinstance(name_or_table, str):
        return read_rule(name_or_table, at)
    rule: Rule = at.scope.look_up("rules", name_or_table, at, read_named)
    return rule


def read_named(table: Any, at: Location) -> Rule:
    """A rule that others may refer to."""
    name = at.path[1] if at.path[0] == "parts" else ""
    return read_rule(table, at, name=str(name))


def write_rule(rule: Rule, *, name: bool) -> dict[str, Any]:
    """A rule as a table; with its name if `name`."""
    kind = kind_of(rule)
    table: dict[str, Any] = {"name": rule.name} if name else {}
    table["kind"] = kind.name
    for key in kind.keys:
        value = key.value_of(rule)
        if value is not ABSENT:
            table[key.name] = key.value.write(value)
    if rule.price != "hard":
        table["price"] = rule.price
    if rule.per != "sequence":
        table["per"] = rule.per
    return table


def write_operand(rule: Rule) -> dict[str, Any]:
    """A rule inside another, as a table."""
    return write_rule(rule, name=rule.name != rule.automatic_name)


def clause(rule: Rule) -> str:
    """What a rule means, as a clause without its price."""
    return kind_of(rule).says(rule)


def kind_of(rule: Rule) -> Kind:
    """The entry of a rule's class."""
    if type(rule) not in KIND_OF:
        raise RuleError(
            f"rule {rule.name!r} is of a class of your own, {type(rule).__name__}: it cannot be written to a file"
        )
    return KIND_OF[type(rule)]


def _kind(table: dict[str, Any], at: Location) -> Kind:
    name = table.get("kind", ABSENT)
    known = {kind.name: kind for kind in KINDS}
    if name is ABSENT:
        kinds = [key for key in table if key in known]
        hint = f"; did you mean kind = {kinds[0]!r}?" if kinds else f": one of {', '.join(known)}"
        at.fail(f"a rule needs its kind{hint}", suggestion=f"kind = {kinds[0]!r}" if kinds else None)
    if not isinstance(name, str) or name not in known:
        at.under("kind").unknown("kind of rule", name, known, plural="kinds of rules")
    namesakes = [kind for kind in KINDS if kind.name == name]
    if len(namesakes) == 1:
        return namesakes[0]
    # Kinds of the same name differ in one key, and exactly one of these keys must be present.
    common = set.intersection(*(set(kind.key_names) for kind in namesakes))
    deciding = {key: kind for kind in namesakes for key in kind.key_names if key not in common}
    chosen = [key for key in table if key in deciding]
    if len(chosen) != 1:
        got = f"got {' and '.join(map(repr, chosen))}" if chosen else f"got {', '.join(map(repr, table))}"
        at.fail(f"{name} needs either {' or '.join(map(repr, deciding))}; {got}")
    return deciding[chosen[0]]


def _read_common(table: dict[str, Any], at: Location, values: dict[str, Any]) -> bool:
    """Read the keys that every rule may have into `values`; whether they are valid."""
    valid = True
    if "name" in table:
        values["name"] = table["name"]
        if not isinstance(table["name"], str) or not table["name"]:
            valid = _wrong(at.under("name"), "a name", table["name"])
    if "price" in table:
        price = values["price"] = table["price"]
        number = isinstance(price, (int, float)) and not isinstance(price, bool)
        # Compared, not converted: TOML's integers may have more digits than a float can hold.
        if price not in ("hard", "learn") and not (number and (0 <= price <= LARGEST or price == math.inf)):
            valid = _wrong(at.under("price"), "'hard', 'learn' or a number >= 0", price)
    if "per" in table:
        values["per"] = table["per"]
        if table["per"] not in ("sequence", "violation"):
            valid = _wrong(at.under("per"), "'sequence' or 'violation'", table["per"])
    return valid


def _wrong(at: Location, what: str, value: Any) -> bool:
    _try(at.expected, what, value)
    return False


def _try(read: Any, *arguments: Any, **options: Any) -> Any:
    try:
        return read(*arguments, **options)
    except Skip:
        return ABSENT


KINDS: tuple[Kind, ...] = (*PLAIN_KINDS, *logic_kinds(read_operand, write_operand, clause))
"""All kinds of rules. Two of one name are told apart by their keys."""

KIND_OF: dict[type[Rule], Kind] = {kind.rule: kind for kind in KINDS}
