"""The experiment on output encodings, from files to its page, on small corpora of the same formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
CHUNK = (("the", "DT", "I"), ("big", "JJ", "I"), ("dog", "NN", "I"))
NAME = (("Ann", "NNP", "I"), ("and", "CC", "I"), ("Bob", "NNP", "I"))
VERB, LATER = (("saw", "VBD", "O"),), (("yesterday", "NN", "B"),)


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(0)

    def write(name: str, count: int, text: Any) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n\n".join(text() for _ in range(count)) + "\n\n")

    def chunks() -> str:
        first, second = (CHUNK, NAME)[rng.integers(2)], (CHUNK, NAME)[rng.integers(2)]
        rows = [*first, *VERB, *second[rng.integers(2) :], *(LATER if rng.random() < 0.4 else ())]
        return "\n".join(" ".join(row) for row in rows)

    def entities() -> str:
        rows = [("the", "O"), ("IL-2", "B-DNA"), ("gene", "I-DNA"), ("of", "O"), ("NF", "B-protein")]
        return "\n".join("\t".join(row) for row in rows[rng.integers(2) : 3 + rng.integers(3)])

    def parts_of_speech() -> str:
        rows = [("the", "DT"), ("dog", "NN"), ("saw", "VBD"), ("dogs", "NNS")][rng.integers(3) :]
        lines = [f"{n}\t{word}\t_\t_\t{tag}\t_\t0\t_\t_\t_" for n, (word, tag) in enumerate(rows, 1)]
        return "\n".join(lines)

    for split, count in (("train", 40), ("test", 10)):
        write(f"rm95_basenp/{split}.dat", count, chunks)
    for name, count in (("train", 30), ("devel", 10), ("Genia4EReval1", 8)):
        write(f"jnlpba/{name}.iob2", count, entities)
    for split, count in (("train", 30), ("dev", 8), ("test", 8)):
        write(f"ud_english_ewt/en_ewt-ud-{split}.conllu", count, parts_of_speech)
    monkeypatch.setenv("LAWFUL_DATA", str(tmp_path))
    monkeypatch.syspath_prepend(str(ROOT))
    from experiments.encodings import data, searches

    for cached in (data.part, data.start, data.second_order, data.move_attributes, data.hmm_part):
        cached.cache_clear()
    monkeypatch.setattr(searches, "JOURNALS", tmp_path / "journals")
    return tmp_path


def test_every_run_and_the_page(corpora: Path) -> None:
    from experiments.encodings.__main__ import chosen, finals, work
    from experiments.encodings.page import make_page
    from experiments.encodings.plan import (
        HAND_WAYS,
        HMMS,
        SMOOTHING,
        STEPS,
        TASKS,
        WAYS,
        crf_search,
        learned_scores,
        searches,
        smoothing_run,
        step_costs,
    )
    from experiments.encodings.plots import best_so_far
    from experiments.shared.journal import Journal

    times = 0.1
    journal = Journal(corpora / "encodings.jsonl")
    # The hand-crafted encoding and the cost of steps need no search.
    assert len(finals(journal, times)) == len(HAND_WAYS) + sum(not late for _, late in STEPS)
    for features in SMOOTHING:
        journal.add(smoothing_run(features), work(smoothing_run(features)))
    for settings in searches(journal.find, times):
        journal.add(settings, work(settings))
        found = journal.result(settings)
        assert len(found["history"]) == settings["trials"]
        (*_, last) = found["best"].values()
        assert last["held"] == best_so_far(found["history"])[-1]
    for settings in chosen(journal, times):
        journal.add(settings, work(settings))
    runs = finals(journal, times)
    assert len(runs) == sum(len(WAYS[task]) for task in TASKS) + len(HMMS) + len(HAND_WAYS) + len(STEPS)
    for settings in runs:
        journal.add(settings, work(settings))
    again = work(crf_search("np", times=times))
    assert again == journal.result(crf_search("np", times=times))  # from the search's own journal
    codes = learned_scores("np", "codes", journal.find, times)
    assert codes is not None and journal.result(codes)["canonical"]["test"]["score"] > 50
    assert "p" in journal.result(codes)["learned"]["test"]
    steps = journal.result(step_costs("np", journal.find, times))["steps"]
    assert max(step["tags"] for step in steps) > 3 and sum(step["bits"] for step in steps) > 0
    page = make_page(journal.find, times)
    for title in ("4.1 and 4.2", "Table 4.3", "Table 4.4", "Table 4.5", "4.6 to 4.8", "What was gained"):
        assert title in page
    json.dumps(journal.done)


def test_hand_crafted_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from experiments.encodings.hand_crafted import hand_crafted, plain_labels

    rows = [{"pos": tag} for tag in ("CD", "NN", "CD", "VBD", "NNP", "CC", "NNP", "DT", "NN")]
    labels = list("IIBOIIIBI")
    tags = hand_crafted(rows, labels)
    assert tags == ["I.3", "I.3", "B.2", "O", "I.1", "I.1", "I.1", "B.3", "I.3"]
    assert plain_labels(tags) == labels
