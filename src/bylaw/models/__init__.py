"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

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
