"""Models: parameters, scoring, plain fitting, saving."""

from __future__ import annotations

from bylaw.models import features
from bylaw.models.blend import Blend
from bylaw.models.crf import CRF
from bylaw.models.estimator import SequenceModel
from bylaw.models.hmm import HMM
from bylaw.models.hmm_emission import Emission
from bylaw.models.loading import load

__all__ = ["CRF", "HMM", "Blend", "Emission", "SequenceModel", "features", "load"]
