"""bylaw: exact, fast, explainable sequence labelling under rules.

A tagger scores labels; rules say what it cannot know. `decode` finds the best label sequence under both, proves
that it is the best, and says what the rules cost.

>>> import bylaw
>>> lattice = bylaw.Lattice(
...     [[1.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 2.0, 1.5]], labels=["O", "Street", "City"]
... )
>>> bylaw.decode(lattice).labels
('Street', 'City', 'Street')
>>> best = bylaw.decode(lattice, bylaw.at_most_segments(1, "Street"))
>>> best.labels, best.status, best.loss
(('Street', 'City', 'City'), 'optimal', 0.5)
"""

from __future__ import annotations

import typing

from bylaw import errors
from bylaw.decoding import (
    Decoder,
    Decoding,
    Decodings,
    Marginals,
    Scored,
    count_legal,
    decode,
    iterate_best,
    log_partition,
    marginals,
    nbest,
    sample,
    to_lp,
)
from bylaw.errors import BylawError, InfeasibleError, InputError, InternalError, LimitError, LossError
from bylaw.explanation import Explanation, explain, verify, why_not
from bylaw.labels import LabelSet
from bylaw.lattice import GraphLattice, Lattice, Tagger, Transitions, path_score, read_att, write_att
from bylaw.rules import (
    Rule,
    Rules,
    allow_only,
    allowed_transitions,
    at_least,
    at_least_segments,
    at_most,
    at_most_segments,
    automaton,
    before,
    change_only_after,
    context,
    ends_with,
    exactly,
    exactly_segments,
    excludes,
    fix,
    forbid,
    pattern,
    requires,
    same_label,
    segment_length,
    starts_with,
    token,
    uniform,
    valid,
    when,
)

__all__ = [
    "CCM",
    "EM",
    "HMM",
    "Blend",
    "BylawError",
    "CoDL",
    "Decoder",
    "Decoding",
    "Decodings",
    "Emission",
    "Explanation",
    "GraphLattice",
    "HardEM",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "LabelSet",
    "Lattice",
    "LimitError",
    "LossError",
    "Marginals",
    "Rule",
    "Rules",
    "Scored",
    "Sentence",
    "SequenceModel",
    "Tagger",
    "Transitions",
    "allow_only",
    "allowed_transitions",
    "at_least",
    "at_least_segments",
    "at_most",
    "at_most_segments",
    "automaton",
    "before",
    "change_only_after",
    "context",
    "count_legal",
    "decode",
    "describe",
    "ends_with",
    "errors",
    "evaluate",
    "exactly",
    "exactly_segments",
    "excludes",
    "explain",
    "features",
    "fix",
    "forbid",
    "format_rules",
    "from_crfsuite",
    "iterate_best",
    "learn_prices",
    "lint",
    "load",
    "log_partition",
    "marginals",
    "mine",
    "nbest",
    "open_corpus",
    "parse_rules",
    "path_score",
    "pattern",
    "read_att",
    "read_corpus",
    "read_rules",
    "requires",
    "same_label",
    "sample",
    "segment_length",
    "starts_with",
    "to_lp",
    "token",
    "uniform",
    "valid",
    "verify",
    "when",
    "why_not",
    "write_att",
    "write_corpus",
    "write_rules",
]


__version__: str  # found when asked for: importlib.metadata takes longer to import than most of us

# Rooms that a user of lattices and rules alone never enters are opened when one of their names is asked for.
# The block below tells type checkers the same; tests/meta/test_front_door.py compares the two.
_LATER: dict[str, str] = {
    "Blend": "bylaw.models",
    "CCM": "bylaw.learning",
    "CoDL": "bylaw.learning",
    "EM": "bylaw.learning",
    "HMM": "bylaw.models",
    "HardEM": "bylaw.learning",
    "learn_prices": "bylaw.learning",
    "Emission": "bylaw.models",
    "Sentence": "bylaw.corpus",
    "SequenceModel": "bylaw.models",
    "describe": "bylaw.rules.files",
    "evaluate": "bylaw.evaluation",
    "features": "bylaw.models",
    "format_rules": "bylaw.rules.files",
    "from_crfsuite": "bylaw.adapters.crfsuite",
    "lint": "bylaw.learning.linting",
    "load": "bylaw.models",
    "mine": "bylaw.learning.mining",
    "open_corpus": "bylaw.corpus",
    "parse_rules": "bylaw.rules.files",
    "read_corpus": "bylaw.corpus",
    "read_rules": "bylaw.rules.files",
    "write_corpus": "bylaw.corpus",
    "write_rules": "bylaw.rules.files",
}

if typing.TYPE_CHECKING:
    from bylaw.adapters.crfsuite import from_crfsuite
    from bylaw.corpus import Sentence, open_corpus, read_corpus, write_corpus
    from bylaw.evaluation import evaluate
    from bylaw.learning import CCM, EM, CoDL, HardEM, learn_prices
    from bylaw.learning.linting import lint
    from bylaw.learning.mining import mine
    from bylaw.models import HMM, Blend, Emission, SequenceModel, features, load
    from bylaw.rules.files import describe, format_rules, parse_rules, read_rules, write_rules

if not typing.TYPE_CHECKING:  # a checker should still find misspelt names

    def __getattr__(name: str) -> object:
        if name in _LATER:
            from importlib import import_module

            found = globals()[name] = getattr(import_module(_LATER[name]), name)
            return found
        if name == "__version__":
            from importlib.metadata import version

            return version("bylaw")
        raise AttributeError(f"module 'bylaw' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
