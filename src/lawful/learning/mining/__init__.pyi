from .evidence import (
    Evidence as Evidence,
    MinedRule as MinedRule,
    Proposal as Proposal,
)
from .proposing import (
    FAMILIES as FAMILIES,
    Mined as Mined,
    mine as mine,
)
