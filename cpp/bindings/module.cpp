#include "bindings/bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled kernels of bylaw. Private: use the package's front door.";
  bylaw::bind_part(m);
  bylaw::bind_trellis(m);
  bylaw::bind_graph(m);
  bylaw::bind_engine(m);
  bylaw::bind_search(m);
}
