"""The page on chapter 3, table by table, with the thesis's numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from experiments.shared.journal import Journal
from experiments.shared.pages import table
from experiments.trees import paper
from experiments.trees.coherent import COVERED, ITERATIONS, VARIANTS
from experiments.trees.comparing import CORPORA, compare, difference, f1, precision_recall
from experiments.trees.plan import Plan
from experiments.trees.thematic import KNOWLEDGE

__all__ = ["labels_page"]

NOT_RUN = "not run"
ALL = "simple + PropBank + mapped"


def labels_page(journal: Journal, plan: Plan) -> str:
    """Chapter 3, as Markdown; what has not been run is left out."""
    sections = [
        HEADING,
        _targets(journal, plan),
        _coverage(journal),
        _split(journal, plan),
        _confusion(journal, plan),
    ]
    sections += [
        _coherent(journal, plan, "verbnet", "train", ("dev", "brown")),
        _coherent(journal, plan, "verbnet", "ewt-train", ("ewt-test",)),
        _themes(journal, plan),
        _coherent(journal, plan, "descriptions", "train", ("dev", "brown")),
    ]
    sections.append(f"## What is not here\n\n{paper.LABELS_NOT_HERE}")
    return "\n\n".join(section for section in sections if section) + "\n"


def _targets(journal: Journal, plan: Plan) -> str:
    rows = []
    for said, least, outcome in _outcomes(journal, plan):
        if outcome is None:
            rows.append([said, NOT_RUN, ""])
            continue
        change = outcome if isinstance(outcome, float) else outcome.change
        shown = f"{outcome:+.2f}" if isinstance(outcome, float) else str(outcome)
        rows.append([said, shown, "yes" if change >= least else "**no**"])
    return (
        "## Targets\n\nDifferences of F1, with 95 % of what paired resampling of propositions gives; a target counts as met if the difference itself reaches it.\n\n"
        + table(["target", "measured", "met"], rows)
    )


def _outcomes(journal: Journal, plan: Plan) -> Iterator[tuple[str, float, Any]]:
    def run(variant: str, test: str, mapping: str = "verbnet") -> Mapping[str, Any] | None:
        return journal.find(plan.coherent(variant, mapping, test))

    def between(first: str, second: str, test: str = "dev") -> Any:
        one, other = run(first, test), run(second, test)
        return None if one is None or other is None else compare(one["answers"], other["answers"])

    yield "simple < PropBank", 0.01, between("simple", "PropBank")
    yield "PropBank < all groups", 0.01, between("PropBank", ALL)
    gains = {}
    for test in ("dev", "brown"):
        whole, divided = run("PropBank", test), run("simple", test, "A2 by groups")
        if whole is not None and divided is not None:
            gains[test] = f1(divided["roles"]["A2"]) - f1(whole["roles"]["A2"])
    yield "F1 of A2 >= + 1 when it is divided by groups (section 20)", 1.0, gains.get("dev")
    themes = journal.find(plan.themes())
    direct = None
    if themes is not None:
        ways = themes[KNOWLEDGE[0]]
        direct = compare(*(ways[way]["thematic"] for way in ("predict and map", "predict directly")))
    yield "predict directly >= predict and map + 1 (gold sense maps, as in the thesis)", 1.0, direct
    home, away = between("PropBank", ALL), between("PropBank", ALL, "brown")
    apart = None if home is None or away is None else away.change - home.change
    yield "the gain of all groups on Brown >= the gain at home (difference of the gains)", 0.0, apart
    split = gains["brown"] - gains["dev"] if len(gains) == 2 else None
    yield "the gain of A2 on Brown >= its gain at home (difference of the gains)", 0.0, split


def _confusion(journal: Journal, plan: Plan) -> str | None:
    run = journal.find(plan.confusion())
    if run is None:
        return None
    kinds = ("A0", "A1", "A2", "A3", "A4", "A5", "AM", "O")
    rows = [
        [kind, *(str(run["confused"].get(f"{kind} {other}", "") or "") for other in kinds)]
        for kind in kinds
        if any(run["confused"].get(f"{kind} {other}") for other in kinds)
    ]
    return (
        f"## What dividing A2 mends (Table 3.4)\n\nThe {run['mended']:,} arguments of section 20 that the model with divided A2 labels right and the whole one does not, by the right role (rows) and what the whole one says (columns); it mends {run['mended']:,} and "
        f"spoils {run['spoiled']:,}. The thesis: 1,539 mended, of which the whole model had called 716 A1s and 482 modifiers A2.\n\n"
        + table(["", *kinds], rows)
    )


def _coverage(journal: Journal) -> str | None:
    run = journal.find({"run": "coverage", "test": "train"})
    if run is None:
        return None
    rows = []
    for role in COVERED:
        counts = run["verbnet"][role]
        total = sum(counts.values())
        if total:
            common = sorted(
                ((count, name) for name, count in counts.items() if name),
                key=lambda pair: (-pair[0], pair[1]),
            )
            linked = total - counts.get("", 0)
            said = ", ".join(f"{name} {100 * count / max(1, linked):.0f} %" for count, name in common[:6])
            rows.append([role, f"{total:,}", f"{100 * linked / total:.1f} %", said])
    late = [run["descriptions"][role] for role in COVERED[2:]]
    total = sum(sum(counts.values()) for counts in late)
    matched = total - sum(counts.get("", 0) for counts in late)
    in_lexicon, lexicon = run["lexicon"]
    return (
        "## Coverage (Tables 3.1 and 3.9)\n\nSections 15 to 18; the share of arguments whose sense has a link to VerbNet, and what they link to most.\n\n"
        + table(["", "arguments", "linked", "thematic roles"], rows)
        + f"\n\nThe patterns over descriptions match {100 * matched / max(1, total):.1f} % of the A2 to A5 of the corpus (thesis {paper.COVERAGE[0]:.1f} %) and "
        f"{100 * in_lexicon / max(1, lexicon):.1f} % of those of the frame files (thesis {paper.COVERAGE[1]:.1f} %)."
    )


def _split(journal: Journal, plan: Plan) -> str | None:
    rows = []
    for role in ("A1", "A2"):
        for test in ("dev", "brown"):
            whole = journal.find(plan.coherent("PropBank", "verbnet", test))
            divided = journal.find(plan.coherent("simple", f"{role} by groups", test))
            if whole is not None and divided is not None:
                before, after = (f1(run["roles"].get(role, [0, 0, 0])) for run in (whole, divided))
                theirs = paper.SPLIT[role][test]
                rows.append(
                    [
                        f"{role}, {CORPORA['train', test]}",
                        f"{before:.2f}",
                        f"{after:.2f}",
                        f"{after - before:+.2f}",
                        f"{theirs[0]:.2f} -> {theirs[1]:.2f}",
                    ]
                )
    if not rows:
        return None
    return (
        "## One role divided by groups of thematic roles (Tables 3.2 and 3.3)\n\nF1 of that role; the divided labels count as the role itself.\n\n"
        + table(["", "whole", "divided", "change", "thesis"], rows)
    )


def _coherent(journal: Journal, plan: Plan, mapping: str, train: str, tests: Sequence[str]) -> str | None:
    rows = []
    for number, variant in enumerate(VARIANTS):
        cells: list[str] = []
        for test in tests:
            run = journal.find(plan.coherent(variant, mapping, test, train))
            base = journal.find(plan.coherent("PropBank", mapping, test, train))
            if run is None or base is None:
                cells += [NOT_RUN, "", "", ""]
                continue
            theirs = ""
            if mapping == "descriptions":
                theirs = f"{paper.DESCRIBED[number]:.1f}" if test == "dev" else ""
            elif test in paper.COHERENT:
                theirs = f"{paper.COHERENT[test][number]:.1f}"
            change = "" if variant == "PropBank" else difference(base["answers"], run["answers"])
            cells += [precision_recall(run["all"]), f"{f1(run['all']):.2f}", change, theirs]
        rows.append([variant, *cells])
    title = {
        "verbnet": "Labels divided by VerbNet's roles (Tables 3.5 and 3.6)",
        "descriptions": "Labels divided by descriptions (Table 3.10; Table 3.11 is Table 3.6 printed again)",
    }[mapping]
    head = [""]
    for test in tests:
        head += [f"{CORPORA[train, test]}: P / R", "F1", "change", "thesis"]
    return (
        f"## {title}{', English Web Treebank' if train != 'train' else ''}\n\nF1 of all arguments with their numbered roles: probabilities are summed over the divisions (Eq. 3.3). PropBank has only the features of numbered "
        "roles, which is the model of undivided labels.\n\n" + table(head, rows)
    )


def _themes(journal: Journal, plan: Plan) -> str | None:
    rows, said = [], []
    for train, test in (("train", "dev"), ("ewt-train", "ewt-test")):
        run = journal.find(plan.themes(train, test))
        if run is None:
            continue
        said.append(
            f"{CORPORA[train, test]}: {run['propositions']:,} of {run['of']:,} test propositions, {run['training']:,} to learn from; "
            f"the commonest sense is right for {100 * run['guessed'] / max(1, run['propositions']):.1f} %."
        )
        for knowledge in KNOWLEDGE:
            for kind in ("thematic", "all"):
                one, other = (run[knowledge][way][kind] for way in ("predict and map", "predict directly"))
                counts = [np.sum(rows, axis=0).tolist() for rows in (one, other)]
                theirs = "{predict and map:.2f} -> {predict directly:.2f}".format(**paper.THEMES)
                rows.append(
                    [
                        f"{CORPORA[train, test]}, {knowledge}, {kind} roles",
                        *(f"{precision_recall(some)} / {f1(some):.2f}" for some in counts),
                        difference(one, other),
                        theirs if test == "dev" and (knowledge, kind) == (KNOWLEDGE[0], "thematic") else "",
                    ]
                )
    if not rows:
        return None
    return f"{THEMES_HEADING}\n\n{' '.join(said)}\n\n" + table(
        ["", "map: P / R / F1", "directly: P / R / F1", "change of F1", "thesis"], rows
    )


THEMES_HEADING = """## Thematic roles: predict and map, or predict directly (Table 3.7)

Both ways use one model (simple + PropBank + mapped) and the arguments that it was given; as in the thesis it learns from, and is tested on, propositions whose numbered roles all have a link. "Gold sense maps" is the thesis's comparison: the mapping is looked up by the gold
sense, so that a right number is always a right thematic role, and numbers are predicted among six; the direct way has to know the verb's roles from training data. "No gold sense" maps by the sense that the verb has most often in the training data (or
its first frame), which is what can be done with new text. "Gold sense for both" lets each way choose only among roles that the gold sense links, and modifiers. "Thematic roles" leaves modifiers out of the count, "all roles" keeps them."""


HEADING = f"""# Coherent role labels

`make experiments-trees` writes this page and `role-labels.json`, after chapter 3 of Loper (2008). Arguments are found by one maximum entropy model, which all systems share, and named by others, whose labels are numbered roles
divided by thematic ones (`lawful.tasks.srl.thematic`): VerbNet's, by the links of PropBank's frame files and the gold sense of the training data, or by patterns over the descriptions in those files. Training data are sections 15 to 18 of
the Wall Street Journal with Charniak's parses (every fourth proposition; of the English Web Treebank every eighth), test data section 20, and Brown as another genre. At most {ITERATIONS} iterations of L-BFGS. As in the thesis, systems
with VerbNet's roles (and the baseline beside them) learn only from propositions whose numbered roles all have a link."""
