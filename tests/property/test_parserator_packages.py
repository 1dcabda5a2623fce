"""The compiled readers of strings see what usaddress and probablepeople see: tokens, features, labels, errors."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import probablepeople as people_package
import pytest
import usaddress as address_package

from lawful.adapters import probablepeople, usaddress
from lawful.adapters.parserator.parser import Parsed, Parser

ADDRESSES = [
    "1600 Pennsylvania Avenue NW, Washington, DC 20500",
    "77 W Wacker Dr Floor 12 St Paul, MN 55101",
    "100 Main St Chicago IL 60601 200 Oak Ave Springfield IL 62701",
    "P.O. Box 1000, Toms River NJ 08753",
    "Elm St. & Oak St., (rear) #4",
    "N6W23001 Bluemound Rd. Apt 2-B c/o Ann Lee",
    "1½ Calle José Martí, Ponce PR",
]
NAMES = [
    "Mr. and Mrs. John Smith",
    "Acme Widgets LLC",
    "Dr. Jane Q. Public-O'Neil, Jr.",
    'Bob (Robert) "Bobby" Jones c/o Ann Lee\'s Bank',
    "LEE, ANN M. aka 'Annie' Lee-Müller III",
    "The Next Company Inc for Wells Fargo Bank N.A. 1234",
]
PIECES = [
    *" ,;.#&()'\"-/\n\t@:_0Oo9½²é’–—“”",
    *"ßİıΣσς\u212aſﬁ०٣\u00a0\u2028\x1c\0…Ǆ𝟗\U0001f600",  # odd cases, odd digits, odd blanks, far characters
    *(
        "&amp;",
        "&#38;",
        "&am&amp;p;",
        "c/o",
        "C/O",
        "((",
        "..",
        "00",
        "next",
        "and",
        "aka",
        "'s",
        "Mr.",
        "PO Box",
    ),
]


def strings(like: list[str], count: int, seed: int) -> list[str]:
    """Examples, changed ones, and heaps of odd pieces."""
    rng = random.Random(seed)  # noqa: S311

    def changed(text: str) -> str:
        letters = list(text)
        for _ in range(rng.randint(0, 6)):
            place, what = rng.randint(0, len(letters)), rng.random()
            if what < 0.6:
                letters.insert(place, rng.choice(PIECES))
            elif what < 0.8:
                del letters[place : place + 1]
            else:
                letters[place : place + 1] = [letter.swapcase() for letter in letters[place : place + 1]]
        return "".join(letters)

    def heap() -> str:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 12)))

    def pair() -> str:
        return f"{chr(rng.randrange(0x2300))}{rng.choice('aA1.,(')}{chr(rng.randrange(0x2300))}"

    made = [changed(f"{rng.choice(like)} {rng.choice(like)}"[: rng.randint(1, 90)]) for _ in range(count)]
    return [*like, *made, *(heap() for _ in range(count // 2)), *(pair() for _ in range(count // 2))]


def assert_same(parser: Parser, package: Any, texts: list[str], **options: Any) -> tuple[int, int]:
    """How many strings the core left to the package, and how many broke the rules."""
    assert parser.core is not None
    answers, breaking, foreign, emissions = parser.core.parse(
        texts, Parsed, parser, 1, limit=math.inf, merge=False
    )
    start = 0
    for index, tokens, labels in breaking:
        text, end = texts[index], start + len(tokens)
        assert list(zip(tokens, labels, strict=True)) == package.parse(text, **options), text
        with pytest.raises(package.RepeatedLabelError):
            package.tag(text, **options)
        # to the last bit
        lattice = parser.tagger.lattice(package.tokens2features(list(tokens)))
        assert np.array_equal(lattice.emissions, emissions[start:end]), text
        start = end
    assert start == len(emissions)
    left = {*foreign, *(index for index, _, _ in breaking)}
    for index, (text, answer) in enumerate(zip(texts, answers, strict=True)):
        assert (answer is None) == (index in left)
        if isinstance(answer, Parsed):
            assert answer.pairs == package.parse(text, **options), text
            expected = package.tag(text, **options)
            assert (answer.fields, answer.kind) == expected, text
            assert list(answer.fields) == list(expected[0]), text
            assert (answer.text, answer.loss, answer.fell_back) == (text, 0.0, False)
            assert answer.plain_labels == answer.labels
    return len(foreign), len(breaking)


def test_addresses_are_read_as_usaddress_reads_them() -> None:
    texts = strings(ADDRESSES, 1500, 11)
    foreign, breaking = assert_same(usaddress.parser(), address_package, texts)
    assert foreign < len(texts) / 2
    assert breaking > 50


@pytest.mark.parametrize("kind", ["generic", "person", "company"])
def test_names_are_read_as_probablepeople_reads_them(kind: str) -> None:
    texts = strings(NAMES, 500, 12)
    foreign, breaking = assert_same(probablepeople.parser(kind), people_package, texts, type=kind)
    assert foreign < len(texts) / 2
    assert breaking > 5


def test_a_tag_mapping_decides_the_fields_in_the_core_too() -> None:
    mapping = {
        "StreetName": "street",
        "StreetNamePostType": "street",
        "SecondStreetName": "",
        "PlaceName": "city",
    }
    assert_same(usaddress.parser(mapping), _Mapped(address_package, mapping), strings(ADDRESSES, 300, 13))


class _Mapped:
    def __init__(self, package: Any, mapping: dict[str, str]) -> None:
        self.parse, self.tokens2features = package.parse, package.tokens2features
        self.tag = lambda text: package.tag(text, tag_mapping=mapping)
        self.RepeatedLabelError = package.RepeatedLabelError


@pytest.mark.parametrize(
    ("adapter", "like"),
    [(usaddress, ADDRESSES), (probablepeople, NAMES)],
    ids=["usaddress", "probablepeople"],
)
def test_the_way_through_the_package_gives_the_same(adapter: Any, like: list[str]) -> None:
    texts = strings(like, 150, 14)
    fast = adapter.parser()
    slow = Parser(fast.tokenize, fast.features, fast.tagger, fast.rules, fast.arrange, None, fast.again)
    for ours, theirs in zip(fast.decode_many(texts), slow.decode_many(texts), strict=True):
        assert ours == theirs, ours.text
        if ours.tokens:
            assert ours.decoding is not None
            assert fast.decoder.rules == ours.decoding.rules
            assert ours.fell_back or ours.decoding.labels == ours.labels


def test_threads_and_callers_side_by_side_change_nothing() -> None:
    for adapter, like in ((usaddress, ADDRESSES), (probablepeople, NAMES)):
        texts = strings(like, 300, 15) * 2
        alone = adapter.decode_many(texts, jobs=1)
        assert adapter.decode_many(texts, jobs=3) == alone
        with ThreadPoolExecutor(4) as pool:
            assert all(found == alone for found in pool.map(adapter.decode_many, [texts] * 4))
