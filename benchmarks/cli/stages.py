"""One run of `lawful decode` in this process, with CPU time charged to its stages; prints JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

__all__ = ["Clock"]


class Clock:
    """CPU time of this process since its start, charged to the stage that is running."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {"start": 0.0}
        self.stack, self.last = ["start"], 0.0  # the interpreter's own start is on the first stage's bill

    def _charge(self) -> None:
        now = time.process_time()
        self.spent[self.stack[-1]] = self.spent.get(self.stack[-1], 0.0) + now - self.last
        self.last = now

    def during(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with its time charged to a stage."""

        def charged(*arguments: Any, **options: Any) -> Any:
            self._charge()
            self.stack.append(stage)
            try:
                return work(*arguments, **options)
            finally:
                self._charge()
                self.stack.pop()

        return charged

    def each(self, stage: str, items: Any) -> Iterator[Any]:
        """The same items, each made on the bill of a stage."""
        step = self.during(stage, iter(items).__next__)
        while True:
            try:
                yield step()
            except StopIteration:
                return

    def result(self) -> dict[str, float]:
        """Seconds by stage."""
        self._charge()
        return self.spent


def main(arguments: list[str]) -> None:
    """Run, and print what each stage took."""
    clock = Clock()
    from lawful.cli.main import run

    command: Any = import_module("lawful.cli.commands.decode")  # its parts are replaced by charged ones
    command.write_corpus = clock.during("write", command.write_corpus)
    command.BatchDecoder.decode = clock.during("decode", command.BatchDecoder.decode)
    command.SentenceTagger.lattices = clock.during("features", command.SentenceTagger.lattices)
    command.SentenceTagger = clock.during("load", command.SentenceTagger)
    command.read_rules = clock.during("rules", command.read_rules)
    command.BatchDecoder = clock.during("rules", command.BatchDecoder)
    cut = command.cut_into_batches
    command.cut_into_batches = lambda corpus, **options: clock.each("read", cut(corpus, **options))
    code = run(["decode", *arguments])
    print(json.dumps(clock.result()))
    sys.exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
