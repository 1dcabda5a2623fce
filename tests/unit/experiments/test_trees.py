"""The experiment on roles over trees, from files to its pages, on a small corpus of the same formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_every_kind_of_run_and_the_pages(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments.shared.experiment import write_pages
    from experiments.shared.journal import Journal
    from experiments.trees.__main__ import PAGES, WORK
    from experiments.trees.comparing import totals
    from experiments.trees.plan import NAMED_PARTS, PARTS, SEARCH, SEEDS, Plan, choosing_runs
    from experiments.trees.systems import SYSTEMS
    from experiments.trees.thematic import KNOWLEDGE

    for module in ("data", "climbing"):
        monkeypatch.setattr(f"experiments.trees.{module}.WORK", corpus / "work")
    monkeypatch.setattr("experiments.trees.climbing.EVERY", 1)  # the corpus is small: all of it
    for parts in (PARTS, NAMED_PARTS):
        for split in parts:
            monkeypatch.setitem(parts, split, 1)
    monkeypatch.setitem(SEARCH, "trials", 3)
    journal = Journal(corpus / "trees.jsonl")
    plan = Plan.chosen_by(journal)
    runs = [plan.filter("dev"), *(plan.system(system) for system in SYSTEMS)]
    runs += [{"run": "coverage", "test": "train"}, plan.themes()]
    runs += [
        plan.coherent(variant, "verbnet", "dev") for variant in ("PropBank", "simple + PropBank + mapped")
    ]
    runs += [plan.coherent("PropBank", "descriptions", "dev"), plan.coherent("simple", "A2 by groups", "dev")]
    runs += [plan.confusion(), {"run": "histories", "train": "train"}, {"run": "speed"}]
    runs += [plan.search(seed) for seed in SEEDS]
    for settings in runs:
        journal.add(settings, WORK[settings["run"]](settings))
    for settings in plan.after_searches(journal):
        journal.add(settings, WORK[settings["run"]](settings))
    assert set(plan.learned(journal)) == {"canonical", *(f"run {seed}" for seed in SEEDS)}
    votes = {asked: journal.result(settings) for asked, settings in plan.voted(journal).items()}
    assert len(votes) == 4
    assert all(("paths" in vote) == (method == "linear") for (method, _), vote in votes.items())
    kept = journal.result(plan.filter("dev"))
    assert kept["found"] == kept["arguments"] == kept["ceiling"][0] == 9 * 3 + 3 * 4
    assert kept["gold broken"]["NO ARGUMENT INSIDE ANOTHER"] == 0
    for system in SYSTEMS:
        found = journal.result(plan.system(system))
        assert found["steps"]["all rules"]["all"][0] > 30, system
    coverage = journal.result({"run": "coverage", "test": "train"})
    assert coverage["verbnet"]["A2"] == {"recipient": 30}
    assert coverage["descriptions"]["A2"] == {"destination": 30}
    themes = journal.result(plan.themes())
    for ways in (themes[knowledge] for knowledge in KNOWLEDGE):
        gold = {way: totals(counts["all"])[2] for way, counts in ways.items()}
        assert (
            gold["predict directly"] == gold["predict and map"]
        )  # the same propositions, the same arguments
    write_pages(journal, plan, choosing_runs(), PAGES, corpus / "results")
    for name, titles in {
        "roles-trees": (
            "Figure 5.1",
            "Figure 5.7",
            "Tables 5.4 and 5.5",
            "Table 6.5",
            "paired bootstrap",
            "Choices",
        ),
        "role-labels": (
            "Tables 3.1 and 3.9",
            "Tables 3.2 and 3.3",
            "Table 3.4",
            "Table 3.7",
            "Tables 3.5 and 3.6",
        ),
    }.items():
        page = (corpus / "results" / f"{name}.md").read_text()
        assert all(title in page for title in titles)
        json.loads((corpus / "results" / f"{name}.json").read_text())
        page = (corpus / "results" / f"{name}.md").read_text()
        assert ("| **missed**" in page) == ("What is missed, and what these runs say about it" in page)


def test_differences_are_paired(corpus: Path) -> None:
    from experiments.trees.comparing import compare, compare_gains, difference, pack, share_alike

    first = pack([[1, 2, 2]] * 30 + [[0, 1, 1]] * 10)
    assert difference(first, first) == "+0.00 (+0.00 to +0.00)"
    better = pack([[2, 2, 2]] * 30 + [[0, 1, 1]] * 10)
    found = compare(first, better)
    assert found.change > 40 and found.low > 0
    assert found.meets(found.low) == "yes" and found.meets(100) == "**missed**"
    assert found.meets(found.change) == "yes; the interval reaches below it"
    assert found.meets(found.high) == "**missed**; the interval reaches it"
    assert share_alike([first, first]) == 1.0 and share_alike([first, better, first]) == 0.25
    of_gains = compare_gains((first, first), (first, better))
    assert of_gains.change == found.change
    assert compare_gains((first, better), (first, better)).change == 0.0


def test_a_genre_is_told_by_the_ids_of_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from experiments.trees import data

    sentences = [
        SimpleNamespace(context={"id": f"{genre}-x.com_1"}) for genre in ("weblog", "email", "weblog")
    ]
    made = [SimpleNamespace(sentence=number) for number in (0, 0, 1, 2)]
    monkeypatch.setattr(data, "read_split", lambda _: iter(sentences))
    whole = data.propositions
    monkeypatch.setattr(
        data, "propositions", lambda split: made if split == "ewt-train" else whole.__wrapped__(split)
    )
    data._genres.cache_clear()
    try:
        assert whole.__wrapped__("ewt-train of weblog") == [made[0], made[1], made[3]]
        assert whole.__wrapped__("ewt-train but weblog") == [made[2]]
        assert whole.__wrapped__("ewt-train of weblog/2") == [made[0], made[3]]
    finally:
        data._genres.cache_clear()


def test_only_linked_propositions_are_learned_from_where_a_mapping_covers_not_all(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from experiments.trees.coherent import COVERED, learned_from, themes
    from experiments.trees.data import propositions

    monkeypatch.setattr("experiments.trees.data.WORK", corpus / "work")
    for cached in (learned_from, themes, propositions):
        cached.cache_clear()
    theme = themes()["verbnet"]
    linked = learned_from("linked train")
    assert len(learned_from("train")) == len(propositions("train")) >= len(linked) > 0
    assert all(theme(one, role.type) for one in linked for role in one.roles if role.type in COVERED)


def test_thematic_roles_are_counted_without_modifiers_and_an_unlinked_number_is_wrong(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from experiments.trees.coherent import learned_from, themes
    from experiments.trees.data import propositions
    from experiments.trees.thematic import count_thematic

    monkeypatch.setattr("experiments.trees.data.WORK", corpus / "work")
    for cached in (learned_from, themes, propositions):
        cached.cache_clear()
    one = learned_from("linked dev")[0]
    names = {role: themes()["verbnet"](one, role) or role for role in one.labels}
    right = [names[role] for role in one.labels]
    core = sum(role.startswith("A") and not role.startswith("AM-") for role in one.labels)
    every = sum(role != "O" for role in one.labels)
    assert count_thematic([one], [right]) == {"thematic": [[core] * 3], "all": [[every] * 3]}
    numbered = list(one.labels)  # what was never mapped
    assert count_thematic([one], [numbered])["thematic"] == [[0, core, core]]
