"""Everything that bylaw raises.

One base class. A user's mistake is an `InputError`; it keeps what it knows as fields, and its message says
what was expected, what came, and what to do. A mistake of ours is an `InternalError`.

>>> import bylaw
>>> try:
...     bylaw.LabelSet(["A", "A"])
... except bylaw.errors.DuplicateLabelError as error:
...     print(error.label, error.first, error.second)
A 0 1
"""

from __future__ import annotations

from bylaw.errors.base import (
    BylawError,
    InputError,
    InternalError,
)
from bylaw.errors.corpus import CorpusError, MissingDataError, MissingExtraError, RaggedRowError
from bylaw.errors.files import FileError, MissingFileError
from bylaw.errors.models import (
    DamagedFileError,
    FeatureError,
    ForeignFileError,
    ModelFileError,
    NewerFormatError,
    NotFittedError,
    TruncatedFileError,
)
from bylaw.errors.rule_files import RuleFileError, RuleProblem
from bylaw.errors.rules import (
    ContextError,
    DuplicateRuleError,
    MachineError,
    MissingContextError,
    PatternError,
    PositionError,
    PriceError,
    RuleError,
    RuleTooLargeError,
    SpanError,
    TokenError,
    UnpricedRuleError,
)
from bylaw.errors.scores import (
    AttFormatError,
    DtypeError,
    DuplicateLabelError,
    EmptyLabelSetError,
    EmptySequenceError,
    GraphError,
    LabelSetError,
    ScoreError,
    ShapeError,
    UnboundedError,
    UnknownLabelError,
)
from bylaw.errors.search import (
    EnumerationError,
    InfeasibleError,
    LimitError,
    LossError,
    ProductTooLargeError,
)

__all__ = [
    "AttFormatError",
    "BylawError",
    "ContextError",
    "CorpusError",
    "DamagedFileError",
    "DtypeError",
    "DuplicateLabelError",
    "DuplicateRuleError",
    "EmptyLabelSetError",
    "EmptySequenceError",
    "EnumerationError",
    "FeatureError",
    "FileError",
    "ForeignFileError",
    "GraphError",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "LabelSetError",
    "LimitError",
    "LossError",
    "MachineError",
    "MissingContextError",
    "MissingDataError",
    "MissingExtraError",
    "MissingFileError",
    "ModelFileError",
    "NewerFormatError",
    "NotFittedError",
    "PatternError",
    "PositionError",
    "PriceError",
    "ProductTooLargeError",
    "RaggedRowError",
    "RuleError",
    "RuleFileError",
    "RuleProblem",
    "RuleTooLargeError",
    "ScoreError",
    "ShapeError",
    "SpanError",
    "TokenError",
    "TruncatedFileError",
    "UnboundedError",
    "UnknownLabelError",
    "UnpricedRuleError",
]

for _name in __all__:  # whoever prints one should see the name to import it by
    globals()[_name].__module__ = __name__
