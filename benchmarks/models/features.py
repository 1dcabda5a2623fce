"""Feature extraction on CoNLL-2000: declared templates in the core beside a plain Python function, in CPU time.

LAWFUL_DATA=/folder/with/conll2000 python -m benchmarks.models.features
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lawful.errors import MissingDataError
from lawful.models.features import (
    Features,
    at,
    column,
    extract_attributes,
    first,
    fit_attributes,
    join,
    last,
    window,
    word,
)
from lawful.tasks import TASKS

Sentences = list[list[tuple[str, str]]]

WORD, POS = word(), column(1, name="pos")
CHUNKING = Features(
    window(WORD, -2, 2),
    window(join(WORD, at(1, WORD)), -1, 0),
    window(POS, -2, 2),
    window(join(POS, at(1, POS)), -2, 1),
    window(join(at(-1, POS), POS, at(1, POS)), -1, 1),
    first(),
    last(),
)
# (column, offset) ...: the same 21 as a plain Python function reads them
PLAIN = [((c, o),) for c in (0, 1) for o in range(-2, 3)]
PAIRS = [((0, o), (0, o + 1)) for o in (-1, 0)] + [((1, o), (1, o + 1)) for o in range(-2, 2)]
TRIPLES = [((1, o - 1), (1, o), (1, o + 1)) for o in (-1, 0, 1)]


def read(path: Path) -> Sentences:
    """The words and tags of a CoNLL-2000 file."""
    blocks = path.read_text().strip().split("\n\n")
    return [[(row.split()[0], row.split()[1]) for row in block.splitlines()] for block in blocks]


def plain_attributes(sentence: list[tuple[str, str]]) -> list[list[str]]:
    """What CRFsuite's tutorial does: a list of strings a token."""
    n, attributes = len(sentence), []
    named = [
        ("|".join(f"{'wp'[c]}[{o}]" for c, o in offsets) + "=", offsets)
        for offsets in [*PLAIN, *PAIRS, *TRIPLES]
    ]
    for t in range(n):
        items = [
            name + "|".join([sentence[t + o][c] for c, o in offsets])
            for name, offsets in named
            if t + offsets[0][1] >= 0 and t + offsets[-1][1] < n
        ]
        attributes.append(items + ["first"] * (t == 0) + ["last"] * (t == n - 1))
    return attributes


def measure(what: str, run: Callable[[], Any], tokens: int) -> Any:
    """Run three times and print the best."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        result = run()
        best = min(best, time.process_time() - start)
    print(f"{what:<44} {tokens / best / 1e6:7.3f} million tokens/s  {best:7.3f} s", flush=True)
    return result


def main() -> None:
    """Print a line for each way."""
    try:
        folder = TASKS["conll2000"].folder()
    except MissingDataError as error:
        raise SystemExit(str(error)) from None
    train, test = read(folder / "train.txt"), read(folder / "test.txt")
    many, some = sum(map(len, train)), sum(map(len, test))
    _, index = measure("fit, train", lambda: CHUNKING.fit(train), many)
    measure("extract with a known index, train", lambda: CHUNKING.extract(train, index), many)
    measure("extract with a known index, test", lambda: CHUNKING.extract(test, index), some)
    measure(
        "the same, one sentence per call",
        lambda: [CHUNKING.extract([sentence], index) for sentence in test],
        some,
    )
    hashed = Features(*CHUNKING.templates, hash_bits=20)
    measure("hash to 2^20 ids, test", lambda: hashed.extract(test), some)
    lists = measure("plain Python lists of attributes, test", lambda: list(map(plain_attributes, test)), some)
    _, known = measure("fit_attributes of these lists", lambda: fit_attributes(lists), some)
    measure("extract_attributes of these lists", lambda: extract_attributes(lists, known), some)
    assert sum(len(items) for sentence in lists for items in sentence) == len(
        CHUNKING.fit(test)[0].attributes
    )


if __name__ == "__main__":
    main()
