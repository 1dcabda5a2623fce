"""`lawful vote`: let taggers decide together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any, get_args

from lawful.cli.boundary import Failure
from lawful.cli.console import print_heading, print_shown, track
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Argument, Option
from lawful.cli.options.decoding import (
    SKIP,
    MaxStatesOption,
    OnInfeasibleOption,
    OnLimitOption,
    TimeoutOption,
    as_decoder_options,
)
from lawful.cli.options.files import FeaturesOption, RulesOption, WeightsOption
from lawful.cli.options.output import LabelColumnOption, OutputOption
from lawful.cli.options.running import split_names
from lawful.cli.work.ballots import (
    labels_of,
    lattice_of,
    read_outputs,
    require_scheme,
    tell_of_other_schemes,
)
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import open_input, refuse_stdin_twice
from lawful.cli.work.labelling import Labelling
from lawful.cli.work.models import (
    ModelFile,
    SentenceTagger,
    open_voters,
    parse_weights,
    tell_of_missing_labels,
)
from lawful.cli.work.output import STDOUT, check_output
from lawful.cli.work.remarks import Remarks, require_labels
from lawful.cli.work.rule_files import read_rules
from lawful.corpus import Sentence, write_corpus
from lawful.corpus.registry import DEFAULT_FORMAT, FORMATS, format_by_name, guess_format
from lawful.errors import InfeasibleError, InputError, LimitError
from lawful.lattice import AnyLattice
from lawful.lattice.tagger import is_calibrated
from lawful.support.numbers import check_choice
from lawful.voting import Vote, explain_vote
from lawful.voting.ballot import Ballot, Method, joint_labels

__all__ = ["vote"]

Said = tuple[Sentence, list[AnyLattice]]
Decided = tuple[int, Sentence, Vote | None]  # None for a sentence without tokens


def vote(
    files: Annotated[
        list[str],
        Argument(
            metavar="FILE...",
            help="The same sequences, labelled by each tagger (or with n-best lists); with --model, one file to label.",
        ),
    ],
    model: Annotated[
        list[str] | None,
        Option(
            "--model", "-m", metavar="FILE", help="A model that votes; give several, or one saved ensemble."
        ),
    ] = None,
    rules: RulesOption = None,
    method: Annotated[
        str | None,
        Option(
            "--method",
            metavar="NAME",
            help="local, repaired, linear or log-linear. By default log-linear for models, linear for n-best lists, else local.",
        ),
    ] = None,
    weights: WeightsOption = None,
    scheme: Annotated[
        str | None,
        Option("--scheme", metavar="NAME", help="Chunk scheme to vote and answer in: IOB2, IOBES, ..."),
    ] = None,
    schemes: Annotated[
        str | None,
        Option(
            "--schemes",
            metavar="A,B,C",
            help="The chunk scheme of each file, where they differ; needs --scheme.",
        ),
    ] = None,
    output: OutputOption = "-",
    to: Annotated[
        str | None,
        Option("--to", metavar="FORMAT", help="Output format; by default that of the first file."),
    ] = None,
    json: Annotated[
        bool,
        Option("--json", help="Write JSONL with what each tagger wanted, who won, and at what price."),
    ] = False,
    explain: Annotated[
        bool,
        Option(
            "--explain",
            help="Print, in place of labels, who wanted what where taggers disagree, who won, and at what price.",
        ),
    ] = False,
    label_column: LabelColumnOption = None,
    tolerance: Annotated[
        float,
        Option("--tolerance", metavar="SHARE", help="Share of the best score that a linear vote may lose."),
    ] = 0.0,
    max_paths: Annotated[
        int | None,
        Option("--max-paths", metavar="N", help="Most ways that a linear vote keeps in a group."),
    ] = None,
    features: FeaturesOption = None,
    on_infeasible: OnInfeasibleOption = None,
    on_limit: OnLimitOption = None,
    timeout: TimeoutOption = None,
    max_states: MaxStatesOption = None,
    *,
    options: CorpusOptions,
) -> int:
    """Let taggers vote, under rules.

    Takes the outputs of any taggers, as files with the same sequences, or models of lawful. A line of a JSONL file may have an
    n-best list in place of labels: "nbest": [{"labels": [...], "score": LOG-PROBABILITY}, ...]; `lawful decode --json --nbest 20`
    writes such lists. The output has the layout of the (first) file; models add their labels as a new column, votes between files
    replace them, unless --label-column says otherwise. A saved ensemble, as the only --model, votes by its own method and weights.

    \b
    Examples:
      lawful vote a.conll b.conll c.conll --rules rules.toml -o voted.conll
      lawful vote a.conll b.conll --weights 2,1 --scheme IOB2 --schemes IOBES,IOB2
      lawful vote a.jsonl b.jsonl --method linear --json
      lawful vote a.conll b.conll c.conll --rules rules.toml --explain
      lawful vote test.conll -m crf.lawful -m hmm.lawful --rules rules.toml -o voted.conll
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(*files, rules)
    check_output(output, *files, *(model or ()), rules)
    if explain and (json or to is not None or output != STDOUT):
        raise InputError("--explain prints text in place of labels: leave out --json, --to and --output")
    limits = as_decoder_options(
        timeout=timeout, max_states=max_states, on_limit=on_limit, on_infeasible=on_infeasible
    )
    if (schemes is None) != (scheme is None):
        raise InputError("--schemes says what the files are in, --scheme what to vote in: pass both, or none")
    if model:
        if len(files) != 1:
            raise InputError(f"with --model there is one file to label, got {len(files)}")
        if schemes is not None or scheme is not None:
            raise InputError(
                "--scheme and --schemes are for files with labels; models must have the same labels"
            )
        taggers, saved = open_voters([ModelFile.read(file, features) for file in model]), None
        if len(taggers) == 1 and (members := taggers[0].members()):
            saved, taggers = taggers[0].model, members
        tell_of_missing_labels(taggers)
        names = [tagger.name for tagger in taggers]
        shares = parse_weights(weights, len(names)) or (saved and list(saved.weights_))
        labels = joint_labels(tagger.labels for tagger in taggers)
        corpus = open_input(
            files[0], options, columns=lambda source: columns_for(taggers[0].notes, source, options)
        )
        default = saved.method if saved else "log-linear"
        chosen = check_choice("--method", method or default, get_args(Method))
        if chosen == "linear":
            _require_probabilities(taggers)
        said: Iterable[Said] = _scored(corpus, taggers)
        format = corpus.format
    else:
        if features is not None:
            raise InputError("--features are for models: these files have labels already")
        names, shares = files, parse_weights(weights, len(files))
        target = None if scheme is None else require_scheme(scheme)
        of_files = dict.fromkeys(files, "") if schemes is None else _schemes(schemes, files)
        sentences, candidates = read_outputs(
            files, options, {file: source for file, source in of_files.items() if source}, target
        )
        labels = labels_of(candidates)
        if schemes is None:
            tell_of_other_schemes(files, candidates)
        lists = any(len(one) > 1 for row in candidates for one in row)
        chosen = check_choice("--method", method or ("linear" if lists else "local"), get_args(Method))
        if chosen == "log-linear" and not lists:
            raise InputError(
                "a log-linear vote multiplies probabilities, but these files give one answer each: use --method local, repaired or "
                "linear, or files with n-best lists"
            )
        said = (
            (sentence, [lattice_of(one, labels, sentence) for one in row])
            for sentence, row in zip(sentences, candidates, strict=True)
        )
        format = options.format or guess_format(files[0])
    if len(names) < 2:
        raise InputError(
            "a vote needs at least two taggers: give two files or more, or --model twice or more, or a saved ensemble"
        )
    if chosen != "linear":
        for option, given in (("--tolerance", tolerance != 0), ("--max-paths", max_paths is not None)):
            if given:
                raise InputError(
                    f"{option} is for linear votes, and this one is {chosen}: pass --method linear too"
                )
    ballot = Ballot(
        labels,
        shares or [1.0] * len(names),
        method=chosen,
        rules=read_rules(rules, labels),
        names=names,
        tolerance=tolerance,
        max_paths=max_paths,
        **limits,
    )
    remarks = Remarks()
    decided = _decided(track(said, "voting"), ballot, remarks, skips=on_limit == SKIP)
    if explain:
        _explain(decided)
        return remarks.print()
    labelling = Labelling(label_column or ("add" if model else "replace"), details=False)
    wanted = "jsonl" if json else to or format_by_name(output) or _writable(format)
    write_corpus(_labelled(decided, labelling, details=json), output, wanted)
    return remarks.print()


def _explain(decided: Iterable[Decided]) -> None:
    """Print the votes that were disputed."""
    votes = shown = 0
    for number, sentence, vote in decided:
        if vote is None:
            continue
        votes += 1
        explanation = explain_vote(vote)
        if explanation.disputed:
            shown += 1
            print_heading(number, sentence.location(), first=shown == 1)
            print_shown(explanation)
    if votes and not shown:
        print("all taggers agree", file=sys.stderr)


def _decided(said: Iterable[Said], ballot: Ballot, remarks: Remarks, *, skips: bool) -> Iterator[Decided]:
    """The vote on each sentence; one for which a limit left no labels is left out if `skips`, and else an error."""
    for number, (sentence, lattices) in enumerate(said, start=1):
        if not lattices:
            yield number, sentence, None
            continue
        try:
            vote = ballot.decide(lattices)
        except (InfeasibleError, LimitError) as error:
            raise Failure(f"{sentence.location()}{error}") from None
        except InputError as error:
            raise InputError(f"{sentence.location()}{error}") from None
        remarks.count([vote.status])
        if skips and not vote.labels:
            remarks.leave_out(sentence, number)
            continue
        require_labels(vote.labels, sentence.location())
        yield number, sentence, vote


def _labelled(decided: Iterable[Decided], labelling: Labelling, *, details: bool) -> Iterator[Sentence]:
    for _, sentence, vote in decided:
        if vote is None:
            yield sentence
            continue
        labelled = labelling.label(sentence, vote.labels)
        if details:
            told = explain_vote(vote).to_dict()
            extra: dict[str, Any] = {
                key: value for key, value in told.items() if key not in ("tokens", "labels")
            }
            kept = {name: value for name, value in labelled.context.items() if name != "nbest"}
            labelled = replace(labelled, context={**kept, "vote": extra})
        yield labelled


def _scored(corpus: Iterable[Sentence], taggers: list[SentenceTagger]) -> Iterator[Said]:
    for sentence in corpus:
        yield sentence, [tagger.lattices([sentence])[0] for tagger in taggers] if len(sentence) else []


def _require_probabilities(taggers: list[SentenceTagger]) -> None:
    for tagger in taggers:
        if not is_calibrated(tagger.model):
            raise InputError(
                f"a linear vote adds up probabilities, but the scores of {tagger.name} are none: use --method log-linear, or give the "
                "model a temperature with lawful.learning.calibrate"
            )


def _schemes(text: str, files: list[str]) -> dict[str, str]:
    names = [require_scheme(name) for name in split_names(text)]
    if len(names) != len(files):
        raise InputError(f"--schemes has {len(names)} names, but there are {len(files)} files")
    return dict(zip(files, names, strict=True))


def _writable(format: str) -> str:
    return DEFAULT_FORMAT if FORMATS[format].write is None else format
