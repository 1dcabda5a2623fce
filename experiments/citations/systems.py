"""The systems of the citations experiment: settings in, a tagger with its rules out. A run is a pure function of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import lawful
from lawful.learning import HardEM, estimate_prices, scale_prices
from lawful.models import features as f, segments
from lawful.models.base.predictor import Predictor
from lawful.rules.ruleset import Rules
from lawful.tasks import find_repeats, load, load_rules
from lawful.tasks.citations.rules import CITATION_FIELDS, appears_once, citation_ties

__all__ = ["FEATURES", "SYSTEMS", "WITHOUT_REPEATS", "draw", "fit_and_score", "read_split", "repeats"]

Labelled = tuple[list[list[str]], list[list[str]]]
Settings = dict[str, Any]
WITHOUT_REPEATS = "test without repeats"
LENIENT: dict[str, Any] = {"on_infeasible": "least_bad", "jobs": 1}

_shape = f.shape(short=True)
_near = (f.bias(), f.window(f.folded(), -2, 2), f.window(_shape, -2, 2), f.prefix(1, 4), f.suffix(1, 4))
_pairs = (f.join(f.at(-1, f.folded()), f.folded()), f.first(), f.last())
FEATURES = {
    "words": f.Features(f.bias(), f.folded()),
    "words and shapes": f.Features(f.bias(), f.folded(), _shape),
    "spelling": f.Features(f.bias(), f.folded(), _shape, f.prefix(1, 3), f.suffix(1, 3)),
    "neighbours": f.Features(*_near, *_pairs),
    "wide": f.Features(
        *_near,
        *_pairs,
        f.at(-3, f.folded()),
        f.at(3, f.folded()),
        f.join(f.folded(), f.at(1, f.folded())),
        f.join(f.at(-2, f.folded()), f.at(-1, f.folded())),
        f.join(f.at(-1, _shape), _shape, f.at(1, _shape)),
        f.matches("year", "(19|20)[0-9]{2}"),
        f.matches("range", "[0-9]+-+[0-9]+"),
        f.matches("initial", "[A-Z]"),
    ),
}
"""What linear models see of a token. The HMM sees words and, where it does not know one, its shape; so do models that are compared with it."""


# --- data ---------------------------------------------------------------------------------------------------


@cache
def read_split(split: str) -> Labelled:
    """The tokens and labels of a split, from the folder that LAWFUL_DATA names."""
    sentences = load("citations", split)
    return [list(sentence.tokens) for sentence in sentences], [
        list(sentence.labels or ()) for sentence in sentences
    ]


@cache
def repeats() -> frozenset[int]:
    """The numbers of the test references that stand in train, in the pool or earlier in test, too."""
    texts = {split: read_split(split)[0] for split in ("train", "unlabelled", "test")}
    groups = find_repeats(texts)
    return frozenset(number for group in groups for split, number in group[1:] if split == "test")


def draw(size: int, number: int) -> Labelled:
    """References drawn from the training set without replacement, or all of them."""
    X, y = read_split("train")
    if size >= len(X):
        return X, y
    chosen = np.random.default_rng([size, number]).choice(len(X), size, replace=False)
    return [X[index] for index in chosen], [y[index] for index in chosen]


def ties_of(rules: Rules) -> list[list[str]]:
    """The ties of those rules that are there."""
    return [tie for tie in citation_ties() if set(tie) <= set(rules.names)]


def rules_named(which: str) -> Rules:
    """All rules, "soft" (prices to be learned) or "hard"; "none"; or one of Table 1 by its name, hard unless it is "soft Name"."""
    if which == "none":
        return Rules()
    if which in ("soft", "hard"):
        return load_rules("citations", price="learn" if which == "soft" else "hard")
    price, _, name = which.rpartition(" ")
    all_rules = load_rules("citations", price="learn" if price == "soft" else "hard")
    return Rules(all_rules[rule] for rule in (appears_once() if name == "AppearsOnce" else [name]))


# --- systems ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fitted:
    """A tagger, the rules under which it answers, and the accuracies that were noted on the way."""

    tagger: Predictor
    rules: Rules
    rounds: tuple[float | None, ...] = ()

    def accuracy(self, labelled: Labelled, *, without: frozenset[int] = frozenset()) -> tuple[float, float]:
        """In per cent of tokens: of all references, and of those whose number is not in `without`."""
        answers = self.tagger.predict(labelled[0], rules=self.rules, **LENIENT)
        right = [sum(map(str.__eq__, *pair)) for pair in zip(answers, labelled[1], strict=True)]
        shares = []
        for left_out in (frozenset[int](), without):
            kept = [number for number in range(len(right)) if number not in left_out]
            tokens = sum(len(labelled[1][number]) for number in kept)
            shares.append(round(100 * sum(right[number] for number in kept) / tokens, 4))
        return shares[0], shares[1]


def hmm(settings: Settings) -> lawful.HMM:
    """Our HMM, or one by the textbook: add-alpha smoothing at its best on dev, nothing learned about unknown words."""
    if settings.get("textbook"):
        emission = lawful.models.Emission(unknown=None)
        return lawful.HMM(emissions=[emission], rare=0, emission_smoothing=0.6, labels=CITATION_FIELDS)
    return lawful.HMM(labels=CITATION_FIELDS)


def crf(settings: Settings) -> lawful.CRF:
    """The features of a linear model, and how a CRF learns their weights."""
    return lawful.CRF(
        FEATURES[settings["features"]],
        c2=settings.get("c2", 0.3),
        start=True,
        end=True,
        all_states=settings.get("all_states", True),
        all_transitions=True,
        labels=CITATION_FIELDS,
        jobs=1,
    )


def priced(rules: Rules, labelled: Labelled) -> Rules:
    """With the prices that labelled data gives, by Eq. 13 of the paper."""
    return estimate_prices(rules, zip(*labelled, strict=True), ties=ties_of(rules), occasions="tokens")


def fit_hmm(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Supervised: HMM and HMM-CCM, at the paper's prices or others. Section 5.2 lets them see the labels of test too, by "also"."""
    if "also" in settings:
        more = read_split(settings["also"])
        labelled = labelled[0] + more[0], labelled[1] + more[1]
    rules = rules_named(settings["rules"])
    if settings.get("prices") == "cross-fitted":
        gold = zip(*labelled, strict=True)
        rules = estimate_prices(rules, gold, tagger=hmm(settings), folds=5)
    elif settings.get("prices") == "occasions":
        gold = zip(*labelled, strict=True)
        rules = estimate_prices(rules, gold, ties=ties_of(rules), labels=CITATION_FIELDS)
    return Fitted(hmm(settings).fit(*labelled), priced(rules, labelled))


def fit_codl(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Semi-supervised: CoDL, or hard EM without rules."""
    rules, shared = rules_named(settings["rules"]), {"gamma": settings["gamma"], "rounds": settings["rounds"]}
    base = crf(settings) if settings.get("features") else hmm(settings)
    if rules:
        learner = lawful.CoDL(base, rules, ties=ties_of(rules), jobs=1, **shared)
    else:
        learner = HardEM(base, jobs=1, **shared)
    learner.fit(*labelled, unlabelled=pool, watch=watch)
    return Fitted(learner, learner.rules_, tuple(record.accuracy for record in learner.history_))


def fit_own_labels(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Section 5.2: an HMM without rules, fitted to the labelled data and to what CoDL's final model says of the pool."""
    teacher = fit_codl(settings, labelled, pool, None)
    taught = teacher.tagger.predict(pool, rules=teacher.rules, **LENIENT)
    return Fitted(hmm(settings).fit(labelled[0] + pool, labelled[1] + taught), Rules())


def fit_em(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """EM, with the weight of the supervised model that the paper gives all methods.

    Averaged so, its objective may fall; a tolerance below 0 lets it do all rounds anyway.
    """
    learner = lawful.learning.EM(
        hmm(settings),
        gamma=settings["gamma"],
        rounds=settings["rounds"],
        blend="scores",
        tolerance=settings["tolerance"],
    )
    learner.fit(*labelled, unlabelled=pool, watch=watch)
    return Fitted(learner, Rules(), tuple(record.accuracy for record in learner.history_))


def fit_crf(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Maximum likelihood; rules come in only when it answers (L+I)."""
    rules = priced(rules_named(settings["rules"]), labelled)
    return Fitted(crf(settings).fit(*labelled), rules)


def fit_semi_crf(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Segments that know whether they end at a mark, and, if wanted, how long they are."""
    ends = segments.last(f.kinds("is_punctuation", both=True))
    seen = [ends, segments.length(cap=40)] if settings["lengths"] else [ends]
    model = lawful.SemiCRF(
        FEATURES[settings["features"]],
        segments.SegmentFeatures(*seen),
        c2=settings["c2"],
        repeat=True,
        start=True,
        end=True,
        all_transitions=True,
        jobs=1,
    )
    return Fitted(model.fit(*labelled), Rules())


def fit_perceptron(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """The averaged structured perceptron by one of the four strategies."""
    learner = lawful.learning.RuledPerceptron(crf(settings), **_perceptron(settings)).fit(*labelled)
    return Fitted(learner, learner.rules_)


def fit_semi_perceptron(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """The same with the pool, as in section 6."""
    learner = lawful.learning.SemiRuledPerceptron(
        crf(settings),
        gamma=settings["gamma"],
        pool_epochs=settings["pool_epochs"],
        jobs=1,
        **_perceptron(settings),
    )
    learner.fit(*labelled, unlabelled=pool)
    return Fitted(learner, learner.rules_)


def _perceptron(settings: Settings) -> Settings:
    return {
        "rules": rules_named(settings["rules"]),
        "strategy": settings["strategy"],
        "epochs": settings["epochs"],
        "ties": citation_ties(),
        "labels": CITATION_FIELDS,
        "seed": settings.get("seed", settings["draw"]),
    }


def fit_likelihood(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Constrained likelihood under all rules but AppearsOnce, whose product is too large; that is priced afterwards."""
    rules = rules_named("soft")
    inside = Rules(rule for rule in rules if rule.name not in appears_once())
    base = crf({**settings, "all_states": False})
    learner = lawful.learning.ConstrainedLikelihood(base, inside, labels=CITATION_FIELDS, max_iterations=60)
    learner.fit(*labelled)
    outside = Rules(rule for rule in rules if rule.name not in inside.names)
    return Fitted(learner, learner.rules_ + priced(outside, labelled))


def fit_blend(settings: Settings, labelled: Labelled, pool: Any, watch: Any) -> Fitted:
    """Half the score of an HMM under rules, from labelled data or from the pool too, and half that of a CRF."""
    part = fit_codl if settings["gamma"] is not None else fit_hmm
    counted = part({**settings, "features": None}, labelled, pool, None)
    model = counted.tagger.model_ if isinstance(counted.tagger, lawful.CoDL) else counted.tagger
    blend = lawful.models.Blend([model, crf(settings).fit(*labelled)], [0.5, 0.5])  # type: ignore[list-item]
    return Fitted(blend, scale_prices(counted.rules, 0.5))


SYSTEMS: dict[str, Callable[..., Fitted]] = {
    "hmm": fit_hmm,
    "codl": fit_codl,
    "own labels": fit_own_labels,
    "em": fit_em,
    "crf": fit_crf,
    "semi crf": fit_semi_crf,
    "perceptron": fit_perceptron,
    "semi perceptron": fit_semi_perceptron,
    "likelihood": fit_likelihood,
    "blend": fit_blend,
}


def fit_and_score(settings: Settings) -> dict[str, Any]:
    """Fit a system to one draw and judge it on dev, or on dev and test. Only final runs may ask for test."""
    started = time.perf_counter()
    labelled = draw(settings["size"], settings["draw"])
    pool, _ = read_split(settings.get("pool", "unlabelled"))
    watch = read_split(settings["judge"]) if settings.get("watch") else None
    fitted = SYSTEMS[settings["system"]](settings, labelled, pool, watch)
    result: dict[str, Any] = {"dev": fitted.accuracy(read_split("dev"))[0]}
    if settings["judge"] == "test":
        result["test"], result[WITHOUT_REPEATS] = fitted.accuracy(read_split("test"), without=repeats())
        if settings["system"] == "codl" and fitted.rules:  # what the model learned, apart from the rules
            result["without rules"] = Fitted(fitted.tagger, Rules()).accuracy(read_split("test"))[0]
    if watch is not None:
        result["rounds"] = [round(100 * (accuracy or 0.0), 4) for accuracy in fitted.rounds]
    return {**result, "seconds": round(time.perf_counter() - started, 2)}
