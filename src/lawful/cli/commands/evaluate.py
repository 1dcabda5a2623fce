"""`lawful evaluate`: compare predicted labels with gold labels."""

from __future__ import annotations

from typing import Annotated, Any

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Argument, Option
from lawful.cli.options.files import GoldArgument, RulesOption
from lawful.cli.options.running import JobsOption, JsonOption, SeedOption, count_jobs, split_names
from lawful.cli.options.training import KindOption
from lawful.cli.work.inputs import read_labelled, refuse_stdin_twice
from lawful.cli.work.output import print_json
from lawful.cli.work.predictions import read_predicted, read_side_by_side
from lawful.cli.work.rule_files import rules_about
from lawful.errors import InputError
from lawful.evaluation import Evaluation, compare_outputs
from lawful.evaluation.table import format_table

__all__ = ["evaluate"]


def evaluate(
    gold: GoldArgument,
    predicted: Annotated[
        str | None,
        Argument(
            metavar="PREDICTED",
            help="The same sequences with predicted labels. Without it, the last two columns of GOLD are compared.",
        ),
    ] = None,
    predicted_label: Annotated[
        str | None,
        Option(
            "--predicted-label",
            metavar="COLUMN",
            help="Column of the predicted labels in PREDICTED; the last by default.",
        ),
    ] = None,
    rules: RulesOption = None,
    folds: Annotated[
        int | None,
        Option(
            "--folds",
            metavar="N",
            min=2,
            help="Cross-validate instead: label each of N parts of GOLD by a model trained on the others.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="FILE",
            help="With --folds: train models with the parameters of this one.",
        ),
    ] = None,
    kind: KindOption = "auto",
    jobs: JobsOption = None,
    compare: Annotated[
        str | None,
        Option(
            "--compare",
            metavar="FILE",
            help="Another file with predicted labels: test whether the difference is significant.",
        ),
    ] = None,
    metric: Annotated[
        str,
        Option("--metric", metavar="NAME", help="Metric for --compare: span_f1, token_accuracy, ..."),
    ] = "span_f1",
    scheme: Annotated[
        str | None,
        Option("--scheme", metavar="NAME", help="Chunk scheme: IOB2, IOBES, flat, ... Guessed by default."),
    ] = None,
    strict: Annotated[
        bool, Option("--strict", help="Count only spans that are legal in the scheme.")
    ] = False,
    bootstrap: Annotated[
        int,
        Option("--bootstrap", metavar="N", min=0, help="Add confidence intervals from N bootstrap samples."),
    ] = 0,
    confusion: Annotated[
        bool, Option("--confusion", help="Show which labels are confused with which.")
    ] = False,
    seed: SeedOption = 0,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Compare predicted labels with gold labels.

    Scores tokens, spans by type (counted as conlleval and seqeval do) and whole sequences; with --rules, counts how often
    gold and predicted labels break each rule. The options about columns are for GOLD; a column that `lawful decode` added
    is found by itself. With --folds it needs no predictions: it trains models as `lawful train` does, each on all parts of GOLD but
    one, which the model then labels; with --rules also under these rules.

    \b
    Examples:
      lawful evaluate test.conll labelled.conll
      lawful evaluate labelled.conll                     # gold and predicted labels side by side
      lawful evaluate test.conll labelled.conll --rules rules.toml --bootstrap 1000
      lawful evaluate gold.conll --folds 5 --rules rules.toml
      lawful evaluate test.conll without.conll --compare with-rules.conll
      lawful decode test.conll -m model.lawful | lawful evaluate test.conll - --json
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(gold, predicted, rules, compare)
    shared: dict[str, Any] = {
        "scheme": scheme,
        "strict": strict,
        "outside": split_names(options.outside or "O"),
    }
    if folds is not None:
        if predicted is not None or compare is not None:
            raise InputError("--folds labels GOLD itself: leave out PREDICTED and --compare")
        return _cross_validate(
            gold,
            options,
            folds,
            model,
            kind,
            rules,
            jobs,
            seed,
            shared,
            bootstrap=bootstrap,
            metric=metric,
            json=json,
        )
    if model is not None or kind != "auto":
        raise InputError(f"--{'model' if model is not None else 'kind'} is for --folds")
    if predicted is None:
        gold_sentences, predictions = read_side_by_side(gold, options)
    else:
        gold_sentences = read_labelled(gold, options)
        predictions = read_predicted(predicted, options, gold_sentences, label=predicted_label)
    ruleset = None if rules is None else rules_about(rules, [*gold_sentences, *predictions])
    evaluation = lawful.evaluate(
        gold_sentences, predictions, rules=ruleset, bootstrap=bootstrap, seed=seed, **shared
    )
    data: dict[str, Any] = evaluation.to_dict()
    paragraphs = [str(evaluation)]
    if confusion:
        paragraphs.append(_confusion(evaluation))
    if compare is not None:
        other = read_predicted(compare, options, gold_sentences, label=predicted_label)
        comparison = compare_outputs(gold_sentences, predictions, other, metric=metric, seed=seed, **shared)
        data["comparison"] = comparison.to_dict()
        paragraphs.append(f"{predicted or 'predicted'} against {compare}\n{comparison}")
    if json:
        print_json(data)
    else:
        print("\n\n".join(paragraphs))
    return DONE


def _cross_validate(
    gold: str,
    options: CorpusOptions,
    folds: int,
    model: str | None,
    kind: str,
    rules: str | None,
    jobs: int | None,
    seed: int,
    shared: dict[str, Any],
    *,
    bootstrap: int,
    metric: str,
    json: bool,
) -> int:
    from lawful.cli.work.models import open_model
    from lawful.cli.work.training.folds import predict_by_folds
    from lawful.cli.work.training.recipe import Recipe
    from lawful.models import SequenceModel

    recipe: Any = Recipe(kind, jobs=count_jobs(jobs), seed=seed)
    if model is not None:
        recipe = open_model(model).model
        if not isinstance(recipe, SequenceModel):
            raise InputError(f"{model}: --folds needs a model that it can train again on parts of the data")
    sentences = read_labelled(gold, options)
    if len(sentences) < folds:
        raise InputError(f"--folds {folds} needs at least {folds} sequences, and {gold} has {len(sentences)}")
    ruleset = None if rules is None else rules_about(rules, sentences)
    plain, ruled = predict_by_folds(sentences, recipe, folds=folds, rules=ruleset, seed=seed)
    evaluations = {"without rules": plain} | ({} if ruled is None else {"under the rules": ruled})
    data: dict[str, Any] = {"folds": folds}
    paragraphs = []
    for name, labels in evaluations.items():
        found = lawful.evaluate(sentences, labels, rules=ruleset, bootstrap=bootstrap, seed=seed, **shared)
        data[name.replace(" ", "_")] = found.to_dict()
        paragraphs.append(f"{folds} folds, {name}\n{found}")
    if ruled is not None:
        comparison = compare_outputs(sentences, plain, ruled, metric=metric, seed=seed, **shared)
        data["comparison"] = comparison.to_dict()
        paragraphs.append(f"without rules against under the rules\n{comparison}")
    if json:
        print_json(data)
    else:
        print("\n\n".join(paragraphs))
    return DONE


def _confusion(evaluation: Evaluation) -> str:
    worst = evaluation.confusion.most_confused()
    if not worst:
        return "no label was confused with another"
    return format_table(("gold", "predicted", "tokens"), worst)
