#include "bindings/bindings.hpp"

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // decoders kept in caches until the interpreter ends are no leaks
  m.doc() = "The compiled kernels of bylaw. Private: use the package's front door.";
  bylaw::bind_part(m);
  bylaw::bind_trellis(m);
  bylaw::bind_graph(m);
  bylaw::bind_binding(m);
  bylaw::bind_engine(m);
  bylaw::bind_sums(m);
  bylaw::bind_search(m);
  bylaw::bind_columns(m);
  bylaw::bind_features(m);
  bylaw::bind_feature_templates(m);
  bylaw::bind_crf(m);
  bylaw::bind_crf_training(m);
  bylaw::bind_crf_online(m);
  bylaw::bind_crf_tagging(m);
  bylaw::bind_perceptron(m);
  bylaw::bind_local_learning(m);
  bylaw::bind_semi_crf(m);
}
