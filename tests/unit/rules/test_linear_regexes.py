"""The linear matcher says what `re` says, and is never slow."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

import lawful
from lawful.errors import RuleError, RuleFileError
from lawful.rules.tokens.linear_regex import LinearRegex

REGEXES = [
    "", "a", "a*", "a+?", "(a|b)*c", "a{2}", "a{2,}b", "a{,2}", "[ab]+", "[^ab]", "[a-c]x?", r"\d+", r"\w*\s",
    "^a", "a$", r"\ba\b", r"\Ba", r"\Aab\Z", "(?i)aB", "(?i)[a-c]+", "(?i:a)b", "(?s).", ".", "(?m)^a$", "(?a)\\w+",
    "(?x) a b # comment", "(a*)*b", "(a|a)*b", "(|a)+", "()*", "a|", "((a?){3}){2}", "(?:ab|a)(?:c|bc)", "ſ|(?i)ſ", "[]a]",
    r"[\d\-x]", r"[^\W\d]+", "(?P<name>a)b", "(?i)ÄÖ", "x*$", "a??b", "(ab)*?c",
]  # fmt: skip
TEXTS = [
    "",
    "a",
    "b",
    "ab",
    "aab",
    "abc",
    "ba",
    "a\n",
    "\n",
    "\na\nb",
    "A B",
    "ABAB",
    "x9-",
    "äö",
    "s",
    "ſ",
    "éa",
    "aaac",
    "a b",
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("regex", [one for one in REGEXES if "|(?i)" not in one])
def test_it_agrees_with_re(regex: str) -> None:
    ours, theirs = LinearRegex(regex), re.compile(regex)
    for text in TEXTS:
        assert bool(ours.fullmatch(text)) == bool(theirs.fullmatch(text)), (regex, text)
        assert bool(ours.search(text)) == bool(theirs.search(text)), (regex, text)


def test_it_agrees_with_re_on_random_expressions() -> None:
    rng = np.random.default_rng(0)
    atoms = ["a", "b", "[ab]", ".", "^", "$", r"\b", "", r"\w", "[^a]", "(?i:A)"]

    def random_regex(depth: int) -> str:
        if depth == 0:
            return atoms[rng.integers(len(atoms))]
        left, right = random_regex(depth - 1), random_regex(depth - 1)
        forms = [
            left + right,
            f"({left}|{right})",
            f"({left})*",
            f"({left})?{right}",
            f"(?:{left}){{1,2}}",
            f"({left})+?",
        ]
        return forms[rng.integers(len(forms))]

    texts = ["".join(rng.choice(list("abA \n"), size=rng.integers(6))) for _ in range(12)]
    for _ in range(400):
        regex = random_regex(3)
        ours, theirs = LinearRegex(regex), re.compile(regex)
        for text in texts:
            assert bool(ours.fullmatch(text)) == bool(theirs.fullmatch(text)), (regex, text)
            assert bool(ours.search(text)) == bool(theirs.search(text)), (regex, text)


@pytest.mark.parametrize(
    "regex", ["(a+)+b", "(a|aa)*b", "(a?){40}a{40}", "a?" * 40 + "a" * 40, ".*.*.*.*.*b", "(a*)*b"]
)
def test_nothing_is_slow(regex: str) -> None:
    # `re` would take longer than anybody waits; the bound here is loose, as machines are busy.
    linear = LinearRegex(regex)
    start = time.process_time()
    assert bool(linear.fullmatch("a" * 79)) == ("b" not in regex)
    assert not linear.search("c" * 200) or "b" not in regex
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("regex", "says"),
    [
        ("(?=a)", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a reference to a group"),
        ("(a)?(?(1)b)", "a choice by group"),
        ("(?>a)", "an atomic group"),
        ("a*+", "a possessive repeat"),
        ("(a{100}){100}", "too large"),
        ("((a{1000}){1000}){1000}", "too large"),
    ],
)
def test_the_rest_is_refused(regex: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        LinearRegex(regex)


def test_strangers_get_the_linear_matcher() -> None:
    text = "[[rule]]\nkind = 'when'\ntest = { matches = '(a|aa)+b' }\nthen = 'A'\n"
    rules = lawful.rules.files.parse_rules(text, trusted=False)
    assert rules == lawful.rules.files.parse_rules(text)  # the same rule; only its matcher differs
    assert rules[0].violations(["B"], tokens=["a" * 80]) == 0
    with pytest.raises(RuleFileError, match=r"line 3, rule 1, key 'test': .*look-around"):
        lawful.rules.files.parse_rules(text.replace("(a|aa)+b", "(?=a)"), trusted=False)


def test_a_regex_may_not_be_long() -> None:
    text = f"[tests]\nlong = {{ contains = '{'a' * 1001}' }}\n"
    with pytest.raises(RuleFileError, match="at most 1000 characters, got 1001"):
        lawful.rules.files.parse_rules(text)
