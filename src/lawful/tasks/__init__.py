"""Tasks of the papers: the readers of their corpora, and small corpora that are made here.

The corpora belong to others. `TASKS` says where to get each; `load` reads it from the folder that LAWFUL_DATA names.
"""

import lazy_loader

# The names of this room and where they live are in the stub beside this file: imported when asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
