"""`lawful train`: train a model on labelled sequences."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.encodings import EncodingOption, groups_for, open_encoding
from lawful.cli.options.files import GoldArgument, RulesOption
from lawful.cli.options.running import JobsOption, SeedOption, count_jobs, split_names
from lawful.cli.options.training import KindOption, MaxIterationsOption, TemplatesOption
from lawful.cli.work.checkpoints import Checkpoint
from lawful.cli.work.columns import column_notes
from lawful.cli.work.inputs import read_labelled, refuse_stdin_twice
from lawful.cli.work.models import read_features
from lawful.cli.work.output import STDOUT, check_output, open_output, print_json
from lawful.cli.work.rule_files import read_rules
from lawful.cli.work.training.recipe import Recipe, labels_of
from lawful.cli.work.training.unlabelled import learn_with_pool, read_pool, remove_progress
from lawful.corpus import Sentence, Tokenizer, recognise_tokenizer
from lawful.encodings import Encoded, Encoding
from lawful.errors import EncodingError, InputError, RuleFileError
from lawful.labels import LabelSet
from lawful.rules.files import format_rules

if TYPE_CHECKING:
    from lawful.learning.choosing import Choice
    from lawful.models import SequenceModel

__all__ = ["train"]


def train(
    gold: GoldArgument,
    output: Annotated[
        str, Option("--output", "-o", metavar="FILE", help="Model file to write; - for stdout.")
    ],
    kind: KindOption = "auto",
    dev: Annotated[
        str | None, Option("--dev", metavar="FILE", help="Labelled sequences to evaluate the model on.")
    ] = None,
    rules: RulesOption = None,
    output_encoding: EncodingOption = None,
    unlabelled: Annotated[
        str | None,
        Option(
            "--unlabelled",
            metavar="FILE",
            help="Sequences or texts without labels, to learn from under the rules (CoDL).",
        ),
    ] = None,
    rounds: Annotated[
        int, Option("--rounds", metavar="N", min=1, help="Rounds of learning from --unlabelled.")
    ] = 5,
    write_prices: Annotated[
        str | None,
        Option(
            "--write-prices", metavar="FILE", help="Write the rules at the prices learned with --unlabelled."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        Option("--labels", metavar="A,B,C", help="More labels, which GOLD may lack."),
    ] = None,
    tune: Annotated[
        bool,
        Option("--tune", help="Choose the model and its penalties by folds, however much data there is."),
    ] = False,
    features: TemplatesOption = None,
    algorithm: Annotated[
        str | None,
        Option(
            "--algorithm",
            metavar="NAME",
            help="Training algorithm of a CRF: lbfgs (the default), averaged_perceptron or sgd.",
        ),
    ] = None,
    c1: Annotated[
        float | None, Option("--c1", metavar="X", help="L1 penalty of a CRF; 0 by default.")
    ] = None,
    c2: Annotated[
        float | None, Option("--c2", metavar="X", help="L2 penalty of a CRF; 1 by default.")
    ] = None,
    max_iterations: MaxIterationsOption = None,
    min_count: Annotated[
        float | None,
        Option("--min-count", metavar="N", help="Ignore features that occur less often than this."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        Option(
            "--checkpoint",
            metavar="DIR",
            help="Save progress in this folder; the same command resumes an interrupted training.",
        ),
    ] = None,
    jobs: JobsOption = None,
    seed: SeedOption = 0,
    json: Annotated[bool, Option("--json", help="Print a summary as JSON.")] = False,
    *,
    options: CorpusOptions,
) -> int:
    """Train a model on labelled sequences.

    With little data, a CRF, an HMM or their blend is chosen by how well each labels sequences that it was not trained on; else,
    or if an option of the CRF is given, it is a CRF. Without feature templates, a CRF uses words, their spelling and neighbours, and all
    other columns whose values recur. The model file appears when it is complete. With --dev the model is evaluated, with --rules also under
    these rules. With --encoding it is trained on other tags, and still predicts your labels, under rules about them. With --unlabelled, it also learns from sequences without labels, under the rules.

    \b
    Examples:
      lawful train gold.conll -o model.lawful
      lawful train train.txt --columns word,pos,chunk --dev dev.txt --rules rules.toml -o model.lawful
      lawful train gold.jsonl -o model.lawful --features templates.toml --c1 0.1 --c2 0.01
      lawful train few.conll --unlabelled pool.txt --rules rules.toml -o model.lawful
      lawful train gold.conll -o model.lawful --kind crf --checkpoint half-done/
      lawful train gold.conll -o model.lawful --tune
      lawful train gold.conll -o model.lawful --encoding BILOU
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(gold, dev, rules, unlabelled)
    check_output(output, gold, dev, rules, features, unlabelled)
    if write_prices is not None:
        check_output(write_prices, gold, dev, unlabelled, features)
    if unlabelled is None and write_prices is not None:
        raise InputError("--write-prices is for prices that are learned with --unlabelled")
    parameters: dict[str, Any] = {
        "algorithm": algorithm, "c1": c1, "c2": c2, "max_iterations": max_iterations, "min_count": min_count,
    }  # fmt: skip
    parameters = {name: value for name, value in parameters.items() if value is not None}
    if output_encoding is not None:
        for option, value in (("unlabelled", unlabelled), ("labels", labels), ("tune", tune or None)):
            if value is not None:
                raise InputError(f"--encoding cannot be combined with --{option}")
        kind = "crf" if kind == "auto" else kind
    recipe = Recipe(kind, tune, None, parameters, None, count_jobs(jobs), seed)
    if checkpoint is not None and unlabelled is None and (kind not in ("auto", "crf") or tune):
        raise InputError(
            f"--checkpoint is for a CRF or --unlabelled, not for {'--tune' if tune else '--kind ' + kind}"
        )
    sentences = read_labelled(gold, options)
    dev_sentences = None if dev is None else read_labelled(dev, options)
    seen = sorted({label for sentence in sentences for label in sentence.labels or ()})
    declared = list(dict.fromkeys([*seen, *([] if labels is None else split_names(labels))]))
    ruleset = None if rules is None else _read_rules(rules, declared)
    recipe = replace(
        recipe,
        features=None if features is None else read_features(features),
        labels=declared if labels is not None else None,
    )
    tokenizer = recognise_tokenizer(sentences) if options.tokenizer is None else Tokenizer(options.tokenizer)
    choice = None
    if output_encoding is not None:
        model = _fit_encoded(output_encoding, recipe, sentences, checkpoint)
    elif unlabelled is None:
        model, choice = recipe.fit(sentences, checkpoint=checkpoint)
    else:
        pool = read_pool(unlabelled, options, tokenizer, sentences[0])
        model, ruleset, _ = learn_with_pool(
            sentences, pool, ruleset or lawful.Rules(), recipe, rounds=rounds, checkpoint=checkpoint
        )
    model.notes_ = column_notes(sentences)
    model.tokenizer = tokenizer
    _save(model, output)  # before it is evaluated: no error there may cost the model
    if write_prices is not None and ruleset is not None:
        with open_output(write_prices) as stream:
            stream.write(format_rules(ruleset))
    summary = _summary(model, sentences, dev_sentences, ruleset, choice)
    if unlabelled is not None:
        summary["unlabelled"] = len(pool)
    if checkpoint is not None:
        Checkpoint(checkpoint).remove() if unlabelled is None else remove_progress(checkpoint)
    if json:
        print_json(summary) if output != STDOUT else print(summary, file=sys.stderr)
    else:
        print(_as_text(summary, output), file=sys.stderr if output == STDOUT else sys.stdout)
    return DONE


def _fit_encoded(
    name: str, recipe: Recipe, sentences: Sequence[Sentence], checkpoint: Path | None
) -> SequenceModel:
    """A model that is trained on the tags of an encoding."""
    encoding = open_encoding(name, labels_of(sentences))
    if recipe.kind == "crf":
        recipe = replace(recipe, parameters={**recipe.parameters, "groups": groups_for(encoding)})
    model, _ = recipe.fit([_in_tags(sentence, encoding) for sentence in sentences], checkpoint=checkpoint)
    return Encoded(model, encoding)


def _in_tags(sentence: Sentence, encoding: Encoding) -> Sentence:
    try:
        return sentence.with_labels(encoding.encode(sentence.labels or (), sentence.inputs()))
    except EncodingError as error:
        raise EncodingError(f"{sentence.location()}{error}") from error


def _read_rules(rules: str, labels: Sequence[str]) -> lawful.Rules:
    try:
        return read_rules(rules, LabelSet(labels))
    except RuleFileError as error:
        if "unknown label" not in str(error):
            raise
        raise InputError(f"{error}\nIf GOLD only lacks a label, declare it with --labels") from None


def _summary(
    model: SequenceModel,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    rules: lawful.Rules | None,
    choice: Choice | None,
) -> dict[str, Any]:
    summary: dict[str, Any] = {
        "model": model.kind,
        "sequences": len(sentences),
        "tokens": sum(map(len, sentences)),
        "labels": len(model.labels),
        "tokenizer": model.tokenizer.to_dict(),
        "columns": list(map(str, model.columns_read)),
    }
    if choice is not None:
        summary["folds"] = choice.folds
        summary["tried"] = [{"model": str(one), **one._asdict()} for one in choice.tried]
    inner = model
    if isinstance(model, Encoded):
        inner = model.model
        summary |= {"model": inner.kind, "encoding": model.encoding.name, "tags": len(inner.labels)}
    if isinstance(inner, lawful.CRF):
        summary |= {
            "weights": len(inner.weights_),
            "iterations": inner.history_[-1].iteration,  # L-BFGS also tells where it began
            "objective": inner.objective_,
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
    size, labels = (
        ", ".join(f"{summary[f'{noun}s']:,} {noun}{'s' * (summary[f'{noun}s'] != 1)}" for noun in nouns)
        for nouns in (("sequence", "token"), ("label",))
    )
    what = "constraint-driven learning" if summary.get("unlabelled") else summary["model"]
    lines = [f"{what}: {labels} from {size}"]
    if "tags" in summary:
        lines.append(f"trained on the {summary['tags']} tags of {summary['encoding'] or 'the encoding'}")
    if "weights" in summary:
        iterations = f"{summary['iterations']} iteration{'s' * (summary['iterations'] != 1)}"
        lines.append(f"{summary['weights']:,} weights after {iterations}")
    if summary.get("unlabelled"):
        lines[0] += f", and {summary['unlabelled']:,} without labels"
    if summary.get("tried"):
        lines.append(_about_choice(summary))
    lines.append(_about_texts(summary))
    for key, title in (("dev", "dev"), ("dev_with_rules", "dev, under the rules")):
        if key in summary:
            scores = [f"{name.replace('_', ' ')} {100 * value:.2f}" for name, value in summary[key].items()]
            lines.append(f"{title}: {', '.join(scores)}")
    if output != STDOUT:
        lines.append(f"saved in {output}")
    return "\n".join(lines)


def _about_choice(summary: dict[str, Any]) -> str:
    """What was chosen, and how much better it was than the others."""
    best, *others = summary["tried"]
    if not others:
        return f"{best['model']}: one sequence cannot be divided, so nothing was compared"
    told = f"chosen by {summary['folds']} folds: {best['model']}, span F1 {100 * best['span_f1']:.1f}"
    of_kinds: dict[str, Any] = {}
    for one in others:
        kind = {0.0: "HMM", 1.0: "CRF"}.get(one["share"], "blend")
        of_kinds.setdefault(kind, one)
    of_kinds.pop({0.0: "HMM", 1.0: "CRF"}.get(best["share"], "blend"), None)
    if any(one["span_f1"] > best["span_f1"] for one in of_kinds.values()):  # both measures count
        told += f", token accuracy {100 * best['token_accuracy']:.1f}"
        beside = [
            f"{kind} {100 * one['span_f1']:.1f}, {100 * one['token_accuracy']:.1f}"
            for kind, one in of_kinds.items()
        ]
        return f"{told} (best {'; '.join(beside)})"
    beside = [f"{kind} {100 * one['span_f1']:.1f}" for kind, one in of_kinds.items()]
    return f"{told} (best {', '.join(beside)})" if beside else told


def _about_texts(summary: dict[str, Any]) -> str:
    """How the model takes texts, or why it does not."""
    if summary["columns"]:
        return (
            f"it reads the column{'s' if len(summary['columns']) > 1 else ''} {', '.join(summary['columns'])} besides words, "
            "so it cannot label plain text; --columns with _ for a column leaves it out, and --kind hmm reads words only"
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
