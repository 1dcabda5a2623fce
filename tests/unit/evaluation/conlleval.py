"""conlleval's conventions, written anew from its documentation of chunk starts and ends: the judge of ours."""

from __future__ import annotations

ENDS = {("B", "B"), ("B", "O"), ("I", "B"), ("I", "O"), ("E", "E"), ("E", "I"), ("E", "O")}
STARTS = {("B", "B"), ("I", "B"), ("O", "B"), ("O", "I"), ("E", "E"), ("E", "I"), ("O", "E")}


def parse(label: str) -> tuple[str, str]:
    tag, _, kind = label.partition("-")
    return tag, kind


def ends(before: tuple[str, str], here: tuple[str, str]) -> bool:
    return (before[0], here[0]) in ENDS or (before[0] != "O" and before[1] != here[1])


def starts(before: tuple[str, str], here: tuple[str, str]) -> bool:
    return (before[0], here[0]) in STARTS or (here[0] != "O" and before[1] != here[1])


def conlleval(gold: list[list[str]], predicted: list[list[str]]) -> dict[str, tuple[int, int, int]]:
    """Correct, predicted and gold chunks by type, found in one pass over both columns as the script does."""
    counts: dict[str, list[int]] = {}

    def count(kind: str, what: int) -> None:
        counts.setdefault(kind, [0, 0, 0])[what] += 1

    running = False  # inside a chunk that has been the same in both so far
    last = [("O", ""), ("O", "")]
    for sequence, guesses in zip(gold, predicted, strict=True):
        for labels in [*zip(sequence, guesses, strict=True), ("O", "O")]:
            here = [parse(labels[0]), parse(labels[1])]
            end = [ends(last[side], here[side]) for side in (0, 1)]
            start = [starts(last[side], here[side]) for side in (0, 1)]
            if running:
                if end[0] and end[1] and last[0][1] == last[1][1]:
                    running = False
                    count(last[0][1], 0)
                elif end[0] != end[1] or here[0][1] != here[1][1]:
                    running = False
            if start[0] and start[1] and here[0][1] == here[1][1]:
                running = True
            if start[0]:
                count(here[0][1], 2)
            if start[1]:
                count(here[1][1], 1)
            last = here
    return {kind: (found[0], found[1], found[2]) for kind, found in counts.items()}
