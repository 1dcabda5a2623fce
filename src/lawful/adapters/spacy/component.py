"""The spaCy component: entities from a tagger's scores, under rules, around the entities that a document has."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np

from lawful.adapters.logits import from_logits
from lawful.adapters.spacy.entity_tags import EntityTags
from lawful.adapters.spacy.rule_sources import is_path, rules_from, text_of_rules
from lawful.decoding.decoder import Decoder
from lawful.decoding.options import DecoderOptions
from lawful.decoding.result import Decoding
from lawful.errors import InputError, LabelSetError
from lawful.labels import LabelSet
from lawful.lattice import AnyLattice, Lattice
from lawful.lattice.tagger import lattices_of
from lawful.rules.ruleset import Rules
from lawful.schemes import Span

__all__ = ["RuledEntities"]

FORMAT = 1
KEY = "lawful"  # in doc.user_data


class RuledEntities:
    """A spaCy component that sets `doc.ents`. Made by `nlp.add_pipe("lawful", config=...)`.

    Parameters
    ----------
    rules : Rules, a rule, an iterable of rules, or the path or text of a rule file
    tagger : Tagger, or callable (doc) -> Lattice or logits (T, K)
        A tagger gets the tokens' texts, or mappings with "text" and `attributes`.
    labels : list of str, optional
        The labels of a callable that gives logits.
    scheme, outside, separator : str
        How labels spell entities; see `EntityTags`.
    attributes : list of str
        Attributes of spaCy's tokens that the tagger and the rules can look at, such as `"pos_"` or `"lemma_"`.
    keep_entities : bool
        Keep the entities that a document already has, and let rules see them: their tokens keep their labels, or, if the
        tagger has no such type, stay outside. With False they are replaced.
    record : bool
        Store labels, loss and changes in `doc.user_data["lawful"]`.
    **options
        The options of `lawful.Decoder`.

    Examples
    --------
    >>> import lawful, spacy
    >>> nlp = spacy.blank("en")
    >>> def capitals(doc):
    ...     return [[0.0, 1.0 if token.is_title else -1.0] for token in doc]
    >>> ruled = RuledEntities(rules=lawful.at_most(1, "NAME"), tagger=capitals, labels=["O", "NAME"], scheme="flat")
    >>> [(entity.text, entity.label_) for entity in ruled(nlp("Ann saw Bo")).ents]
    [('Ann', 'NAME')]
    """

    def __init__(
        self,
        *,
        name: str = "lawful",
        rules: Any = None,
        tagger: Any = None,
        labels: Iterable[str] | None = None,
        scheme: str = "BIO",
        outside: str = "O",
        separator: str = "-",
        attributes: Sequence[str] = (),
        keep_entities: bool = True,
        record: bool = False,
        **options: Unpack[DecoderOptions],
    ) -> None:
        self.name, self.tagger = name, tagger
        self._rules = None if is_path(rules) and not Path(rules).exists() else rules_from(rules)
        # Read when needed: a pipeline that was loaded brings its rules along, but not their file.
        self._path = str(rules)
        self.tags = EntityTags(scheme, outside, separator)
        self.attributes, self.keep_entities, self.record = tuple(attributes), keep_entities, record
        self.options = cast(
            "DecoderOptions", {key: value for key, value in options.items() if value is not None}
        )
        self._labels = None if labels is None else LabelSet(labels)

    # --- documents ------------------------------------------------------------------------------------------

    def __call__(self, doc: Any) -> Any:
        """Set the entities of one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Any], *, batch_size: int = 128) -> Iterator[Any]:
        """Set the entities of many documents, in batches; only a document that fails goes to the error handler."""
        rest = iter(stream)
        while docs := list(islice(rest, batch_size)):
            try:
                self._annotate(docs)
            except Exception:  # noqa: BLE001 (some document of the batch: find out which)
                yield from self._one_by_one(docs)
            else:
                yield from docs

    def set_error_handler(self, handler: Callable[..., None]) -> None:
        """Set the function that is called with (name, component, docs, error) when a document fails."""
        self._error_handler = handler

    def get_error_handler(self) -> Callable[..., None]:
        """The error handler; by default one that raises the error."""
        return getattr(self, "_error_handler", _raise)

    def _one_by_one(self, docs: list[Any]) -> Iterator[Any]:
        for doc in docs:
            try:
                self._annotate([doc])
            except Exception as error:  # noqa: BLE001 (the handler decides)
                self.get_error_handler()(self.name, self, [doc], error)
            else:
                yield doc

    def _annotate(self, docs: list[Any]) -> None:
        filled = [doc for doc in docs if len(doc)]
        lattices = list(self._lattices(filled))
        presets = [list(doc.ents) if self.keep_entities else [] for doc in filled]
        fixed = [self._fix(lattice, preset) for lattice, preset in zip(lattices, presets, strict=True)]
        answers = list(self.decoder.decode_batch(fixed))
        # All entities are made before any document is changed, so that an error leaves the batch untouched.
        entities = [self._entities(*document) for document in zip(filled, presets, answers, strict=True)]
        for doc, own, answer in zip(filled, entities, answers, strict=True):
            doc.set_ents(own, default="outside")
            if self.record:
                doc.user_data[KEY] = _record(answer)

    def _lattices(self, docs: list[Any]) -> Iterable[AnyLattice]:
        if self.tagger is None:
            raise InputError(
                f"the component {self.name!r} has no tagger: pass one in its config, or set its .tagger"
            )
        if hasattr(self.tagger, "lattice"):
            return lattices_of(self.tagger, [self._tokens(doc) for doc in docs])
        return map(self._called, docs)

    def _called(self, doc: Any) -> AnyLattice:
        answer = self.tagger(doc)
        if isinstance(answer, AnyLattice):
            return answer
        return from_logits(answer, self.decoder.labels, tokens=self._tokens(doc))

    def _tokens(self, doc: Any) -> list[Any]:
        if not self.attributes:
            return [token.text for token in doc]
        return [
            {"text": token.text} | {name: getattr(token, name) for name in self.attributes} for token in doc
        ]

    def _fix(self, lattice: AnyLattice, preset: list[Any]) -> AnyLattice:
        if not preset:
            return lattice
        if not isinstance(lattice, Lattice):
            raise InputError("existing entities can be kept only in a Lattice, not in a GraphLattice")
        spans = [Span(entity.label_, entity.start, entity.end) for entity in preset]
        return Lattice(
            lattice.emissions,
            lattice.transitions,
            labels=lattice.labels,
            start=lattice.start,
            end=lattice.end,
            mask=self.tags.allowed(spans, lattice.labels, lattice.length),
            tokens=lattice.tokens,
            context=lattice.context,
        )

    def _entities(self, doc: Any, preset: list[Any], answer: Decoding) -> list[Any]:
        from spacy.tokens import Span as Entity

        if len(answer.labels) != len(doc):
            raise InputError(
                f"the tagger must score each of {len(doc)} tokens, got {len(answer.labels)} labels"
            )
        taken = np.zeros(len(doc), dtype=np.bool_)
        for span in preset:
            taken[span.start : span.end] = True
        free = [self.tags.outside if taken[t] else label for t, label in enumerate(answer.labels)]
        return [
            *preset,
            *(
                Entity(doc, start, end, label=entity_type)
                for entity_type, start, end in self.tags.spans(free)
            ),
        ]

    # --- rules, decoder and labels --------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules. They can be set to anything that `rules` accepts in the config."""
        if self._rules is None:
            self._rules = rules_from(self._path)
        return self._rules

    @rules.setter
    def rules(self, source: Any) -> None:
        self._rules = rules_from(source)
        self.__dict__.pop("decoder", None)

    @cached_property
    def decoder(self) -> Decoder:
        """The compiled rules, made at the first document."""
        labels = self._label_set
        if labels is None:
            raise InputError(
                f"the component {self.name!r} needs labels: a tagger that has them, or labels=[...]"
            )
        for label in labels:
            self.tags.parse(label)
        return Decoder(self.rules, labels=labels, **self.options)

    @property
    def _label_set(self) -> LabelSet | None:
        if self._labels is None and hasattr(self.tagger, "labels"):
            return LabelSet(self.tagger.labels)
        return self._labels

    @property
    def labels(self) -> tuple[str, ...]:
        """The types of entities that it can find; spaCy reads them, even from a component without a tagger."""
        types = [self.tags.parse(label)[1] for label in self._label_set or ()]
        return tuple(sorted(set(filter(None, types))))

    # --- saving and loading ---------------------------------------------------------------------------------

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Settings, rules, and the tagger if it has `to_bytes`, as JSON."""
        state = self._state()
        if "tagger" not in exclude and hasattr(self.tagger, "to_bytes"):
            state["tagger"] = base64.b64encode(self.tagger.to_bytes()).decode()
        return json.dumps(state, indent=1).encode()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> RuledEntities:
        """Restore what `to_bytes` gave."""
        state = _parsed(data, "the bytes")
        self._restore(state, "the bytes")
        if "tagger" not in exclude and "tagger" in state and hasattr(self.tagger, "from_bytes"):
            self.tagger.from_bytes(base64.b64decode(state["tagger"], validate=True))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save to a folder: `lawful.json`, and the files that the tagger writes into `tagger`."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lawful.json").write_text(json.dumps(self._state(), indent=1), encoding="utf-8")
        if "tagger" not in exclude and hasattr(self.tagger, "to_disk"):
            self.tagger.to_disk(folder / "tagger")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> RuledEntities:
        """Restore what `to_disk` wrote."""
        file = Path(path) / "lawful.json"
        self._restore(_parsed(file.read_bytes(), str(file)), str(file))
        if "tagger" not in exclude and hasattr(self.tagger, "from_disk"):
            self.tagger.from_disk(Path(path) / "tagger")
        return self

    def _state(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "tags": asdict(self.tags),
            "labels": None if self._labels is None else list(self._labels),
            "tagger_labels": list(self.tagger.labels) if hasattr(self.tagger, "labels") else None,
            "attributes": list(self.attributes),
            "keep_entities": self.keep_entities,
            "record": self.record,
            "options": self.options,
            "rules": list(self.rules.names),
            "rule_file": text_of_rules(self.rules),
        }

    def _restore(self, state: dict[str, Any], source: str) -> None:
        self.tags = EntityTags(**state["tags"])
        self._labels = None if state["labels"] is None else LabelSet(state["labels"])
        self.attributes, self.keep_entities = tuple(state["attributes"]), bool(state["keep_entities"])
        self.record, self.options = bool(state["record"]), cast("DecoderOptions", dict(state["options"]))
        if state["rule_file"] is not None:
            self.rules = rules_from(state["rule_file"])
        elif list(self.rules.names) != state["rules"]:
            raise InputError(
                f"{source} was written with the rules {state['rules']}, which no rule file can express, and this component has "
                f"{list(self.rules.names)}; give it the same rules, by @misc in its config or as .rules"
            )
        expected = state["tagger_labels"]
        if expected is not None and hasattr(self.tagger, "labels") and list(self.tagger.labels) != expected:
            raise LabelSetError(expected, list(self.tagger.labels))
        self.__dict__.pop("decoder", None)


def _parsed(data: bytes, source: str) -> dict[str, Any]:
    try:
        state = json.loads(data)
        version = state["format"]
    except (ValueError, TypeError, KeyError):
        raise InputError(f"{source} was not written by a lawful component for spaCy") from None
    if version != FORMAT:
        raise InputError(
            f"{source} has format {version!r}; this lawful reads format {FORMAT}: use a newer one"
        )
    return dict(state)


def _record(answer: Decoding) -> dict[str, Any]:
    return {
        "labels": list(answer.labels),
        "plain_labels": list(answer.plain_labels),
        "changed": list(answer.changed),
        "loss": answer.loss,
        "status": answer.status,
    }


def _raise(name: str, component: object, docs: Sequence[Any], error: Exception) -> None:
    raise error
