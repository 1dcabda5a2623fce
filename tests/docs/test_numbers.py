"""The numbers of the README and of docs/which-rules.md are those of docs/results: each phrase with a number is built here from the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# What the pages copy stands under these headings: numbers elsewhere are arguments of rules, or made by the page's own code.
EVIDENCE = {
    DOCS / "which-rules.md": re.compile(r"## What the measurements say\n(.*?)\n## ", re.DOTALL),
    ROOT / "README.md": re.compile(r"## Does it help\?\n(.*?)\n## ", re.DOTALL),
}


def results(name: str) -> Any:
    return json.loads((DOCS / "results" / f"{name}.json").read_text(encoding="utf-8"))


def evidence(page: Path) -> str:
    found = EVIDENCE[page].search(page.read_text(encoding="utf-8"))
    assert found is not None
    return " ".join(found[1].split())


def f1(counts: Sequence[int]) -> float:
    """In per cent, from how many are right, predicted and gold."""
    right, predicted, gold = counts
    return 200 * right / (predicted + gold)


def citations() -> dict[tuple[str, int], float]:
    """Test accuracy of the HMM by rules and the number of labelled references, over the draws."""
    runs: dict[tuple[str, int], list[float]] = {}
    for run in results("citations")["runs"]:
        settings = {key: value for key, value in run["settings"].items() if key != "draw"}
        rules, size = settings.pop("rules", "none"), settings.pop("size")
        if settings == {"judge": "test", "system": "hmm"}:
            runs.setdefault((rules, size), []).append(run["result"]["test"])
    return {key: mean(found) for key, found in runs.items()}


def roles(learner: str) -> list[float]:
    """F1 of the roles that a learner finds, as rules are added one by one."""
    wanted = {
        "run": "table",
        "learner": learner,
        "features": "paper",
        "chunks": "gold",
        "train": "train",
        "test": "dev",
    }
    [run] = [one for one in results("srl")["runs"] if wanted.items() <= one["settings"].items()]
    return [f1(step["all"]) for step in run["result"]["steps"].values()]


def seminars(what: str) -> tuple[list[float], float]:
    """What each way to price all rules adds to the F1 of a CRF from 25 announcements, and what the rules that pay add."""
    runs = [
        one for one in results("seminars") if {"model": "CRF", "size": 25}.items() <= one["settings"].items()
    ]
    tests = [one["result"]["test"] for one in runs if "choose" not in one["settings"]]

    def average(tested: list[Any]) -> float:
        return mean(f1([sum(column) for column in zip(*one[what].values(), strict=True)]) for one in tested)

    compared, chosen = [one for one in tests if "none" in one], [one for one in tests if "none" not in one]
    none = average([one["none"] for one in compared])
    priced = [way for way in compared[0] if way not in ("none", "tags")]
    return [average([one[way] for one in compared]) - none for way in priced], average(chosen) - none


def phrases_of_which_rules() -> Iterator[str]:
    hmm = citations()
    none, hard, soft = hmm["none", 5], hmm["hard", 5], hmm["soft", 5]
    yield f"{none:.1f} to {hmm['Punctuation', 5]:.1f} % of tokens by itself"
    yield f"little there alone ({hmm['AppearsOnce', 5]:.1f})"
    alone = [hmm[rule, 5] - none for rule in ("Title", "Editors", "Date", "Pages")]
    yield f"{min(alone):+.1f} to {max(alone):+.1f} each, by itself"
    yield f"{hmm['Start', 5] - none:+.1f} by itself"
    yield f"{none:.1f} to {hard:.1f}, more than the sum of their parts"
    yield f"gains {hard - none:.0f} points from 5 references on and {hmm['soft', 300] - hmm['none', 300]:.1f} from 300"
    yield f"hard rules win ({hard:.1f} against {soft:.1f})"
    yield f"from 300 soft ones do ({hmm['soft', 300]:.1f} against {hmm['hard', 300]:.1f})"

    basic, once, candidates, one, verb, *_ = roles("VP")
    yield f"with roles much: F1 {basic:.1f} to {once:.1f}"
    yield f"F1 {once:.1f} to {candidates:.1f} on top of it"
    yield f"nothing to speak of: {candidates:.1f} before and after"
    assert f"{candidates:.1f}" == f"{one:.1f}" == f"{verb:.1f}"

    (all_fields, fields), (gained, mentions) = seminars("fields"), seminars("mentions")
    lost = [-added for added in all_fields]
    yield f"with 25 announcements all rules take {min(lost):.1f} to {max(lost):.1f} F1 of fields *away* from it"
    yield f"and give {min(gained):.1f} to {max(gained):.1f} of mentions"
    yield f"that pay in held-out folds give {fields:.1f} of both"
    assert f"{fields:.1f}" == f"{mentions:.1f}"

    wanted = {"corpus": "seminars", "sequences": None, "model": "auto"}
    [mined] = [one["result"] for one in results("mined-rules") if wanted.items() <= one["settings"].items()]
    plain, odds, beside = (mined[rules]["f1"] for rules in ("none", "log odds", "beside"))
    yield f"took {plain - odds:.1f} F1 from it so, and gave {beside - plain:.1f} when fitted beside it"


def phrases_of_the_readme() -> Iterator[str]:
    for learner, name in (("VP", "voted perceptron"), ("CRF-D", "CRF")):
        basic, *_, ruled, _ = roles(learner)  # the last step takes the place of the one before
        yield f"{name} | {basic:.1f} F1 | {ruled:.1f} F1"
    hmm = citations()
    for size, ruled in ((5, "hard"), (300, "soft")):
        yield f"HMM from {size} labelled | {hmm['none', size]:.1f} % | {hmm[ruled, size]:.1f} %"
    shipped = results("addresses")["shipped"]["unparseable.csv"]
    yield f"{shipped['package_raises']} of {shipped['addresses']:,} give an error | {shipped['lawful_raises']}"
    added, chosen = seminars("fields")
    yield f"take {-max(added):.1f} to {-min(added):.1f} F1 of fields away from it"
    yield f"those that `choose_rules` leaves give {chosen:.1f}"


PHRASES = {
    DOCS / "which-rules.md": phrases_of_which_rules,
    ROOT / "README.md": phrases_of_the_readme,
}


@pytest.mark.parametrize("page", PHRASES, ids=lambda page: page.name)
def test_each_number_is_that_of_the_results(page: Path) -> None:
    told = evidence(page)
    assert [phrase for phrase in PHRASES[page]() if phrase not in told] == []


@pytest.mark.parametrize("page", PHRASES, ids=lambda page: page.name)
def test_no_number_is_left_unchecked(page: Path) -> None:
    left = evidence(page)
    for phrase in PHRASES[page]():
        left = left.replace(phrase, "")
    assert re.findall(r"\d+\.\d+", left) == [], "say in its phrases where these come from"


def test_what_the_readme_says_of_speed() -> None:
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert (
        "under 29 hard rules cost about one and a half plain Viterbi passes, a thousand times less than OpenFst needs"
        in told
    )
    targets = {one["target"]: one["measured"] for one in results("decode")["targets"]}
    assert 1.25 < float(targets["B: at most 1.6 plain Viterbi passes"]) < 1.75
    peer = targets["B: at least 100 times faster than the fastest peer"]
    assert peer.endswith("(OpenFst, relaxation)") and float(peer.split()[0].replace(",", "")) > 900


def test_the_rules_together_do_more_than_the_sum_of_their_parts() -> None:
    hmm = citations()
    kinds = {rules for rules, size in hmm if size == 5} - {"none", "hard", "soft", "soft Punctuation"}
    assert len(kinds) == 12
    assert hmm["hard", 5] - hmm["none", 5] > sum(hmm[rules, 5] - hmm["none", 5] for rules in kinds)
