"""`lawful rules`: what the rules of a file mean, in English and as automata."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import lawful
from lawful.automata.drawing.formats import to_dot, to_svg
from lawful.automata.drawing.picture import picture
from lawful.cli.options.declarations import Option
from lawful.cli.options.files import OptionalRuleFileArgument, RuleFileOption, chosen_rule_file
from lawful.cli.options.labels import LabelsOption, parse_labels
from lawful.cli.options.running import JsonOption
from lawful.cli.work.output import make_folder, open_output, print_json
from lawful.cli.work.rule_files import labels_of_file, load_rule_file
from lawful.rules.files.schema import rule_file_schema
from lawful.rules.languages.pictures import RuleMachine, rule_machine

__all__ = ["draw_machine", "rules"]

MOST_DRAWN = 30  # states of a machine that is drawn as text


def rules(
    file: OptionalRuleFileArgument = None,
    rules: RuleFileOption = None,
    labels: LabelsOption = None,
    json: JsonOption = False,
    plain: Annotated[bool, Option("--plain", help="Describe the rules only; draw no automata.")] = False,
    dot: Annotated[bool, Option("--dot", help="Print the automata as Graphviz graphs.")] = False,
    svg: Annotated[
        Path | None,
        Option("--svg", metavar="DIR", help="Write a picture of each automaton to this folder."),
    ] = None,
    schema: Annotated[bool, Option("--schema", help="Print the JSON schema of rule files.")] = False,
) -> None:
    """Describe the rules of a file and draw their automata.

    Each rule is described in an English sentence, with its price and the size of its automaton. If the labels are known,
    the automata are drawn as text.

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
    file = chosen_rule_file(file, rules, "rules")
    loaded = load_rule_file(file, parse_labels(labels))
    if svg is not None or dot:
        labels_of_file(loaded, file)
    machines = {
        rule.name: None if loaded.labels is None else rule_machine(rule, loaded.labels)
        for rule in loaded.rules
    }
    if svg is not None:
        _write_pictures(machines, svg)
    if json:
        print_json([_as_data(rule, machines[rule.name], loaded.lines[rule.name]) for rule in loaded.rules])
    elif dot:
        for name, machine in machines.items():
            if machine is not None:
                print(f"// {name}\n{to_dot(machine.machine, class_names=machine.class_names)}")
    elif not loaded.rules:
        print(f"{file} has no rules", file=sys.stderr)
    else:
        print("\n\n".join(_as_text(rule, machines[rule.name], plain=plain) for rule in loaded.rules))


def draw_machine(machine: RuleMachine) -> Iterator[str]:
    """A machine as text, one line per state: where each label leads, and the violations that are counted.

    Examples
    --------
    >>> from lawful.automata.counting import CountingMachine
    >>> twice = CountingMachine.from_lists([[0, 1], [1, 1]], [[0, 0], [0, 1]], [0, 0])
    >>> for line in draw_machine(RuleMachine(twice, ("O", "City"))):
    ...     print(line)
    0: O -> 0 | City -> 1
    1: O -> 1 | City +1 -> 1
    """
    drawing = picture(machine.machine, class_names=machine.class_names)
    for number, circle in enumerate(drawing.circles):
        arrows = [
            f"{' '.join(arrow.lines)} -> {arrow.target}" for arrow in drawing.arrows if arrow.source == number
        ]
        end = f" (+{circle.ending} at the end)" if circle.ending else ""
        yield f"{circle.name}{end}: {' | '.join(arrows)}"


def _as_text(rule: lawful.Rule, machine: RuleMachine | None, *, plain: bool) -> str:
    lines = [rule.name, f"  {lawful.describe(rule)}"]
    if machine is not None and not plain:
        states = machine.machine.states
        lines.append(
            f"  automaton: {states} state{'' if states == 1 else 's'}, {machine.machine.classes} classes"
        )
        if states <= MOST_DRAWN:
            lines += (f"    {line}" for line in draw_machine(machine))
    return "\n".join(lines)


def _as_data(
    rule: lawful.Rule, machine: RuleMachine | None, location: tuple[str, int | None]
) -> dict[str, Any]:
    return {
        "name": rule.name,
        "meaning": lawful.describe(rule),
        "price": rule.price,
        "per": rule.per,
        "code": repr(rule),
        "source": location[0],
        "line": location[1],
        "states": machine.machine.states if machine else None,
        "classes": list(machine.class_names) if machine else None,
    }


def _write_pictures(machines: dict[str, RuleMachine | None], folder: Path) -> None:
    make_folder(folder)
    for number, (name, machine) in enumerate(machines.items(), 1):
        if machine is not None:
            file_name = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60]
            with open_output(folder / f"{number:02}-{file_name}.svg") as stream:
                stream.write(to_svg(machine.machine, class_names=machine.class_names))
