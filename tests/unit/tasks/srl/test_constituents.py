"""Propositions over the constituents of trees: what stays, what it is called, features, rules and histories."""

from __future__ import annotations

import itertools

import pytest

import lawful
from lawful.corpus.trees import Tree
from lawful.encodings import Encoded, check_encoding
from lawful.errors import InputError
from lawful.schemes import Span
from lawful.tasks import load_rules
from lawful.tasks.srl import Analysis
from lawful.tasks.srl.constituents import (
    PREDICATE,
    TREE_ROLES,
    HistoryTags,
    classification_features,
    constituent_sequence,
    filter_arguments,
    history_tags,
    identification_features,
)

# The man , who sang , has quietly sold the grain to them .
WORDS = ("The", "man", ",", "has", "quietly", "sold", "the", "grain", "to", "them", ".")
POS = ("DT", "NN", ",", "VBZ", "RB", "VBN", "DT", "NN", "TO", "PRP", ".")
TREE = Tree.of(
    [
        ("S", 0, 11),
        ("NP", 0, 2),
        ("VP", 3, 10),
        ("ADVP", 4, 5),
        ("VP", 5, 10),
        ("NP", 6, 8),
        ("PP", 8, 10),
        ("NP", 9, 10),
    ],
    POS,
)
LAYERS = Analysis(WORDS, POS, (), tree=TREE)
ROLES = [
    Span("A0", 0, 2),
    Span("V", 5, 6),
    Span("A1", 6, 8),
    Span("A2", 8, 10),
    Span("AM-MNR", 4, 5),
    Span("R-A0", 3, 4),
]


def test_the_filter_of_figure_5_1() -> None:
    found = [(TREE.nodes[one.node].label, one.inner) for one in filter_arguments(TREE, 5)]
    assert found == [
        ("NP", False), ("DT", True), ("NN", True),  # the man, its words; the comma is punctuation
        ("VBZ", False), ("ADVP", False),  # RB has the words of ADVP
        ("NP", False), ("DT", True), ("NN", True), ("PP", False), ("NP", True),  # "to" is a preposition
    ]  # fmt: skip
    with pytest.raises(InputError, match="the predicate is at 11, but there are 11 words"):
        filter_arguments(TREE, 11)
    with pytest.raises(InputError, match="the predicate must be the position of a word, from 0, got 'feels'"):
        filter_arguments(TREE, "feels")  # type: ignore[arg-type]


def test_constituents_are_labelled_by_their_words() -> None:
    made = constituent_sequence(LAYERS, 5, "sell", roles=ROLES, allowed={"sell": ["A0", "A1", "A2"]})
    assert made.sentence.tokens[0] == "The man"
    labels = ("A0", "O", "O", "O", "AM-MNR", "A1", "O", "O", "A2", "O")
    assert made.sentence.labels == labels
    assert made.sentence.context["after"] == 5
    assert made.sentence.context["disallowed"] == ["A3", "A4", "A5"]
    core = {role for role in ROLES if role.type in TREE_ROLES}
    assert set(made.unlabel(labels)) == core
    with pytest.raises(InputError, match="10 constituents, but 1 labels"):
        made.unlabel(["O"])
    with pytest.raises(InputError, match="constituents need a tree"):
        constituent_sequence(Analysis(WORDS, POS, ()), 5, "sell")


def test_the_features_of_figure_5_3() -> None:
    constituents = filter_arguments(TREE, 5)
    finding = identification_features(LAYERS, 5, "sell", constituents)
    naming = classification_features(LAYERS, 5, "sell", constituents)
    assert len(finding) == len(naming) == len(constituents)
    for attribute in (
        "head=man", "headpos=NN", "path=NP^S!VP!VP!VBN", "prjpath=NP^S!VP!VP!VBN", "tdist=4", "verb+head=sell+man",
        "verb+prep+head=sell+<none>+man", "verb+cat=sell+NP", "wdist=3",
    ):  # fmt: skip
        assert attribute in finding[0], attribute
    to_them = naming[8]
    for attribute in (
        "verb+prep=sell+to", "first=to", "last=them", "left+parent=NP+VP", "left+parent+cat=NP+VP+PP", "voice=active",
        "subcat=VP>VBN-NP-PP", "cat=PP", "pos=after", "voice+pos+cat=active+after+PP",
    ):  # fmt: skip
        assert attribute in to_them, attribute
    assert "prjpath=PP^VP!VBN" in finding[8]
    assert "prjpath=NP^S!VP!VP!VBN" in finding[1] or "path=DT^NP^S!VP!VP!VBN" in finding[1]
    assert not any(attribute.startswith("wdist") for attribute in to_them)
    passive = Analysis(
        ("was", "not", "sold"), ("VBD", "RB", "VBN"), (), tree=Tree.of([("S", 0, 3)], ["VBD", "RB", "VBN"])
    )
    assert (
        "voice=passive" in classification_features(passive, 2, "sell", filter_arguments(passive.tree, 2))[0]
    )


RULES = load_rules("srl/constituents")
MADE = constituent_sequence(LAYERS, 5, "sell", allowed={"sell": ["A0", "A1", "A2"]}).sentence


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({0: "A0", 5: "A1", 8: "A2"}, []),
        ({0: "A0", 5: "A0"}, ["NO DUPLICATE A0"]),
        ({4: "AM-MNR", 8: "AM-MNR"}, []),
        ({0: "A0", 1: "A1"}, ["NO ARGUMENT INSIDE ANOTHER"]),
        ({1: "A0", 2: "A1"}, []),  # neither holds the other
        ({5: "AM-TMP", 7: "AM-TMP"}, ["NO ARGUMENT INSIDE ANOTHER"]),
        ({8: "A4"}, ["LEGAL ROLES"]),
    ],
)
def test_the_rules(changes: dict[int, str], expected: list[str]) -> None:
    labels = ["O"] * len(MADE)
    for position, label in changes.items():
        labels[position] = label
    found = RULES.violations(labels, list(MADE.inputs()), MADE.context)
    assert [name for name, count in found.items() if count] == expected


def test_the_best_labels_under_the_rules() -> None:
    labels = ["O", *TREE_ROLES]
    scores = [[0.0] * len(labels) for _ in range(len(MADE))]
    scores[0][labels.index("A0")] = 1.0
    scores[1][labels.index("A1")] = scores[2][labels.index("A1")] = 0.8  # inside the first, and twice
    scores[5][labels.index("A1")] = 1.0
    scores[8][labels.index("A4")] = 5.0  # not a role of sell
    scores[8][labels.index("A2")] = 0.1
    lattice = lawful.Lattice(scores, labels=labels, tokens=list(MADE.inputs()), context=MADE.context)
    found = lawful.decode(lattice, RULES).labels
    assert [(t, label) for t, label in enumerate(found) if label != "O"] == [(0, "A0"), (5, "A1"), (8, "A2")]


def test_histories_as_the_thesis_gives_them() -> None:
    kept = ((), ("A0",), ("A0", PREDICATE), ("A0", PREDICATE, "A1"), (PREDICATE,), (PREDICATE, "A1"))
    tags = HistoryTags(("O", "A0", "A1", "A2"), kept)
    # START PRED A1 A1 A2 comes to START PRED A1: repetitions once, then the highest number.
    assert tags.closest((PREDICATE, "A1", "A1", "A2")) == (PREDICATE, "A1")
    assert tags.closest(("A2", "A1")) == ()
    assert tags.encode(["A0", "AM-TMP", "O", "A1", "A2"], after=3) == [
        ":A0", "A0:AM-TMP", "A0:O", "A0+PRED:A1", "A0+PRED+A1:A2",
    ]  # fmt: skip
    assert len(tags.tags()) == 6 * 4
    groups = tags.groups()
    assert groups["*:A1"] == [f"{'+'.join(history)}:A1" for history in tags.histories]
    assert set(groups["*A0:A1"]) == {"A0:A1", "A0+PRED:A1"}
    assert set(groups["*<none>:A1"]) == {":A1", "PRED:A1"}
    with pytest.raises(InputError, match="the label 'A3' is not one of"):
        history_tags(["O"], [(["A3"], 0)])


def test_the_encoding_writes_the_same_tags_and_only_such_pairs() -> None:
    tags = HistoryTags(("O", "A0", "A1"), (("A0",), ("A0", PREDICATE), (PREDICATE, "A1")))
    encoding = tags.encoding()
    pairs = set(tags.transitions())
    for labels in itertools.product(tags.labels, repeat=4):
        for after in range(5):
            tokens = [["after predicate"] if t == after else [] for t in range(4)]
            written = list(encoding.encode(labels, tokens))
            assert written == tags.encode(labels, after)
            assert set(itertools.pairwise(written)) <= pairs
            assert encoding.decode(written).labels == labels


def test_a_chain_learns_across_any_distance() -> None:
    # The last token is A1 if there was an A0, however long ago, and A0 otherwise.
    X = [[[first], *[["o"]] * gap, ["?"]] for first in ("a", "b") for gap in (1, 3, 5)]
    y = [
        ["A0" if a else "O", *["O"] * (len(row) - 2), "A1" if a else "A0"]
        for row in X
        for a in [row[0] == ["a"]]
    ]
    assert lawful.CRF(c2=0.001).fit(X, y).predict(X) != y
    tags = history_tags(["O", "A0", "A1"], [(labels, 99) for labels in y])
    chain = lawful.CRF(c2=0.001, groups=tags.groups(), labels=tags.tags())
    model = Encoded(chain, tags.encoding()).fit(X, y)
    assert model.predict(X) == y
    assert model.predict(X, rules=lawful.forbid("A1"))[0][-1] != "A1"


def test_the_encoding_is_one() -> None:
    encoding = HistoryTags(("O", "A0", "A1"), (("A0",), ("A0", PREDICATE), (PREDICATE, "A1"))).encoding()
    assert check_encoding(encoding) == []


def test_what_does_not_fit_together_is_refused() -> None:
    made = constituent_sequence(LAYERS, 5, "sell")
    for features in (identification_features, classification_features):
        for predicate in (-1, 11):
            with pytest.raises(InputError, match=f"the predicate is at {predicate}, but there are 11 words"):
                features(LAYERS, predicate, "sell", made.constituents)
    with pytest.raises(InputError, match="the tree has 11 words, but the sentence 2"):
        constituent_sequence(Analysis(("He", "left"), ("PRP", "VBD"), (), tree=TREE), 1, "leave")
    with pytest.raises(InputError, match="need a tree"):
        constituent_sequence(Analysis(("He", "left"), ("PRP", "VBD"), ()), 1, "leave")


def test_a_sentence_of_one_word_has_no_constituents() -> None:
    alone = Analysis(("Go",), ("VB",), (), tree=Tree.of([("S", 0, 1), ("VP", 0, 1)], ["VB"]))
    made = constituent_sequence(alone, 0, "go", roles=[Span("V", 0, 1)])
    assert len(made) == 0 and made.unlabel([]) == [] and made.sentence.labels == ()
