"""What an HMM's states emit: one symbol per token and emission, and the vocabulary of an emission."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lawful.errors import InputError
from lawful.lattice.arrays import Floats
from lawful.models.hmm.normalisation import normaliser
from lawful.rules.tokens.values import column_of, text_of

__all__ = ["Emission", "Vocabulary", "as_emissions"]


@dataclass(frozen=True)
class Emission:
    """One of the symbols that a state emits for a token.

    Parameters
    ----------
    column : str, int or None
        Which column of the token; None is its text.
    normalise : tuple of str
        Steps that the column's text goes through; see `normaliser`.
    unknown : tuple of str or None
        Steps that put unknown words into classes, each a symbol of its own; None: all unknown words are one class.
    smoothing : float, optional
        Added to every count of this emission, instead of the model's smoothing.

    Examples
    --------
    >>> Emission().symbol("Proc"), Emission(1, normalise=("lower",)).symbol(("Proc", "NNP"))
    ('proc', 'nnp')
    """

    column: str | int | None = None
    normalise: tuple[str, ...] = ("lower", "digits")
    unknown: tuple[str, ...] | None = ("short-shape",)
    smoothing: float | None = None

    def __post_init__(self) -> None:
        if self.column is not None and not isinstance(self.column, str | int):
            raise InputError(
                f"the column of an emission must be a name or a number, got {type(self.column).__name__}"
            )
        if self.smoothing is not None and not isinstance(self.smoothing, int | float):
            raise InputError(
                f"the smoothing of an emission must be a number, got {type(self.smoothing).__name__}"
            )
        for name in ("normalise", "unknown"):
            steps = getattr(self, name)
            if steps is not None or name == "normalise":
                normaliser(steps)
                object.__setattr__(self, name, tuple(steps))

    @property
    def text(self) -> Callable[[Any], str]:
        """The function that takes the text of this emission from a token."""
        column = self.column
        return text_of if column is None else lambda token: str(column_of(token, column))

    def symbol(self, token: Any) -> str:
        """The symbol that a label emits for a token, if the word is known."""
        return normaliser(self.normalise)(self.text(token))

    def as_data(self) -> dict[str, Any]:
        """The emission in JSON types."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


class Vocabulary:
    """The symbols of one emission, numbered: words, then classes of unknown words, then one for all others.

    Parameters
    ----------
    emission : Emission
    words : sequence of str
        The known words, normalised.
    classes : sequence of str
        The known classes of unknown words.
    class_of : int array (V,)
        For each word that is rare, and so stands for unknown ones too, the number of its class; -1 for the others.

    Examples
    --------
    >>> vocabulary = Vocabulary.of(Emission(), [["Proc", "ACM", "ACM", "1998"]], rare=1)
    >>> vocabulary.words, vocabulary.classes, vocabulary.class_of.tolist()
    (('0000', 'acm', 'proc'), ('0', 'Xx'), [0, -1, 1])
    >>> vocabulary.ids([["acm", "Bonn", "bonn"]]).tolist(), vocabulary.size
    ([1, 4, 5], 6)
    """

    def __init__(
        self, emission: Emission, words: Sequence[str], classes: Sequence[str], class_of: npt.ArrayLike
    ) -> None:
        self.emission, self.words, self.classes = emission, tuple(words), tuple(classes)
        self.class_of = np.array(class_of, dtype=np.int64)
        self._index = {word: number for number, word in enumerate(self.words)}
        self._classes = {name: number for number, name in enumerate(self.classes, len(self.words))}
        fits = self.class_of.shape == (len(self.words),) and np.all(self.class_of < len(self.classes))
        if len(self._index) != len(self.words) or len(self._classes) != len(self.classes) or not fits:
            raise InputError("a vocabulary has the same word twice, or classes that do not fit its words")

    @property
    def size(self) -> int:
        """The number of symbols: words, classes, and one for all others."""
        return len(self.words) + len(self.classes) + 1

    @classmethod
    def of(cls, emission: Emission, sequences: Iterable[Sequence[Any]], *, rare: int = 0) -> Vocabulary:
        """The symbols of these sequences, sorted.

        Words seen at most `rare` times stand for unknown words too.
        """
        texts: dict[str, int] = {}
        text = emission.text
        for tokens in sequences:
            for token in tokens:
                spelling = text(token)
                texts[spelling] = texts.get(spelling, 0) + 1
        normalise = normaliser(emission.normalise)
        counts: dict[str, int] = {}
        spelt: dict[str, str] = {}
        for spelling in sorted(
            texts
        ):  # sorted: which spelling stands for a word must not depend on the order of the data
            word = normalise(spelling)
            counts[word] = counts.get(word, 0) + texts[spelling]
            spelt.setdefault(word, spelling)
        words = sorted(counts)
        class_name = _class_namer(emission)
        class_names = {word: class_name(spelt[word]) for word in words if counts[word] <= rare}
        classes = sorted(set(class_names.values()))
        numbers = {name: number for number, name in enumerate(classes)}
        return cls(
            emission,
            words,
            classes,
            [numbers[class_names[word]] if word in class_names else -1 for word in words],
        )

    def ids(self, sequences: Iterable[Sequence[Any]]) -> npt.NDArray[np.int64]:
        """The numbers of all tokens of all sequences, one after another."""
        text, normalise, class_name = (
            self.emission.text,
            normaliser(self.emission.normalise),
            _class_namer(self.emission),
        )
        other = self.size - 1
        known: dict[str, int] = {}  # by spelling: most words recur, and need no normalising then
        ids: list[int] = []
        for tokens in sequences:
            for token in tokens:
                spelt = token if type(token) is str and self.emission.column is None else text(token)
                number = known.get(spelt)
                if number is None:
                    number = self._index.get(normalise(spelt))
                    if number is None:
                        number = self._classes.get(class_name(spelt), other)
                    known[spelt] = number
                ids.append(number)
        return np.array(ids, dtype=np.int64)

    def with_unknown(self, counts: Floats) -> Floats:
        """Counts (size, K) in which rare words count for their classes too."""
        rare = np.flatnonzero(self.class_of >= 0)
        if not len(rare):
            return counts
        counts = counts.copy()
        np.add.at(counts, len(self.words) + self.class_of[rare], counts[rare])
        return counts


def _class_namer(emission: Emission) -> Callable[[str], str]:
    return (lambda _: "") if emission.unknown is None else normaliser(emission.unknown)


def as_emissions(emissions: object) -> tuple[Emission, ...]:
    """Emissions from what a user may write: None, or a sequence of emissions, columns, or mappings of their fields.

    Examples
    --------
    >>> as_emissions([0, {"column": 1, "normalise": ["shape"]}])[1]
    Emission(column=1, normalise=('shape',), unknown=('short-shape',), smoothing=None)
    """
    if emissions is None:
        return (Emission(),)
    if isinstance(emissions, str) or not isinstance(emissions, Sequence) or not emissions:
        raise InputError(f"emissions must be a list with at least one column or Emission, got {emissions!r}")
    return tuple(_as_emission(emission) for emission in emissions)


def _as_emission(emission: object) -> Emission:
    if isinstance(emission, Emission):
        return emission
    if isinstance(emission, Mapping):
        return Emission(**emission)
    if emission is None or isinstance(emission, (str, int)):
        return Emission(emission)
    raise InputError(
        f"an emission must be a column, an Emission or a mapping of its fields, got {emission!r}"
    )
