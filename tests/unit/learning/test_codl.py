"""CoDL: Algorithm 2 followed step by step, hard EM, prices, interruptions, executors."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import lawful
from lawful import HMM, CoDL, Rules, estimate_prices
from lawful.errors import InputError, NotFittedError
from lawful.learning import HardEM
from lawful.models import Blend

LABELS = ["author", "title", "date"]
RULES = Rules(
    lawful.starts_with("author").named("start"),
    lawful.change_only_after(lawful.token.is_in([".", ","])).soft("learn", per="violation", name="points"),
    lawful.at_most_segments(1, "title").soft("learn", name="one title"),
)
X = [
    ["Ann", ".", "On", "rules", ".", "1998"],
    ["B", ".", "Lee", ",", "The", "laws", "1999"],
    ["Cid", ",", "Cases", ",", "May", "2001"],
]
Y = [
    ["author", "author", "title", "title", "title", "date"],
    ["author", "author", "author", "author", "title", "title", "date"],
    ["author", "author", "title", "title", "date", "date"],
]


def pool(size: int = 40) -> list[list[str]]:
    rng = np.random.default_rng(7)
    names, nouns = ["Ann", "Bob", "Cid", "Dee", "Lee"], ["rules", "laws", "cases", "courts", "On", "The"]
    return [
        [
            rng.choice(names),
            ".",
            *rng.choice(nouns, size=rng.integers(1, 4)),
            ",",
            str(rng.integers(1990, 2010)),
        ]
        for _ in range(size)
    ]


def same(one: lawful.models.SequenceModel, other: lawful.models.SequenceModel) -> bool:
    return all(
        np.array_equal(a.emissions, b.emissions) and np.array_equal(a.transitions, b.transitions)
        for a, b in zip(one.lattices(pool()), other.lattices(pool()), strict=True)
    )


# --- the algorithm ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["scores", "probabilities"])
def test_algorithm_2_line_by_line(how: str) -> None:
    gamma, U = 0.7, pool()
    rules = estimate_prices(RULES, zip(X, Y, strict=True), occasions="tokens")
    supervised = HMM().fit(X, Y)  # line 1
    model: lawful.models.SequenceModel = supervised
    first = rules
    for _ in range(3):  # lines 2 to 9
        labels = lawful.Decoder(rules, tagger=model).predict(U)
        learned = HMM(labels=sorted(LABELS)).fit(U, labels)
        later = estimate_prices(RULES, zip(U, labels, strict=True), occasions="tokens")
        model = Blend([supervised, learned], [gamma, 1 - gamma], how=how)
        rules = Rules(
            a if a.price == "hard" else a.soft(gamma * a.price + (1 - gamma) * b.price, per=a.per)
            for a, b in zip(first, later, strict=True)
        )
    learner = CoDL(HMM(), RULES, gamma=gamma, rounds=3, blend=how).fit(X, Y, unlabelled=U)
    assert same(learner.model_, model)
    assert [one.price for one in learner.rules_] == pytest.approx([one.price for one in rules])
    assert learner.predict(U) == lawful.Decoder(rules, tagger=model).predict(U)


def test_codl_without_rules_is_hard_em() -> None:
    """Hard EM: label the pool with the best labelling, re-estimate, average with the supervised model."""
    gamma, U = 0.6, pool()
    supervised = HMM().fit(X, Y)
    model: lawful.models.SequenceModel = supervised
    for _ in range(4):
        labels = [list(lawful.decode(lattice).labels) for lattice in model.lattices(U)]
        model = Blend([supervised, HMM(labels=sorted(LABELS)).fit(U, labels)], [gamma, 1 - gamma])
    learner = CoDL(HMM(), gamma=gamma, rounds=4).fit(X, Y, unlabelled=U)
    assert same(learner.model_, model)
    assert same(HardEM(HMM(), gamma=gamma, rounds=4).fit(X, Y, unlabelled=U).model_, model)


def test_gamma_of_one_is_the_supervised_model() -> None:
    learner = CoDL(HMM(), RULES, gamma=1.0, rounds=2).fit(X, Y, unlabelled=pool())
    plain = HMM().fit(X, Y)
    assert same(learner.model_, Blend([plain, plain], [1.0, 0.0]))
    assert learner.rules_ == estimate_prices(RULES, zip(X, Y, strict=True), occasions="tokens")


def test_gamma_of_zero_is_what_the_pool_taught() -> None:
    learner = CoDL(HMM(), gamma=0.0, rounds=1).fit(X, Y, unlabelled=pool())
    labels = HMM().fit(X, Y).predict(pool())
    assert same(learner.model_, Blend([HMM(labels=sorted(LABELS)).fit(pool(), labels)], [1.0]))


def test_data_may_be_averaged_instead() -> None:
    U, gamma = pool(), 0.8
    learner = CoDL(HMM(), gamma=gamma, rounds=1, blend="data").fit(X, Y, unlabelled=U)
    labels = HMM().fit(X, Y).predict(U)
    heavy = gamma / (1 - gamma) * sum(map(len, U)) / sum(map(len, X))
    weights = [heavy] * 3 + [1.0] * len(U)
    expected = HMM().fit([*X, *U], [*Y, *labels], sample_weight=weights)
    assert isinstance(learner.model_, HMM)
    assert learner.model_.emissions_[0] == pytest.approx(expected.emissions_[0])
    assert learner.model_.transitions_ == pytest.approx(expected.transitions_)


def test_rules_guide_the_pool() -> None:
    learner = CoDL(HMM(), RULES, rounds=2).fit(X, Y, unlabelled=pool(), watch=(X, Y))
    assert learner.history_[-1].violations["start"] == 0
    assert [one.number for one in learner.history_] == [0, 1, 2]
    assert learner.history_[0].prices["start"] == "hard"
    assert learner.history_[1].changed == 1.0
    assert learner.history_[2].changed < 0.5
    assert all(one.accuracy is not None for one in learner.history_)


def test_hard_rules_that_contradict_each_other_get_the_least_bad_labels() -> None:
    rules = Rules(lawful.forbid("author"), lawful.starts_with("author"))
    learner = CoDL(HMM(), rules, rounds=1).fit(X, Y, unlabelled=pool(5))
    assert sum(learner.history_[-1].violations.values()) == 5
    strict = CoDL(HMM(), rules, rounds=1, options={"on_infeasible": "raise"})
    with pytest.raises(lawful.InfeasibleError):
        strict.fit(X, Y, unlabelled=pool(5))


def test_without_a_pool_it_is_supervised_learning() -> None:
    learner = CoDL(HMM(), RULES).fit(X, Y)
    assert same(learner.model_, HMM().fit(X, Y))
    assert math.isfinite(learner.rules_["points"].price)
    assert learner.score(X, Y) > 0.8


# --- interruptions ------------------------------------------------------------------------------------------


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    U = pool()
    whole = CoDL(HMM(), RULES, gamma=0.5, rounds=4).fit(X, Y, unlabelled=U)
    calls = []
    real = lawful.CoDL._label

    def dies_in_the_third_round(*arguments: object, **options: object) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(lawful.CoDL, "_label", dies_in_the_third_round)
    learner = CoDL(HMM(), RULES, gamma=0.5, rounds=4, checkpoint=tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        learner.fit(X, Y, unlabelled=U)
    again = CoDL(HMM(), RULES, gamma=0.5, rounds=4, checkpoint=tmp_path / "run").fit(X, Y, unlabelled=U)
    assert len(calls) == 3 + 2  # rounds 3 and 4; the first two were kept
    assert same(again.model_, whole.model_)
    assert again.rules_ == whole.rules_
    assert [one.changed for one in again.history_] == [one.changed for one in whole.history_]
    finished = CoDL(HMM(), RULES, gamma=0.5, rounds=4, checkpoint=tmp_path / "run").fit(X, Y, unlabelled=U)
    assert len(calls) == 5
    assert same(finished.model_, whole.model_)


def test_the_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    CoDL(HMM(), RULES, rounds=1, checkpoint=tmp_path).fit(X, Y, unlabelled=pool())
    with pytest.raises(InputError, match="another run"):
        CoDL(HMM(), RULES, gamma=0.5, rounds=1, checkpoint=tmp_path).fit(X, Y, unlabelled=pool())
    with pytest.raises(InputError, match="another run"):
        CoDL(HMM(), RULES, rounds=1, checkpoint=tmp_path).fit(X, Y, unlabelled=pool(9))
    (tmp_path / "progress.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        CoDL(HMM(), RULES, rounds=1, checkpoint=tmp_path).fit(X, Y, unlabelled=pool())


# --- who does the work --------------------------------------------------------------------------------------


def test_an_executor_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.learning.pool.AT_ONCE", 7)
    here = CoDL(HMM(), RULES, rounds=2, jobs=1).fit(X, Y, unlabelled=pool())
    with ThreadPoolExecutor(2) as threads:
        there = CoDL(HMM(), RULES, rounds=2, executor=threads).fit(X, Y, unlabelled=pool())
    assert same(here.model_, there.model_)
    assert here.rules_ == there.rules_


def test_an_executor_of_processes_gives_the_same() -> None:
    here = CoDL(HMM(), RULES, rounds=1, jobs=1).fit(X, Y, unlabelled=pool(8))
    with ProcessPoolExecutor(1) as processes:
        there = CoDL(HMM(), RULES, rounds=1, executor=processes).fit(X, Y, unlabelled=pool(8))
    assert same(here.model_, there.model_)


# --- manners ------------------------------------------------------------------------------------------------


def test_scikit_learns_manners(capsys: pytest.CaptureFixture[str]) -> None:
    learner = CoDL(HMM(emission_smoothing=0.2), RULES, rounds=1, verbose=True)
    copied = clone(learner)
    assert copied.rules == RULES
    assert copied.get_params()["base__emission_smoothing"] == 0.2
    copied.fit(X, Y, unlabelled=pool(3))
    assert capsys.readouterr().out.splitlines()[1].startswith("round 1, 100.0% of the labels changed")
    assert not hasattr(learner, "model_")
    assert not hasattr(learner.base, "labels_")
    assert clone(HardEM(HMM(), gamma=0.5)).gamma == 0.5


def test_the_learned_model_is_saved(tmp_path: Path) -> None:
    learner = CoDL(HMM(), RULES, rounds=1).fit(X, Y, unlabelled=pool())
    learner.save(tmp_path / "m")
    loaded = lawful.load_model(tmp_path / "m")
    assert isinstance(loaded, Blend)
    assert same(loaded, learner.model_)
    assert loaded.predict(X, learner.rules_) == learner.predict(X)


@pytest.mark.parametrize(("option", "value"), [("gamma", 1.5), ("gamma", "much"), ("blend", "hope")])
def test_options_are_checked(option: str, value: object) -> None:
    with pytest.raises(InputError, match=option):
        CoDL(HMM(), RULES, **{option: value}).fit(X, Y, unlabelled=pool())


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="CoDL"):
        CoDL(HMM(), RULES).predict(X)


@pytest.mark.parametrize("learner", [lawful.CoDL, lawful.learning.HardEM, lawful.learning.CCM])
def test_a_class_is_no_model(learner) -> None:
    with pytest.raises(lawful.InputError, match=r"base must be a model, such as HMM\(\)"):
        learner(lawful.HMM).fit([["a"]], [["X"]])


@pytest.mark.parametrize("learner", [lawful.CoDL, lawful.learning.HardEM, lawful.learning.EM])
@pytest.mark.parametrize("rounds", [-1, 1.5])
def test_rounds_are_counted(learner, rounds) -> None:
    with pytest.raises(lawful.InputError, match="rounds must be a whole number"):
        learner(lawful.HMM(), rounds=rounds).fit([["a"]], [["X"]])


def test_a_pool_may_lack_labels() -> None:
    X, y = [[["a"], ["b"]]] * 3, [["X", "Y"]] * 3
    learner = lawful.CoDL(lawful.CRF(), lawful.forbid("Y"), rounds=2).fit(X, y, unlabelled=[[["a"]]])
    assert list(learner.model_.labels) == ["X", "Y"]


def test_rules_tied_to_the_pool_once_label_it_as_a_decoder_does() -> None:
    """Prices change between rounds; an executor, and options, go through a decoder that is made anew each time."""
    X, y = (
        [["Ann", ".", "Rules"], ["Of", "Laws", "."]],
        [["name", "name", "title"], ["title", "title", "name"]],
    )
    pool = [["Cid", ".", "Laws"], ["Ann", "Of", ".", "Cases"], ["Laws", ".", "Ann"]]
    rules = [
        lawful.starts_with("name").soft("learn", name="start"),
        lawful.at_most_segments(1, "name").soft("learn", per="violation", name="once"),
        lawful.change_only_after(lawful.token.is_in(["."])),
        lawful.requires("title", "name"),
    ]
    quick = lawful.CoDL(lawful.HMM(), rules, rounds=3, gamma=0.6).fit(X, y, unlabelled=pool)
    slow = lawful.CoDL(lawful.HMM(), rules, rounds=3, gamma=0.6, options={"solver": "relaxation"})
    slow.fit(X, y, unlabelled=pool)
    assert quick.rules_ == slow.rules_
    assert [one.violations for one in quick.history_] == [one.violations for one in slow.history_]
    assert quick.predict(pool) == slow.predict(pool)
