from .encoding import (
    Decoded as Decoded,
    Encoding as Encoding,
)
from .repair import (
    fewest_repairs as fewest_repairs,
    repairing_transducer as repairing_transducer,
)
from .schemes import (
    history_encoding as history_encoding,
    identity_encoding as identity_encoding,
    scheme_encoding as scheme_encoding,
)
from .symbols import FeatureSymbol as FeatureSymbol
