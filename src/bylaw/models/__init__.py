"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bylaw.models import features, segments
    from bylaw.models.blend import Blend
    from bylaw.models.crf import CRF
    from bylaw.models.estimator import SequenceModel
    from bylaw.models.hmm import HMM
    from bylaw.models.hmm_emission import Emission
    from bylaw.models.loading import load
    from bylaw.models.maxent import MaxEnt
    from bylaw.models.memm import MEMM
    from bylaw.models.perceptron import Perceptron
    from bylaw.models.segments import SegmentFeatures
    from bylaw.models.semi_crf import SemiCRF
    from bylaw.models.structured_learner import StructuredLearner
    from bylaw.models.structured_perceptron import StructuredPerceptron
    from bylaw.models.winnow import Winnow
else:
    # A kind of model is imported when it is asked for: who tags with one need not hold the code of all.
    _LATER = {
        "Blend": "blend",
        "CRF": "crf",
        "SequenceModel": "estimator",
        "HMM": "hmm",
        "Emission": "hmm_emission",
        "load": "loading",
        "MaxEnt": "maxent",
        "MEMM": "memm",
        "Perceptron": "perceptron",
        "SegmentFeatures": "segments",
        "SemiCRF": "semi_crf",
        "StructuredLearner": "structured_learner",
        "StructuredPerceptron": "structured_perceptron",
        "Winnow": "winnow",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in ("features", "segments"):
            return import_module(f"bylaw.models.{name}")
        if name in _LATER:
            found = globals()[name] = getattr(import_module(f"bylaw.models.{_LATER[name]}"), name)
            return found
        raise AttributeError(f"module 'bylaw.models' has no attribute {name!r}")


__all__ = [
    "CRF",
    "HMM",
    "MEMM",
    "Blend",
    "Emission",
    "MaxEnt",
    "Perceptron",
    "SegmentFeatures",
    "SemiCRF",
    "SequenceModel",
    "StructuredLearner",
    "StructuredPerceptron",
    "Winnow",
    "features",
    "load",
    "segments",
]


def __dir__() -> list[str]:
    return list(__all__)
