from .evidence import (
    Evidence as Evidence,
    MinedRule as MinedRule,
    Proposal as Proposal,
)
from .proposing import (
    FAMILIES as FAMILIES,
    mine as mine,
)
from .result import Mined as Mined
