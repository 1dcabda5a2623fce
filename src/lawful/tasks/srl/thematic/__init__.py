"""Coherent role labels: numbered roles of a predicate as thematic roles that mean the same for all predicates."""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
