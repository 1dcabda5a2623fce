from .content import (
    Report as Report,
    RuleEffect as RuleEffect,
    ShownSequence as ShownSequence,
)
from .measure import make_report as make_report
from .page import render_report as render_report
from .propositions import view_proposition as view_proposition
from .sentence_view import SentenceView as SentenceView
