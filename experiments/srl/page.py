"""The page of the experiment, table by table, with the papers' numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from experiments.shared.journal import Journal
from experiments.shared.pages import table
from experiments.srl import paper
from experiments.srl.learners import NAMES
from experiments.srl.plan import LEARNERS, Plan, choosing_runs, said
from experiments.srl.tables import STEPS

__all__ = ["make_page"]

Result = dict[str, Any]


def f1(counts: list[int]) -> float:
    """F1 in per cent of (correct, predicted, gold)."""
    correct, predicted, gold = counts
    return 200 * correct / (predicted + gold) if predicted + gold else 0.0


def _named(name: str, run: Result) -> str:
    """A row's name, with the options of its run if they are not those that were chosen."""
    return f"{name} ({said(run['options'])})" if "options" in run else name


def make_page(journal: Journal, plan: Plan) -> str:
    """Everything that has been run, as Markdown; a section whose run is missing is left out."""

    def found(settings: Any) -> Result | None:
        """The run, or one with other options: its row or section then says which."""
        result, used = plan.find(journal, settings)
        if result is None or used == settings:
            return result
        return {**result, "options": used["options"]}

    solvers = found(plan.solvers()) or found(plan.fewer_solvers())
    sections: list[str | None] = [HEADING, _data(found(plan.table("VP"))), _constraints(found, plan)]
    sections += [_training(found, plan), _roles(found(plan.table("VP"))), _solvers(solvers)]
    sections += [
        _broken(found(plan.table("VP"))),
        _at_once(found(plan.table("VP"))),
        _sizes(solvers),
    ]
    sections += [
        _gold(found(plan.table("VP"))),
        _pruning(found(plan.pruning())),
        _soft(found(plan.soft())),
        _beyond(found, plan),
    ]
    sections.append(_significance(found, plan))
    sections.append(_chosen(found, plan))
    sections.append(_missing(journal, plan))
    return "\n\n".join(section for section in sections if section) + "\n"


def _data(run: Result | None) -> str | None:
    if run is None:
        return None
    arguments = run["ceiling"][2]
    return (
        f"Section 20: {run['propositions']:,} propositions of {run['units']:.1f} units, {arguments:,} core arguments (paper T: 4,305, 18.8, "
        f"8,121). Labels of units can describe them up to F1 {f1(run['ceiling']):.2f}: that is what the gold labels of units score when they "
        "are projected back to words."
    )


def _constraints(found: Callable[[Any], Result | None], plan: Plan) -> str | None:
    rows = []
    for learner in LEARNERS:
        run = found(plan.table(learner))
        if run is None:
            continue
        theirs = paper.STEPS[learner]
        rows.append(
            [
                f"**{_named(NAMES[learner], run)}**",
                *(f"{f1(run['steps'][step]['all']):.2f}" for step in STEPS),
            ]
        )
        rows.append(["paper R", *("" if value is None else f"{value:.2f}" for value in theirs)])
    if not rows:
        return None
    return (
        "## Rules added one by one (R, Tables 1 and 2)\n\n"
        "F1 of core arguments over exact spans of words. Section 20, gold chunks, candidates by Xue & Palmer from the automatic parses, roles "
        "disallowed by PropBank's frames. What was trained under all rules (inference-based training) is not meant to answer without them.\n\n"
        + table(["", *STEPS], rows)
    )


def _training(found: Callable[[Any], Result | None], plan: Plan) -> str | None:
    rows = []
    for learner in LEARNERS:
        run = found(plan.table(learner))
        if run is not None:
            hours = paper.TRAINING_HOURS.get(learner)
            theirs = "" if hours is None else f"{hours:g} h"
            rows.append([_named(NAMES[learner], run), f"{run['fit_seconds']:.0f} s", theirs])
    head = ["", "CPU time here", "paper R"]
    return "## Training time (R, Table 3)\n\n" + table(head, rows) if rows else None


def _roles(run: Result | None) -> str | None:
    if run is None:
        return None
    last = run["steps"]["+ disallow"]
    counts = {**last["roles"], "all": last["all"]}
    rows = [
        [role, str(counts[role][2]), f"{f1(counts[role]):.2f}", f"{paper.ROLES[role]:.2f}"]
        for role in paper.ROLES
        if role in counts
    ]
    joined = f1(last["joined"])
    return (
        "## F1 by argument (T, Table 1)\n\nVoted perceptron, all rules.\n\n"
        + table(["", "gold", "here", "paper T"], rows)
        + f"\n\nA continuation (C-A1) is outside in this task, as in the papers. Scored as the shared task scores, where an argument is right "
        f"only with all of its pieces, the same answers have {joined:.2f}; {100 * last['perfect'] / run['propositions']:.1f} % of the "
        "propositions have all their core arguments right."
    )


def _solvers(run: Result | None) -> str | None:
    if run is None:
        return None
    ilp = run["solvers"]["ILP"]["ms"]
    rows = []
    for name, its in run["solvers"].items():
        theirs = paper.SECONDS.get(name)
        rows.append(
            [
                name,
                f"{its['ms']:.3f}",
                f"{ilp / its['ms']:.1f}",
                "" if its["entered"] is None or "relaxation" not in name else f"{its['entered']:.2f}",
                "" if theirs is None else f"{1000 * theirs:g}",
            ]
        )
    apart = max(its["apart"] for its in run["solvers"].values())
    return (
        f"## Run times (T, Table 2)\n\nCPU milliseconds per proposition, {run['propositions']:,} propositions of section 20, the same lattices ({_named('voted perceptron', run)}, "
        f"gold chunks) one after the other in one process. All solvers agree on the best score to {apart:.1g}. The paper's times "
        "are from two machines.\n\n"
        + table(["", "ms", "times faster than ILP", "intersections", "paper T, ms"], rows)
    )


def _broken(run: Result | None) -> str | None:
    if run is None:
        return None
    size = run["propositions"]
    rows = [
        [
            name,
            str(run["broken"]["rules"][name]),
            f"{run['broken']['rules'][name] / size:.3f}",
            str(count),
            f"{count / 4305:.3f}",
        ]
        for name, count in paper.BROKEN.items()
    ]
    return (
        "## What answers without rules break (T, Table 3)\n\nVoted perceptron, gold chunks; shares of all propositions.\n\n"
        + table(["", "here", "share", "paper T", "share"], rows)
    )


def _at_once(run: Result | None) -> str | None:
    if run is None:
        return None
    counts = run["broken"]["at once"]
    keys = sorted({*counts, *paper.AT_ONCE}, key=int)
    rows = [
        ["here", *(f"{counts.get(key, 0) / run['propositions']:.3f}" for key in keys)],
        ["paper T", *(f"{paper.AT_ONCE.get(key, 0):.3f}" for key in keys)],
    ]
    return "## Rules broken at once (T, Table 4)\n\nShares of propositions.\n\n" + table(
        ["rules broken", *keys], rows
    )


def _sizes(run: Result | None) -> str | None:
    if run is None:
        return None
    most = max(len(size["arcs"]) for size in run["sizes"])
    rows = [
        [
            str(size["intersections"]),
            str(size["propositions"]),
            *(f"{arcs:,.0f}" for arcs in size["arcs"]),
            *[""] * (most - len(size["arcs"])),
            f"{size['brute force']:,.0f}",
        ]
        for size in run["sizes"]
    ]
    head = ["intersections", "propositions", *(f"arcs after {count}" for count in range(most)), "brute force"]
    return (
        "## The size of lattices (T, Figure 6)\n\nMean arcs of the lattice after each intersection, by the number of intersections that a "
        "proposition needs (relaxation, random order), beside the final lattice of brute force on the same propositions.\n\n"
        + table(head, rows)
    )


def _gold(run: Result | None) -> str | None:
    if run is None:
        return None
    ours, seen = run["gold broken"]["rules"], run["gold broken (training)"]["rules"]
    rows = [
        [name, str(count), str(paper.GOLD_BROKEN.get(name, 0))]
        for name, count in sorted(ours.items(), key=lambda item: -item[1])
    ]
    by_seen = run["steps"]["+ disallow (training)"]["all"]
    return (
        "## What the gold labels break (T, Table 5)\n\n"
        + table(["", "here", "paper T"], rows)
        + "\n\nThe candidates are broken more often here than in the paper: their parses are another parser's output. Roles that a verb was never seen "
        f"with in training, instead of those outside its PropBank frames, are disallowed in {seen['DISALLOW ARGUMENTS']} gold propositions, and give F1 "
        f"{f1(by_seen):.2f} under all rules instead of {f1(run['steps']['+ disallow']['all']):.2f}."
    )


def _pruning(run: Result | None) -> str | None:
    if run is None:
        return None
    rows = [
        [
            name,
            str(its["gold broken"]),
            f"{f1(its['all']):.2f}",
            "" if name == "Xue & Palmer" else f"{its['interval'][0]:+.2f} to {its['interval'][1]:+.2f}",
        ]
        for name, its in run.items()
    ]
    return (
        "### Other candidates\n\nSection 20, gold chunks, voted perceptron. Two things in the training data break Xue & Palmer's candidates most often. A "
        "clause right beside the verb that begins with a noun phrase (named [him chairman]) is one candidate, but often holds two arguments: it can give way to "
        "its children (`open_clauses=True`). And quotation marks are attached to clauses by the parser, but not labelled: punctuation at the ends of a "
        "candidate can be left out (`trim=True`). The last column is 95 % of resampled differences to the first row.\n\n"
        + table(["candidates", "propositions whose gold labels break them", "F1, all rules", "change"], rows)
    )


def _soft(run: Result | None) -> str | None:
    if run is None:
        return None
    kinds = run["kinds"]
    hard = kinds["hard"]["ms"]
    rows = [
        [
            kind,
            f"{f1(its['train']):.2f}",
            f"{f1(its['all']):.2f}",
            *(
                text
                for way in ("paper", "auto")
                for text in (f"{its['ms'][way]:.3f}", f"{its['ms'][way] / hard[way]:.2f}")
            ),
        ]
        for kind, its in kinds.items()
    ]
    sweep = [
        [price, f"{f1(counts['train']):.2f}", f"{f1(counts['test']):.2f}"]
        for price, counts in run["sweep"].items()
    ]
    sweep.append(["hard", f"{f1(kinds['hard']['train']):.2f}", f"{f1(kinds['hard']['all']):.2f}"])
    best = max(run["sweep"], key=lambda price: f1(run["sweep"][price]["train"]))
    soft = [kind for kind in kinds if kind != "hard"]
    prices = [
        [name, *(f"{kinds[kind]['prices'][name]:.2f}" for kind in soft)] for name in kinds[soft[0]]["prices"]
    ]
    return (
        "## Soft rules (T, section 6.2)\n\n"
        f"Voted perceptron, gold chunks, candidates by Xue & Palmer. Its scores are divided by {run['temperature']:.3g}, the temperature at which the training data is "
        "most likely when each third is scored by a learner that has seen only the others (every fourth proposition is used); prices are cross-fitted in the same way. They are the log odds of keeping a rule, "
        "the perceptron's (as T suggests), or those that make the gold labels most likely. Verb position and disallowed arguments stay hard. F1 on the training data "
        "(cross-fitted) and on section 20; CPU milliseconds per proposition of section 20, and how many times those of hard rules that is; the paper's algorithm is relaxation for hard "
        "rules and branch and bound for soft ones (39.7 s and 58.4 s there, 1.5 times).\n\n"
        + table(
            [
                "prices",
                "F1, train",
                "F1, section 20",
                "ms, paper's algorithm",
                "times hard",
                "ms, auto",
                "times hard",
            ],
            rows,
        )
        + "\n\n"
        + table(["", *soft], prices)
        + "\n\nThe candidates at one price, all other rules hard. Paper T found no gain from soft rules; here the best price on the training data "
        f"({best}) scores {f1(run['sweep'][best]['test']) - f1(kinds['hard']['all']):+.2f} on section 20 beside the hard rule:\n\n"
        + table(["price of ARGUMENT CANDIDATES", "F1, train (cross-fitted)", "F1, section 20"], sweep)
    )


def _beyond(found: Callable[[Any], Result | None], plan: Plan) -> str | None:
    rows = []
    for name, settings in plan.beyond().items():
        run = found(settings)
        if run is not None:
            values = [f1(run["steps"][step]["all"]) for step in STEPS]
            gain = values[-1] - values[0]
            share = run["gold broken"]["rules"]["ARGUMENT CANDIDATES"] / run["propositions"]
            rows.append(
                [
                    _named(name, run),
                    f"{run['propositions']:,}",
                    *(f"{value:.2f}" for value in values),
                    f"{gain:+.1f}",
                    f"{share:.1%}",
                ]
            )
    if not rows:
        return None
    return (
        "## Past the papers\n\n"
        'Other text and other chunks (Brown has only predicted ones), and features of the parse ("+ parse": path, head, phrase type, subcategorisation and more, of the candidate that a unit is '
        "in). Candidates are always Xue & Palmer's: over automatic parses, or over the English Web Treebank's gold trees, whose lowest phrases are its chunks and of whose predicates "
        "only the verbs are labelled (training data there is its own). The last column is the share of propositions whose gold labels break the candidates, which tells how good the parses are: Charniak's "
        "parser is usually trained on sections 02 to 21, which hold all newspaper text here, so that Brown is the fairer test of what parses give.\n\n"
        + table(["", "propositions", *STEPS, "gain", "gold breaks candidates"], rows)
    )


def _significance(found: Callable[[Any], Result | None], plan: Plan) -> str | None:
    rows = []
    for learner in LEARNERS:
        run = found(plan.table(learner))
        if run is None or learner == "CRF-D IBT":  # without rules it was never meant to answer
            continue
        rows.append(
            [
                _named(NAMES[learner], run),
                *(
                    f"{its['interval'][0]:+.2f} to {its['interval'][1]:+.2f} (p {its['p']:.4f})"
                    for its in run["steps"].values()
                    if "p" in its
                ),
            ]
        )
    if not rows:
        return None
    return (
        "## Is each rule's gain more than chance?\n\nThe change of F1 against the step before, section 20, gold chunks, candidates by Xue & Palmer: 95 % of resampled sets of "
        "propositions, and the p-value of approximate randomization (2,000 rounds, so 0.0005 is the least).\n\n"
        + table(["", *list(STEPS)[1:]], rows)
    )


def _chosen(found: Callable[[Any], Result | None], plan: Plan) -> str:
    rows = []
    for settings in choosing_runs():
        run, learner, options = found(settings), settings["learner"], settings["options"]
        mark = " (chosen)" if options == plan.chosen[learner] else ""
        values = (
            [f"{f1(run['steps'][step]['all']):.2f}" for step in ("basic", "+ disallow")]
            if run
            else ["not run"] * 2
        )
        rows.append([NAMES[learner], said(options) + mark, *values])
    return (
        "## Choices\n\nMade on every tenth sentence of the training data (gold chunks, candidates by Xue & Palmer), which the learner did not see, by F1 under all rules. "
        "Perceptron and winnow without averaging take the choices of the averaged ones, inference-based training that of the other CRF. Where a line says that it was "
        "not run, it took no part in the choice. A row of another table that names settings was run with those, before the choice was made, and has not been run with the chosen ones yet.\n\n"
        + table(["", "settings", "basic", "all rules"], rows)
    )


def _missing(journal: Journal, plan: Plan) -> str | None:
    """What `make experiments-srl` has still to do with the chosen settings."""
    names = {"table": "all steps", "solvers": "run times on all propositions", "pruning": "other candidates"}
    names |= {"soft": "soft rules, their prices, the sweep and their times (T, section 6.2)"}
    rows = list(
        dict.fromkeys(
            f"- {names[one['run']]}: {NAMES[one['learner']]}, features {one['features']}, {one['chunks']} chunks, trained on {one['train']}, tested on {one['test']}"
            for one in plan.all_runs()
            if journal.find(one) is None
        )
    )
    return "## Not run yet with the chosen settings\n\n" + "\n".join(rows) if rows else None


HEADING = """# Semantic roles under rules

`make experiments-srl` writes this page and `srl.json`. Training data are sections 15 to 18 of the Wall Street Journal, test data section 20: words and chunks of
CoNLL-2000 with the roles of CoNLL-2005 and Charniak's parses, close to but not the same as the CoNLL-2004 data of the papers, so that numbers are not
comparable to the digit. R is Roth & Yih (2005), T is Tromble & Eisner (2006). One sequence is one proposition over chunk heads; a chunk is cut after
the verb where the verb is not its last word; labels are O and A0 to A5, every other role is O. The rules are `load_rules("srl")`:
[the file](../../src/lawful/tasks/srl/rules.toml)."""
