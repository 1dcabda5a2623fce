"""Examples from a corpus, probabilities, and votes between models, as the page gets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.cli.commands.serve import read_served
from lawful.cli.options.corpus import CorpusOptions
from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.playground.examples import corpus_examples
from lawful.playground.http.help_page import help_page
from lawful.playground.limits import Limits
from lawful.playground.questions import read_decode
from lawful.playground.starter import starter_workbench
from lawful.playground.workbench import Workbench
from lawful.rules.files import parse_rule_file
from lawful.rules.files.rule_tables import KINDS
from lawful.voting import explain_vote

X = [["the", "cat", "ran"], ["dogs", "ran"], ["a", "dog", "and", "a", "cat", "sat"]] * 3
Y = [["I", "I", "O"], ["I", "O"], ["I", "I", "O", "I", "I", "O"]] * 3
RULES = '[[rule]]\nkind = "at_most"\nn = 1\nlabels = "I"\nprice = 1\n'


def ask(bench: Workbench, **body: Any) -> dict[str, Any]:
    return bench.decode(read_decode(body, bench.limits))


def test_examples_have_the_tokens_and_gold_labels_of_the_corpus() -> None:
    limits = Limits(examples=2, tokens=3, token_letters=5)
    given = [
        Sentence(("a", "b", "c", "d"), ("I",) * 4),
        Sentence(()),
        Sentence(("x" * 6,), ("I",)),
        Sentence(("a",)),
        Sentence(("a", "b"), ("I", "O"), context={"text": "ab"}),
        Sentence(("c",)),
    ]
    first, second = corpus_examples(given, limits)
    assert first == {"name": "4: a", "text": "a", "tokens": ["a"]}
    assert second == {"name": "5: ab", "text": "ab", "tokens": ["a", "b"], "gold": ["I", "O"]}


def test_long_names_are_cut() -> None:
    [example] = corpus_examples([Sentence(("word",) * 50)], Limits())
    assert example["name"].endswith("…")
    assert len(example["name"]) < 50


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    lawful.HMM().fit(X, Y).save(folder / "first.lawful")
    lawful.HMM().fit(X[:2], Y[:2]).save(folder / "second.lawful")
    (folder / "rules.toml").write_text(RULES)
    lawful.corpus.write_corpus(
        [Sentence(tuple(x), tuple(y)) for x, y in zip(X, Y, strict=True)], folder / "test.conll"
    )
    return folder


def served(files: Path, models: list[str], corpus: str | None = "test.conll", **given: Any) -> Workbench:
    return read_served(
        [str(files / model) for model in models],
        given.get("weights"),
        str(files / "rules.toml"),
        None,
        Limits(),
        corpus=None if corpus is None else str(files / corpus),
        options=CorpusOptions(),
    )()


def test_serve_reads_examples_and_lets_models_vote(files: Path) -> None:
    bench = served(files, ["first.lawful", "second.lawful"], weights="3,1")
    assert len(bench.examples) == 9
    assert bench.examples[0]["gold"] == ["I", "I", "O"]
    assert bench.examples[0]["location"].endswith("test.conll, line 1")
    assert bench.model == "a vote of 2 models: first.lawful, second.lawful"
    assert ask(bench, tokens=X[0])["vote"] is None  # only with reasons
    vote = ask(bench, tokens=X[0], explain=True)["vote"]
    assert [tagger["name"] for tagger in vote["taggers"]] == ["first", "second"]
    assert [tagger["weight"] for tagger in vote["taggers"]] == [0.75, 0.25]


def test_a_vote_is_that_of_the_ensemble_itself(files: Path) -> None:
    bench = served(files, ["first.lawful", "second.lawful"])
    models = [lawful.load_model(files / f"{name}.lawful") for name in ("first", "second")]
    ensemble = lawful.Ensemble(models, names=["first", "second"])
    [vote] = ensemble.votes([X[2]], parse_rule_file(RULES).rules)
    wanted = explain_vote(vote).to_dict()
    answer = ask(bench, tokens=X[2], explain=True)
    assert answer["labels"] == wanted["labels"]
    assert answer["vote"] == {key: wanted[key] for key in ("headline", "winners", "disputed", "taggers")}


def test_one_model_has_no_vote(files: Path) -> None:
    assert ask(served(files, ["first.lawful"], None), tokens=X[0], explain=True)["vote"] is None


def test_weights_and_stdin_are_checked(files: Path) -> None:
    with pytest.raises(InputError, match="--weights has 2 numbers, but there are 1 taggers"):
        served(files, ["first.lawful"], weights="1,2")
    with pytest.raises(InputError, match="--weights are for a vote"):
        served(files, ["first.lawful"], weights="1")
    with pytest.raises(InputError, match="not from stdin"):
        read_served([], None, None, None, Limits(), corpus="-", options=CorpusOptions())
    (files / "empty.conll").write_text("\n")
    with pytest.raises(InputError, match="has no sequences"):
        served(files, ["first.lawful"], "empty.conll")


def test_probabilities_are_the_marginals() -> None:
    bench = starter_workbench()
    tokens = ["Lee", ",", "A", ".", "(", "1999", ")"]
    answer = ask(bench, tokens=tokens, probabilities=True)
    assert ask(bench, tokens=tokens)["probabilities"] is None
    lattice = bench.tagger.lattice(tokens)
    tables = {"plain": lawful.marginals(lattice), "ruled": lawful.marginals(lattice, bench.sets.served.rules)}
    for name, marginals in tables.items():
        told = answer["probabilities"][name]
        assert len(told) == len(tokens)
        for row, chances in zip(marginals.labels, told, strict=True):
            best = dict(zip(lattice.labels, row.tolist(), strict=True))
            assert [chance for _, chance in chances] == sorted((c for _, c in chances), reverse=True)
            assert dict(chances) == pytest.approx({label: best[label] for label, _ in chances}, abs=1e-4)
            assert chances[0][1] == pytest.approx(np.max(row), abs=1e-4)


def test_rules_that_contradict_each_other_have_no_probabilities() -> None:
    bench = starter_workbench()
    text = '[[rule]]\nkind = "forbid"\nlabels = "author"\n[[rule]]\nkind = "starts_with"\nlabels = "author"\n'
    answer = ask(bench, tokens=["Lee"], rules=text, probabilities=True)
    assert answer["probabilities"]["ruled"] is None
    assert answer["probabilities"]["plain"]


def test_a_rule_without_a_name_is_called_by_its_meaning(files: Path) -> None:
    [rule] = served(files, ["first.lawful"], None).served["rules"]
    assert (rule["title"], rule["more"]) == ("At most one token is labelled I.", rule["name"])


def test_the_help_has_every_kind_of_rule() -> None:
    page = help_page()
    for kind in KINDS:
        assert f"<code>{kind.name}</code>" in page
        for key in kind.keys:
            assert f"<code>{key.name}</code>" in page
