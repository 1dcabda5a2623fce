#include "bindings/bindings.hpp"

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // decoders kept in caches until the interpreter ends are no leaks
  m.doc() = "The compiled kernels of lawful. Private: use the package's front door.";
  lawful::bind_limits(m);
  lawful::bind_part(m);
  lawful::bind_trellis(m);
  lawful::bind_graph(m);
  lawful::bind_binding(m);
  lawful::bind_binder(m);
  lawful::bind_engine(m);
  lawful::bind_sums(m);
  lawful::bind_solvers(m);
  lawful::bind_columns(m);
  lawful::bind_features(m);
  lawful::bind_feature_templates(m);
  lawful::bind_token_rows(m);
  lawful::bind_linear(m);
  lawful::bind_linear_training(m);
  lawful::bind_linear_online(m);
  lawful::bind_linear_tagging(m);
  lawful::bind_perceptron(m);
  lawful::bind_local_learning(m);
  lawful::bind_segment_scores(m);
  lawful::bind_semi_crf(m);
  lawful::bind_string_parser(m);
  lawful::bind_label_numbers(m);
  lawful::bind_resampling(m);
}
