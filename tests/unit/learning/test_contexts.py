"""What comes with a sequence by name reaches the rules through everything that learns or predicts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import lawful
from lawful.corpus.sequences import read_sequences
from lawful.errors import MissingContextError
from lawful.learning.learner import RuledLearner
from lawful.models.base.predictor import Predictor

# All tokens are alike, so only the context can say which of them is the verb.
X = [["x", "x", "x"], ["x", "x", "x"], [], ["x", "x", "x"]]
VERBS = [0, 2, 0, 1]
Y = [["V" if t == verb else "O" for t in range(len(tokens))] for tokens, verb in zip(X, VERBS, strict=True)]
CONTEXTS = [{"verb": verb} for verb in VERBS]
SENTENCES = [lawful.Sentence(tokens, context=named) for tokens, named in zip(X, CONTEXTS, strict=True)]
RULES = lawful.Rules(lawful.label_at(lawful.context("verb"), "V"), lawful.exactly(1, "V"))


def public(room: Any) -> Iterator[Any]:
    """Every class that a room exports."""
    yield from (value for name in dir(room) if inspect.isclass(value := getattr(room, name)))


LEARNERS = [cls for cls in public(lawful.learning) if issubclass(cls, RuledLearner)]
MODELS = [cls for cls in public(lawful.models) if issubclass(cls, lawful.models.SequenceModel)]
MODELS = [cls for cls in MODELS if not inspect.isabstract(cls)]


def base_for(learner: type[RuledLearner]) -> Any:
    return lawful.HMM() if learner is lawful.learning.EM else lawful.CRF(max_iterations=5)


def made(learner: type[RuledLearner], rules: lawful.Rules) -> RuledLearner:
    """A learner with these rules, if it takes any."""
    parameters = inspect.signature(learner).parameters
    small = {name: 1 for name in ("rounds", "epochs") if name in parameters}
    if "rules" in parameters:
        return learner(base_for(learner), rules, **small)  # type: ignore[call-arg]
    return learner(base_for(learner), **small)  # type: ignore[call-arg]


def pool_arguments(learner: type[RuledLearner], *, sentences: bool) -> dict[str, Any]:
    if "unlabelled" not in inspect.signature(learner.fit).parameters:
        return {}
    return {"unlabelled": SENTENCES} if sentences else {"unlabelled": X, "unlabelled_contexts": CONTEXTS}


def fitted_model(model: type[Any]) -> Any:
    if model is lawful.models.Blend:
        return model([lawful.HMM().fit(X, Y), lawful.HMM().fit(X, Y)], [0.5, 0.5])
    if model is lawful.models.Calibrated:
        return model(lawful.HMM().fit(X, Y), 2.0)
    if model is lawful.models.Calibrated:
        return model(lawful.HMM().fit(X, Y), 2.0)
    return model().fit(X, Y)


def test_there_are_learners_and_models_to_test() -> None:
    names = {cls.__name__ for cls in LEARNERS}
    assert {"CCM", "CoDL", "HardEM", "EM", "RuledPerceptron", "SemiRuledPerceptron"} <= names
    assert {"CRF", "HMM", "MEMM", "MaxEnt", "SemiCRF"} <= {cls.__name__ for cls in MODELS}


@pytest.mark.parametrize("sentences", [False, True], ids=["contexts", "sentences"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_context_reaches_the_rules_of_every_learner(learner: type[RuledLearner], sentences: bool) -> None:
    X_given, contexts = (SENTENCES, None) if sentences else (X, CONTEXTS)
    fitted = made(learner, RULES).fit(  # type: ignore[attr-defined]
        X_given, Y, contexts=contexts, **pool_arguments(learner, sentences=sentences)
    )
    rules = None if fitted.rules_ else RULES
    assert fitted.predict(X_given, rules, contexts=contexts) == Y
    assert fitted.score(X_given, Y, rules, contexts=contexts) == 1.0


@pytest.mark.parametrize("learner", [cls for cls in LEARNERS if "rules" in inspect.signature(cls).parameters])
def test_a_missing_context_is_named_with_its_sequence(learner: type[RuledLearner]) -> None:
    rules = lawful.Rules(rule.soft("learn") for rule in RULES)
    with pytest.raises(MissingContextError, match="verb") as caught:
        made(learner, rules).fit(X, Y, contexts=[*CONTEXTS[:3], {}])  # type: ignore[attr-defined]
    assert any("sequence 3" in note for note in caught.value.__notes__)  # the empty one is left out


@pytest.mark.parametrize(
    "learner", [cls for cls in LEARNERS if "unlabelled_contexts" in inspect.signature(cls.fit).parameters]
)
def test_contexts_of_a_pool_are_checked(learner: type[RuledLearner]) -> None:
    pool: dict[str, Any] = {"unlabelled": X, "unlabelled_contexts": CONTEXTS[:3]}
    with pytest.raises(
        lawful.InputError, match="4 token sequences but 3 contexts: sequence 4 of unlabelled has none"
    ):
        made(learner, RULES).fit(X, Y, contexts=CONTEXTS, **pool)  # type: ignore[attr-defined]


@pytest.mark.parametrize("sentences", [False, True], ids=["contexts", "sentences"])
@pytest.mark.parametrize("model", MODELS)
def test_a_context_reaches_the_rules_beside_every_model(model: type[Any], sentences: bool) -> None:
    X_given, contexts = (SENTENCES, None) if sentences else (X, CONTEXTS)
    fitted = fitted_model(model)
    assert fitted.predict(X_given, RULES, contexts=contexts) == Y
    assert fitted.score(X_given, Y, RULES, contexts=contexts) == 1.0
    for marginals, verb in zip(
        fitted.predict_marginals(X_given, RULES, contexts=contexts), VERBS, strict=True
    ):
        if len(marginals):
            assert marginals[verb, fitted.labels.index("V")] == pytest.approx(1.0)
    decoder = fitted.decoder(RULES)
    assert decoder.predict(X_given, contexts=contexts) == Y
    assert decoder.decode_tokens(SENTENCES[1]).labels == tuple(Y[1])
    assert decoder.decode_tokens(X[1], context=CONTEXTS[1]).labels == tuple(Y[1])


@pytest.mark.parametrize(
    "cls", dict.fromkeys([*LEARNERS, *MODELS, Predictor, lawful.Decoder]), ids=lambda cls: cls.__name__
)
def test_whatever_predicts_takes_contexts(cls: type[Any]) -> None:
    for name in ("predict", "predict_marginals", "score"):
        if hasattr(cls, name):
            assert "contexts" in inspect.signature(getattr(cls, name)).parameters, name
    if issubclass(cls, RuledLearner):
        parameters = inspect.signature(cls.fit).parameters  # type: ignore[attr-defined]
        assert "contexts" in parameters
        assert ("unlabelled" in parameters) == ("unlabelled_contexts" in parameters)


def test_contexts_travel_to_an_executor() -> None:
    with ThreadPoolExecutor(2) as executor:
        learner = lawful.CoDL(lawful.HMM(), RULES, rounds=1, executor=executor)
        learner.fit(X, Y, unlabelled=X, contexts=CONTEXTS, unlabelled_contexts=CONTEXTS)
    assert learner.predict(X, contexts=CONTEXTS) == Y


def test_what_is_watched_may_have_contexts() -> None:
    learner = lawful.CoDL(lawful.HMM(), RULES, rounds=1)
    learner.fit(X, Y, unlabelled=SENTENCES, contexts=CONTEXTS, watch=(X, Y, CONTEXTS))
    assert [entry.accuracy for entry in learner.history_] == [1.0, 1.0]
    with pytest.raises(lawful.InputError, match=r"watch must be \(X, y\) or \(X, y, contexts\)"):
        learner.fit(X, Y, watch=[X, Y])  # type: ignore[arg-type]


def test_a_run_under_other_contexts_is_another_run(tmp_path: Any) -> None:
    learner = lawful.CoDL(lawful.HMM(), RULES, rounds=1, checkpoint=tmp_path / "run")
    learner.fit(X, Y, unlabelled=X, contexts=CONTEXTS, unlabelled_contexts=CONTEXTS)
    with pytest.raises(lawful.InputError, match="the progress of another run"):
        learner.fit(X, Y, unlabelled=X, contexts=CONTEXTS, unlabelled_contexts=CONTEXTS[::-1])


def test_contexts_reach_rules_that_are_judged_beside_a_model() -> None:
    model = lawful.HMM().fit(X, Y)
    gold = [(tokens, labels, named) for tokens, labels, named in zip(X, Y, CONTEXTS, strict=True)]
    soft = RULES[0].soft(2.0, name="verb")
    assert lawful.lint([soft], gold, model=model)
    for method in ("likelihood", "perceptron", "search"):
        assert lawful.estimate_prices([soft], gold, method=method, tagger=model)["verb"].price != "learn"


def test_a_context_beside_a_sentence_replaces_what_has_the_same_name() -> None:
    sentence = lawful.Sentence(["a"], context={"verb": 0, "page": 7})
    assert read_sequences([sentence], [{"verb": 1}]).contexts == [{"verb": 1, "page": 7}]


@pytest.mark.parametrize(
    ("sequences", "contexts", "message"),
    [
        ([["a"]], {"verb": 0}, "contexts must be a list of mappings, one for each sequence, got {'verb': 0}"),
        ([["a"]], 7, "contexts must be a list of mappings"),
        ([["a"], ["b"]], [{}, 3], "the context of sequence 2 must be a mapping of names to values, got 3"),
        ([["a"]], [{}, {}], "there are 1 token sequences but 2 contexts: there is no sequence 2"),
        (lawful.Sentence(["a"]), None, "expected a list of token sequences, got Sentence"),
    ],
)
def test_contexts_that_do_not_fit_are_refused_by_name(sequences: Any, contexts: Any, message: str) -> None:
    with pytest.raises(lawful.InputError) as caught:
        read_sequences(sequences, contexts)
    assert message in str(caught.value)
