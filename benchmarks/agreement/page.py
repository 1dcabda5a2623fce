"""Writing what `make agreement` found: a page for people, and a file with the same numbers for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.agreement.ways import WAYS

__all__ = ["write_agreement"]

HOW = """\
Made by `{command}` (`make agreement` runs all of it), which resumes where it was stopped. Two scores are the same if they differ by at most 1e-9,
relatively; every answer is also scored again from the lattice and the rules' reference meaning.

- On the **workloads** of `make bench`, at most their first 200 sequences, every solver is compared
  with `auto`, and `auto` with `a_star`. `viterbi` gets only the rules that it supports, which look at one label
  or two neighbours, and is compared with `relaxation` under the same rules.
- The **random problems** have 1 to 4 rules of all kinds, hard and soft; the best answer, or that nothing is legal, is known
  by enumerating every label sequence. `viterbi` solves those whose rules are all local; `beam` and `dual` are for
  trellises, `ilp` for trellises and acyclic graphs, `prune=True` for trellises, and `a_star` needs graphs without
  cycles of positive score.
- **Magnitudes**: the scores and prices of one problem mix numbers from 1e-300 to 1e300, and masks such as -3.4e38. The judge adds up
  in exact rational arithmetic: no label sequence may beat an answer by more than the rounding of the two sums themselves. Sequences of
  up to 5 labels, as trellises and as general graphs, are all enumerated; on those of up to 30 the best answer of all solvers is the measure.
  `ilp` may be behind by 1e-9 of the sums: HiGHS has tolerances of its own. Where it has no proof, or `dual` has none after 500,000 states, the problem does not count as solved.
- **prune=True** is our addition to two published methods: edges that cannot lie on the best path, because even
  without rules no path through them scores as much as some legal path, are left out. The answer is still exact; the published
  forms are the default, and are compared as far as {budget:.0f} s of CPU time per workload allow.
"""


def write_agreement(
    folder: Path,
    records: Sequence[Mapping[str, Any]],
    *,
    command: str,
    machine: Mapping[str, str],
    settings: Mapping[str, float],
) -> int:
    """Write agreement.md and agreement.json into a folder; the number of disagreements."""
    on_workloads = [record for record in records if "workload" in record]
    on_random = _random_totals([record for record in records if "kind" in record], "kind")
    on_magnitudes = _random_totals([record for record in records if "magnitudes" in record], "magnitudes")
    wrong = sum(len(record["disagreements"]) for record in on_workloads)
    counted = [
        way
        for totals in (on_random, on_magnitudes)
        for kind in totals.values()
        for way in kind["ways"].values()
    ]
    wrong += sum(len(way["disagreements"]) for way in counted)
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "command": command, "machine": dict(machine), "settings": dict(settings), "disagreements": wrong,
        "workloads": on_workloads, "random": on_random, "magnitudes": on_magnitudes,
    }  # fmt: skip
    (folder / "agreement.json").write_text(json.dumps(data, indent=1) + "\n")
    spent = sum(record["seconds"] for record in on_workloads)
    spent += sum(way["seconds"] for way in counted)
    parts = [
        "# All exact solvers agree" if not wrong else f"# {wrong} disagreements between solvers",
        HOW.format(command=command, budget=settings["budget"]),
        "## On the workloads: sequences solved, all with the same score",
        *_workload_tables(on_workloads),
        "## On random problems: solved, all with the score of enumeration",
        _random_table(on_random),
        "## On random problems from 1e-300 to 1e300: solved, all best but for the rounding of their own sums",
        _random_table(on_magnitudes),
        "## The machine",
        "\n".join(f"- {name}: {value}" for name, value in machine.items()),
        _spent(spent),
    ]
    (folder / "agreement.md").write_text("\n\n".join(part.strip() for part in parts) + "\n")
    return wrong


def _spent(seconds: float) -> str:
    return (
        f"The solvers took {seconds:,.0f} s of CPU time in total, each sequence once: "
        "for speed, see `make bench`."
    )


def _workload_tables(records: Sequence[Mapping[str, Any]]) -> list[str]:
    names = list(dict.fromkeys(record["workload"] for record in records))
    cells = {(record["way"], record["workload"]): record for record in records}
    ways = [way.name for way in WAYS]
    solved = [
        [f"`{way}`", *(_solved(cells[way, name]) for name in names), f"{_worst(cells, way, names):.0e}"]
        for way in ways
    ]
    times = [[f"`{way}`", *(_time(cells[way, name]) for name in names)] for way in ways]
    why = [
        f"- `{record['way']}` on {record['workload']}: {record['note']}; {record['solved']} of {record['sequences']} solved."
        for record in records
        if record["note"] and record["way"] != "viterbi"
    ]
    return [
        _table(["solver", *names, "largest difference"], solved),
        "A single number means that all sequences are solved. `viterbi` has `-` where every rule needs memory.",
        *(["Not done, and why:", "\n".join(why)] if why else []),
        "### Milliseconds of CPU time per sequence",
        _table(["solver", *names], times),
    ]


def _solved(record: Mapping[str, Any]) -> str:
    if not record["rules"]:
        return "-"
    whole = record["solved"] == record["sequences"]
    shown = str(record["solved"]) if whole else f"{record['solved']} of {record['sequences']}"
    return f"{shown}, {len(record['disagreements'])} WRONG" if record["disagreements"] else shown


def _worst(cells: Mapping[tuple[str, str], Mapping[str, Any]], way: str, names: Sequence[str]) -> float:
    return max(float(cells[way, name]["worst"]) for name in names)


def _time(record: Mapping[str, Any]) -> str:
    return f"{1e3 * record['seconds'] / record['solved']:,.1f}" if record["solved"] else "-"


def _random_totals(records: Sequence[Mapping[str, Any]], key_of_kind: str) -> dict[str, Any]:
    totals: dict[str, Any] = {}
    for record in records:
        total = totals.setdefault(
            record[key_of_kind],
            {"problems": 0, "infeasible": 0, "left out": 0, "ways": {}},
        )
        for key in ("problems", "infeasible", "left out"):
            total[key] += record[key]
        for way, counts in record["ways"].items():
            known = total["ways"].setdefault(
                way, {"solved": 0, "not for it": 0, "worst": 0.0, "seconds": 0.0, "disagreements": []}
            )
            for key in ("solved", "not for it", "seconds"):
                known[key] += counts[key]
            known["worst"] = max(known["worst"], counts["worst"])
            known["disagreements"] += [{"chunk": record["chunk"], **bad} for bad in counts["disagreements"]]
    return totals


def _random_table(totals: Mapping[str, Any]) -> str:
    if not totals:
        return "None in this run."
    lines = [
        f"- {kind}: {total['problems']:,} problems, {total['infeasible']:,} of them without a legal answer; {total['left out']} "
        "rule sets were left out, wholly or in part, because an automaton or the number of sequences was too large."
        for kind, total in totals.items()
    ]
    rows = []
    for way in (way.name for way in WAYS):
        of_way = [total["ways"][way] for total in totals.values()]
        wrong = sum(len(counts["disagreements"]) for counts in of_way)
        rows.append(
            [
                f"`{way}`", *(f"{counts['solved']:,}" for counts in of_way), f"{max(counts['worst'] for counts in of_way):.0e}",
                f"{1e3 * sum(counts['seconds'] for counts in of_way) / max(1, sum(counts['solved'] for counts in of_way)):.2f}",
                f"{wrong} WRONG" if wrong else "",
            ]
        )  # fmt: skip
    columns = ["solver", *totals, "largest difference", "CPU ms per problem", ""]
    return "\n".join(lines) + "\n\n" + _table(columns, rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    marks = ["---", *("---:" for _ in columns[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, marks, *rows])
