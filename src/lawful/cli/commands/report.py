"""`lawful report`: what the rules changed in a corpus, as one HTML file."""

from __future__ import annotations

from typing import Annotated

from lawful.cli.console import track
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.files import FeaturesOption, SequencesArgument, VotersOption, WeightsOption
from lawful.cli.options.running import JsonOption
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import open_input, refuse_stdin_twice
from lawful.cli.work.models import ModelFile, parse_weights, voting_model
from lawful.cli.work.output import STDOUT, check_output, open_output, print_json
from lawful.cli.work.rule_files import read_rules
from lawful.report import make_report, render_report

__all__ = ["report"]


def report(
    model: VotersOption,
    rules: Annotated[str, Option("--rules", "-r", metavar="FILE", help="Rule file (TOML).")],
    file: SequencesArgument = "-",
    output: Annotated[
        str,
        Option("--output", "-o", metavar="FILE", help="Output file, report.html by default; - for stdout."),
    ] = "",
    gold: Annotated[
        bool | None,
        Option(
            "--gold/--no-gold",
            help="Whether the labels in FILE are gold labels; by default yes, if it has any.",
        ),
    ] = None,
    limit: Annotated[
        int, Option("--limit", metavar="N", min=0, help="Maximum number of sequences to show.")
    ] = 30,
    timeout: Annotated[
        float, Option("--timeout", metavar="SECONDS", help="Time limit for one sequence.")
    ] = 20.0,
    json: JsonOption = False,
    features: FeaturesOption = None,
    weights: WeightsOption = None,
    *,
    options: CorpusOptions,
) -> None:
    """Write an HTML report of what the rules changed in a corpus.

    It shows the most interesting sequences before and after, what each rule changed and whether that helped, the rules with
    their prices and automata, and scores if FILE has gold labels. The report is one file and needs no network.
    --json writes the same content as data. Several models vote (log-linear), and the report shows what each of them wanted,
    who won, and at what price.

    \b
    Examples:
      lawful report gold.conll --model citations.lawful --rules rules.toml -o report.html
      lawful report new.jsonl -m citations.lawful -r rules.toml --no-gold --limit 100
      lawful report gold.conll -m citations.lawful -r rules.toml --json | jq .rules
      lawful report gold.conll -m crf.lawful -m hmm.lawful -r rules.toml
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(file, rules)
    target = output or (STDOUT if json else "report.html")
    check_output(target, file, *model, rules, features)
    shares = parse_weights(weights, len(model))
    tagger = voting_model([ModelFile.read(path, features) for path in model], shares)
    ruleset = read_rules(rules, tagger.labels)
    corpus = open_input(
        file,
        options,
        columns=lambda source: columns_for(tagger.notes, source, options),
        tokenizer=tagger.tokenizer,
    )
    content = make_report(
        track(corpus, "labelling"),
        tagger.model,
        ruleset,
        score=tagger.lattices,
        gold=gold,
        limit=limit,
        timeout=timeout,
        source=corpus.name,
        model=f"{tagger.name} ({type(tagger.model).__name__})",
    )
    if json:
        print_json(content.to_dict(), target)
        return
    page = render_report(content)
    with open_output(target) as stream:
        stream.write(page)
    if target != STDOUT:
        told = f"{target}: the rules changed {content.changed_sequences:,} of {content.sequences:,} sequences"
        if content.infeasible:
            told += f"; {content.infeasible:,} cannot obey all hard rules, and break as few as they can"
        print(told)
