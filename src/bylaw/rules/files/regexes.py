from bylaw.rules.token_tests import Contains, Matches
from typing import TypeVar
__all__ = ["make_linear"]
T = TypeVar("T", Matches, Contains)
def make_linear(test: T) -> T:
    return test
