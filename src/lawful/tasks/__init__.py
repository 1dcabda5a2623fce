"""The tasks of the papers: readers of their corpora, their rules and features, and generators of small corpora.

The corpora do not come with lawful. `TASKS` says where to get each; `load` reads it from the folder that LAWFUL_DATA names.
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
