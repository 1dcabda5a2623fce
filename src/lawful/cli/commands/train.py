"""`lawful train`: train a model on labelled sequences."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.console import show_iterations
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.files import GoldArgument, RulesOption
from lawful.cli.options.running import JobsOption, SeedOption, count_jobs
from lawful.cli.work.checkpoints import Checkpoint
from lawful.cli.work.columns import column_notes
from lawful.cli.work.inputs import read_labelled, refuse_stdin_twice
from lawful.cli.work.models import read_features
from lawful.cli.work.output import STDOUT, check_output, print_json
from lawful.cli.work.rule_files import read_rules
from lawful.corpus import Sentence, recognise_tokenizer
from lawful.errors import InputError
from lawful.labels import LabelSet

if TYPE_CHECKING:
    from lawful.models import SequenceModel

__all__ = ["train"]

KINDS = ("crf", "hmm")


def train(
    gold: GoldArgument,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Model file to write; - for stdout.")
    ],
    kind: Annotated[
        str, typer.Option("--kind", "-k", metavar="|".join(KINDS), help="Kind of model to train.")
    ] = "crf",
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="FILE", help="Labelled sequences to evaluate the model on.")
    ] = None,
    rules: RulesOption = None,
    features: Annotated[
        str | None,
        typer.Option(
            "--features",
            metavar="FILE",
            help="Feature templates (TOML); by default words, spelling and columns.",
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            help="Training algorithm: lbfgs (the default), averaged_perceptron or sgd.",
        ),
    ] = None,
    c1: Annotated[float | None, typer.Option("--c1", metavar="X", help="L1 penalty; 0 by default.")] = None,
    c2: Annotated[float | None, typer.Option("--c2", metavar="X", help="L2 penalty; 1 by default.")] = None,
    max_iterations: Annotated[
        int | None,
        typer.Option("--max-iterations", metavar="N", min=1, help="Maximum number of training iterations."),
    ] = None,
    min_count: Annotated[
        float | None,
        typer.Option("--min-count", metavar="N", help="Ignore features that occur less often than this."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="DIR",
            help="Save progress in this folder; the same command resumes an interrupted training.",
        ),
    ] = None,
    jobs: JobsOption = None,
    seed: SeedOption = 0,
    json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
    *,
    options: CorpusOptions,
) -> int:
    """Train a model on labelled sequences.

    Without feature templates, a CRF uses words, their spelling and neighbours, and all other columns whose values recur.
    The model file appears when it is complete. With --dev the model is evaluated, with --rules also under these rules.

    \b
    Examples:
      lawful train gold.conll -o model.lawful
      lawful train train.txt --columns word,pos,chunk --dev dev.txt --rules rules.toml -o model.lawful
      lawful train gold.jsonl -o model.lawful --features templates.toml --c1 0.1 --c2 0.01
      lawful train gold.conll -o model.lawful --checkpoint half-done/
      lawful train gold.conll -o model.lawful --kind hmm
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(gold, dev, rules)
    if kind not in KINDS:
        raise InputError(f"--kind must be {' or '.join(KINDS)}, got {kind!r}")
    check_output(output, gold, dev, rules, features)
    parameters: dict[str, Any] = {
        "algorithm": algorithm, "c1": c1, "c2": c2, "max_iterations": max_iterations, "min_count": min_count,
    }  # fmt: skip
    parameters = {name: value for name, value in parameters.items() if value is not None}
    for_crf = [*parameters, *(["features"] if features else []), *(["checkpoint"] if checkpoint else [])]
    if kind != "crf" and for_crf:
        raise InputError(f"--{for_crf[0].replace('_', '-')} is for --kind crf, not for {kind}")
    sentences = read_labelled(gold, options)
    dev_sentences = None if dev is None else read_labelled(dev, options)
    labels = LabelSet(sorted({label for sentence in sentences for label in sentence.labels or ()}))
    ruleset = None if rules is None else read_rules(rules, labels)
    if kind == "crf":
        from lawful.models.features import default_features

        templates = default_features(_inputs(sentences)) if features is None else read_features(features)
        crf = lawful.CRF(templates, jobs=count_jobs(jobs), seed=seed, **parameters)
        model: SequenceModel = _fit_crf(crf, sentences, checkpoint)
    else:
        model = lawful.HMM().fit(_inputs(sentences), _labels(sentences))
    model.notes_ = column_notes(sentences)
    model.tokenizer = recognise_tokenizer(sentences) if options.tokenizer is None else options.tokenizer
    _save(model, output)  # before it is evaluated: no error there may cost the model
    summary = _summary(model, sentences, dev_sentences, ruleset)
    if checkpoint is not None:
        Checkpoint(checkpoint).remove()
    if json:
        print_json(summary) if output != STDOUT else print(summary, file=sys.stderr)
    else:
        print(_as_text(summary, output), file=sys.stderr if output == STDOUT else sys.stdout)
    return DONE


def _inputs(sentences: Sequence[Sentence]) -> list[Sequence[Any]]:
    return [sentence.inputs() for sentence in sentences]


def _labels(sentences: Sequence[Sentence]) -> list[Sequence[str]]:
    return [sentence.labels or () for sentence in sentences]


def _fit_crf(model: lawful.CRF, sentences: Sequence[Sentence], folder: Path | None) -> lawful.CRF:
    path = None
    if folder is not None:
        saved = Checkpoint(folder)
        path = saved.prepare()
        model = saved.resume(model)
    with show_iterations() as show:
        model.fit(_inputs(sentences), _labels(sentences), callback=show, checkpoint=path)
    # Not part of the model: the same data must give the same file on any machine.
    model.set_params(jobs=None, warm_start=False)
    return model


def _summary(
    model: SequenceModel,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    rules: lawful.Rules | None,
) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "model": model.kind,
        "sequences": len(sentences),
        "tokens": sum(map(len, sentences)),
        "labels": len(model.labels),
        "tokenizer": model.tokenizer.to_dict(),
        "columns": list(map(str, model.columns_read)),
    }
    if isinstance(model, lawful.CRF):
        summary |= {
            "weights": len(model.weights_),
            "iterations": len(model.history_),
            "objective": model.objective_,
        }
    if dev is not None:
        summary["dev"] = _score(dev, model.predict(dev))
        if rules is not None:
            summary["dev_with_rules"] = _score(dev, model.predict(dev, rules, on_infeasible="least_bad"))
    return summary


def _score(gold: Sequence[Sentence], predicted: Sequence[Sequence[str]]) -> dict[str, float]:
    evaluation = lawful.evaluate(gold, predicted)
    return {
        "token_accuracy": evaluation.token_accuracy,
        "sequence_accuracy": evaluation.sequence_accuracy,
        "span_f1": evaluation.micro.f1,
    }


def _as_text(summary: dict[str, Any], output: str) -> str:
    size = f"{summary['sequences']:,} sequences, {summary['tokens']:,} tokens"
    lines = [f"{summary['model']}: {summary['labels']} labels from {size}"]
    if "weights" in summary:
        lines.append(f"{summary['weights']:,} weights after {summary['iterations']} iterations")
    lines.append(_about_texts(summary))
    for key, title in (("dev", "dev"), ("dev_with_rules", "dev, under the rules")):
        if key in summary:
            scores = [f"{name.replace('_', ' ')} {100 * value:.2f}" for name, value in summary[key].items()]
            lines.append(f"{title}: {', '.join(scores)}")
    if output != STDOUT:
        lines.append(f"saved in {output}")
    return "\n".join(lines)


def _about_texts(summary: dict[str, Any]) -> str:
    """How the model takes texts, or why it does not."""
    if summary["columns"]:
        return (
            f"it reads the columns {', '.join(summary['columns'])} besides words, so it cannot label plain text; "
            "--columns with _ for a column leaves it out"
        )
    cut = summary["tokenizer"]
    kept = f", keeping {len(cut['kept'])} words whole such as {cut['kept'][0]!r}" if "kept" in cut else ""
    return f"texts are cut into tokens by {cut['convention']!r}{kept}"


def _save(model: SequenceModel, output: str) -> None:
    if output != STDOUT:
        model.save(output)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.lawful"
        model.save(path)
        sys.stdout.buffer.write(path.read_bytes())
        sys.stdout.buffer.flush()
