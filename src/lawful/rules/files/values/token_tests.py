"""Token tests in a rule file: a name, or a table such as `{ matches = '[0-9]{5}' }`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from lawful.errors import RuleError
from lawful.rules.files.scope import Location
from lawful.rules.files.values.base import Schema, Value
from lawful.rules.files.word_files import read_words
from lawful.rules.tokens.linear_regex import make_linear
from lawful.rules.tokens.tests import (
    Both,
    Column,
    Contains,
    Either,
    Function,
    IsIn,
    Matches,
    Negation,
    TokenTest,
)

__all__ = ["FORMS", "Form", "Test", "read_test"]

LONGEST_REGEX = 1000
DEEPEST = 50

REFERENCE: Schema = {"$ref": "#/$defs/test"}
SCALAR: Schema = {"type": ["string", "number", "boolean"]}


class Test(Value):
    """A token test: the name of one in `[tests]`, or a table."""

    __test__ = False  # pytest: this is not a test case

    def read(self, value: Any, at: Location) -> TokenTest:  # noqa: D102
        return read_test(value, at)

    def write(self, value: Any) -> Any:  # noqa: D102
        return write_test(value)

    def schema(self) -> Schema:  # noqa: D102
        return REFERENCE


class Form(NamedTuple):
    """One form of a test: the key that names it, the other keys that it may have, and how to read it.

    `schemas` has one schema for each key, the naming key first.
    """

    key: str
    read: Callable[[dict[str, Any], Location], TokenTest]
    schemas: dict[str, Schema]
    required: tuple[str, ...] = ()


def read_test(name_or_table: Any, at: Location) -> TokenTest:
    """A token test: the name of one, or its table."""
    table = name_or_table
    if isinstance(name_or_table, str):
        test: TokenTest = at.scope.look_up("tests", name_or_table, at, read_test)
        return test
    if not isinstance(table, dict) or not table:
        at.expected("the name of a test, or a table such as { matches = '[0-9]+' }", table)
    if len(at.path) > DEEPEST:
        at.fail(f"tests are nested deeper than {DEEPEST}")
    named = [key for key in table if key in FORMS]
    if len(named) != 1:
        unknown = next((key for key in table if key not in FORMS), None)
        if named or unknown is None:
            at.fail(f"a test needs one of the keys {', '.join(FORMS)}; got {' and '.join(map(repr, named))}")
        (at / unknown).unknown("test", unknown, FORMS, plural="tests of tokens")
    form = FORMS[named[0]]
    for key in table:
        if key not in form.schemas:
            (at / key).unknown(f"key beside {form.key!r}:", key, form.schemas, plural="keys here")
    for key in form.required:
        if key not in table:
            at.fail(f"{form.key!r} needs {key!r} beside it")
    try:
        return form.read(table, at)
    except RuleError as error:
        (at / form.key).fail(str(error))


def write_test(test: TokenTest) -> dict[str, Any]:
    """A token test as a table."""
    match test:
        case IsIn():
            return {"words": list(test.words)} | ({"lower": True} if test.lower else {})
        case Matches():
            return {"matches": test.regex}
        case Contains():
            return {"contains": test.regex}
        case Column():
            return {
                "column": test.column,
                "is": test.values[0] if len(test.values) == 1 else list(test.values),
            }
        case Function():
            return _written_function(test)
        case Both():
            return {"all": [write_test(operand) for operand in _flat(test, Both)]}
        case Either():
            return {"any": [write_test(operand) for operand in _flat(test, Either)]}
        case Negation():
            return {"not": write_test(test.inner)}
    raise RuleError(
        f"a test of your own class cannot be written to a rule file: {test!r}; use token.test(function)"
    )


def function_name(test: Function) -> str:
    """The name of a function in a rule file."""
    name = test.name or getattr(test.function, "__name__", "")
    if not name or name == "<lambda>":
        raise RuleError(
            f"a function needs a name in a rule file: token.test(function, name=...), got {test!r}"
        )
    return str(name)


def _written_function(test: Function) -> dict[str, Any]:
    same = test.name is not None and test.name == getattr(test.function, "__name__", None)
    return {"function": function_name(test)} | ({"name": test.name} if same else {})


def _flat(test: Any, kind: type[Both | Either]) -> list[TokenTest]:
    """`(a & b) & c` as three operands; `a & (b & c)` as two, so that reading gives the same tree."""
    operands = [test.right]
    while isinstance(test.left, kind):
        test = test.left
        operands.append(test.right)
    return [test.left, *reversed(operands)]


def _words(table: dict[str, Any], at: Location) -> TokenTest:
    words, value_at = table["words"], at / "words"
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        value_at.expected("a list of words", words)
    return IsIn(tuple(words), _flag(table, at))


def _words_file(table: dict[str, Any], at: Location) -> TokenTest:
    return IsIn(read_words(table["words_file"], at / "words_file"), _flag(table, at))


def _flag(table: dict[str, Any], at: Location) -> bool:
    lower = table.get("lower", False)
    if not isinstance(lower, bool):
        (at / "lower").expected("true or false", lower)
    return lower


def _regex(kind: type[Matches | Contains], key: str) -> Callable[[dict[str, Any], Location], TokenTest]:
    def read(table: dict[str, Any], at: Location) -> TokenTest:
        regex, value_at = table[key], at / key
        if not isinstance(regex, str):
            value_at.expected("a regular expression", regex)
        if len(regex) > LONGEST_REGEX:
            value_at.fail(f"a regular expression has at most {LONGEST_REGEX} characters, got {len(regex)}")
        test = kind(regex)
        return test if at.scope.trusted else make_linear(test)

    return read


def _column(table: dict[str, Any], at: Location) -> TokenTest:
    column, value = table["column"], table["is"]
    if isinstance(column, bool) or not isinstance(column, (str, int)):
        (at / "column").expected("the name of a column, or its number", column)
    values = value if isinstance(value, list) else [value]
    for index, item in enumerate(values):
        if not isinstance(item, (str, int, float)):
            (at / "is" / index).expected("a string, a number, true or false", item)
    return Column(column, tuple(values))


def _function(table: dict[str, Any], at: Location) -> TokenTest:
    key, value_at = table["function"], at / "function"
    if not isinstance(key, str):
        value_at.expected("the name of a function", key)
    functions = at.scope.functions
    if key not in functions:
        if not functions:
            value_at.fail(f"a rule file contains no code: pass functions={{{key!r}: ...}} to the reader")
        value_at.unknown("function", key, functions, plural="functions that were passed to the reader")
    function = functions[key]
    if not callable(function):
        value_at.fail(f"functions[{key!r}] must be a function of one token, got {function!r}")
    name = table.get("name")
    if name is not None and not isinstance(name, str):
        (at / "name").expected("a name", name)
    if name is None and getattr(function, "__name__", None) != key:
        name = key
    return Function(function, name)


def _several(kind: type[Both | Either], key: str) -> Callable[[dict[str, Any], Location], TokenTest]:
    def read(table: dict[str, Any], at: Location) -> TokenTest:
        tests, value_at = table[key], at / key
        if not isinstance(tests, list) or len(tests) < 2:
            value_at.expected("a list of at least two tests", tests)
        operands: list[TokenTest] = value_at.each(enumerate(tests), read_test)
        return reduce(kind, operands)

    return read


def _not(table: dict[str, Any], at: Location) -> TokenTest:
    return Negation(read_test(table["not"], at / "not"))


REGEX: Schema = {"type": "string", "maxLength": LONGEST_REGEX, "format": "regex"}
SEVERAL: Schema = {"type": "array", "items": REFERENCE, "minItems": 2}
LOWER: Schema = {"lower": {"type": "boolean"}}

FORMS = {
    form.key: form
    for form in (
        Form("words", _words, {"words": {"type": "array", "items": {"type": "string"}}} | LOWER),
        Form("words_file", _words_file, {"words_file": {"type": "string", "minLength": 1}} | LOWER),
        Form("matches", _regex(Matches, "matches"), {"matches": REGEX}),
        Form("contains", _regex(Contains, "contains"), {"contains": REGEX}),
        Form(
            "column",
            _column,
            {
                "column": {"type": ["string", "integer"]},
                "is": {"anyOf": [SCALAR, {"type": "array", "items": SCALAR, "minItems": 1}]},
            },
            ("is",),
        ),
        Form("function", _function, {"function": {"type": "string"}, "name": {"type": "string"}}),
        Form("all", _several(Both, "all"), {"all": SEVERAL}),
        Form("any", _several(Either, "any"), {"any": SEVERAL}),
        Form("not", _not, {"not": REFERENCE}),
    )
}
"""The forms of a test, by the key that names each."""
