"""The JSON schema of rule files, for editors that complete and check them as they are typed."""

from __future__ import annotations

from typing import Any

from lawful.rules.files.entry import Kind
from lawful.rules.files.rule_tables import KINDS
from lawful.rules.files.values.base import Schema
from lawful.rules.files.values.token_tests import FORMS, Form

__all__ = ["rule_file_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

LABEL: Schema = {"type": "string", "description": "a label, or @ and the name of a group"}
LABELS: Schema = {"anyOf": [LABEL, {"type": "array", "items": LABEL, "minItems": 1}]}
CONTEXT: Schema = {
    "type": "object",
    "description": "what arrives with each sequence under a name",
    "properties": {"context": {"type": "string", "minLength": 1}, "default": {}},
    "required": ["context"],
    "additionalProperties": False,
}
PRICE: Schema = {
    "description": "the cost of breaking it: 'hard' if it must hold, 'learn' if the price is to be learned",
    "anyOf": [{"enum": ["hard", "learn"]}, {"type": "number", "minimum": 0}],
}
COMMON: dict[str, Schema] = {
    "name": {"type": "string", "minLength": 1},
    "price": PRICE,
    "per": {
        "description": "whether the price is paid once per sequence or once per violation",
        "enum": ["sequence", "violation"],
    },
}


def rule_file_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) of what `read_rules` reads. It follows the same table as the reader.

    Names of labels, groups, tests and rules are not in it: only the reader knows them.

    Examples
    --------
    >>> schema = rule_file_schema()
    >>> sorted(schema["properties"])
    ['groups', 'include', 'labels', 'parts', 'rule', 'tests']
    """
    return {
        "$schema": DIALECT,
        "title": "lawful rule file",
        "type": "object",
        "properties": {
            "include": {
                "description": "other rule files, relative to this one",
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            },
            "labels": {
                "description": "the labels of the task, in order",
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "uniqueItems": True,
            },
            "groups": _by_name({"$ref": "#/$defs/labels"}, "sets of labels, for @name"),
            "tests": _by_name({"$ref": "#/$defs/test"}, "tests of tokens"),
            "parts": _by_name({"$ref": "#/$defs/rule"}, "rules that only others refer to"),
            "rule": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
        },
        "additionalProperties": False,
        "$defs": {
            "labels": LABELS,
            "context": CONTEXT,
            "test": {"anyOf": [{"type": "string"}, *map(_form, FORMS.values())]},
            "part": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/rule"}]},
            "rule": {"type": "object", "required": ["kind"], "oneOf": [_kind(kind) for kind in KINDS]},
        },
    }


def _by_name(schema: Schema, about: str) -> Schema:
    return {"type": "object", "description": about, "additionalProperties": schema}


def _form(form: Form) -> Schema:
    return {
        "type": "object",
        "properties": form.schemas,
        "required": [form.key, *form.required],
        "additionalProperties": False,
    }


def _kind(kind: Kind) -> Schema:
    keys = {key.name: {"description": key.about} | key.value.schema() for key in kind.keys}
    return {
        "title": kind.name,
        "description": kind.about,
        "properties": {"kind": {"const": kind.name}} | keys | COMMON,
        "required": ["kind", *(key.name for key in kind.keys if key.needed)],
        "additionalProperties": False,
    }
