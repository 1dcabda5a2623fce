"""One rule as a table of a file, and back, by the entries of the vocabulary."""

from __future__ import annotations

import math
import sys
from typing import Any

from lawful.errors import InputError, RuleError
from lawful.rules.files.entry import ABSENT, Kind
from lawful.rules.files.scope import Place, Skip
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


def read_rule(given: Any, at: Place, *, name: str = "") -> Rule:
    """The rule of a table. All that is wrong with it is noted before giving up.

    `name` is that of a rule whose table does not say.
    """
    if not isinstance(given, dict):
        at.expected("a table with the kind of a rule and its keys", given)
    if len(at.path) > 2 * DEEPEST:
        at.fail(f"rules are nested deeper than {DEEPEST}")
    kind = _kind(given, at)
    values: dict[str, Any] = {"name": name}
    failed = False
    for key in given:
        if key not in (*COMMON, *kind.key_names):
            failed = True
            _try(
                at.under(key).unknown, f"key of {kind.name}:", key, [*kind.key_names, *COMMON], plural="keys"
            )
    for key in kind.keys:
        if key.name in given:
            found = _try(key.value.read, given[key.name], at.under(key.name))
            failed |= found is ABSENT
            values[key.field or key.name] = found
        elif key.needed:
            failed = True
            at.note(f"{kind.name} needs {key.name!r}: {key.about}")
        else:
            values[key.field or key.name] = key.default
    failed |= not _read_common(given, at, values)
    if failed:
        raise Skip
    try:
        return kind.build(values, at)
    except InputError as error:
        at.fail(str(error))


def read_operand(given: Any, at: Place) -> Rule:
    """A rule inside another: the name of one, or its table."""
    if not isinstance(given, str):
        return read_rule(given, at)
    found: Rule = at.scope.look_up("rules", given, at, read_named)
    return found


def read_named(given: Any, at: Place) -> Rule:
    """A rule that others may refer to."""
    named = at.path[1] if at.path[0] == "parts" else ""
    return read_rule(given, at, name=str(named))


def write_rule(rule: Rule, *, name: bool) -> dict[str, Any]:
    """A rule as a table; with its name if `name`."""
    kind = kind_of(rule)
    table: dict[str, Any] = {"name": rule.name} if name else {}
    table["kind"] = kind.name
    for key in kind.keys:
        held = key.held(rule)
        if held is not ABSENT:
            table[key.name] = key.value.write(held)
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
            f"rule {rule.name!r} is of a class of your own, {type(rule).__name__}: no file can hold it"
        )
    return KIND_OF[type(rule)]


def _kind(given: dict[str, Any], at: Place) -> Kind:
    name = given.get("kind", ABSENT)
    known = {kind.name: kind for kind in KINDS}
    if name is ABSENT:
        named = [key for key in given if key in known]
        hint = f"; did you mean kind = {named[0]!r}?" if named else f": one of {', '.join(known)}"
        at.fail(f"a rule needs its kind{hint}", suggestion=f"kind = {named[0]!r}" if named else None)
    if not isinstance(name, str) or name not in known:
        at.under("kind").unknown("kind of rule", name, known, plural="kinds of rules")
    alike = [kind for kind in KINDS if kind.name == name]
    if len(alike) == 1:
        return alike[0]
    # Kinds of one name differ in one key, and exactly one of these must be there.
    common = set.intersection(*(set(kind.key_names) for kind in alike))
    deciding = {key: kind for kind in alike for key in kind.key_names if key not in common}
    chosen = [key for key in given if key in deciding]
    if len(chosen) != 1:
        got = f"got {' and '.join(map(repr, chosen))}" if chosen else f"got {', '.join(map(repr, given))}"
        at.fail(f"{name} needs either {' or '.join(map(repr, deciding))}; {got}")
    return deciding[chosen[0]]


def _read_common(given: dict[str, Any], at: Place, values: dict[str, Any]) -> bool:
    """The keys that every rule may have; whether they are right."""
    fine = True
    if "name" in given:
        values["name"] = given["name"]
        if not isinstance(given["name"], str) or not given["name"]:
            fine = _wrong(at.under("name"), "a name", given["name"])
    if "price" in given:
        price = values["price"] = given["price"]
        number = isinstance(price, (int, float)) and not isinstance(price, bool)
        # comparing is safe where converting is not: TOML's integers may have any number of digits
        if price not in ("hard", "learn") and not (number and (0 <= price <= LARGEST or price == math.inf)):
            fine = _wrong(at.under("price"), "'hard', 'learn' or a number >= 0", price)
    if "per" in given:
        values["per"] = given["per"]
        if given["per"] not in ("sequence", "violation"):
            fine = _wrong(at.under("per"), "'sequence' or 'violation'", given["per"])
    return fine


def _wrong(at: Place, what: str, given: Any) -> bool:
    _try(at.expected, what, given)
    return False


def _try(read: Any, *arguments: Any, **options: Any) -> Any:
    try:
        return read(*arguments, **options)
    except Skip:
        return ABSENT


KINDS: tuple[Kind, ...] = (*PLAIN_KINDS, *logic_kinds(read_operand, write_operand, clause))
"""All kinds of rules. Two of one name are told apart by their keys."""

KIND_OF: dict[type[Rule], Kind] = {kind.rule: kind for kind in KINDS}
