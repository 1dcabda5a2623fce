from . import segments as segments
from .model import SemiCRF as SemiCRF
