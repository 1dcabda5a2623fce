"""A collection of templates for segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lawful.errors import FeatureError
from lawful.models.features import Features
from lawful.models.features.templates.leaf import source_text
from lawful.models.semi_crf.segments import templates as known
from lawful.models.semi_crf.segments.templates import First, Last, Length, SegmentTemplate, Side

__all__ = ["SegmentFeatures"]

NOTHING: list[Any] = []


class SegmentFeatures:
    """Templates for segments, in order. Frozen; prints as the code that made it.

    Examples
    --------
    >>> from lawful.models import features, segments
    >>> seen = SegmentFeatures(segments.length(), segments.first(features.shape()), segments.text(longest=2))
    >>> SegmentFeatures.from_dict(seen.to_dict()) == seen
    True
    >>> seen.items(["New", "York", "City"], 2)
    [['text=new'], ['text=new york'], ['text=york'], ['text=york city'], ['text=city'], []]
    """

    def __init__(self, *templates: SegmentTemplate) -> None:
        for template in templates:
            if not isinstance(template, SegmentTemplate):
                raise FeatureError(
                    f"SegmentFeatures: expected templates such as segments.length(), got {template!r}"
                )
        self.templates = templates

    def side(self, kind: type[Side]) -> Features | None:
        """The templates for first (or last) tokens, together; None if there are none."""
        templates = [
            inner for template in self.templates if isinstance(template, kind) for inner in template.templates
        ]
        return Features(*templates) if templates else None

    @property
    def first(self) -> Features | None:
        """The templates for first tokens."""
        return self.side(First)

    @property
    def last(self) -> Features | None:
        """The templates for last tokens."""
        return self.side(Last)

    def lengths(self, width: int) -> list[list[str]] | None:
        """The attributes of the lengths 1 to `width`; None if there is no template for lengths."""
        chosen = [template for template in self.templates if isinstance(template, Length)]
        if not chosen:
            return None
        return [
            [attribute for template in chosen for attribute in template.attributes(size)]
            for size in range(1, width + 1)
        ]

    @property
    def looks_at_segments(self) -> bool:
        """Whether there are templates that look at whole segments."""
        return any(hasattr(template, "items") for template in self.templates)

    def items(self, tokens: Sequence[Any], width: int) -> list[Any]:
        """The attributes of whole segments: those of length d from token t are at `t * width + d - 1`."""
        chosen: list[Any] = [template for template in self.templates if hasattr(template, "items")]
        texts = [source_text(token, None) or "" for token in tokens]
        most = min(width, max((template.longest for template in chosen), default=0))
        rows: list[Any] = []
        for start in range(len(tokens)):
            for end in range(start + 1, min(start + most, len(tokens)) + 1):
                rows.append(_together(chosen, tokens, texts, start, end))
            rows.extend(
                [NOTHING] * ((start + 1) * width - len(rows))
            )  # the index of a segment needs no search
        return rows

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON. Functions appear by name only."""
        data: list[dict[str, Any]] = []
        for template in self.templates:
            if isinstance(template, Side):
                data.append({template.kind: Features(*template.templates).to_dict()["templates"]})
            else:
                arguments = template.arguments().items()
                data.append({template.kind: {name: _plain(value) for name, value in arguments}})
        return {"templates": data}

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], *, functions: Mapping[str, Callable[..., Any]] | None = None
    ) -> SegmentFeatures:
        """The collection that `to_dict` made data of; `functions` are those that function templates name."""
        templates: list[SegmentTemplate] = []
        for number, entry in enumerate(data["templates"]):
            ((kind, arguments),) = entry.items()
            if kind in ("first", "last"):
                templates.append(
                    getattr(known, kind)(
                        *Features.from_dict({"templates": arguments}, functions=functions).templates
                    )
                )
                continue
            if kind not in ("length", "text", "in_list", "function"):
                raise FeatureError(
                    f"templates[{number}]: there is no template {kind!r} for segments", key=str(kind)
                )
            if kind == "function":
                name = arguments["name"]
                if functions is None or name not in functions:
                    raise FeatureError(
                        f"the segment function {name!r} is missing: pass functions={{{name!r}: ...}}",
                        key=name,
                    )
                arguments = {**arguments, "function": functions[name]}
            templates.append(getattr(known, kind)(**arguments))
        return cls(*templates)

    def __eq__(self, other: object) -> bool:
        return self.templates == other.templates if isinstance(other, SegmentFeatures) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.templates)

    def __repr__(self) -> str:
        return f"SegmentFeatures({', '.join(map(repr, self.templates))})"


def _together(
    chosen: Sequence[Any], tokens: Sequence[Any], texts: Sequence[str], start: int, end: int
) -> list[Any] | dict[str, Any]:
    items: list[Any] = []
    for template in chosen:
        if end - start <= template.longest:
            items += template.items(tokens, texts, start, end)
    # Items are lists unless a function gave values: a list is cheaper to read than a dict.
    if not any(isinstance(item, dict) for item in items):
        return items or NOTHING
    together: dict[str, Any] = {item: 1.0 for item in items if isinstance(item, str)}
    for item in items:
        if isinstance(item, dict):
            together |= item
    return together


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
