"""The typed keyword arguments of a decoder are those that it takes."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import get_type_hints

from lawful.decoding import Decoder
from lawful.decoding.options import DecoderOptions
from lawful.solvers.choice import SOLVERS


def test_they_are_those_of_the_decoder_and_of_all_solvers() -> None:
    def keywords(function: object) -> set[str]:
        parameters = signature(function).parameters.values()  # type: ignore[arg-type]
        return {parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY}

    taken = (keywords(Decoder) - {"labels", "tagger"}).union(*map(keywords, SOLVERS.values()))
    assert set(get_type_hints(DecoderOptions)) == taken
