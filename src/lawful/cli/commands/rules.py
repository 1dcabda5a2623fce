"""`lawful rules`: what the rules of a file mean."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import lawful
from lawful.automata.drawing.formats import to_dot, to_svg
from lawful.cli.options.rule_files import FileArgument, JsonOption, LabelsOption, load_rules, needed_labels
from lawful.cli.text.machine import draw_machine
from lawful.cli.work.output import make_folder, open_output, print_json
from lawful.errors import InputError
from lawful.rules.files.schema import rule_file_schema
from lawful.rules.languages.pictures import RuleMachine, rule_machine

__all__ = ["rules"]

MOST_DRAWN = 30  # states of a machine that is drawn as text


def rules(
    file: FileArgument = "",
    labels: LabelsOption = None,
    json: JsonOption = False,
    plain: Annotated[bool, typer.Option("--plain", help="Sentences only, no automata.")] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print the automata as Graphviz graphs.")] = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="DIR", help="Write a picture of each automaton to a folder."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of rule files.")] = False,
) -> None:
    """Say what the rules of a file mean, and draw their automata.

    Each rule is told in a sentence of English, with its price and the size of its automaton. Automata are drawn as
    text, if the labels are known.

    \b
    Examples:
      lawful rules rules.toml
      lawful rules rules.toml --labels O,Street,City --svg pictures/
      lawful rules rules.toml --dot | dot -Tpdf > rules.pdf
      lawful rules --schema > rules.schema.json
    """  # noqa: D301 - click reads the \b
    if schema:
        print_json(rule_file_schema())
        return
    if not file:
        raise InputError(
            "`lawful rules` needs a rule file, or - for stdin; `lawful rules --help` shows examples"
        )
    found = load_rules(file, labels)
    if svg is not None or dot:
        needed_labels(found, file)
    machines = {
        rule.name: None if found.labels is None else rule_machine(rule, found.labels) for rule in found.rules
    }
    if svg is not None:
        _write_pictures(machines, svg)
    if json:
        print_json([_as_data(rule, machines[rule.name], found.lines[rule.name]) for rule in found.rules])
    elif dot:
        for name, drawn in machines.items():
            if drawn is not None:
                print(f"// {name}\n{to_dot(drawn.machine, class_names=drawn.class_names)}")
    elif not found.rules:
        print(f"{file} has no rules", file=sys.stderr)
    else:
        print("\n\n".join(_as_text(rule, machines[rule.name], plain=plain) for rule in found.rules))


def _as_text(rule: lawful.Rule, drawn: RuleMachine | None, *, plain: bool) -> str:
    lines = [rule.name, f"  {lawful.describe(rule)}"]
    if drawn is not None and not plain:
        states = drawn.machine.states
        lines.append(
            f"  automaton: {states} state{'' if states == 1 else 's'}, {drawn.machine.classes} classes"
        )
        if states <= MOST_DRAWN:
            lines += (f"    {line}" for line in draw_machine(drawn))
    return "\n".join(lines)


def _as_data(rule: lawful.Rule, drawn: RuleMachine | None, place: tuple[str, int | None]) -> dict[str, Any]:
    return {
        "name": rule.name,
        "meaning": lawful.describe(rule),
        "price": rule.price,
        "per": rule.per,
        "code": repr(rule),
        "source": place[0],
        "line": place[1],
        "states": drawn.machine.states if drawn else None,
        "classes": list(drawn.class_names) if drawn else None,
    }


def _write_pictures(machines: dict[str, RuleMachine | None], folder: Path) -> None:
    make_folder(folder)
    for number, (name, drawn) in enumerate(machines.items(), 1):
        if drawn is not None:
            simple = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60]
            with open_output(folder / f"{number:02}-{simple}.svg") as stream:
                stream.write(to_svg(drawn.machine, class_names=drawn.class_names))
