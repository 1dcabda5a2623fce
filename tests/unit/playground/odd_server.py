"""A playground whose requests do what they should not: `test_budgets.py` runs it in a process of its own.

The first token of a request says what its worker does, the second how much of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from functools import partial
from typing import Any

from lawful.playground import Workbench
from lawful.playground.http.serving import Playground
from lawful.playground.limits import Limits
from lawful.playground.questions import DecodeQuestion
from lawful.playground.starter import starter_workbench


class OddWorkbench(Workbench):
    def decode(self, question: DecodeQuestion) -> dict[str, Any]:
        word, amount = question.tokens[0], int(question.tokens[1])
        if word == "spin":
            end = time.monotonic() + amount
            while time.monotonic() < end:
                pass
        elif word == "allocate":
            bytearray(amount * 2**20)
        elif word == "keep":
            self.kept = bytearray(amount * 2**20)
        elif word == "die":
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGKILL)
        return {"worker": os.getpid(), "padding": "x" * amount if word == "long" else ""}


def make(limits: Limits) -> OddWorkbench:
    bench = starter_workbench(limits)
    return OddWorkbench(bench.tagger, bench.sets.text, bench.sets.served, limits=limits)


if __name__ == "__main__":
    playground = Playground(partial(make, Limits(**json.loads(sys.argv[1]))))
    playground.run(lambda: print(playground.address, flush=True))
