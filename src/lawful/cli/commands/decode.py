"""`lawful decode`: label sequences under rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Annotated, Any

from lawful.cli.console import track
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.decoding import (
    SKIP,
    MaxLossOption,
    MaxStatesOption,
    OnExceedOption,
    OnInfeasibleOption,
    OnLimitOption,
    SolverOption,
    TimeoutOption,
    as_decoder_options,
)
from lawful.cli.options.files import FeaturesOption, ModelOption, RulesOption, SequencesArgument
from lawful.cli.options.output import LabelColumnOption, OutputOption
from lawful.cli.options.running import JobsOption, count_jobs
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import open_input, refuse_stdin_twice
from lawful.cli.work.labelling import Labelling
from lawful.cli.work.models import ModelFile, SentenceTagger
from lawful.cli.work.output import check_output
from lawful.cli.work.remarks import Remarks
from lawful.cli.work.rule_files import read_rules
from lawful.cli.work.running.batches import (
    MOST_TOKENS,
    BatchDecoder,
    Work,
    collecting_rarely,
    cut_into_batches,
)
from lawful.cli.work.running.processes import Decoded, decode_here
from lawful.corpus import Sentence, write_corpus
from lawful.corpus.opening import WriteOptions
from lawful.corpus.registry import DEFAULT_FORMAT, FORMATS, WRITABLE, format_by_name
from lawful.decoding.decoder import warn_about_prices
from lawful.errors import InputError
from lawful.rules.ruleset import Rules

__all__ = ["decode"]


def decode(
    model: ModelOption,
    file: SequencesArgument = "-",
    rules: RulesOption = None,
    output: OutputOption = "-",
    to: Annotated[
        str | None,
        Option(
            "--to",
            metavar="FORMAT",
            help=f"Output format: {', '.join(WRITABLE)}; by default that of the input, for texts fields. "
            "With fields, a name that ends in .csv gets a table.",
        ),
    ] = None,
    json: Annotated[
        bool,
        Option("--json", help="Write JSONL with scores, losses, changes, violations and probabilities."),
    ] = False,
    label_column: LabelColumnOption = None,
    explain_column: Annotated[
        bool,
        Option("--explain-column", help="Add a column with the label before the rules changed it, or _."),
    ] = False,
    confidence: Annotated[
        bool | None,
        Option(
            "--confidence/--no-confidence",
            help="Give the probability of each label and field, under the rules; with --json by default.",
        ),
    ] = None,
    confidence_column: Annotated[
        bool, Option("--confidence-column", help="Add a column with the probability of each label.")
    ] = False,
    nbest: Annotated[
        int,
        Option("--nbest", metavar="N", min=1, max=1000, help="With --json: give the N best answers."),
    ] = 1,
    jobs: JobsOption = None,
    cluster: Annotated[
        str | None,
        Option(
            "--cluster", metavar="ADDRESS", help="Decode on the Dask cluster with this scheduler address."
        ),
    ] = None,
    features: FeaturesOption = None,
    max_loss: MaxLossOption = None,
    on_exceed: OnExceedOption = None,
    on_infeasible: OnInfeasibleOption = None,
    on_limit: OnLimitOption = None,
    timeout: TimeoutOption = None,
    max_states: MaxStatesOption = None,
    solver: SolverOption = None,
    batch_tokens: Annotated[
        int, Option("--batch-tokens", metavar="N", min=1, help="Number of tokens to decode at a time.")
    ] = MOST_TOKENS,
    *,
    options: CorpusOptions,
) -> int:
    """Label sequences with a model, under rules.

    Reads, labels and writes one batch at a time, in order, so that a file of any size needs little memory. The output has
    the layout of the input, with the labels in a column of their own; the file appears when it is complete. A text, one
    sequence a line or `{"text": ...}` in JSONL, is cut into tokens as those that the model was trained on.

    \b
    Examples:
      lawful decode test.conll --model model.lawful --rules rules.toml -o labelled.conll
      lawful decode test.conll -m model.lawful -r rules.toml --label-column replace > labelled.conll
      cat big.jsonl | lawful decode -m model.lawful -r rules.toml --json | jq .decoding.loss
      lawful decode refs.txt -m model.lawful -r rules.toml --to fields -o refs.csv
      lawful decode refs.txt -m model.lawful --to fields --confidence | jq .fields.title
      lawful decode test.conll -m model.lawful -r rules.toml --json --nbest 3 | jq .decoding.nbest
      lawful decode big.parquet -m model.lawful -o out.parquet --cluster tcp://scheduler:8786
      lawful decode items.jsonl -m old.crfsuite -r rules.toml --on-infeasible least-bad

    \b
    With scores of your own model, give the labels, and a table of scores with each sequence:
      echo '{"labels": ["O", "City"]}' > labels.json
      echo '{"tokens": ["in", "Bonn"], "scores": [[2.0, 0.1], [0.3, 1.5]]}' | lawful decode -m labels.json
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(file, rules)
    check_output(output, model, rules, features)  # writing over the sequences is allowed
    cores = count_jobs(jobs)
    source = ModelFile.read(model, features)
    tagger = SentenceTagger(source, jobs=cores)
    ruleset = read_rules(rules, tagger.labels)
    warn_about_prices(tagger.model, ruleset)
    corpus = open_input(
        file,
        options,
        columns=lambda source: columns_for(tagger.notes, source, options),
        tokenizer=tagger.tokenizer,
    )
    decoder_options = as_decoder_options(
        solver=solver,
        timeout=timeout,
        max_states=max_states,
        on_limit=on_limit,
        on_infeasible=on_infeasible,
        max_loss=max_loss,
        on_exceed=on_exceed,
    )
    format = "jsonl" if json else _output_format(to, output, corpus.format)
    fields = FORMATS[format].wants_labels
    if nbest > 1 and not json:
        raise InputError("--nbest gives more answers than a column holds: pass --json too")
    if confidence and not (json or fields or confidence_column):
        raise InputError("--confidence is for --json and --to fields; for a column pass --confidence-column")
    sure = confidence_column or (json if confidence is None else confidence)
    work = Work(
        source,
        _as_text(ruleset),
        decoder_options,
        json or explain_column,
        confidence=sure,
        nbest=nbest if nbest > 1 else 0,
        skips=on_limit == SKIP,
    )
    decoder = BatchDecoder(work, jobs=cores, tagger=tagger, rules=ruleset)
    labelling = Labelling(
        label_column or ("replace" if corpus.format == "conllu" else "add"),
        explain_column=explain_column,
        confidence_column=confidence_column,
        details=json,
        fields=fields and sure,
    )
    batches = cut_into_batches(corpus, most_tokens=batch_tokens)
    if cluster is None:
        decoded = decode_here(batches, decoder, work, jobs=cores)
    else:
        from lawful.cli.work.running.cluster import decode_on_cluster

        decoded = decode_on_cluster(batches, work, address=cluster)
    remarks = Remarks()
    more: WriteOptions = {"labels": list(tagger.labels)} if FORMATS[format].wants_labels else {}
    with collecting_rarely():
        write_corpus(_labelled(track(decoded, "decoding"), labelling, remarks), output, format, **more)
    return remarks.print()


def _labelled(decoded: Iterable[Decoded], labelling: Labelling, remarks: Remarks) -> Iterator[Sentence]:
    """The labelled sentences, one after another; without those for which a limit left no labels."""
    before = 0
    for batch, answers in decoded:
        remarks.count(answers.statuses)
        details: Iterable[dict[str, Any] | None] = answers.details or repeat(None)
        for number, (sentence, labels, detail) in enumerate(
            zip(batch, answers.labels, details, strict=False), start=before + 1
        ):
            if sentence.tokens and not labels:
                remarks.leave_out(sentence, number)
            else:
                yield labelling.label(sentence, labels, detail)
        before += len(batch)


def _as_text(rules: Rules) -> str | None:
    if not rules:
        return None
    from lawful.rules.files import format_rules  # a command without rules need not wait for it

    return format_rules(rules)


def _output_format(to: str | None, output: str, input_format: str) -> str:
    """The format to write: what was asked for, or what the name says, or that of the input."""
    if to is not None and to not in WRITABLE:
        raise InputError(f"--to {to}: the formats that can be written are {', '.join(WRITABLE)}")
    named = format_by_name(output)
    if to == "fields" or (to is None and input_format == "text" and named in (None, "csv")):
        return "fields-csv" if named == "csv" else "fields"
    return to or named or (DEFAULT_FORMAT if FORMATS[input_format].write is None else input_format)
