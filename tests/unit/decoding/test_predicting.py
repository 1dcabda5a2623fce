from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

import lawful


class Capitals:
    labels = lawful.LabelSet(["O", "Name"])

    def lattice(self, tokens: Sequence[str]) -> lawful.Lattice:
        return lawful.Lattice(
            [[0.0, 1.0 if token.istitle() else -1.0] for token in tokens], labels=self.labels, tokens=tokens
        )


class CapitalsInBulk(Capitals):
    calls = 0

    def lattices(self, sequences: Iterable[Sequence[str]]) -> list[lawful.Lattice]:
        self.calls += 1
        return [self.lattice(tokens) for tokens in sequences]


def test_predict_gives_a_list_of_labels_for_each_sequence_even_an_empty_one() -> None:
    decoder = lawful.Decoder(lawful.at_most(1, "Name"), tagger=Capitals())
    assert decoder.predict([["Ann", "saw"], [], ["saw"]]) == [["Name", "O"], [], ["O"]]


def test_predict_uses_the_taggers_own_way_for_many() -> None:
    tagger = CapitalsInBulk()
    assert lawful.Decoder(tagger=tagger).predict(iter([["Ann"], ["saw"]])) == [["Name"], ["O"]]
    assert tagger.calls == 1


def test_rules_see_the_tokens() -> None:
    decoder = lawful.Decoder(lawful.when(lawful.token.is_in(["saw"])).then("Name"), tagger=Capitals())
    decoding = decoder.decode_tokens(["Ann", "saw"])
    assert decoding.labels == ("Name", "Name")
    assert decoding.plain_labels == ("Name", "O")
    assert decoding.loss == 1.0


def test_without_a_tagger_predict_says_what_is_missing() -> None:
    with pytest.raises(lawful.InputError, match="tagger="):
        lawful.Decoder(labels=["A"]).predict([["a"]])
    with pytest.raises(lawful.InputError, match=r"labels=.*tagger="):
        lawful.Decoder()


def test_errors_count_empty_sequences_too() -> None:
    decoder = lawful.Decoder(lawful.at_least(2, "Name"), tagger=Capitals())
    with pytest.raises(lawful.InfeasibleError, match=r"^sequence 4: ") as error:
        decoder.predict([["Ann", "saw"], [], [], ["Ann"]])
    assert error.value.sequence == 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda tagger: lawful.Decoder(tagger=tagger),
        lambda tagger: lawful.Decoder(labels=["A"], tagger=tagger),
        lambda tagger: lawful.lint(lawful.at_most(1, "A"), [(["x"], ["A"])], model=tagger),
        lambda tagger: lawful.estimate_prices(lawful.at_most(1, "A"), [(["x"], ["A"])], tagger=tagger),
        lambda tagger: lawful.report.make_report([lawful.Sentence(("x",))], tagger, []),
    ],
)
@pytest.mark.parametrize("tagger", ["crf.model", lawful.HMM])
def test_what_is_no_tagger_is_refused(ask: Callable[[object], object], tagger: object) -> None:
    with pytest.raises(lawful.InputError, match=r"(tagger|model) must have labels and lattice\(tokens\), as"):
        ask(tagger)
