"""`lawful explain`: which labels the rules changed, and why."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

import lawful
from lawful.cli.boundary import DONE
from lawful.cli.console import print_heading, print_shown
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.declarations import Option
from lawful.cli.options.decoding import MaxStatesOption, TimeoutOption, as_decoder_options
from lawful.cli.options.files import FeaturesOption, ModelOption, RulesOption, SequencesArgument
from lawful.cli.options.running import JsonOption
from lawful.cli.work.columns import columns_for
from lawful.cli.work.inputs import open_input, refuse_stdin_twice
from lawful.cli.work.models import ModelFile, open_model
from lawful.cli.work.output import print_json
from lawful.cli.work.rule_files import read_rules
from lawful.cli.work.running.batches import BatchDecoder, Work, cut_into_batches
from lawful.corpus import Sentence, Tokenizer
from lawful.corpus.sources import name_of
from lawful.errors import InputError

__all__ = ["explain"]

Numbered = tuple[int, Sentence]


def explain(
    model: ModelOption,
    file: SequencesArgument = "-",
    rules: RulesOption = None,
    number: Annotated[
        int | None,
        Option("--number", "-n", metavar="N", min=1, help="Explain only sequence N, counted from 1."),
    ] = None,
    line: Annotated[
        int | None, Option("--line", metavar="N", min=1, help="Explain only the sequence on line N.")
    ] = None,
    text: Annotated[
        str | None, Option("--text", metavar="TEXT", help="Explain this text instead of a file.")
    ] = None,
    most: Annotated[
        int, Option("--most", metavar="N", min=1, help="Maximum number of sequences to explain.")
    ] = 10,
    every: Annotated[bool, Option("--all", help="Include sequences in which nothing changed.")] = False,
    why_not: Annotated[
        str | None,
        Option("--why-not", metavar="LABELS", help="Explain why these labels are not the answer."),
    ] = None,
    runners_up: Annotated[
        int,
        Option("--runners-up", metavar="N", min=0, max=1000, help="Number of next best answers to show."),
    ] = 3,
    json: JsonOption = False,
    features: FeaturesOption = None,
    timeout: TimeoutOption = None,
    max_states: MaxStatesOption = None,
    *,
    options: CorpusOptions,
) -> int:
    """Explain what the rules changed, and why.

    Goes through a file and explains the sequences in which rules changed a label: which tokens, because of which rules,
    what each rule costs, and which answers came next. With --number, --line or --text it explains one sequence, changed or
    not.

    \b
    Examples:
      lawful explain test.conll --model model.lawful --rules rules.toml
      lawful explain test.conll -m model.lawful -r rules.toml --line 120
      lawful explain -m model.lawful -r rules.toml --text "10 Downing Street, London"
      lawful explain test.conll -m model.lawful -r rules.toml -n 3 --why-not "author author title"
      lawful explain test.jsonl -m model.lawful -r rules.toml --json | jq '.[].changes'
    """  # noqa: D301 - click reads the \b
    refuse_stdin_twice(file if text is None else None, rules)
    tagger = open_model(model, features)
    ruleset = read_rules(rules, tagger.labels)
    sentences: Iterable[Sentence]
    if text is not None:
        cutter = tagger.tokenizer() if options.tokenizer is None else Tokenizer(options.tokenizer)
        sentences = [cutter.sentence(text)]
        if not len(sentences[0]):
            raise InputError("--text has no tokens")
    else:
        sentences = open_input(
            file,
            options,
            columns=lambda source: columns_for(tagger.notes, source, options),
            tokenizer=tagger.tokenizer,
        )
        sentences = _some(sentences, name_of(file))
    alone = text is not None or number is not None or line is not None
    if why_not is not None and not alone:
        raise InputError("--why-not explains one sequence: choose it with --number, --line or --text")
    limits = as_decoder_options(timeout=timeout, max_states=max_states)
    work = Work(ModelFile("", b""), None, limits)
    # The options that errors recommend belong to `lawful decode`: only optimal answers can be explained.
    decoder = BatchDecoder(work, jobs=1, tagger=tagger, rules=ruleset, advised="run `lawful decode` with")
    if alone:
        chosen: Iterable[Numbered] = [_find(sentences, number, line)]
    elif every:
        numbered = enumerate(sentences, 1)
        chosen = islice(((index, sentence) for index, sentence in numbered if len(sentence)), most)
    else:
        chosen = islice(_changed(sentences, decoder), most)
    data: list[dict[str, Any]] = []
    shown = 0
    for index, sentence in chosen:
        decoder.check(sentence)
        lattice = tagger.lattices([sentence])[0]
        explanation: Any = lawful.explain(lattice, ruleset, runners_up=runners_up, **limits)
        if why_not is not None:
            explanation = explanation.why_not(_parse_labels(why_not, sentence))
        shown += 1
        if json:
            location = {"number": index, "source": sentence.source, "line": _line(sentence)}
            data.append({**location, **explanation.to_dict()})
        else:
            if text is None:
                print_heading(index, sentence.location(), first=shown == 1)
            if why_not is None and alone and not explanation.changes:
                _print_labels(sentence, explanation.decoding.labels)
            print_shown(explanation)
    if json:
        print_json(data)
    elif not shown:
        print("the rules change nothing", file=sys.stderr)
    return DONE


def _some(sentences: Iterable[Sentence], name: str) -> Iterator[Sentence]:
    """The sentences of a file, which must not be empty: otherwise its rules would seem to change nothing."""
    given = iter(sentences)
    for first in given:
        yield first
        yield from given
        return
    raise InputError(f"{name} has no sequences")


def _find(sentences: Iterable[Sentence], number: int | None, line: int | None) -> Numbered:
    """The sentence with a number, or on a line."""
    last = 0
    for index, sentence in enumerate(sentences, 1):
        last = index
        if not len(sentence) or number not in (None, index):
            continue
        if line is None or line in sentence.lines:
            return index, sentence
    option = f"--number {number}" if number is not None else f"--line {line}"
    raise InputError(f"{option}: there is no such sequence; the file has {last:,}")


def _changed(sentences: Iterable[Sentence], decoder: BatchDecoder) -> Iterator[Numbered]:
    """The sequences in which the rules change a label."""
    index = 0
    for batch in cut_into_batches(sentences, most_tokens=1 << 13):
        ruled, plain = decoder.decode(batch).labels, decoder.decode_plain(batch)
        for sentence, with_rules, without in zip(batch, ruled, plain, strict=True):
            index += 1
            if tuple(with_rules) != tuple(without):
                yield index, sentence


def _parse_labels(text: str, sentence: Sentence) -> Sequence[str]:
    labels = text.replace(",", " ").split()
    if len(labels) != len(sentence):
        raise InputError(f"--why-not has {len(labels)} labels, but the sequence has {len(sentence)} tokens")
    return labels


def _line(sentence: Sentence) -> int | None:
    return sentence.lines[0] if sentence.lines else None


def _print_labels(sentence: Sentence, labels: Sequence[str]) -> None:
    """Each token with its label: where nothing changed, an explanation shows none."""
    width = max(map(len, sentence.tokens))
    for token, label in zip(sentence.tokens, labels, strict=True):
        print(f"  {token:<{width}}  {label}")
    print()
