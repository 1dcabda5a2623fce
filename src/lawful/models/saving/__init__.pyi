from .layout import (
    FORMAT as FORMAT,
    FORMAT_VERSION as FORMAT_VERSION,
    SavedModel as SavedModel,
)
from .reading import (
    open_model as open_model,
    read_model as read_model,
)
from .strings import (
    pack_strings as pack_strings,
    unpack_strings as unpack_strings,
)
from .writing import write_model as write_model
