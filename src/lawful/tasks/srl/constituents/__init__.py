"""Semantic roles over trees: the constituents that may be arguments as a sequence, their features, rules and histories."""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
