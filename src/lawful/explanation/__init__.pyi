from .alternatives import (
    WhyNot as WhyNot,
    why_not as why_not,
)
from .changes import Change as Change
from .charges import Charge as Charge
from .explanation import (
    Explanation as Explanation,
    explain as explain,
)
from .prices import RulePrice as RulePrice
from .proof.certificates import (
    Certificate as Certificate,
    verify as verify,
)
from .runners_up import RunnerUp as RunnerUp
