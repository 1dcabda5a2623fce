"""Random lattices, graphs and rules, and the reference that solvers are checked against.

For tests of your own rules, and of ours. Every generator takes a numpy `Generator` and nothing else is random:
the same seed gives the same problem. Hypothesis strategies are in `lawful.testing.strategies`, which alone needs
hypothesis.
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
