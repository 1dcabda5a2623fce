"""Token tests in a rule file: a name, or a table such as `{ matches = '[0-9]{5}' }`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from lawful.errors import RuleError
from lawful.rules.files.scope import Place
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

    __test__ = False  # pytest: this is no test case

    def read(self, given: Any, at: Place) -> TokenTest:  # noqa: D102
        return read_test(given, at)

    def write(self, held: Any) -> Any:  # noqa: D102
        return write_test(held)

    def schema(self) -> Schema:  # noqa: D102
        return REFERENCE


class Form(NamedTuple):
    """One way to say a test: the key that names it, other keys that may stand beside it, and how to read it.

    `schemas` has one for each key, the naming one first.
    """

    key: str
    read: Callable[[dict[str, Any], Place], TokenTest]
    schemas: dict[str, Schema]
    required: tuple[str, ...] = ()


def read_test(given: Any, at: Place) -> TokenTest:
    """A token test from what stands in a file."""
    if isinstance(given, str):
        found: TokenTest = at.scope.look_up("tests", given, at, read_test)
        return found
    if not isinstance(given, dict) or not given:
        at.expected("the name of a test, or a table such as { matches = '[0-9]+' }", given)
    if len(at.path) > DEEPEST:
        at.fail(f"tests are nested deeper than {DEEPEST}")
    named = [key for key in given if key in FORMS]
    if len(named) != 1:
        unknown = next((key for key in given if key not in FORMS), None)
        if named or unknown is None:
            at.fail(f"a test is said by one of {', '.join(FORMS)}; got {' and '.join(map(repr, named))}")
        (at / unknown).unknown("test", unknown, FORMS, plural="tests of tokens")
    form = FORMS[named[0]]
    for key in given:
        if key not in form.schemas:
            (at / key).unknown(f"key beside {form.key!r}:", key, form.schemas, plural="keys here")
    for key in form.required:
        if key not in given:
            at.fail(f"{form.key!r} needs {key!r} beside it")
    try:
        return form.read(given, at)
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
            return {"all": [write_test(part) for part in _flat(test, Both)]}
        case Either():
            return {"any": [write_test(part) for part in _flat(test, Either)]}
        case Negation():
            return {"not": write_test(test.inner)}
    raise RuleError(
        f"a test of your own class cannot be written to a rule file: {test!r}; use token.test(function)"
    )


def function_name(test: Function) -> str:
    """What a file calls a function."""
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
    """`(a & b) & c` as three parts; `a & (b & c)` as two, so that reading gives the same tree."""
    parts = [test.right]
    while isinstance(test.left, kind):
        test = test.left
        parts.append(test.right)
    return [test.left, *reversed(parts)]


def _words(given: dict[str, Any], at: Place) -> TokenTest:
    words, place = given["words"], at / "words"
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        place.expected("a list of words", words)
    return IsIn(tuple(words), _flag(given, at))


def _words_file(given: dict[str, Any], at: Place) -> TokenTest:
    return IsIn(read_words(given["words_file"], at / "words_file"), _flag(given, at))


def _flag(given: dict[str, Any], at: Place) -> bool:
    lower = given.get("lower", False)
    if not isinstance(lower, bool):
        (at / "lower").expected("true or false", lower)
    return lower


def _regex(kind: type[Matches | Contains], key: str) -> Callable[[dict[str, Any], Place], TokenTest]:
    def read(given: dict[str, Any], at: Place) -> TokenTest:
        regex, place = given[key], at / key
        if not isinstance(regex, str):
            place.expected("a regular expression", regex)
        if len(regex) > LONGEST_REGEX:
            place.fail(f"a regular expression has at most {LONGEST_REGEX} characters, got {len(regex)}")
        test = kind(regex)
        return test if at.scope.trusted else make_linear(test)

    return read


def _column(given: dict[str, Any], at: Place) -> TokenTest:
    column, value = given["column"], given["is"]
    if isinstance(column, bool) or not isinstance(column, (str, int)):
        (at / "column").expected("the name of a column, or its number", column)
    values = value if isinstance(value, list) else [value]
    for number, one in enumerate(values):
        if not isinstance(one, (str, int, float)):
            (at / "is" / number).expected("a string, a number, true or false", one)
    return Column(column, tuple(values))


def _function(given: dict[str, Any], at: Place) -> TokenTest:
    key, place = given["function"], at / "function"
    if not isinstance(key, str):
        place.expected("the name of a function", key)
    functions = at.scope.functions
    if key not in functions:
        if not functions:
            place.fail(f"a rule file holds no code: pass functions={{{key!r}: ...}} to the reader")
        place.unknown("function", key, functions, plural="functions that were passed to the reader")
    function = functions[key]
    if not callable(function):
        place.fail(f"functions[{key!r}] must be a function of one token, got {function!r}")
    name = given.get("name")
    if name is not None and not isinstance(name, str):
        (at / "name").expected("a name", name)
    if name is None and getattr(function, "__name__", None) != key:
        name = key
    return Function(function, name)


def _several(kind: type[Both | Either], key: str) -> Callable[[dict[str, Any], Place], TokenTest]:
    def read(given: dict[str, Any], at: Place) -> TokenTest:
        tests, place = given[key], at / key
        if not isinstance(tests, list) or len(tests) < 2:
            place.expected("a list of at least two tests", tests)
        found: list[TokenTest] = place.each(enumerate(tests), read_test)
        return reduce(kind, found)

    return read


def _not(given: dict[str, Any], at: Place) -> TokenTest:
    return Negation(read_test(given["not"], at / "not"))


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
"""The ways to say a test, by the key that names each."""
