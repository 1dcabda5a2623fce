"""Rule files: rules as TOML, for people, editors and other programs."""

from __future__ import annotations

from bylaw.rules.files.describing import describe
from bylaw.rules.files.reading import RuleFile, parse_rule_file, parse_rules, read_rule_file, read_rules
from bylaw.rules.files.writing import format_rules, write_rules

__all__ = [
    "RuleFile",
    "describe",
    "format_rules",
    "parse_rule_file",
    "parse_rules",
    "read_rule_file",
    "read_rules",
    "write_rules",
]
