from typing import TypeVar

from bylaw.rules.token_tests import Contains, Matches

__all__ = ["make_linear"]
T = TypeVar("T", Matches, Contains)


def make_linear(test: T) -> T:
    return test
