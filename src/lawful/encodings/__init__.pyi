from .codes import (
    Coded as Coded,
    prefix_code as prefix_code,
)
from .composition.lattices import ComposedLattices as ComposedLattices
from .encoded_model import Encoded as Encoded
from .encoding import (
    Decoded as Decoded,
    Encoding as Encoding,
)
from .encoding_file import (
    read_encoding as read_encoding,
    write_encoding as write_encoding,
)
from .hand_crafted import hand_crafted_encoding as hand_crafted_encoding
from .model_store import ModelStore as ModelStore
from .moves.kinds import (
    Move as Move,
    move_from_dict as move_from_dict,
)
from .moves.proposals import propose_move as propose_move
from .naming import (
    encoding_named as encoding_named,
    guess_source as guess_source,
)
from .properties import (
    Flaw as Flaw,
    check_encoding as check_encoding,
    domain_of as domain_of,
    require_encoding as require_encoding,
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
from .search.climbing import (
    SearchResult as SearchResult,
    search_encodings as search_encodings,
)
from .search.journal import Candidate as Candidate
from .search.plot import plot_history as plot_history
from .symbols import FeatureSymbol as FeatureSymbol
from .words import (
    Meaning as Meaning,
    describe_encoding as describe_encoding,
    meanings as meanings,
)
