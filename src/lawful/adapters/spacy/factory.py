"""The component "lawful" of spaCy pipelines. spaCy finds it through the entry point in pyproject.toml."""

from __future__ import annotations

from typing import Any, cast

from lawful.adapters.spacy.component import RuledEntities
from lawful.decoding.options import OnInfeasible

try:
    from spacy.language import Language
except ModuleNotFoundError:  # every module of lawful can be imported without its extras
    Language = None

__all__ = ["DEFAULTS", "RuledEntities", "make_component"]

DEFAULTS: dict[str, Any] = {
    "rules": None,
    "tagger": None,
    "labels": None,
    "scheme": "BIO",
    "outside": "O",
    "separator": "-",
    "attributes": [],
    "keep_entities": True,
    "record": False,
    "max_loss": None,
    "on_infeasible": "raise",
    "timeout": None,
}


def make_component(
    nlp: Any,
    name: str,
    rules: Any,
    tagger: Any,
    labels: list[str] | None,
    scheme: str,
    outside: str,
    separator: str,
    attributes: list[str],
    keep_entities: bool,  # noqa: FBT001 (spaCy passes config by keyword)
    record: bool,  # noqa: FBT001
    max_loss: float | None,
    on_infeasible: str,
    timeout: float | None,
) -> RuledEntities:
    """The factory "lawful": what `nlp.add_pipe("lawful", config={...})` calls. See `RuledEntities` for the settings.

    Examples
    --------
    >>> import lawful, spacy
    >>> @spacy.registry.misc("shouting.v1")
    ... def shouting():
    ...     return lambda doc: [[0.0, 1.0 if token.is_upper else -2.0] for token in doc]
    >>> @spacy.registry.misc("once.v1")
    ... def once():
    ...     return lawful.Rules(lawful.at_most_segments(1, "LOUD"))
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe(
    ...     "lawful",
    ...     config={"tagger": {"@misc": "shouting.v1"}, "rules": {"@misc": "once.v1"}, "labels": ["O", "LOUD"], "scheme": "flat"},
    ... )
    >>> nlp("HEY you THERE YOU").ents
    (THERE YOU,)
    """
    return RuledEntities(
        name=name,
        rules=rules,
        tagger=tagger,
        labels=labels,
        scheme=scheme,
        outside=outside,
        separator=separator,
        attributes=attributes,
        keep_entities=keep_entities,
        record=record,
        max_loss=max_loss,
        on_infeasible=cast("OnInfeasible", on_infeasible),
        timeout=timeout,
    )


if Language is not None:
    Language.factory("lawful", default_config=DEFAULTS, assigns=["doc.ents"], func=make_component)
