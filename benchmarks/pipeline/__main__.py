"""Everything around the decoder, on real corpora: `make bench-pipeline`.

Times are CPU seconds of one thread (of child processes for the command line), the least of several turns: what counts are their
ratios inside one run.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import lawful
from benchmarks.shared.machine import describe_machine, load
from benchmarks.shared.paths import RESULTS
from lawful.cli.work.training.recipe import Recipe
from lawful.corpus import Sentence, read_columns, read_conllu
from lawful.models.features import Features, at, bias, column, join, window, word
from lawful.models.semi_crf import segments
from lawful.report import make_report, render_report
from lawful.tasks import TASKS, load as load_task

TRAINED_ON, ITERATIONS, TURNS = 2000, 20, 9
MINED = {"conll2000": 800, "citations": 300}
progress = Console(stderr=True)

CHUNK = Features(
    bias(),
    window(word(), -2, 2),
    window(column("pos"), -2, 2),
    join(at(-1, word()), word()),
    join(word(), at(1, word())),
    join(at(-1, column("pos")), column("pos")),
    join(column("pos"), at(1, column("pos"))),
)
SEGMENTS = segments.SegmentFeatures(
    segments.length(cap=8),
    segments.first(word(), column("pos"), at(-1, column("pos"))),
    segments.last(word(), column("pos"), at(1, column("pos"))),
)
LEGAL = lawful.Rules(lawful.valid_tags("IOB2"))
BROKEN = lawful.Rules(
    lawful.at_most(1, "B-VP"), lawful.at_most(2, "B-PP"), lawful.requires("B-ADVP", "B-ADJP").soft(1.0)
)
FOUR = lawful.Rules(
    lawful.valid_tags("IOB2"),
    lawful.at_least(1, "B-VP").soft(2.0),
    lawful.at_most(3, "B-SBAR").soft(1.0),
    lawful.when(lawful.token.matches("[.?!;]")).then("O"),
)

PAGE = """\
# Around the decoder

Made by `make bench-pipeline` (`python -m benchmarks.pipeline`). CPU seconds on one thread, the least of {turns} turns; the machine was {busy}.
CoNLL-2000: models of the first {trained:,} training sentences ({iterations} iterations) label the whole test set (2,012 sentences, 47,377 tokens), from
tokens to labels. "Rules that are broken": at most one VP, at most two PPs, and a soft rule that asks for an ADJP beside an ADVP; {changed:,} answers change.
Reading: UD English EWT (train) and CoNLL-2000 (train). Evaluate and report: a CRF and four rules on the test set; ratios to the decoding of it.
Mining: the CRF that `lawful train` makes of the first 800 training sentences of CoNLL-2000, or of the 300 citations; ratios to its training.
The command line labels one sentence of three tokens with an HMM, start of Python included.

| | target | measured | holds |
|---|---:|---:|---|
{rows}

## The machine

{machine}
"""


def main(
    *,
    data: Annotated[
        Path | None, typer.Option("--data", help="The folder of corpora; by default LAWFUL_DATA.")
    ] = None,
    folder: Annotated[Path, typer.Option("--output", help="Where to write pipeline.*")] = RESULTS,
) -> None:
    """Train, measure, write."""
    busy = load()
    train, test = load_task("conll2000", "train", data)[:TRAINED_ON], load_task("conll2000", "test", data)
    labelled = [_inputs(sentence) for sentence in train], [list(sentence.labels or ()) for sentence in train]
    X = [_inputs(sentence) for sentence in test]
    figures: dict[str, float] = {}
    progress.print("training")
    semi = lawful.SemiCRF(CHUNK, SEGMENTS, scheme="IOB2", c2=0.1, max_iterations=ITERATIONS).fit(*labelled)
    memm = lawful.MEMM(CHUNK, c2=0.1, max_iterations=ITERATIONS).fit(*labelled)
    crf = lawful.CRF(CHUNK, c2=0.1, max_iterations=ITERATIONS).fit(*labelled)
    for model in (semi, memm, crf):
        model.jobs = 1
    figures["semi"] = least(lambda: semi.predict(X, jobs=1))
    figures["semi_legal"] = least(lambda: semi.predict(X, LEGAL, jobs=1))
    figures["semi_broken"] = least(lambda: semi.predict(X, BROKEN, jobs=1))
    pairs = zip(semi.predict(X), semi.predict(X, BROKEN), strict=True)
    changed = sum(plain != ruled for plain, ruled in pairs)
    figures["memm"] = least(lambda: memm.predict(X, jobs=1))
    figures["memm_legal"] = least(lambda: memm.predict(X, LEGAL, jobs=1))
    progress.print("reading")
    treebank = TASKS["ud_english_ewt"].folder(data) / "en_ewt-ud-train.conllu"
    columns = TASKS["conll2000"].folder(data) / "train.txt"
    figures["conllu"] = speed(lambda: read_conllu(treebank))
    figures["columns"] = speed(lambda: read_columns(columns))
    progress.print("evaluate and report")
    answers = crf.predict(X, FOUR)
    seconds = in_turns(
        decode=lambda: crf.predict(X, FOUR, jobs=1),
        evaluate=lambda: lawful.evaluate(test, answers, rules=FOUR),
        report=lambda: render_report(make_report(test, crf, FOUR)),
    )
    figures["decode"] = seconds["decode"]
    figures |= {name: seconds[name] / seconds["decode"] for name in ("evaluate", "report")}
    progress.print("mining")
    figures |= mining(data)
    progress.print("the command line")
    figures |= command_line(crf)
    _write(figures, changed, busy, folder)


def _inputs(sentence: Sentence) -> list[dict[str, str]]:
    return [
        {"text": token, "pos": pos}
        for token, pos in zip(sentence.tokens, sentence.columns["pos"], strict=True)
    ]


def least(work: Callable[[], object]) -> float:
    """CPU seconds of the quickest turn."""
    return in_turns(work=work)["work"]


def in_turns(**works: Callable[[], object]) -> dict[str, float]:
    """The same of each, one after the other in every turn: what disturbs the machine for a while disturbs all of them."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(TURNS):
        best = {name: min(best[name], _cpu(work)) for name, work in works.items()}
    return best


def speed(read: Callable[[], Any]) -> float:
    """Tokens a second of CPU time."""
    tokens = sum(map(len, read()))
    return tokens / least(lambda: sum(map(len, read())))


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def mining(data: Path | None) -> dict[str, float]:
    """How much longer it takes to mine rules beside a CRF than to train that CRF."""
    found = {}
    for task, count in MINED.items():
        sentences = load_task(task, "train", data)[:count]
        recipe = Recipe("crf", jobs=1)
        model, _ = recipe.fit(sentences)
        trained = least(partial(recipe.fit, sentences))
        found[f"mine_{task}"] = least(partial(lawful.mine, sentences, model=model, jobs=1)) / trained
    return found


def command_line(crf: lawful.CRF) -> dict[str, float]:
    """CPU seconds until a small file is labelled, by a small and by a large model; of a bare Python; and of one that imports numpy."""
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside)
        (folder / "one.conll").write_text("to\nBonn\n.\n")
        lawful.HMM().fit([["to", "Bonn", "."]], [["O", "City", "O"]]).save(folder / "model.lawful")
        (folder / "tagged.conll").write_text("to TO O\nBonn NNP O\n. . O\n")
        crf.save(folder / "crf.lawful")
        decode = ["-m", "lawful", "decode", "one.conll", "-m", "model.lawful", "-o", "out.conll"]
        columns = ["--columns", "text,pos,chunk", "-o", "out.conll"]
        large = ["-m", "lawful", "decode", "tagged.conll", "-m", "crf.lawful", *columns]
        commands = {
            "cli": decode,
            "cli_large": large,
            "python": ["-c", "pass"],
            "numpy": ["-c", "import numpy"],
        }
        return {
            name: min(_child_cpu(command, folder) for _ in range(2 * TURNS))
            for name, command in commands.items()
        }


def _child_cpu(command: list[str], folder: Path) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *command], check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _write(figures: dict[str, float], changed: int, busy: float, folder: Path) -> None:
    seconds, ratio, rate = "{:.2f} s", "{:.2f} times decoding", "{:,.0f} tokens a second"
    training = "{:.2f} times training"
    rows = [
        ("semi-CRF without rules", "semi", None, seconds),
        ("semi-CRF, legal chunks", "semi_legal", 2.0, seconds),
        ("semi-CRF, rules that are broken", "semi_broken", 2.0, seconds),
        ("MEMM without rules", "memm", 1.0, seconds),
        ("MEMM, legal chunks", "memm_legal", 1.0, seconds),
        ("CoNLL-U", "conllu", -1_500_000, rate),
        ("columns", "columns", -1_500_000, rate),
        ("CRF, four rules", "decode", None, seconds),
        ("evaluate with rules", "evaluate", 1.5, ratio),
        ("report", "report", 1.5, ratio),
        ("mine beside a CRF, chunks", "mine_conll2000", 3.0, training),
        ("mine beside a CRF, citations", "mine_citations", 3.0, training),
        ("command line, first label", "cli", 0.25, seconds),
        ("the same with the CRF of CoNLL-2000", "cli_large", None, seconds),
        ("of which: Python that does nothing", "python", None, seconds),
        ("of which: Python that imports numpy", "numpy", None, seconds),
    ]
    lines, targets = [], []
    for name, key, target, form in rows:
        value = figures[key]
        holds = None if target is None else (value <= target if target > 0 else value >= -target)
        bound = (
            "" if target is None else ("at most " if target > 0 else "at least ") + form.format(abs(target))
        )
        lines.append(
            f"| {name} | {bound} | {form.format(value)} | {'' if holds is None else 'yes' if holds else 'no'} |"
        )
        if holds is not None:
            targets.append({"target": name, "bound": bound, "measured": value, "holds": holds})
            print(f"{'holds' if holds else 'FAILS':6} {name} ({bound}): {form.format(value)}")
    machine = describe_machine()
    page = PAGE.format(
        turns=TURNS, trained=TRAINED_ON, iterations=ITERATIONS, changed=changed, rows="\n".join(lines),
        busy=f"busy (load {busy:.1f})" if busy > 0.5 else "quiet",
        machine="\n".join(f"- {name}: {value}" for name, value in machine.items() if name != "floor"),
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pipeline.md").write_text(page)
    results = {
        "command": "make bench-pipeline",
        "figures": figures,
        "targets": targets,
        "load": busy,
        "machine": machine,
    }
    (folder / "pipeline.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
