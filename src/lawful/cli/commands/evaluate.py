"""`lawful evaluate`: how good an output is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import RulesOption, SeedOption
from lawful.cli.options.rule_files import JsonOption, rules_about
from lawful.cli.work.evaluated_pairs import read_output, read_side_by_side
from lawful.cli.work.inputs import one_stdin, read_labelled
from lawful.cli.work.output import print_json
from lawful.evaluation import Evaluation, compare_outputs
from lawful.evaluation.table import format_table

__all__ = ["evaluate"]


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The right labels; - for stdin.")],
    predicted: Annotated[
        str | None,
        typer.Argument(
            metavar="PREDICTED",
            help="The same sequences, labelled by a model. Without it, the last two columns of GOLD are compared.",
        ),
    ] = None,
    predicted_label: Annotated[
        str | None,
        typer.Option(
            "--predicted-label", metavar="COLUMN", help="Where PREDICTED has them; the last column."
        ),
    ] = None,
    rules: RulesOption = None,
    compare: Annotated[
        str | None,
        typer.Option("--compare", metavar="FILE", help="Another output: is it better by more than chance?"),
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help="What to compare: span_f1, token_accuracy, ...")
    ] = "span_f1",
    scheme: Annotated[
        str | None,
        typer.Option(
            "--scheme", metavar="NAME", help="How labels say spans: IOB2, IOBES, flat, ... Guessed."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Only what is legal in the scheme is a span.")
    ] = False,
    outside: Annotated[str, typer.Option("--outside", metavar="A,B", help="Labels that are no spans.")] = "O",
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", metavar="N", min=0, help="Intervals, from so many resamplings.")
    ] = 0,
    confusion: Annotated[
        bool, typer.Option("--confusion", help="Show which labels are taken for which.")
    ] = False,
    seed: SeedOption = 0,
    json: JsonOption = False,
    *,
    options: CorpusOptions,
) -> int:
    """Score labels against the right ones.

    Tokens, spans by type as conlleval and seqeval count them, whole sequences; with rules, how often both sides break
    each. The options about columns are for GOLD; what `lawful decode` added behind them is found.

    \b
    Examples:
      lawful evaluate test.conll labelled.conll
      lawful evaluate labelled.conll                     # gold and predicted labels side by side
      lawful evaluate test.conll labelled.conll --rules rules.toml --bootstrap 1000
      lawful evaluate test.conll without.conll --compare with-rules.conll
      lawful decode test.conll -m model.lawful | lawful evaluate test.conll - --json
    """  # noqa: D301 - click reads the \b
    one_stdin(gold, predicted, rules, compare)
    if predicted is None:
        right, guess = read_side_by_side(gold, options)
    else:
        right = read_labelled(gold, options)
        guess = read_output(predicted, options, right, label=predicted_label)
    held = None if rules is None else rules_about(rules, [*right, *guess])
    shared: dict[str, Any] = {
        "scheme": scheme,
        "strict": strict,
        "outside": [name.strip() for name in outside.split(",")],
    }
    found = lawful.evaluate(right, guess, rules=held, bootstrap=bootstrap, seed=seed, **shared)
    told: dict[str, Any] = found.to_dict()
    parts = [str(found)]
    if confusion:
        parts.append(_confusion(found))
    if compare is not None:
        other = read_output(compare, options, right, label=predicted_label)
        comparison = compare_outputs(right, guess, other, metric=metric, seed=seed, **shared)
        told["comparison"] = comparison.to_dict()
        parts.append(f"{predicted or 'predicted'} against {compare}\n{comparison}")
    if json:
        print_json(told)
    else:
        print("\n\n".join(parts))
    return DONE


def _confusion(found: Evaluation) -> str:
    worst = found.confusion.most_confused()
    if not worst:
        return "no label was taken for another"
    return format_table(("gold", "predicted", "tokens"), worst)
