"""Rules about what tokens say of their labels: words, shapes of words, and where labels change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

import numpy as np

from lawful.learning.mining.covering import fewest_covering
from lawful.learning.mining.evidence import Evidence, Proposal, Thresholds
from lawful.learning.mining.statistics import Bools, Statistics
from lawful.rules.english import listed
from lawful.rules.kinds.words import change_only_after, when
from lawful.rules.token import is_in, matches
from lawful.rules.tokens.tests import TokenTest

__all__ = ["propose_changes", "propose_shapes", "propose_words"]

SHAPES = {
    "punctuation": r"[^\w\s]+",
    "digits": r"\d+",
    "one digit": r"\d",
    "two digits": r"\d\d",
    "three digits": r"\d{3}",
    "four digits": r"\d{4}",
    "five digits": r"\d{5}",
    "a year": r"(1[5-9]|20)\d\d",
    "a number with a decimal point": r"\d+\.\d+",
    "a range of numbers": r"\d+-+\d+",
    "an amount of money": r"[$£€]\d[\d.,]*",
    "an initial": r"[A-Z]\.",
    "a month": r"(?i:jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)\.?",
    "an e-mail address": r"[^@\s]+@[^@\s]+\.[A-Za-z]+",
    "a web address": r"(?i:https?://|www\.)\S+",
    "capitals": r"[A-Z]{2,}",
}
"""The shapes of tokens that may say something of their labels, each as a regular expression for the whole token."""

MOST_LABELS = 2  # of a shape's tokens


def propose_words(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Words that have one label wherever they stand, gathered by label. Numbers are left to shapes: the next year is not in a list."""
    small = {word.lower(): None for word in seen.words}
    number = {word: place for place, word in enumerate(small)}
    lowered = np.array([number[word.lower()] for word in seen.words], dtype=np.int64)
    counts = np.zeros((len(small), len(seen.labels)), dtype=np.int64)
    np.add.at(counts, (lowered[seen.word_ids], seen.flat), 1)
    usual = np.bincount(seen.flat, minlength=len(seen.labels)) / max(1, len(seen.flat))
    found: dict[int, list[str]] = defaultdict(list)
    totals, labels = counts.sum(axis=1), counts.argmax(axis=1)
    sure = (totals >= thresholds.support) & (counts.max(axis=1) >= (1 - thresholds.exceptions) * totals)
    sure &= usual[labels] < 1 - 2 * thresholds.exceptions
    words_found = list(small)
    for place in np.flatnonzero(sure).tolist():
        if not words_found[place].isdigit():
            found[int(labels[place])].append(words_found[place])
    for label, words in sorted(found.items()):
        test, name = is_in(words, lower=True), seen.labels[label]
        rule = when(test).then(name).named(f"words of {name}")
        yield Proposal(rule, "violation", partial(_labelled, test=test, few=[label]))


def propose_shapes(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """Tokens of a shape have one of one or two labels. A narrower shape that says the same is left out."""
    said: list[tuple[Bools, list[int]]] = []
    for name, shape in SHAPES.items():
        test = matches(shape)
        passing = seen.passing(test)
        counts = np.bincount(seen.flat[passing], minlength=len(seen.labels))
        few = fewest_covering(counts, 1 - thresholds.exceptions)
        if any(few == others and (passing <= wider).all() for wider, others in said):
            continue
        if 0 < len(few) <= min(MOST_LABELS, len(seen.labels) - 1):
            said.append((passing, few))
            names = [seen.labels[place] for place in few]
            rule = when(test).then(*names).named(f"{name}: {listed(names, 'or')}")
            yield Proposal(rule, "violation", partial(_labelled, test=test, few=few), question=name)


def _labelled(seen: Statistics, test: TokenTest, few: list[int]) -> Evidence:
    labels = seen.flat[seen.passing(test)]
    return Evidence(len(labels), int((~np.isin(labels, few)).sum()), "such tokens")


def propose_changes(seen: Statistics, thresholds: Thresholds) -> Iterator[Proposal]:
    """The label changes only after certain tokens: punctuation, or the marks that it mostly changes after."""
    before_change = np.flatnonzero(seen.changes) - 1
    counts = np.bincount(seen.word_ids[before_change], minlength=len(seen.words))
    usual = [seen.words[place] for place in fewest_covering(counts, 1 - thresholds.exceptions)]
    marks = matches(SHAPES["punctuation"])
    tests: dict[str, TokenTest] = {"changes after punctuation": marks}
    if len(usual) <= 10 and not all(map(marks, usual)):
        tests["changes after certain words"] = is_in(usual)
    for name, test in tests.items():
        yield Proposal(change_only_after(test).named(name), "violation", partial(_changes, test=test))


def _changes(seen: Statistics, test: TokenTest) -> Evidence:
    places = np.flatnonzero(seen.changes)
    return Evidence(len(places), int((~seen.passing(test)[places - 1]).sum()), "changes of the label")
