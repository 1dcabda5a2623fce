"""Acceptors, counting machines and transducers: build, combine, determinize, minimize, compare, draw.

Nothing here is about tagging: symbols are the numbers 0..C-1. A language is built as an `Nfa`, from the
machines of `build` and the operations of `rational`; `determinize` turns it into a `Dfa`, which `boolean`
combines and `compare` compares; `modes` leads from there to a `CountingMachine` and back. A `Transducer` rewrites
sequences, of symbols of any kind.
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
