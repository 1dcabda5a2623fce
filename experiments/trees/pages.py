"""The pages of the experiments, table by table, with the thesis's numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.shared.journal import Journal
from experiments.shared.pages import table
from experiments.trees import paper
from experiments.trees.coherent import COVERED, VARIANTS
from experiments.trees.plan import Plan, choosing_runs
from experiments.trees.scoring import STEPS
from experiments.trees.systems import SYSTEMS

__all__ = ["difference", "labels_page", "trees_page"]

CORPORA = {
    ("train", "dev"): "WSJ 15-18 / 20, automatic parses",
    ("train", "brown"): "WSJ 15-18 / Brown, automatic parses",
    ("ewt-train", "ewt-test"): "English Web Treebank, gold trees, verbs",
    ("ewt-train", "ewt-test-others"): "the same model on predicates that are no verbs",
}
ROUNDS = 2000


def f1(counts: Sequence[int]) -> float:
    """F1 in per cent of (correct, predicted, gold)."""
    correct, predicted, gold = counts
    return 200 * correct / (predicted + gold) if predicted + gold else 0.0


def difference(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> str:
    """How much better the second of two outputs is: F1, and 95 % of what paired resampling of propositions gives."""
    one, other = np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)
    random = np.random.default_rng(0)
    drawn = []
    for _ in range(ROUNDS):
        times = random.multinomial(len(one), np.full(len(one), 1 / len(one)))
        drawn.append(f1((times @ other).tolist()) - f1((times @ one).tolist()))
    low, high = np.percentile(drawn, [2.5, 97.5])
    change = f1(other.sum(axis=0).tolist()) - f1(one.sum(axis=0).tolist())
    return f"{change:+.2f} ({low:+.2f} to {high:+.2f})"


def trees_page(journal: Journal, plan: Plan) -> str:
    """Chapter 5, as Markdown; what has not been run is left out."""
    sections = [TREES_HEADING, _filter(journal, plan)]
    sections += [_systems(journal, plan, *where) for where in CORPORA]
    sections += [_chosen(journal, plan), f"## What is not here\n\n{paper.NOT_RUN}"]
    return "\n\n".join(section for section in sections if section) + "\n"


def _filter(journal: Journal, plan: Plan) -> str | None:
    rows = []
    for (_, test), name in CORPORA.items():
        run = journal.find(plan.filter(test))
        if run is not None:
            share = 100 * run["found"] / run["arguments"]
            broken = ", ".join(f"{name} {count}" for name, count in run["gold broken"].items() if count)
            rows.append(
                [
                    name,
                    f"{run['propositions']:,}",
                    f"{run['arguments']:,}",
                    f"{share:.2f} %",
                    f"{run['constituents']:.1f}",
                    f"{f1(run['ceiling']):.2f}",
                    broken or "none",
                ]
            )
    head = [
        "", "propositions", "arguments", "of them among the constituents", "constituents a proposition", "F1 of gold labels",
        "gold propositions that break a rule",
    ]  # fmt: skip
    return "## The argument filter (Figure 5.1)\n\n" + table(head, rows) if rows else None


def _systems(journal: Journal, plan: Plan, train: str, test: str) -> str | None:
    found = {
        system: run
        for system in SYSTEMS
        if (run := journal.find(plan.system(system, train, test))) is not None
    }
    if not found:
        return None
    rows = []
    for system, run in found.items():
        theirs = paper.SYSTEMS[system]
        steps = run["steps"]
        rows.append(
            [
                system,
                *(f"{f1(steps[step]['all']):.2f}" for step in STEPS),
                f"{f1(steps['no rules']['core']):.2f} / {f1(steps['all rules']['core']):.2f}",
                difference(run["answers"]["no rules"], run["answers"]["all rules"]),
                f"{steps['all rules']['ms']:.2f}",
                "" if theirs is None or test != "dev" else f"{theirs:.1f}",
            ]
        )
    head = ["", *STEPS, "core, without / with all", "gain of all rules (95 %)", "ms a proposition", "thesis"]
    text = f"## {CORPORA[train, test]}\n\n" + table(head, rows)
    pairs = [
        ("joint, simple features", "separate", "no rules", "no rules"),
        ("separate", "joint, complex features", "no rules", "no rules"),
        ("joint, complex features", "chain", "no rules", "no rules"),
        ("chain, perceptron", "histories, perceptron", "no rules", "no rules"),
        ("chain, perceptron", "chain, perceptron", "no rules", "all rules"),
        ("histories, perceptron", "histories, perceptron", "no rules", "all rules"),
        ("chain, perceptron", "histories, perceptron", "all rules", "all rules"),
    ]
    compared = [
        [
            f"{first}, {before}",
            f"{second}, {after}",
            difference(found[first]["answers"][before], found[second]["answers"][after]),
        ]
        for first, second, before, after in pairs
        if first in found and second in found
    ]
    if compared:
        text += "\n\nSide by side, over the same propositions (paired bootstrap):\n\n" + table(
            ["from", "to", "change of F1 (95 %)"], compared
        )
    return text


def _chosen(journal: Journal, plan: Plan) -> str:
    rows = []
    for settings in choosing_runs():
        run, options = journal.find(settings), settings["options"]
        mark = " (chosen)" if options == plan.chosen[settings["system"]] else ""
        said = ", ".join(f"{key} {value:g}" for key, value in options.items()) + mark
        value = "not run" if run is None else f"{f1(run['steps']['no rules']['all']):.2f}"
        rows.append([settings["system"], said, value])
    return (
        "## Choices\n\nMade on every tenth sentence of sections 15 to 18, which the learner did not see, by F1 without rules; all systems of a learner (L-BFGS, perceptron) take the "
        "same. If none was run, the first was taken.\n\n" + table(["", "settings", "F1"], rows)
    )


def labels_page(journal: Journal, plan: Plan) -> str:
    """Chapter 3, as Markdown; what has not been run is left out."""
    sections = [LABELS_HEADING, _coverage(journal), _split(journal, plan)]
    sections += [
        _coherent(journal, plan, "verbnet", "train", ("dev", "brown")),
        _coherent(journal, plan, "verbnet", "ewt-train", ("ewt-test",)),
        _themes(journal, plan),
        _coherent(journal, plan, "descriptions", "train", ("dev", "brown")),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


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
                cells += ["", "", ""]
                continue
            theirs = ""
            if mapping == "descriptions":
                theirs = f"{paper.DESCRIBED[number]:.1f}" if test == "dev" else ""
            elif test in paper.COHERENT:
                theirs = f"{paper.COHERENT[test][number]:.1f}"
            change = "" if variant == "PropBank" else difference(base["answers"], run["answers"])
            cells += [f"{f1(run['all']):.2f}", change, theirs]
        if any(cells):
            rows.append([variant, *cells])
    if not rows:
        return None
    title = {
        "verbnet": "Labels divided by VerbNet's roles (Tables 3.5 and 3.6)",
        "descriptions": "Labels divided by descriptions (Table 3.10; Table 3.11 is Table 3.6 printed again)",
    }[mapping]
    head = [""]
    for test in tests:
        head += [CORPORA[train, test], "change", "thesis"]
    return (
        f"## {title}{', English Web Treebank' if train != 'train' else ''}\n\nF1 of all arguments with their numbered roles: probabilities are summed over the divisions (Eq. 3.3). PropBank has only the features of numbered "
        "roles, which is the model of undivided labels.\n\n" + table(head, rows)
    )


def _themes(journal: Journal, plan: Plan) -> str | None:
    rows = []
    for train, test in (("train", "dev"), ("ewt-train", "ewt-test")):
        run = journal.find(plan.themes(train, test))
        if run is not None:
            one, other = run["predict and map"], run["predict directly"]
            theirs = "{predict and map:.2f} -> {predict directly:.2f}".format(**paper.THEMES)
            rows.append(
                [
                    CORPORA[train, test],
                    f"{f1(one['all']):.2f}",
                    f"{f1(other['all']):.2f}",
                    difference(one["answers"], other["answers"]),
                    theirs if test == "dev" else "",
                ]
            )
    if not rows:
        return None
    return (
        "## Thematic roles: predict and map, or predict directly (Table 3.7)\n\nF1 of thematic roles (of the numbered role where a sense has no link), both from the same model: numbered roles mapped by the gold sense, or sums over thematic ones.\n\n"
        + table(["", "map", "directly", "change", "thesis"], rows)
    )


TREES_HEADING = """# Roles over trees: joint models, histories, rules

`make experiments-trees` writes this page and `roles-trees.json`, after chapter 5 of Loper (2008). A sequence is a proposition over the constituents that the thesis's
argument filter leaves (`lawful.tasks.srl.constituents`); labels are A0 to A5, 13 kinds of modifiers, and O. F1 is over exact spans of words with their roles. The thesis trained on WSJ 02-21 and tested on 23,
with Bikel's parser; here are sections 15 to 18 and 20 with Charniak's parses, so what can be compared are differences and orders. Features are those of Figures 5.3 and 5.4, with lower-cased words for
stems and no gold senses. "Separate" finds arguments with one maximum entropy model and names them with another; "joint" models do both at once, with each feature for each label (simple) or features
for finding and for naming apart (complex: Eq. 5.4 to 5.6); chains have transitions between neighbouring constituents; histories are the 20 most frequent ones (Eq. 5.9 to 5.11), learned by the averaged
perceptron because a likelihood over some 400 tags takes hours, beside a chain learned in the same way. Rules (`load_rules("srl/constituents")`) are exact: no role twice, no argument inside another, and only roles of the predicate's frames."""

LABELS_HEADING = """# Coherent role labels

`make experiments-trees` writes this page and `role-labels.json`, after chapter 3 of Loper (2008). Arguments are found by one maximum entropy model, which all systems share, and named by others, whose labels are numbered roles
divided by thematic ones (`lawful.tasks.srl.thematic`): VerbNet's, by the links of PropBank's frame files and the gold sense of the training data, or by patterns over the descriptions in those files. Training data are sections 15 to 18 of
the Wall Street Journal with Charniak's parses, test data section 20, and Brown as another genre."""
