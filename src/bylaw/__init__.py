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
from bylaw.errors import BylawError, InfeasibleError, InputError, InternalError, LimitError, LossError

if typing.TYPE_CHECKING:
    from bylaw.adapters.crfsuite import from_crfsuite
    from bylaw.adapters.logits import from_logits, from_logits_batch
    from bylaw.adapters.nbest import from_nbest
    from bylaw.adapters.pytorch_crf import from_pytorch_crf
    from bylaw.adapters.sklearn import from_classifier
    from bylaw.adapters.torch import from_torch
    from bylaw.adapters.transformers import from_transformers
    from bylaw.corpus import Sentence, open_corpus, read_corpus, write_corpus
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
    from bylaw.evaluation import evaluate
    from bylaw.explanation import Explanation, explain, verify, why_not
    from bylaw.labels import LabelSet
    from bylaw.lattice import GraphLattice, Lattice, Tagger, Transitions, read_att, write_att
    from bylaw.lattice.path_score import path_score
    from bylaw.learning import (
        CCM,
        EM,
        CoDL,
        ConstrainedLikelihood,
        HardEM,
        RuledPerceptron,
        SemiRuledPerceptron,
        fit_prices,
        learn_prices,
        train_prices,
    )
    from bylaw.learning.linting import lint
    from bylaw.learning.mining import mine
    from bylaw.models import (
        CRF,
        HMM,
        MEMM,
        Blend,
        Emission,
        MaxEnt,
        Perceptron,
        SemiCRF,
        SequenceModel,
        StructuredPerceptron,
        Winnow,
        features,
        load,
        segments,
    )
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
    from bylaw.rules.checking import check
    from bylaw.rules.files import describe, format_rules, parse_rules, read_rules, write_rules

__all__ = [
    "CCM",
    "CRF",
    "EM",
    "HMM",
    "MEMM",
    "Blend",
    "BylawError",
    "CoDL",
    "ConstrainedLikelihood",
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
    "MaxEnt",
    "Perceptron",
    "Rule",
    "RuledPerceptron",
    "Rules",
    "Scored",
    "SemiCRF",
    "SemiRuledPerceptron",
    "Sentence",
    "SequenceModel",
    "StructuredPerceptron",
    "Tagger",
    "Transitions",
    "Winnow",
    "allow_only",
    "allowed_transitions",
    "at_least",
    "at_least_segments",
    "at_most",
    "at_most_segments",
    "automaton",
    "before",
    "change_only_after",
    "check",
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
    "fit_prices",
    "fix",
    "forbid",
    "format_rules",
    "from_classifier",
    "from_crfsuite",
    "from_logits",
    "from_logits_batch",
    "from_nbest",
    "from_pytorch_crf",
    "from_torch",
    "from_transformers",
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
    "segments",
    "starts_with",
    "to_lp",
    "token",
    "train_prices",
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

# Rooms are opened when one of their names is asked for, so that `bylaw --version` need not wait for numpy.
# The block above tells type checkers the same; tests/meta/test_front_door.py compares the two.
_LATER: dict[str, str] = {
    "CCM": "bylaw.learning",
    "CRF": "bylaw.models",
    "EM": "bylaw.learning",
    "HMM": "bylaw.models",
    "MEMM": "bylaw.models",
    "Blend": "bylaw.models",
    "CoDL": "bylaw.learning",
    "ConstrainedLikelihood": "bylaw.learning",
    "Decoder": "bylaw.decoding",
    "Decoding": "bylaw.decoding",
    "Decodings": "bylaw.decoding",
    "Emission": "bylaw.models",
    "Explanation": "bylaw.explanation",
    "GraphLattice": "bylaw.lattice",
    "HardEM": "bylaw.learning",
    "LabelSet": "bylaw.labels",
    "Lattice": "bylaw.lattice",
    "Marginals": "bylaw.decoding",
    "MaxEnt": "bylaw.models",
    "Perceptron": "bylaw.models",
    "Rule": "bylaw.rules",
    "RuledPerceptron": "bylaw.learning",
    "Rules": "bylaw.rules",
    "Scored": "bylaw.decoding",
    "SemiCRF": "bylaw.models",
    "SemiRuledPerceptron": "bylaw.learning",
    "Sentence": "bylaw.corpus",
    "SequenceModel": "bylaw.models",
    "StructuredPerceptron": "bylaw.models",
    "Tagger": "bylaw.lattice",
    "Transitions": "bylaw.lattice",
    "Winnow": "bylaw.models",
    "allow_only": "bylaw.rules",
    "allowed_transitions": "bylaw.rules",
    "at_least": "bylaw.rules",
    "at_least_segments": "bylaw.rules",
    "at_most": "bylaw.rules",
    "at_most_segments": "bylaw.rules",
    "automaton": "bylaw.rules",
    "before": "bylaw.rules",
    "change_only_after": "bylaw.rules",
    "check": "bylaw.rules.checking",
    "context": "bylaw.rules",
    "count_legal": "bylaw.decoding",
    "decode": "bylaw.decoding",
    "describe": "bylaw.rules.files",
    "ends_with": "bylaw.rules",
    "evaluate": "bylaw.evaluation",
    "exactly": "bylaw.rules",
    "exactly_segments": "bylaw.rules",
    "excludes": "bylaw.rules",
    "explain": "bylaw.explanation",
    "features": "bylaw.models",
    "fit_prices": "bylaw.learning",
    "fix": "bylaw.rules",
    "forbid": "bylaw.rules",
    "format_rules": "bylaw.rules.files",
    "from_classifier": "bylaw.adapters.sklearn",
    "from_crfsuite": "bylaw.adapters.crfsuite",
    "from_logits": "bylaw.adapters.logits",
    "from_logits_batch": "bylaw.adapters.logits",
    "from_nbest": "bylaw.adapters.nbest",
    "from_pytorch_crf": "bylaw.adapters.pytorch_crf",
    "from_torch": "bylaw.adapters.torch",
    "from_transformers": "bylaw.adapters.transformers",
    "iterate_best": "bylaw.decoding",
    "learn_prices": "bylaw.learning",
    "lint": "bylaw.learning.linting",
    "load": "bylaw.models",
    "log_partition": "bylaw.decoding",
    "marginals": "bylaw.decoding",
    "mine": "bylaw.learning.mining",
    "nbest": "bylaw.decoding",
    "open_corpus": "bylaw.corpus",
    "parse_rules": "bylaw.rules.files",
    "path_score": "bylaw.lattice.path_score",
    "pattern": "bylaw.rules",
    "read_att": "bylaw.lattice",
    "read_corpus": "bylaw.corpus",
    "read_rules": "bylaw.rules.files",
    "requires": "bylaw.rules",
    "same_label": "bylaw.rules",
    "sample": "bylaw.decoding",
    "segment_length": "bylaw.rules",
    "segments": "bylaw.models",
    "starts_with": "bylaw.rules",
    "to_lp": "bylaw.decoding",
    "token": "bylaw.rules",
    "train_prices": "bylaw.learning",
    "uniform": "bylaw.rules",
    "valid": "bylaw.rules",
    "verify": "bylaw.explanation",
    "when": "bylaw.rules",
    "why_not": "bylaw.explanation",
    "write_att": "bylaw.lattice",
    "write_corpus": "bylaw.corpus",
    "write_rules": "bylaw.rules.files",
}
_ROOMS = {
    "adapters",
    "automata",
    "corpus",
    "decoding",
    "evaluation",
    "explanation",
    "labels",
    "lattice",
    "learning",
    "models",
    "rules",
    "solvers",
    "testing",
}

if not typing.TYPE_CHECKING:  # a checker should still find misspelt names

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _LATER:
            found = globals()[name] = getattr(import_module(_LATER[name]), name)
            return found
        if name in _ROOMS:
            return import_module(f"bylaw.{name}")
        if name == "__version__":
            from importlib.metadata import PackageNotFoundError, version

            try:
                return version("bylaw")
            except PackageNotFoundError:  # run from a source tree that nobody installed
                return "0.0.0+source"
        raise AttributeError(f"module 'bylaw' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
