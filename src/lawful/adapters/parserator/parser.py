"""What the parsers made with parserator (usaddress, probablepeople) share.

Each labels the tokens of a string with a CRFsuite model, and then gathers the tokens of each label into a dictionary. If a
label is repeated where the package does not expect it, its `tag` raises RepeatedLabelError. Here that condition is a set of
rules, and the best labels that obey them replace the error, unless obeying costs more than `max_loss`.

Nearly all strings are read, labelled and arranged by the compiled core, exactly as the package does it. What the core cannot
read so (letters whose cases are odd, a version of the package that it does not know) goes through the package's own Python code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import compress
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from lawful import _core
from lawful.adapters.crfsuite.tagger import CrfsuiteTagger
from lawful.decoding import Decoder, Decoding
from lawful.errors import InputError, LossError, MissingExtraError
from lawful.lattice import Lattice
from lawful.rules.rule import Rule
from lawful.support.numbers import check_number
from lawful.support.threads import thread_count

__all__ = [
    "MAX_LOSS",
    "Arrange",
    "Arranged",
    "Naming",
    "OnExceed",
    "Parsed",
    "Parser",
    "gather",
    "import_package",
]

OnExceed = Literal["plain", "merge", "raise"]
Arranged = tuple[dict[str, str], str]  # what the packages' own `tag` returns: fields by name, kind of string
Naming = Iterator[tuple[str, bool]]  # the field of each token, and whether the package would raise there

GLANCE = 100  # states that it may take to see that obeying costs too much,
SLACK = 1e-6  # and by how much, since bounds are rounded sums

MAX_LOSS = 3.0
"""How much score (natural logarithms) the rules may cost before the plain labels are taken.

Chosen on usaddress's labelled addresses in cross-validation: docs/results/addresses.md."""


@dataclass(frozen=True)
class Parsed:
    """The labels of one string, and what they cost.

    Attributes
    ----------
    text : str
    tokens, labels : tuple of str
    plain_labels : tuple of str
        The model's labels without rules: the package's own answer, or the labels that it raises an error about.
    loss : float
        The score given up by obeying, or, if `fell_back`, the score that obeying would have given up; that is worked out when it
        is asked for.
    changed : tuple of int
        The tokens whose label differs from the plain one.
    fell_back : bool
        Whether obeying costs more than `max_loss`, so that the labels are the plain ones, with a repetition.
    fields : dict
        The text of each field, by name: the first half of what `tag` returns.
    kind : str
        The kind of string: the second half.
    parser : Parser
        What found it.
    decoding : Decoding or None
        The answer that obeys, with its proof, for `lawful.explain` and the like; None for a string without tokens.
        Worked out when it is asked for.
    """

    text: str
    tokens: tuple[str, ...]
    labels: tuple[str, ...]
    plain_labels: tuple[str, ...]
    fell_back: bool
    fields: dict[str, str]
    kind: str
    parser: Parser = field(repr=False, compare=False)

    @cached_property
    def loss(self) -> float:
        """The score given up by obeying, or, if `fell_back`, the score that obeying would have given up."""
        return 0.0 if self.decoding is None else self.decoding.loss

    @property
    def changed(self) -> tuple[int, ...]:
        """The tokens whose label differs from the plain one."""
        pairs = zip(self.labels, self.plain_labels, strict=True)
        return tuple(t for t, (label, plain) in enumerate(pairs) if label != plain)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Tokens and their labels: what the package's own `parse` returns."""
        return list(zip(self.tokens, self.labels, strict=True))

    @cached_property
    def decoding(self) -> Decoding | None:
        """The answer that obeys, with its proof; None for a string without tokens."""
        if not self.tokens:
            return None
        items = self.parser.features(list(self.tokens))
        return self.parser.decoder.decode(self.parser.tagger.lattice(items, tokens=self.tokens))


class Arrange(Protocol):
    """Makes fields and kind from tokens and labels; `merge` decides how labels that break the rules are handled."""

    def __call__(self, tokens: Sequence[str], labels: Sequence[str], *, merge: bool) -> Arranged:
        """What the package's own `tag` would return for them."""


@dataclass(frozen=True)
class Parser:
    """A package's tokenizer, features, model and rules, and how it arranges the answer.

    Parameters
    ----------
    tokenize : function of a string
    features : function of tokens
    tagger : CrfsuiteTagger
    rules : iterable of rules
        Broken if and only if the package's own `tag` would raise.
    arrange : function of tokens, labels and merge=
        Gives fields and kind.
    core : StringParser or None
        Does all of that at once for strings whose plain labels obey; None if the package is one that it does not know.
    again : function of nothing
        Makes this parser, for copies in other processes.
    """

    tokenize: Callable[[Any], list[str]]
    features: Callable[[list[str]], list[Any]]
    tagger: CrfsuiteTagger
    rules: Iterable[Rule]
    arrange: Arrange
    core: _core.StringParser | None
    again: Callable[[], Parser] = field(repr=False)
    decoder: Decoder = field(init=False, repr=False)
    _plain: Decoder = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decoder", Decoder(self.rules, tagger=self.tagger))
        object.__setattr__(self, "_plain", Decoder(tagger=self.tagger))

    def __reduce__(self) -> tuple[Any, ...]:
        """As what makes it."""
        return _called, (self.again,)

    def decode(
        self, text: Any, *, max_loss: float | None = MAX_LOSS, on_exceed: OnExceed = "plain"
    ) -> Parsed:
        """The best labels of one string."""
        return self.decode_many([text], max_loss=max_loss, on_exceed=on_exceed, jobs=1)[0]

    def decode_many(
        self,
        texts: Iterable[Any],
        *,
        max_loss: float | None = MAX_LOSS,
        on_exceed: OnExceed = "plain",
        jobs: int | None = None,
    ) -> list[Parsed]:
        """The best labels of many strings.

        Parameters
        ----------
        texts : iterable of str
        max_loss : float or None
            Obey only where that gives up at most this much score; None obeys always.
        on_exceed : "plain", "merge" or "raise"
            Beyond `max_loss`, take the plain labels, and keep what repeats a field apart ("StreetName (2)"), or merge
            it into that field; or raise `LossError`.
        jobs : int, optional
            Threads; all cores if not given.
        """
        if on_exceed not in ("plain", "merge", "raise"):
            raise InputError(f"on_exceed must be 'plain', 'merge' or 'raise', got {on_exceed!r}")
        limit = math.inf if max_loss is None else check_number("max_loss", max_loss, finite=False)
        threads = thread_count(jobs)
        strings = _strings(texts)
        answers: list[Any] = [None] * len(strings)
        others, breaking = list(range(len(strings))), list[tuple[int, tuple[str, ...], tuple[str, ...]]]()
        emissions = np.zeros((0, len(self.tagger.labels)))
        far = math.inf if on_exceed == "raise" else limit + SLACK  # an error tells the loss
        merge = on_exceed == "merge"
        if self.core is not None:
            answers, breaking, others, emissions = self.core.parse(
                strings, Parsed, self, threads, limit=far, merge=merge
            )
        found: list[tuple[int, Sequence[str], Lattice]] = [
            (index, tokens, lattice)
            for (index, tokens, _), lattice in zip(breaking, self._lattices(breaking, emissions), strict=True)
        ]
        found += self._read_by_package(strings, others, answers)
        lattices = [lattice for _, _, lattice in found]
        plain = self._plain.decode_batch(lattices, jobs=jobs)
        # Most strings that break rules break so many that a search is lost on them: obeying would cost far more than the limit.
        near = np.ones(len(lattices), dtype=np.bool_)
        if far < math.inf:
            bounds = self.decoder.bounds(lattices, max_states=GLANCE, jobs=jobs)
            near = plain.scores - bounds <= far
        decodings = self.decoder.decode_batch(list(compress(lattices, near.tolist())), jobs=jobs)
        losses = np.maximum(0.0, plain.scores[near] - decodings.scores).tolist()
        obeying = zip(decodings.labels, losses, strict=True)
        for (index, tokens, _), plain_labels, looked_at in zip(
            found, plain.labels, near.tolist(), strict=True
        ):
            labels, fell_back = plain_labels, True
            if looked_at:
                obeying_labels, loss = next(obeying)
                fell_back = loss > limit
                if fell_back and on_exceed == "raise":
                    raise LossError(loss, limit, sequence=index if len(strings) > 1 else None)
                if not fell_back:
                    labels = obeying_labels
            fields, kind = self.arrange(tokens, labels, merge=merge)
            answers[index] = parsed = Parsed(
                strings[index], tuple(tokens), labels, plain_labels, fell_back, fields, kind, self
            )
            if looked_at:
                vars(parsed)["loss"] = loss
        return answers

    def _lattices(
        self,
        breaking: Sequence[tuple[int, tuple[str, ...], tuple[str, ...]]],
        emissions: npt.NDArray[np.float64],
    ) -> Iterator[Lattice]:
        start = 0
        for _, tokens, _ in breaking:
            end = start + len(tokens)
            yield self.tagger.lattice_of(emissions[start:end], tokens=tokens)
            start = end

    def _read_by_package(
        self, strings: Sequence[str], indices: Iterable[int], answers: list[Any]
    ) -> list[tuple[int, Sequence[str], Lattice]]:
        """Tokens and lattices of these strings by the package's own code; those without tokens are answered at once."""
        tokenized = [(index, self.tokenize(strings[index])) for index in indices]
        for index, tokens in tokenized:
            if not tokens:
                fields, kind = self.arrange((), (), merge=False)
                answers[index] = Parsed(strings[index], (), (), (), False, fields, kind, self)  # noqa: FBT003
        some = [(index, tokens) for index, tokens in tokenized if tokens]
        words = [tokens for _, tokens in some]
        lattices = self.tagger.lattices(map(self.features, words), tokens=words)
        return [(index, tokens, lattice) for (index, tokens), lattice in zip(some, lattices, strict=True)]


def _called(make: Callable[[], Parser]) -> Parser:
    return make()


def _strings(texts: Iterable[Any]) -> list[str]:
    """The texts, all of them strings; bytes are taken as UTF-8, as the packages take them."""
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        raise InputError(f"expected a list of strings, got {texts!r:.60}; for one string there is `decode`")
    listed = list(texts)
    for index, text in enumerate(listed):
        if type(text) is str:
            continue
        if isinstance(text, bytes):
            try:
                listed[index] = text.decode()
            except UnicodeDecodeError as error:
                raise InputError(f"text {index + 1}: these bytes are not UTF-8: {error}") from None
        elif not isinstance(text, str):
            raise InputError(f"text {index + 1}: expected a string, got {text!r:.60}")
    return listed


def gather(tokens: Sequence[str], naming: Naming, *, merge: bool) -> dict[str, str]:
    """Join tokens by the name of their field; where the package would raise, a numbered field starts, unless `merge`.

    Examples
    --------
    >>> naming = [("Street", False), ("Zip", False), ("Street", True), ("Street", False)]
    >>> gather(["Elm", "97301,", "Oak", "Road"], iter(naming), merge=False)
    {'Street': 'Elm', 'Zip': '97301', 'Street (2)': 'Oak Road'}
    >>> gather(["Elm", "97301,", "Oak", "Road"], iter(naming), merge=True)
    {'Street': 'Elm Oak Road', 'Zip': '97301'}
    """
    gathered: dict[str, list[str]] = {}
    times: dict[str, int] = {}
    for token, (name, repeats) in zip(tokens, naming, strict=True):
        if repeats and not merge:
            times[name] = times.get(name, 1) + 1
        key = f"{name} ({times[name]})" if name in times else name
        if key in gathered:
            gathered[key].append(token)
        else:
            gathered[key] = [token]
    return {name: " ".join(parts).strip(" ,;") for name, parts in gathered.items()}


def import_package(name: str) -> Any:
    """Import a package that is the extra of the same name.

    Examples
    --------
    >>> import_package("usaddress").__name__
    'usaddress'
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingExtraError(f"lawful.adapters.{name}", name, name) from None
