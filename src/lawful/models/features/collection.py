"""A collection of templates: the features of a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from lawful import _core
from lawful.errors import FeatureError
from lawful.models.features.attribute_sequences import AttributeSequences
from lawful.models.features.dict_form import template_from_data, template_to_data
from lawful.models.features.extraction import extract_sequences, fit_sequences, hash_sequences, make_program
from lawful.models.features.index import AttributeIndex
from lawful.models.features.reference import check_slots, items_of
from lawful.models.features.templates.arguments import flag_argument, whole_number
from lawful.models.features.templates.function_values import Weighted
from lawful.models.features.templates.of_sequence import check_template
from lawful.models.features.templates.template import Slot, Template

__all__ = ["Features"]


class Features:
    """Templates, in order. Frozen; prints as the code that made it; can be saved as JSON.

    Parameters
    ----------
    *templates : Template
        For example `word()`, `window(column("pos"), -2, 2)`, ...
    hash_bits : int, optional
        Hash attributes to 2 ** hash_bits ids, from 1 to 30 bits, so that no index is needed.
    signed : bool
        With hashing: half of the attributes count -1, so that collisions cancel out on average.

    Examples
    --------
    >>> from lawful.models.features import Features, at, join, suffix, window, word
    >>> features = Features(window(word(), -1, 0), suffix(2), join(at(-1, word()), word()))
    >>> features
    Features(window(word(), -1, 0), suffix(2, 2), join(at(-1, word()), word()))
    >>> features.attributes(["the", "pound"])[1]
    ['word[-1]=the', 'word=pound', 'suffix2=nd', 'word[-1]|word=the|pound']
    >>> sequences, index = features.fit([["the", "pound"], ["a", "pound"]], min_count=2)
    >>> index.strings()
    ['word=pound', 'suffix2=nd']
    >>> features.extract([["pound", "the"]], index).attributes.tolist()
    [0, 1]
    """

    def __init__(self, *templates: Template, hash_bits: int | None = None, signed: bool = False) -> None:
        self._templates = tuple(check_template("Features", template) for template in templates)
        self._hash_bits = (
            None if hash_bits is None else whole_number("Features", "hash_bits", hash_bits, 1, 30)
        )
        self._signed = flag_argument("Features", "signed", signed)
        if not self._templates:
            raise FeatureError("Features: expected at least one template, such as word()")
        if signed and hash_bits is None:
            raise FeatureError("Features: signed is for hashing only; give hash_bits too", key="signed")
        self._slots = check_slots([slot for template in self._templates for slot in template.slots()])

    @property
    def templates(self) -> tuple[Template, ...]:
        """The templates, in order."""
        return self._templates

    @property
    def hash_bits(self) -> int | None:
        """The number of bits that attributes are hashed to; None if they are not hashed."""
        return self._hash_bits

    @property
    def signed(self) -> bool:
        """Whether half of the hashed attributes count -1."""
        return self._signed

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of all templates, in order."""
        return self._slots

    # --- attributes ------------------------------------------------------------------------------------------

    def attributes(self, tokens: Sequence[Any]) -> list[list[str]]:
        """The attributes of each position, as strings. In plain Python: the reference for the core.

        Examples
        --------
        >>> from lawful.models.features import Features, lower
        >>> Features(lower()).attributes(["The", "pound"])
        [['lower=the'], ['lower=pound']]
        """
        return [[attribute for attribute, _ in items] for items in self.items(tokens)]

    def items(self, tokens: Sequence[Any]) -> list[list[Weighted]]:
        """The attributes of each position with their values, which are 1 unless a function gives others.

        Examples
        --------
        >>> from lawful.models.features import Features, function
        >>> Features(function("size", lambda tokens, t: {"is": len(tokens[t])})).items(["The"])
        [[('size=is', 3.0)]]
        """
        return items_of(self._slots, tokens)

    def fit(
        self, X: Iterable[Sequence[Any]], *, min_count: int = 1
    ) -> tuple[AttributeSequences, AttributeIndex | None]:
        """Extract the attributes of sequences and number them as they come; those seen less than `min_count` are left out.

        With hashing there is no index: the second result is None.

        Examples
        --------
        >>> from lawful.models.features import Features, word
        >>> sequences, index = Features(word()).fit([["a", "b"], ["a"]])
        >>> sequences.attributes.tolist(), index.strings()
        ([0, 1, 0], ['word=a', 'word=b'])
        """
        if min_count < 1:
            raise FeatureError(f"min_count must be 1 or more, got {min_count}")
        if self._hash_bits is None:
            return fit_sequences(self._program, X, min_count)
        if min_count > 1:
            raise FeatureError("a hashed attribute cannot be counted before it is used: leave out min_count")
        return self.extract(X), None

    def extract(
        self, X: Iterable[Sequence[Any]], index: AttributeIndex | None = None, *, jobs: int = 1
    ) -> AttributeSequences:
        """Extract the known attributes of sequences; others are dropped. `jobs` is the number of threads.

        Examples
        --------
        >>> from lawful.models.features import AttributeIndex, Features, word
        >>> Features(word()).extract([["a", "b"]], AttributeIndex(["word=b"])).item_offsets.tolist()
        [0, 0, 1]
        >>> Features(word(), hash_bits=18).extract([["a", "b"]]).size
        262144
        """
        whole_number("extract", "jobs", jobs, 1, 1024)
        if self._hash_bits is not None:
            if index is not None:
                raise FeatureError("these features are hashed and use no index: leave it out")
            return hash_sequences(self._program, X, self._hash_bits, signed=self._signed)
        if index is None:
            raise FeatureError("an index is needed: give the one that fit() made")
        return extract_sequences(self._program, X, index, jobs)

    @property
    def program(self) -> _core.FeatureProgram:
        """The templates as the core runs them."""
        core: _core.FeatureProgram = self._program.core
        return core

    @cached_property
    def _program(self) -> Any:
        return make_program(self._slots)

    # --- as text and data ------------------------------------------------------------------------------------

    def describe(self) -> str:
        """The templates and the attributes that each makes, as a table.

        Examples
        --------
        >>> from lawful.models.features import Features, prefix, word
        >>> print(Features(word(), prefix(1, 2)).describe())
        word()        word=...
        prefix(1, 2)  prefix1=...  prefix2=...
        """
        rows = [(repr(template), template.slots()) for template in self._templates]
        width = min(48, max(len(shown) for shown, _ in rows))
        lines = [
            f"{shown:<{width}}  {'  '.join(f'{slot.name}=...' for slot in slots)}" for shown, slots in rows
        ]
        if self._hash_bits is not None:
            how = "signed " if self._signed else ""
            lines.append(f"{how}hashing to {2**self._hash_bits:,} ids")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The collection as plain data, for JSON or TOML. Functions appear by name only.

        Examples
        --------
        >>> from lawful.models.features import Features, prefix, window, word
        >>> Features(window(word(), -1, 1), prefix(1, 3)).to_dict()["templates"]
        [{'window': {'template': 'word', 'first': -1, 'last': 1}}, {'prefix': {'shortest': 1, 'longest': 3}}]
        """
        data: dict[str, Any] = {"templates": [template_to_data(template) for template in self._templates]}
        if self._hash_bits is not None:
            data |= {"hash_bits": self._hash_bits, "signed": self._signed}
        return data

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], *, functions: Mapping[str, Callable[..., Any]] | None = None
    ) -> Features:
        """A collection from plain data, as `to_dict` makes it or as people write it.

        A template is its name (`"word"`) or a table with one entry, its name and its arguments: by name
        (`{"prefix": {"shortest": 1, "longest": 3}}`), in order (`{"prefix": [1, 3]}`), or a single one
        (`{"column": "pos"}`).

        Parameters
        ----------
        data : mapping
            `templates`, and perhaps `hash_bits` and `signed`.
        functions : mapping, optional
            The functions that `function` templates name.

        Examples
        --------
        >>> from lawful.models.features import Features
        >>> Features.from_dict({"templates": ["lower", {"window": [{"column": "pos"}, -1, 1]}, {"join": ["lower", "shape"]}]})
        Features(lower(), window(column('pos'), -1, 1), join(lower(), shape()))
        """
        if not isinstance(data, Mapping):
            raise FeatureError(f"features must be a table with the entry 'templates', got {data!r}")
        for key in data:
            if key not in ("templates", "hash_bits", "signed"):
                raise FeatureError(
                    f"unknown entry {key!r}: expected templates, hash_bits, signed", key=str(key)
                )
        templates = data.get("templates")
        if isinstance(templates, (str, Mapping)) or not isinstance(templates, Sequence):
            raise FeatureError(f"'templates' must be a list of templates, got {templates!r}", key="templates")
        made = [
            template_from_data(entry, f"templates[{i}]", functions or {}) for i, entry in enumerate(templates)
        ]
        return cls(*made, hash_bits=data.get("hash_bits"), signed=data.get("signed", False))

    def to_json(self) -> str:
        """`to_dict` as JSON.

        Examples
        --------
        >>> from lawful.models.features import Features, word
        >>> Features.from_json(Features(word()).to_json())
        Features(word())
        """
        return json.dumps(self.to_dict(), indent=2)

    @classmethod
    def from_json(cls, text: str, *, functions: Mapping[str, Callable[..., Any]] | None = None) -> Features:
        """`from_dict` of JSON."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FeatureError(f"features are not JSON: {error}") from None
        return cls.from_dict(data, functions=functions)

    def __add__(self, other: Features) -> Features:
        if not isinstance(other, Features):
            return NotImplemented
        if (self._hash_bits, self._signed) != (other._hash_bits, other._signed):
            raise FeatureError("collections with different hash_bits or signed cannot be added")
        return Features(*self._templates, *other._templates, hash_bits=self._hash_bits, signed=self._signed)

    def __len__(self) -> int:
        return len(self._templates)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Features):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._templates, self._hash_bits, self._signed

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _remake, self._key()

    def __repr__(self) -> str:
        shown = [repr(template) for template in self._templates]
        if self._hash_bits is not None:
            shown.append(f"hash_bits={self._hash_bits}")
        if self._signed:
            shown.append("signed=True")
        return f"Features({', '.join(shown)})"


def _remake(templates: tuple[Template, ...], hash_bits: int | None, signed: bool) -> Features:  # noqa: FBT001
    return Features(*templates, hash_bits=hash_bits, signed=signed)
