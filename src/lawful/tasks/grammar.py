"""Sentences from templates: `{name}` stands for one of the texts of that name, chosen by a seeded generator."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from random import Random

__all__ = ["Grammar", "read_texts"]

_SLOT = re.compile(r"\{(\w+)\}")
_TRIES = 4  # attempts to find a text that has not been used in this sentence


def read_texts(task: str) -> dict[str, tuple[str, ...]]:
    """The texts in the file words.toml of a task, by name.

    A value is a list of templates, or a string that is split at " ; " if it has one, else at white space.

    Examples
    --------
    >>> "Knuth" in read_texts("citations")["known_surname"]
    True
    """
    path = files("lawful.tasks").joinpath(task, "words.toml")
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    return {key: tuple(_split(value) if isinstance(value, str) else value) for key, value in texts.items()}


def _split(text: str) -> list[str]:
    if " ; " in text:
        return [" ".join(part.split()) for part in re.split(r"\s;\s", text)]
    return text.split()


class Grammar:
    """Texts by name, some of which refer to others; `{Name}` is a text of `name` with a capital.

    The same seed gives the same texts on every machine and in every release of Python: only `Random.random`, whose
    numbers never change, is used.

    Examples
    --------
    >>> grammar = Grammar({"greeting": ["{Word} {name} ."], "word": ["hello"], "name": ["you"]}, seed=0)
    >>> grammar.make("greeting")
    ['Hello', 'you', '.']
    """

    def __init__(self, texts: Mapping[str, Sequence[str]], seed: int) -> None:
        self._texts = texts
        self._random = Random(seed).random  # noqa: S311 - not a secret

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def number(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def weigh(self, weights: Sequence[float]) -> int:
        """A random index, chosen by weight."""
        left = self._random() * sum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return index
        return len(weights) - 1

    def make(self, name: str) -> list[str]:
        """The words of one of the texts of a name; texts longer than a letter are repeated in it only if others are rare."""
        return self._fill(f"{{{name}}}", set()).split()

    def _fill(self, text: str, used: set[str]) -> str:
        return _SLOT.sub(lambda slot: self._choose(slot.group(1), used), text)

    def _choose(self, name: str, used: set[str]) -> str:
        capital = name not in self._texts
        options = self._texts[name.lower() if capital else name]
        for _ in range(_TRIES):
            text = options[int(self._random() * len(options))]
            if text not in used or "{" in text or len(text) < 2:
                break
        used.add(text)
        filled = self._fill(text, used)
        return filled[0].upper() + filled[1:] if capital else filled
