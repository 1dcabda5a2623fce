"""What the parsers made with parserator (usaddress, probablepeople) share.

Each labels the tokens of a string with a CRFsuite model, and then gathers the tokens of each label into a dictionary. If a
label is repeated where the package does not expect it, its `tag` raises RepeatedLabelError. Here that condition is a set of
rules, and the best labels that obey them replace the error, unless obeying costs more than `max_loss`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, Protocol

from lawful.adapters.crfsuite.tagger import CrfsuiteTagger
from lawful.decoding import Decoder, Decoding
from lawful.errors import InputError, LossError, MissingExtraError
from lawful.rules.rule import Rule

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
        The score given up by obeying, or, if `fell_back`, the score that obeying would have given up.
    changed : tuple of int
        The tokens whose label differs from the plain one.
    fell_back : bool
        Whether obeying costs more than `max_loss`, so that the labels are the plain ones, with a repetition.
    fields : dict
        The text of each field, by name: the first half of what `tag` returns.
    kind : str
        The kind of string: the second half.
    decoding : Decoding or None
        The answer that obeys, with its proof, for `lawful.explain` and the like; None for a string without tokens.
    """

    text: str
    tokens: tuple[str, ...]
    labels: tuple[str, ...]
    plain_labels: tuple[str, ...]
    loss: float
    fell_back: bool
    fields: dict[str, str]
    kind: str
    decoding: Decoding | None = field(repr=False)

    @property
    def changed(self) -> tuple[int, ...]:
        """The tokens whose label differs from the plain one."""
        pairs = zip(self.labels, self.plain_labels, strict=True)
        return tuple(t for t, (label, plain) in enumerate(pairs) if label != plain)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Tokens and their labels: what the package's own `parse` returns."""
        return list(zip(self.tokens, self.labels, strict=True))


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
    """

    tokenize: Callable[[Any], list[str]]
    features: Callable[[list[str]], list[Any]]
    tagger: CrfsuiteTagger
    rules: Iterable[Rule]
    arrange: Arrange
    decoder: Decoder = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decoder", Decoder(self.rules, tagger=self.tagger))

    def decode(
        self, text: Any, *, max_loss: float | None = MAX_LOSS, on_exceed: OnExceed = "plain"
    ) -> Parsed:
        """The best labels of one string."""
        return self.decode_many([text], max_loss=max_loss, on_exceed=on_exceed)[0]

    def decode_many(
        self, texts: Iterable[Any], *, max_loss: float | None = MAX_LOSS, on_exceed: OnExceed = "plain"
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
        """
        if on_exceed not in ("plain", "merge", "raise"):
            raise InputError(f"on_exceed must be 'plain', 'merge' or 'raise', got {on_exceed!r}")
        if max_loss is not None and (math.isnan(max_loss) or max_loss < 0):
            raise InputError(f"max_loss must be 0 or more, or None to obey always, got {max_loss!r}")
        tokenized = [(text, self.tokenize(text)) for text in texts]
        words = [tokens for _, tokens in tokenized if tokens]
        lattices = self.tagger.lattices(map(self.features, words), tokens=words)
        decodings = iter(self.decoder.decode_batch(lattices))
        return [
            self._settled(text, tokens, next(decodings) if tokens else None, max_loss, on_exceed)
            for text, tokens in tokenized
        ]

    def _settled(
        self,
        text: Any,
        tokens: list[str],
        decoding: Decoding | None,
        max_loss: float | None,
        on_exceed: OnExceed,
    ) -> Parsed:
        shown = text.decode() if isinstance(text, bytes) else text
        if decoding is None:
            fields, kind = self.arrange((), (), merge=False)
            return Parsed(shown, (), (), (), 0.0, fell_back=False, fields=fields, kind=kind, decoding=None)
        loss, plain = decoding.loss, decoding.plain_labels
        fell_back = max_loss is not None and loss > max_loss
        if fell_back and on_exceed == "raise":
            raise LossError(loss, max_loss or 0.0)
        labels = plain if fell_back else decoding.labels
        fields, kind = self.arrange(tokens, labels, merge=on_exceed == "merge")
        return Parsed(shown, tuple(tokens), labels, plain, loss, fell_back, fields, kind, decoding)


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
        gathered.setdefault(key, []).append(token)
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
