"""`lawful explain`: what the rules changed in labels, and why."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

import typer

import lawful
from lawful.cli.boundary import DONE, Failure
from lawful.cli.console import make_console, wants_colour
from lawful.cli.options.corpus import CorpusOptions
from lawful.cli.options.decoder import (
    FeaturesOption,
    MaxStatesOption,
    ModelOption,
    RulesOption,
    TimeoutOption,
    chosen,
    open_model,
    rules_for,
)
from lawful.cli.options.rule_files import JsonOption
from lawful.cli.work.inputs import one_stdin, open_input
from lawful.cli.work.layout_notes import columns_for
from lawful.cli.work.output import print_json
from lawful.cli.work.parts import PartDecoder, Work, cut_into_parts
from lawful.cli.work.tagging import ModelFile
from lawful.corpus import Sentence
from lawful.errors import InputError

__all__ = ["explain"]

Numbered = tuple[int, Sentence]


def explain(
    model: ModelOption,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Sequences; - for stdin.")] = "-",
    rules: RulesOption = None,
    number: Annotated[
        int | None, typer.Option("--number", "-n", metavar="N", min=1, help="Only sequence N, from 1 on.")
    ] = None,
    line: Annotated[
        int | None, typer.Option("--line", metavar="N", min=1, help="Only the sequence on that line.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TOKENS", help="These tokens instead of a file.")
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, help="At most so many of those that were changed.")
    ] = 10,
    every: Annotated[bool, typer.Option("--all", help="Also those in which nothing was changed.")] = False,
    why_not: Annotated[
        str | None, typer.Option("--why-not", metavar="LABELS", help="Why these labels are not the answer.")
    ] = None,
    runners_up: Annotated[
        int,
        typer.Option("--runners-up", metavar="N", min=0, max=1000, help="How many of the next best answers."),
    ] = 3,
    json: JsonOption = False,
    features: FeaturesOption = None,
    timeout: TimeoutOption = None,
    max_states: MaxStatesOption = None,
    *,
    options: CorpusOptions,
) -> int:
    """Say what the rules changed, and why.

    Goes through a file and explains the sequences in which rules changed a label: which tokens, because of which rules,
    what each rule costs, and which answers came next. Or explains one sequence, whatever became of it.

    \b
    Examples:
      lawful explain test.conll --model model.lawful --rules rules.toml
      lawful explain test.conll -m model.lawful -r rules.toml --line 120
      lawful explain -m model.lawful -r rules.toml --text "10 Downing Street London"
      lawful explain test.conll -m model.lawful -r rules.toml -n 3 --why-not "author author title"
      lawful explain test.jsonl -m model.lawful -r rules.toml --json | jq '.[].changes'
    """  # noqa: D301 - click reads the \b
    one_stdin(file if text is None else None, rules)
    tagger = open_model(model, features)
    held = rules_for(rules, tagger)
    given: Iterable[Sentence]
    if text is not None:
        if not text.split():
            raise InputError("--text must be tokens with blanks between them, got none")
        given = [Sentence(tuple(text.split()))]
    else:
        given = open_input(file, options, columns=lambda source: columns_for(tagger.notes, source, options))
    alone = text is not None or number is not None or line is not None
    if why_not is not None and not alone:
        raise InputError("--why-not is for one sequence: say which with --number, --line or --text")
    limits = chosen(timeout=timeout, max_states=max_states)
    decoder = PartDecoder(Work(ModelFile("", b""), None, limits), jobs=1, tagger=tagger, rules=held)
    if alone:
        picked: Iterable[Numbered] = [_one(given, number, line)]
    elif every:
        picked = islice(((n, one) for n, one in enumerate(given, 1) if len(one)), most)
    else:
        picked = islice(_changed(given, decoder), most)
    told: list[dict[str, Any]] = []
    shown = 0
    for place, one in picked:
        _check(decoder, one)
        found: Any = lawful.explain(tagger.lattices([one])[0], held, runners_up=runners_up, **limits)
        if why_not is not None:
            found = found.why_not(_wished(why_not, one))
        shown += 1
        if json:
            told.append({"number": place, "source": one.source, "line": _line(one), **found.to_dict()})
        else:
            _print(place, one, found, first=shown == 1)
    if json:
        print_json(told)
    elif not shown:
        print("the rules change nothing", file=sys.stderr)
    return DONE


def _one(sentences: Iterable[Sentence], number: int | None, line: int | None) -> Numbered:
    last = 0
    for place, one in enumerate(sentences, 1):
        last = place
        here = number is None or number == place
        if here and (line is None or line in one.lines) and len(one):
            return place, one
    asked = f"--number {number}" if number is not None else f"--line {line}"
    raise InputError(f"{asked}: there is no such sequence; there are {last:,}")


def _changed(sentences: Iterable[Sentence], decoder: PartDecoder) -> Iterator[Numbered]:
    """The sequences in which the rules change a label."""
    place = 0
    for part in cut_into_parts(sentences, most_tokens=1 << 13):
        ruled, plain = _decode(decoder, part), decoder.decode_plain(part)
        for one, with_rules, without in zip(part, ruled, plain, strict=True):
            place += 1
            if tuple(with_rules) != tuple(without):
                yield place, one


def _decode(decoder: PartDecoder, part: Sequence[Sentence]) -> list[Sequence[str]]:
    try:
        return decoder.decode(part).labels
    except Failure as failure:
        raise _as_decode_would(failure) from None


def _check(decoder: PartDecoder, sentence: Sentence) -> None:
    try:
        decoder.check(sentence)
    except Failure as failure:
        raise _as_decode_would(failure) from None


def _as_decode_would(failure: Failure) -> Failure:
    """Without advice to use options that only `lawful decode` has: what is not proved best has no explanation."""
    return Failure(
        re.sub(
            r"pass (on_\w+)='(\w+)'",
            lambda found: f"run `lawful decode` with {found[1]}='{found[2]}'",
            str(failure),
        )
    )


def _wished(given: str, sentence: Sentence) -> Sequence[str]:
    labels = given.replace(",", " ").split()
    if len(labels) != len(sentence):
        raise InputError(f"--why-not has {len(labels)} labels, but the sequence has {len(sentence)} tokens")
    return labels


def _line(sentence: Sentence) -> int | None:
    return sentence.lines[0] if sentence.lines else None


def _print(place: int, sentence: Sentence, found: Any, *, first: bool) -> None:
    where = sentence.place().removesuffix(": ")
    head = f"sequence {place}" + (f" ({where})" if where else "")
    if wants_colour():
        console = make_console()
        console.print(("" if first else "\n") + head, style="bold")
        console.print(found, soft_wrap=True)
    else:
        print(("" if first else "\n") + head)
        print(found)
