"""An output encoding: canonical labels as other tags, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from lawful.automata.transducers.determinization import determinize_transducer
from lawful.automata.transducers.inversion import invert
from lawful.automata.transducers.minimization import offsets_of
from lawful.automata.transducers.transducer import Ending, String, Symbol, Transducer, TransducerArc
from lawful.automata.transducers.trimming import trim_transducer
from lawful.encodings.repair import fewest_repairs
from lawful.encodings.symbols import FeatureSymbol, label_of, matches
from lawful.errors import EncodingError, MachineError
from lawful.labels import LabelSet
from lawful.models.features import Features

__all__ = ["Attributes", "Decoded", "Encoding", "are_items"]

MOST_QUICK_STATES = 2000  # of the machine that decodes; beyond, tags are decoded by a search

Attributes = Callable[[Sequence[Any]], Sequence[Collection[str]]]


class Decoded(NamedTuple):
    """Canonical labels that tags stand for.

    Attributes
    ----------
    labels : tuple of str
    repairs : int
        How many tags had to be changed, because the tags stood for nothing.
    """

    labels: tuple[str, ...]
    repairs: int


def are_items(tokens: Sequence[Any]) -> bool:
    """Whether tokens bring their attributes themselves, as lists of them or as dicts."""
    return all(isinstance(token, (list, dict, set, frozenset)) for token in tokens)


class Encoding:
    """A reversible way to write label sequences with other tags, as a transducer from the canonical labels. Frozen.

    A model is trained on the tags; what it predicts is decoded into canonical labels. `encodings.check_encoding` says whether
    a transducer can serve as one.

    Parameters
    ----------
    transducer : Transducer
        Reads canonical labels, or `FeatureSymbol`s; writes tags. `I.1` and `I.2` are subdivisions of `I`.
    labels : iterable of str, optional
        The canonical labels in order; those that the transducer reads, sorted, if not given.
    name : str
    attributes : function of tokens, optional
        The attributes of each token, for transducers that look at them: `features.attributes` of some `Features`. Tokens that are
        lists of attributes, or dicts by attribute, need none.

    Attributes
    ----------
    labels : LabelSet
        The canonical labels.
    tags : LabelSet
        What it writes.

    Examples
    --------
    >>> from lawful.encodings import scheme_encoding
    >>> encoding = scheme_encoding("IOB1", "IOE1")
    >>> encoding.encode(["I", "I", "B", "O"])
    ('I', 'E', 'I', 'O')
    >>> encoding.decode(["I", "E", "I", "O"])
    Decoded(labels=('I', 'I', 'B', 'O'), repairs=0)
    >>> encoding.decode(["I", "E", "E", "O"]).repairs
    1
    """

    def __init__(
        self,
        transducer: Transducer,
        *,
        labels: LabelSet | Iterable[str] | None = None,
        name: str = "",
        attributes: Attributes | None = None,
    ) -> None:
        self.transducer = trim_transducer(transducer)
        read = sorted({label_of(symbol) for symbol in self.transducer.inputs})
        self.labels = LabelSet(read if labels is None else labels)
        missing = [label for label in read if label not in self.labels]
        if missing:
            raise EncodingError(
                f"the transducer reads {missing[0]!r}, which is not one of the labels {list(self.labels)}"
            )
        if not self.transducer.outputs:
            raise EncodingError("the transducer writes nothing, so it is no encoding")
        self.tags = LabelSet([str(tag) for tag in self.transducer.outputs])
        self.name = name
        self.attributes = attributes

    def to_dict(self) -> dict[str, Any]:
        """The encoding in JSON types. A function cannot be written: attributes must be those of `Features`.

        Examples
        --------
        >>> from lawful.encodings import identity_encoding
        >>> identity_encoding(["A"]).to_dict()["arcs"]
        [[0, ['A', [], []], 0, ['A']]]
        """
        features = getattr(self.attributes, "__self__", None)
        if self.attributes is not None and not isinstance(features, Features):
            raise EncodingError(
                "an encoding can be written if its attributes are those of Features: pass features.attributes"
            )
        return {
            "name": self.name,
            "labels": list(self.labels),
            "arcs": [
                [arc.source, _as_data(arc.input), arc.target, list(arc.output)]
                for arc in self.transducer.arcs
            ],
            "endings": [[ending.state, list(ending.output)] for ending in self.transducer.endings],
            "features": None if features is None else features.to_dict(),
        }

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], *, functions: Mapping[str, Callable[..., Any]] | None = None
    ) -> Encoding:
        """The encoding that `to_dict` described.

        Examples
        --------
        >>> from lawful.encodings import scheme_encoding
        >>> Encoding.from_dict(scheme_encoding("IOB1", "IOE1").to_dict()).encode(["I", "B"])
        ('E', 'I')
        """
        try:
            arcs = [
                TransducerArc(
                    int(source), FeatureSymbol.of(label, required, forbidden), int(target), tuple(output)
                )
                for source, (label, required, forbidden), target, output in data["arcs"]
            ]
            endings = [Ending(int(state), tuple(output)) for state, output in data["endings"]]
            features = data["features"]
            attributes = (
                None if features is None else Features.from_dict(features, functions=functions).attributes
            )
            return cls(
                Transducer(arcs, endings), labels=data["labels"], name=data["name"], attributes=attributes
            )
        except (KeyError, TypeError, ValueError) as error:
            raise EncodingError(f"these data are no encoding ({type(error).__name__}: {error})") from error

    def __repr__(self) -> str:
        return f"<Encoding {self.name or 'without a name'}: {len(self.labels)} labels, {len(self.tags)} tags, {self.transducer.states} states>"

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The attributes of tokens that it looks at, in order."""
        symbols = [symbol for symbol in self.transducer.inputs if isinstance(symbol, FeatureSymbol)]
        return tuple(sorted({name for symbol in symbols for name in (*symbol.required, *symbol.forbidden)}))

    @cached_property
    def on_labels(self) -> Transducer:
        """The transducer without its conditions on tokens: what tags may stand for, whatever the tokens are."""
        arcs = [arc._replace(input=label_of(arc.input)) for arc in self.transducer.arcs]
        return Transducer(arcs, self.transducer.endings) if self.conditions else self.transducer

    @cached_property
    def inverse(self) -> Transducer:
        """From tags to canonical labels."""
        return invert(self.on_labels)

    @cached_property
    def offsets(self) -> Mapping[int, int]:
        """For each state, how many labels have been read for which no tag has been written yet."""
        return offsets_of(self.transducer)

    @property
    def delayed(self) -> bool:
        """Whether some tag is not written at its own token. If not, the encoding only subdivides or renames labels."""
        return any(len(arc.output) != 1 for arc in self.transducer.arcs)

    # --- there and back ------------------------------------------------------------------------------------

    def encode(
        self,
        labels: Sequence[str],
        tokens: Sequence[Any] | None = None,
        attributes: Sequence[Collection[str]] | None = None,
    ) -> tuple[str, ...]:
        """The tags of a sequence of canonical labels.

        Parameters
        ----------
        labels : sequence of T labels
        tokens : sequence of T tokens, optional
            For encodings that look at them.
        attributes : sequence of T collections of str, optional
            What `attributes` says of the tokens, if that is known already.
        """
        if self._quick is not None:
            try:
                return self._quick(labels)
            except KeyError:
                pass  # the slow way says where
        return self._walk(labels, attributes or self.attributes_of(tokens, len(labels)))

    def decode(self, tags: Sequence[str]) -> Decoded:
        """The canonical labels that tags stand for; tags that stand for nothing are changed as little as possible.

        Of several sequences with as few repairs the same one is taken each time.
        """
        quick = self._quick_inverse
        if quick is not None:
            try:
                return Decoded(quick(tags), 0)
            except KeyError:
                pass  # it has to be repaired, or cannot be
        for position, tag in enumerate(tags):
            if tag not in self.tags:
                raise EncodingError(
                    f"{tag!r} at position {position} is not one of the tags {list(self.tags)}"
                )
        labels, repairs = fewest_repairs(self.inverse, tags)
        return Decoded(tuple(map(str, labels)), repairs)

    @cached_property
    def _quick(self) -> _QuickRewriting | None:
        """For encodings that do not look at tokens and know at each label what to write."""
        if self.conditions or not self.transducer.deterministic:
            return None
        return _QuickRewriting(self.transducer)

    @cached_property
    def _quick_inverse(self) -> _QuickRewriting | None:
        """For tags that stand for something, if there is a deterministic machine that reads them."""
        try:
            return _QuickRewriting(determinize_transducer(self.inverse, limit=MOST_QUICK_STATES))
        except MachineError:
            return None  # tags stand for several label sequences, or it takes too many states

    def attributes_of(self, tokens: Sequence[Any] | None, length: int) -> Sequence[Collection[str]]:
        """The attributes of each token; empty if the encoding does not look at them."""
        if not self.conditions:
            return [()] * length
        if tokens is None:
            raise EncodingError(
                f"the encoding looks at {self.conditions[0]!r} of tokens, but there are none: pass tokens=..."
            )
        if len(tokens) != length:
            raise EncodingError(f"there are {length} labels but {len(tokens)} tokens")
        if self.attributes is not None:
            return self.attributes(tokens)
        if not are_items(tokens):
            raise EncodingError(
                f"the encoding looks at {self.conditions[0]!r} of tokens, so it needs attributes=..."
            )
        return tokens

    def _walk(self, labels: Sequence[str], attributes: Sequence[Collection[str]]) -> tuple[str, ...]:
        # Two ways into one state have written the same, or tags would not stand for one sequence of labels.
        reached: dict[int, _Written | None] = {0: None}
        for position, (label, of_token) in enumerate(zip(labels, attributes, strict=True)):
            before, reached = reached, {}
            for state, written in before.items():
                for arc in self._arcs_by_label[state].get(label, ()):
                    if arc.target not in reached and matches(arc.input, label, of_token):
                        reached[arc.target] = _Written(written, arc.output)
            if not reached:
                raise EncodingError(
                    f"label {label!r} at position {position} cannot stand there in {self.name or 'this encoding'}"
                )
        for state, written in reached.items():
            for ending in self.transducer.endings_of.get(state, ()):
                return tuple(map(str, _all_written(written) + ending.output))
        raise EncodingError(
            f"a sequence may not end after {labels[-1]!r}" if labels else "a sequence may not be empty"
        )

    @cached_property
    def _arcs_by_label(self) -> tuple[dict[str, list[TransducerArc]], ...]:
        arcs: list[dict[str, list[TransducerArc]]] = [{} for _ in range(self.transducer.states)]
        for arc in self.transducer.arcs:
            arcs[arc.source].setdefault(label_of(arc.input), []).append(arc)
        return tuple(arcs)


def _as_data(symbol: Symbol) -> list[Any]:
    conditions = (symbol.required, symbol.forbidden) if isinstance(symbol, FeatureSymbol) else ((), ())
    return [label_of(symbol), *map(list, conditions)]


class _QuickRewriting:
    """A deterministic machine as tables; `KeyError` for what it cannot read."""

    def __init__(self, machine: Transducer) -> None:
        self._steps = [
            {str(symbol): (arcs[0].target, tuple(map(str, arcs[0].output))) for symbol, arcs in steps.items()}
            for steps in machine.steps
        ]
        endings = machine.endings_of.items()
        self._endings = {state: tuple(map(str, of_state[0].output)) for state, of_state in endings}

    def __call__(self, symbols: Sequence[str]) -> tuple[str, ...]:
        steps, state = self._steps, 0
        written: list[str] = []
        for symbol in symbols:
            state, output = steps[state][symbol]
            written += output
        return (*written, *self._endings[state])


class _Written(NamedTuple):
    before: _Written | None
    output: String


def _all_written(last: _Written | None) -> String:
    strings: list[String] = []
    while last is not None:
        strings.append(last.output)
        last = last.before
    return tuple(tag for output in reversed(strings) for tag in output)
