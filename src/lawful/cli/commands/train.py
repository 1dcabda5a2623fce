"""`lawful train`: a model from labelled sequences."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import JobsOption, RulesOption, SeedOption, count_jobs
from lawful.cli.options.rule_files import read_rules_for
from lawful.cli.text.training_progress import showing_iterations
from lawful.cli.work.checkpoints import Checkpoint
from lawful.cli.work.inputs import one_stdin, read_labelled
from lawful.cli.work.layout_notes import notes_of
from lawful.cli.work.output import STDOUT, print_json, ready_for
from lawful.cli.work.tagging import read_features
from lawful.corpus import Sentence
from lawful.errors import InputError
from lawful.labels import LabelSet

if TYPE_CHECKING:
    from lawful.models import SequenceModel

__all__ = ["train"]

MODELS = ("crf", "hmm")


def train(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Labelled sequences; - for stdin.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to save the model; - for stdout.")
    ],
    model: Annotated[
        str, typer.Option("--model", metavar="|".join(MODELS), help="The kind of model.")
    ] = "crf",
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="FILE", help="Labelled sequences to score the model on.")
    ] = None,
    rules: RulesOption = None,
    features: Annotated[
        str | None,
        typer.Option(
            "--features", metavar="FILE", help="Templates (TOML); words, spelling, columns if not given."
        ),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", metavar="NAME", help="lbfgs, averaged_perceptron or sgd.")
    ] = None,
    c1: Annotated[float | None, typer.Option("--c1", help="The penalty of absolute weights; 0.")] = None,
    c2: Annotated[float | None, typer.Option("--c2", help="The penalty of squared weights; 1.")] = None,
    max_iterations: Annotated[
        int | None, typer.Option("--max-iterations", metavar="N", min=1, help="At most so many.")
    ] = None,
    min_count: Annotated[
        float | None, typer.Option("--min-count", metavar="N", help="Leave out features seen less often.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="DIR", help="Save there while training; the same command then goes on."
        ),
    ] = None,
    jobs: JobsOption = None,
    seed: SeedOption = 0,
    json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
    *,
    options: CorpusOptions,
) -> int:
    """Train a model on labelled sequences.

    Without templates a CRF looks at words, their spelling and neighbours, and at all other columns whose values come
    again. The model file appears when it is complete. With --dev it is scored, with --rules also under rules.

    \b
    Examples:
      lawful train gold.conll -o model.lawful
      lawful train train.txt --columns word,pos,chunk --dev dev.txt --rules rules.toml -o model.lawful
      lawful train gold.jsonl -o model.lawful --features templates.toml --c1 0.1 --c2 0.01
      lawful train gold.conll -o model.lawful --checkpoint half-done/
      lawful train gold.conll -o model.lawful --model hmm
    """  # noqa: D301 - click reads the \b
    one_stdin(gold, dev, rules)
    if model not in MODELS:
        raise InputError(f"--model must be {' or '.join(MODELS)}, got {model!r}")
    ready_for(output, gold, dev, rules, features)
    given: dict[str, Any] = {
        "algorithm": algorithm, "c1": c1, "c2": c2, "max_iterations": max_iterations, "min_count": min_count,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    for_crf = [*given, *(["features"] if features else []), *(["checkpoint"] if checkpoint else [])]
    if model != "crf" and for_crf:
        raise InputError(f"--{for_crf[0].replace('_', '-')} is for --model crf, not for {model}")
    sentences = read_labelled(gold, options)
    scored = None if dev is None else read_labelled(dev, options)
    names = LabelSet(sorted({name for one in sentences for name in one.labels or ()}))
    held = None if rules is None else read_rules_for(rules, names)
    if model == "crf":
        from lawful.models.features import default_features

        templates = default_features(_inputs(sentences)) if features is None else read_features(features)
        fitted: SequenceModel = _fit_crf(
            lawful.CRF(templates, jobs=count_jobs(jobs), seed=seed, **given), sentences, checkpoint
        )
    else:
        fitted = lawful.HMM().fit(_inputs(sentences), _labels(sentences))
    fitted.notes_ = notes_of(sentences)
    _save(fitted, output)  # first: no score may cost the model
    summary = _summary(fitted, sentences, scored, held)
    if checkpoint is not None:
        Checkpoint(checkpoint).remove()
    if json:
        print_json(summary) if output != STDOUT else print(summary, file=sys.stderr)
    else:
        print(_told(summary, output), file=sys.stderr if output == STDOUT else sys.stdout)
    return DONE


def _inputs(sentences: Sequence[Sentence]) -> list[Sequence[Any]]:
    return [one.rows() if one.columns else one.tokens for one in sentences]


def _labels(sentences: Sequence[Sentence]) -> list[Sequence[str]]:
    return [one.labels or () for one in sentences]


def _fit_crf(model: lawful.CRF, sentences: Sequence[Sentence], folder: Path | None) -> lawful.CRF:
    path = None
    if folder is not None:
        kept = Checkpoint(folder)
        path = kept.prepare()
        model = kept.resume(model)
    with showing_iterations() as show:
        model.fit(_inputs(sentences), _labels(sentences), callback=show, checkpoint=path)
    # How it was trained here is not what it is: the same data gives the same file.
    model.set_params(jobs=None, warm_start=False)
    return model


def _summary(
    model: SequenceModel,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    rules: lawful.Rules | None,
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "model": model.kind,
        "sequences": len(sentences),
        "tokens": sum(map(len, sentences)),
        "labels": len(model.labels),
    }
    if isinstance(model, lawful.CRF):
        told |= {
            "weights": len(model.weights_),
            "iterations": len(model.history_),
            "objective": model.objective_,
        }
    if dev is not None:
        inputs = _inputs(dev)
        told["dev"] = _score(dev, model.predict(inputs))
        if rules is not None:
            told["dev_with_rules"] = _score(dev, model.predict(inputs, rules, on_infeasible="least_bad"))
    return told


def _score(gold: Sequence[Sentence], found: Sequence[Sequence[str]]) -> dict[str, float]:
    score = lawful.evaluate(gold, found)
    return {
        "token_accuracy": score.token_accuracy,
        "sequence_accuracy": score.sequence_accuracy,
        "span_f1": score.micro.f1,
    }


def _told(summary: dict[str, Any], output: str) -> str:
    seen = f"{summary['sequences']:,} sequences, {summary['tokens']:,} tokens"
    lines = [f"{summary['model']}: {summary['labels']} labels from {seen}"]
    if "weights" in summary:
        lines.append(f"{summary['weights']:,} weights after {summary['iterations']} iterations")
    for name, called in (("dev", "dev"), ("dev_with_rules", "dev, under the rules")):
        if name in summary:
            parts = [f"{what.replace('_', ' ')} {100 * value:.2f}" for what, value in summary[name].items()]
            lines.append(f"{called}: {', '.join(parts)}")
    if output != STDOUT:
        lines.append(f"saved in {output}")
    return "\n".join(lines)


def _save(model: SequenceModel, output: str) -> None:
    if output != STDOUT:
        model.save(output)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.lawful"
        model.save(path)
        sys.stdout.buffer.write(path.read_bytes())
        sys.stdout.buffer.flush()
