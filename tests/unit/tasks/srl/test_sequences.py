"""Units, candidates, features and rules of a proposition, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import lawful
from lawful.corpus import FrameRole, Frames, Roleset, Sentence
from lawful.corpus.trees import Tree, read_tree
from lawful.errors import InputError
from lawful.schemes import Span
from lawful.tasks import load_rules
from lawful.tasks.srl import (
    CORE_ROLES,
    Analysis,
    Units,
    allowed_in_frames,
    allowed_in_training,
    analyse,
    base_phrases,
    candidate_spans,
    chunk_features,
    cut_units,
    parse_features,
    role_sequence,
)


def words(text: str) -> list[str]:
    """The words of a text; shorter than a list of them."""
    return text.split()


# Figure 3 of Tromble & Eisner (2006); its verb is "said".
WORDS = words("Mr. Turner said the test will be shipped in 45 days to hospitals and clinical laboratories .")
CHUNKS = words("B-NP I-NP B-VP B-NP I-NP B-VP I-VP I-VP B-PP B-NP I-NP B-PP B-NP O B-NP I-NP O")
POS = words("NNP NNP VBD DT NN MD VB VBN IN CD NNS TO NNS CC JJ NNS .")
FIGURE = Sentence(tuple(WORDS), None, {"pos": tuple(POS), "chunk": tuple(CHUNKS)})


def test_figure_3() -> None:
    analysis = analyse(FIGURE)
    made = role_sequence(analysis, 2, "say", roles=[Span("A0", 0, 2), Span("A1", 3, 16)])
    assert (
        " ".join(made.sentence.tokens) == "Turner said test shipped in days to hospitals and laboratories ."
    )
    assert made.sentence.labels == ("A0", "O", *["A1"] * 8, "O")
    assert made.sentence.context["verb"] == 1
    assert made.units.unlabel(made.sentence.labels) == [Span("A0", 0, 2), Span("A1", 3, 16)]


def test_a_chunk_is_cut_after_the_verb() -> None:
    chunks = [Span("VP", 0, 4), Span("NP", 4, 5)]  # is expected to take | it
    assert cut_units(chunks, 5, verb=1).spans == (Span("VP", 0, 2), Span("VP", 2, 4), Span("NP", 4, 5))
    assert cut_units(chunks, 5, verb=3).spans == tuple(chunks)
    assert cut_units(chunks, 5, verb=3).verb == 0
    assert cut_units([], 2, verb=1).spans == (Span("O", 0, 1), Span("O", 1, 2))
    with pytest.raises(InputError, match="the verb is at 5, but there are 5 words"):
        cut_units(chunks, 5, verb=5)
    for wrong in ("sell", 1.5, None, True):
        with pytest.raises(InputError, match="the verb must be the position of a word, from 0, got"):
            cut_units(chunks, 5, verb=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="overlaps"):
        cut_units([Span("A", 0, 2), Span("B", 1, 3)], 3, verb=0)


def test_only_core_roles_are_labelled() -> None:
    units = cut_units([], 5, verb=1)
    roles = [Span("A0", 0, 1), Span("V", 1, 2), Span("C-A1", 2, 3), Span("R-A0", 3, 4), Span("AM-TMP", 4, 5)]
    assert units.label(roles) == ("A0", "O", "O", "O", "O")
    assert units.label(roles, keep=("A0", "AM-TMP")) == ("A0", "O", "O", "O", "AM-TMP")
    with pytest.raises(InputError, match="5 units, but 1 labels"):
        units.unlabel(["O"])


@given(st.lists(st.sampled_from(["O", "A0", "A1"]), min_size=1, max_size=8), st.data())
def test_labels_of_units_come_back(labels: list[str], data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=len(labels), max_size=len(labels)))
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    verb = data.draw(st.integers(0, len(labels) - 1))
    units = Units(tuple(Span("X", end - size, end) for size, end in zip(sizes, ends, strict=True)), verb)
    assert units.label(units.unlabel(labels)) == tuple(labels)


def spans_of(brackets: str, tags: str, verb: int) -> list[tuple[str, int, int]]:
    return [tuple(span) for span in candidate_spans(read_tree(brackets.split(), tags.split()), verb)]


def test_sisters_on_the_way_to_the_root_are_candidates() -> None:
    # he sold grain to them yesterday
    found = spans_of("(S(NP*) (VP* (NP*) (PP* (NP*)) (NP*)))", "PRP VBD NN TO PRP NN", 1)
    assert found == [("NP", 0, 1), ("NP", 2, 3), ("PP", 3, 5), ("TO", 3, 4), ("NP", 4, 5), ("NP", 5, 6)]


def test_the_auxiliary_above_is_passed() -> None:
    # he will sell grain
    assert spans_of("(S(NP*) (VP* (VP* (NP*))))", "PRP MD VB NN", 2) == [
        ("NP", 0, 1),
        ("MD", 1, 2),
        ("NP", 3, 4),
    ]


def test_what_is_coordinated_with_the_verb_is_not_a_candidate() -> None:
    # he (bought wheat) and (sold grain): of "sold" neither the other phrase nor what is in it
    found = spans_of("(S(NP*) (VP(VP* (NP*)) * (VP* (NP*))))", "PRP VBD NN CC VBD NN", 4)
    assert ("VP", 1, 3) not in found
    assert found == [("NP", 0, 1), ("CC", 3, 4), ("NP", 5, 6)]
    # Without a conjunction a sister of the same category stays.
    assert ("S", 0, 1) in spans_of("(S(S*) (S(VP*)))", "X VB", 1)


def test_a_clause_beside_the_verb_can_be_opened() -> None:
    # they named him chairman
    tree = read_tree(["(S(NP*)", "(VP*", "(S(NP*)", "(NP*))))"], ["PRP", "VBD", "PRP", "NN"])
    assert [tuple(span) for span in candidate_spans(tree, 1)] == [("NP", 0, 1), ("S", 2, 4)]
    opened = [tuple(span) for span in candidate_spans(tree, 1, open_clauses=True)]
    assert opened == [("NP", 0, 1), ("NP", 2, 3), ("NP", 3, 4)]
    # they want to go: no noun phrase begins the clause
    tree = read_tree(["(S(NP*)", "(VP*", "(S(VP*", "(VP*)))))"], ["PRP", "VBP", "TO", "VB"])
    assert ("S", 2, 4) in [tuple(span) for span in candidate_spans(tree, 1, open_clauses=True)]
    chunks = (Span("NP", 0, 1), Span("VP", 1, 2), Span("VP", 2, 4))
    layers = Analysis(("they", "want", "to", "go"), ("X",) * 4, chunks, tree=tree)
    assert role_sequence(layers, 1, "want", open_clauses=True).sentence.context["candidates"] == []


def test_punctuation_at_the_ends_of_a_candidate_can_be_left_out() -> None:
    # `` we won , '' he said
    brackets = ["(SINV(S*", "(NP*)", "(VP*)", "*", "*)", "(NP*)", "(VP*))"]
    tree = read_tree(brackets, ["``", "PRP", "VBD", ",", "''", "PRP", "VBD"])
    assert [tuple(span) for span in candidate_spans(tree, 6)] == [("S", 0, 5), ("NP", 5, 6)]
    assert [tuple(span) for span in candidate_spans(tree, 6, trim=True)] == [("S", 1, 3), ("NP", 5, 6)]
    tree = read_tree(["(S*", "(X*)", "(VP*))"], ["``", ",", "VB"])
    assert candidate_spans(tree, 2, trim=True) == []  # nothing but punctuation


def test_candidates_are_projected_to_two_or_more_units() -> None:
    tree = read_tree(["(S(NP*", "*)", "(VP*", "(PP*", "(NP*))))"], ["DT", "NN", "VBD", "IN", "NN"])
    chunks = (Span("NP", 0, 2), Span("VP", 2, 3), Span("PP", 3, 4), Span("NP", 4, 5))
    made = role_sequence(Analysis(tuple("abcde"), ("X",) * 5, chunks, tree=tree), 2, "x")
    assert made.sentence.context["candidates"] == [(2, 4)]
    assert made.sentence.labels is None


def test_chunks_from_a_tree() -> None:
    tree = read_tree(["(S(NP*", "*)", "(VP*", "(VP*", "(NP*)))", "*)"], ["DT", "NN", "MD", "VB", "PRP", "."])
    assert [tuple(span) for span in base_phrases(tree)] == [
        ("NP", 0, 2),
        ("VP", 2, 3),
        ("VP", 3, 4),
        ("NP", 4, 5),
        ("S", 5, 6),
    ]


def test_layers_by_the_names_of_their_columns() -> None:
    columns = {
        "tag": ("PRP", "VBD"),
        "np": ("(NP*)", "(VP*)"),
        "clause": ("(S*", "(S*S)S)"),
        "ne": ("(PER*)", "*"),
        "parse": ("(S(NP*)", "(VP*))"),
    }
    found = analyse(
        Sentence(("He", "left"), None, columns),
        pos="tag", chunks="np", clauses="clause", entities="ne", parse="parse", parse_pos="tag",
    )  # fmt: skip
    assert found.chunks == (Span("NP", 0, 1), Span("VP", 1, 2))
    assert found.clause_of == (0, 1)
    assert found.entities == (Span("PER", 0, 1),)
    assert found.heads == (1, 0, 0, 1, 1)
    with pytest.raises(InputError, match="no column 'tag' of parts of speech; the columns are pos"):
        analyse(Sentence(("He",), None, {"pos": ("PRP",)}), pos="tag")
    bad = Sentence(("He",), None, {"pos": ("PRP",), "chunk": ("NP",)}, source="x.txt", lines=(3,))
    with pytest.raises(InputError, match=r"x.txt, line 3: column 'chunk': label 'NP' is not a tag"):
        analyse(bad)
    with pytest.raises(InputError, match="no column 'chunks'"):
        analyse(Sentence(("He",), None, {"pos": ("PRP",)}), chunks="chunks")


def test_what_a_verb_cannot_have() -> None:
    allowed = allowed_in_training([("say", ["A0", "O", "A1"]), ("go", ["A1", "A4"])])
    assert allowed == {"say": {"A0", "A1"}, "go": {"A1", "A4"}}
    roles = tuple(FrameRole(number, "", "", ()) for number in ("0", "1", "7", "m"))
    frames = Frames((Roleset("say.01", "", "say", (("say", "v"),), roles, ()),))
    assert allowed_in_frames(frames) == {"say": {"A0", "A1"}}
    analysis = analyse(FIGURE)
    assert role_sequence(analysis, 2, "say", allowed=allowed).sentence.context["disallowed"] == [
        "A2",
        "A3",
        "A4",
        "A5",
    ]
    assert role_sequence(analysis, 2, "fly", allowed=allowed).sentence.context["disallowed"] == []


def test_the_features_of_the_paper() -> None:
    analysis = analyse(FIGURE)
    units = role_sequence(analysis, 7, "ship").units
    rows = chunk_features(analysis, units, "ship", classes=["send-11.1"])
    assert len(rows) == len(units)
    test = rows[2]
    for attribute in (
        "w=test", "p=NN", "c=NP", "w-1=said", "p-1=VBD", "c-1=VP", "w+1=shipped", "w-2=Turner", "w+2=in",
        "vp=VBN", "lemma=ship", "voice=passive", "class=send-11.1", "place=before", "clause=same",
        "chunks=<VP>NP", "clauses=<VP>NP",
    ):  # fmt: skip
        assert attribute in test, attribute
    assert "w-1=<none>" in rows[0]
    assert not any("+test" in attribute for attribute in test)
    assert "lemma+w=ship+test" in chunk_features(analysis, units, "ship", pairs=True)[2]


def test_features_of_the_parse() -> None:
    tree = read_tree(["(S(NP*", "*)", "(VP*", "(PP*", "(NP*))))"], ["DT", "NN", "VBD", "IN", "NN"])
    text = ("the", "man", "went", "to", "town")
    chunks = (Span("NP", 0, 2), Span("VP", 2, 3), Span("PP", 3, 4), Span("NP", 4, 5))
    analysis = Analysis(text, ("DT", "NN", "VBD", "IN", "NN"), chunks, tree=tree)
    subject, verb, to, town = parse_features(analysis, cut_units(chunks, 5, verb=2), "go")
    assert {"phrase=NP", "path=VBD^VP^S!NP", "head=man", "subcat=VP>VBD-PP", "in=first"} <= set(subject)
    assert "path=VBD" in verb
    assert {"phrase=PP", "path=VBD^VP!PP", "head=to", "object=town", "in=first"} <= set(to)
    assert {"phrase=PP", "path=VBD^VP!PP", "object=town", "in=later"} <= set(town)
    without = Analysis(text, ("DT", "NN", "VBD", "IN", "NN"), chunks)
    assert parse_features(without, cut_units(chunks, 5, verb=2), "go") == [[], [], [], []]


RULES = load_rules("srl")
CONTEXT = {"verb": 1, "candidates": [(2, 4)], "disallowed": ["A5"]}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("A0 O A1 A1 O", []),
        ("A0 O A1 A1 A0", ["NO DUPLICATE A0"]),
        ("A0 O A1 O A2", ["ARGUMENT CANDIDATES"]),
        ("O O O O O", ["AT LEAST ONE ARGUMENT"]),
        ("A0 A1 O O O", ["KNOWN VERB POSITION"]),
        ("A0 O O O A5", ["DISALLOW ARGUMENTS"]),
        ("A1 O A0 A1 O", ["NO DUPLICATE A1", "ARGUMENT CANDIDATES"]),
    ],
)
def test_the_rules(labels: str, expected: list[str]) -> None:
    found = RULES.violations(labels.split(), None, CONTEXT)
    assert [name for name, count in found.items() if count] == expected


def test_a_proposition_under_the_rules() -> None:
    tree = read_tree(["(S(NP*)", "(VP*", "(NP(NP*)", "(PP*", "(NP*)))))"], ["PRP", "VBD", "NN", "IN", "NN"])
    chunks = (Span("NP", 0, 1), Span("VP", 1, 2), Span("NP", 2, 3), Span("PP", 3, 4), Span("NP", 4, 5))
    analysis = Analysis(("he", "sold", "plenty", "of", "grain"), ("X",) * 5, chunks, tree=tree)
    made = role_sequence(analysis, 1, "sell", allowed={"sell": ["A0", "A1", "A2"]})
    labels = ["O", *CORE_ROLES]
    scores = [[0.0] * 7 for _ in range(5)]
    scores[0][1] = scores[2][2] = 2.0  # he A0, plenty A1
    scores[4][2] = 0.5  # grain A1: with "of" O the candidate falls apart
    scores[1][6] = 9.0  # the verb itself
    lattice = lawful.Lattice(scores, labels=labels, context=made.sentence.context)
    found = lawful.decode(lattice, RULES)
    assert found.labels == ("A0", "O", "A1", "A1", "A1")
    assert made.units.unlabel(found.labels) == [Span("A0", 0, 1), Span("A1", 2, 5)]


def test_a_tree_of_one_word() -> None:
    tree = Tree.of([("S1", 0, 1)], ["VB"])
    assert candidate_spans(tree, 0) == []
