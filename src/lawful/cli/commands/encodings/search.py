"""`lawful search`: look for an output encoding in which a model does better."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import lawful
from lawful.automata.drawing.formats import to_svg
from lawful.cli.boundary import DONE
from lawful.cli.console import show_iterations
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.encodings import EncodingOption, metric_for, open_encoding, span_f1
from lawful.cli.options.files import GoldArgument
from lawful.cli.options.running import JsonOption, SeedOption, count_jobs
from lawful.cli.options.training import MaxIterationsOption, TemplatesOption
from lawful.cli.work.inputs import read_labelled, refuse_stdin_twice
from lawful.cli.work.models import read_features
from lawful.cli.work.output import STDOUT, check_output, open_output, print_json
from lawful.corpus import Sentence
from lawful.encodings import (
    Coded,
    Encoding,
    ModelStore,
    SearchResult,
    describe_encoding,
    search_encodings,
    write_encoding,
)
from lawful.encodings.search.journal import Candidate
from lawful.encodings.search.plot import plot_history, require_plots
from lawful.encodings.search.trial import accuracy
from lawful.errors import InputError
from lawful.models import SequenceModel

__all__ = ["search"]

KINDS = ("crf", "hmm", "coded-crf")
METRICS = {"accuracy": accuracy, "span-f1": span_f1}
MOST_DRAWN = 60  # arcs: a picture of more cannot be read


def search(
    gold: GoldArgument,
    dev: Annotated[
        str,
        Option(
            "--dev", metavar="FILE", help="Labelled sequences to choose by; neither training nor test data."
        ),
    ],
    output: Annotated[
        str, Option("--output", "-o", metavar="FILE", help="File for the best encoding (JSON).")
    ],
    output_encoding: EncodingOption = "canonical",
    kind: Annotated[
        str,
        Option(
            "--kind",
            "-k",
            metavar="|".join(KINDS),
            help="Kind of model to train in each encoding; coded-crf trains a binary CRF per bit, and reuses it.",
        ),
    ] = "crf",
    features: TemplatesOption = None,
    max_iterations: MaxIterationsOption = None,
    look_at_tokens: Annotated[
        bool, Option("--look-at-tokens", help="Also try encodings that depend on attributes of tokens.")
    ] = False,
    metric: Annotated[
        str | None,
        Option(
            "--metric", metavar="|".join(METRICS), help="What to choose by; span-f1 if the labels are chunks."
        ),
    ] = None,
    beam: Annotated[int, Option("--beam", metavar="N", min=1, help="Number of candidates to keep.")] = 15,
    patience: Annotated[
        int,
        Option("--patience", metavar="N", min=1, help="Stop after this many trials without an improvement."),
    ] = 50,
    max_trials: Annotated[
        int | None, Option("--max-trials", metavar="N", min=1, help="Maximum number of trials.")
    ] = None,
    journal: Annotated[
        str | None,
        Option(
            "--journal",
            metavar="FILE",
            help="Where trials are kept, so that the same command resumes; OUTPUT.journal by default.",
        ),
    ] = None,
    models: Annotated[
        Path | None,
        Option(
            "--models", metavar="DIR", help="coded-crf: folder for trained models; OUTPUT.models by default."
        ),
    ] = None,
    picture: Annotated[
        str | None,
        Option("--picture", metavar="FILE", help="Draw the best encoding into this file (SVG)."),
    ] = None,
    plot: Annotated[
        str | None,
        Option("--plot", metavar="FILE", help="Draw the history into this file (SVG, PNG or PDF)."),
    ] = None,
    jobs: Annotated[
        int, Option("--jobs", "-j", metavar="N", help="Number of encodings to try at a time.")
    ] = 1,
    seed: SeedOption = 0,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Search for an output encoding in which a model does better.

    Random small changes to the encoding are tried by training a model in each; a beam keeps the best. Everything is written
    into a journal: after Ctrl-C or a crash, the same command goes on where it was. With one job a seed gives one history.

    \b
    Examples:
      lawful search train.conll --dev dev.conll -o best.json
      lawful search train.conll --dev dev.conll -o best.json --kind coded-crf --jobs 8 --plot history.svg
      lawful train train.conll --encoding best.json -o model.lawful
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(gold, dev)
    if kind not in KINDS:
        raise InputError(f"--kind must be {', '.join(KINDS[:-1])} or {KINDS[-1]}, got {kind!r}")
    if metric is not None and metric not in METRICS:
        raise InputError(f"--metric must be {' or '.join(METRICS)}, got {metric!r}")
    if kind == "hmm" and (features or max_iterations):
        raise InputError(f"--{'features' if features else 'max-iterations'} is for CRFs, not for hmm")
    if output == STDOUT:
        raise InputError("the best encoding goes to a file: -o FILE")
    for path in (output, picture, plot, journal):
        if path is not None:
            check_output(path, gold, dev, output_encoding, features)
    if plot is not None:
        require_plots()
    sentences, held_out = read_labelled(gold, options), read_labelled(dev, options)
    inputs = [sentence.inputs() for sentence in sentences]
    labels = [list(sentence.labels or ()) for sentence in sentences]
    start = _start(output_encoding or "canonical", labels, held_out, inputs, look_at_tokens=look_at_tokens)
    chosen = metric_for(labels, metric)
    counts = _attributes(start, inputs) if look_at_tokens else None
    model = _model(kind, features, inputs, max_iterations, models or Path(f"{output}.models"))
    workers = count_jobs(jobs)
    with ExitStack() as stack:
        show = stack.enter_context(show_iterations())
        pool = None
        if workers > 1:  # spawn, not fork: threads of the core may be running
            pool = stack.enter_context(ProcessPoolExecutor(workers, get_context("spawn")))
        watch = _Watch(show)
        result = search_encodings(
            inputs,
            labels,
            held_out=([sentence.inputs() for sentence in held_out], [list(s.labels or ()) for s in held_out]),
            model=model,
            start=start,
            metric=METRICS[chosen],
            attributes=counts,
            beam=beam,
            patience=patience,
            max_trials=max_trials,
            seed=seed,
            executor=pool,
            workers=workers,
            journal=journal or f"{output}.journal",
            on_trial=watch,
        )
    write_encoding(_named(result), output)
    if picture is not None:
        with open_output(picture) as stream:
            stream.write(to_svg(result.encoding.transducer))
    if plot is not None:
        plot_history(result, plot)
    summary = _summary(result, chosen, tried=watch.tried)
    if json:
        print_json(summary)
    else:
        print(_as_text(summary, output))
    return DONE


class _Watch:
    """Counts trials, and shows the latest and the best on one line if somebody watches."""

    def __init__(self, show: Any) -> None:
        self.show, self.tried, self.best = show, 0, float("-inf")

    def __call__(self, candidate: Candidate) -> None:
        self.tried += 1
        score = candidate.score if candidate.score is not None else float("-inf")
        self.best = max(self.best, score)
        if self.show is not None:
            how = "the start" if candidate.move is None else candidate.move["kind"]
            self.show(f"trial {candidate.number}: {100 * score:.2f} by {how}; best {100 * self.best:.2f}")


def _start(
    name: str,
    labels: list[list[str]],
    held_out: list[Sentence],
    inputs: list[Any],
    *,
    look_at_tokens: bool,
) -> Encoding:
    # Labels of the data to choose by count too: the domain must hold them, though no model will predict them.
    start = open_encoding(name, [*labels, *(sentence.labels or () for sentence in held_out)])
    if not look_at_tokens or start.attributes is not None:
        return start
    from lawful.models.features import default_features

    features = default_features(inputs)
    return Encoding(start.transducer, labels=start.labels, name=start.name, attributes=features.attributes)


def _attributes(start: Encoding, inputs: list[Any]) -> dict[str, int]:
    """How many tokens have each attribute."""
    counts: Counter[str] = Counter()
    assert start.attributes is not None  # noqa: S101 - `_start` sees to it
    for tokens in inputs:
        for of_token in start.attributes(tokens):
            counts.update(of_token)
    return dict(sorted(counts.items()))


def _model(
    kind: str, features: str | None, inputs: list[Any], max_iterations: int | None, folder: Path
) -> SequenceModel:
    if kind == "hmm":
        return lawful.HMM()
    from lawful.models.features import default_features

    templates = default_features(inputs) if features is None else read_features(features)
    more: dict[str, Any] = {} if max_iterations is None else {"max_iterations": max_iterations}
    if kind == "coded-crf":
        return Coded(lawful.CRF(templates, jobs=1, **more), store=ModelStore(folder))
    return lawful.CRF(templates, jobs=1, groups="prefix", **more)


def _named(result: SearchResult) -> Encoding:
    """The best encoding, with a name that says where it comes from."""
    found, moves = result.encoding, len(result.ancestors()) - 1
    name = f"{moves} move{'s' * (moves != 1)} from {found.name}" if moves else found.name
    return Encoding(found.transducer, labels=found.labels, name=name, attributes=found.attributes)


def _summary(result: SearchResult, metric: str, *, tried: int) -> dict[str, Any]:
    line = result.ancestors()
    return {
        "metric": metric,
        "start": result.history[0].score,
        "best": result.best.score,
        "gain": result.gain,
        "trials": len(result.history),
        "tried_now": tried,
        "tags": len(result.encoding.tags),
        "moves": [{**(step.move or {}), "score": step.score} for step in line[1:]],
        "in_words": describe_encoding(result.encoding).splitlines(),
    }


def _as_text(summary: dict[str, Any], output: str) -> str:
    gained = f"{100 * summary['start']:.2f} -> {100 * summary['best']:.2f}"
    before = summary["trials"] - summary["tried_now"]
    lines = [
        f"{summary['metric'].replace('-', ' ')} on the held-out data: {gained} in {summary['trials']} trials"
        + (f", {before} of them from the journal" if before else "")
    ]
    if summary["moves"]:
        steps = [f"{move['kind']} ({100 * move['score']:.2f})" for move in summary["moves"]]
        lines.append(f"moves to the best: {', '.join(steps)}")
    lines += ["", *summary["in_words"], "", f"saved in {output}: lawful train ... --encoding {output}"]
    return "\n".join(lines)
