#include "bindings/linear/arrays.hpp"
#include "core/linear/scores.hpp"
#include "core/linear/tagging.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

nb::object tag(const LinearLayout& layout, const Vector& weights, const Corpus& data, const Corpus& pairs, int threads) {
  const double* weight_data = checked_weights(weights, layout);
  const Sequences* pair_view = checked_pairs(pairs, *data);
  std::vector<int32_t> labels(data->view.positions());
  {
    nb::gil_scoped_release release;
    tag_all(layout, weight_data, data->view, pair_view, threads, labels.data());
  }
  return owned_array(std::move(labels));
}

nb::object emissions(const LinearLayout& layout, const Vector& weights, const Corpus& data, int threads) {
  const double* weight_data = checked_weights(weights, layout);
  const auto positions = static_cast<std::size_t>(data->view.positions()),
             labels = static_cast<std::size_t>(layout.outputs.labels);
  std::vector<double> scores(positions * labels);
  {
    nb::gil_scoped_release release;
    emissions_of_all(layout, weight_data, data->view, threads, scores.data());
  }
  return table_of(std::move(scores), {positions, labels});
}

nb::object transitions(const LinearLayout& layout, const Vector& weights) {
  const auto labels = static_cast<std::size_t>(layout.outputs.labels);
  std::vector<double> edges(labels * labels, 0), first(labels, 0), last(labels, 0);
  edge_scores(layout, checked_weights(weights, layout), edges.data(), first.data(), last.data(), static_cast<int>(labels));
  return nb::make_tuple(table_of(std::move(edges), {labels, labels}), owned_array(std::move(first)),
                        owned_array(std::move(last)));
}

// (T-1, K, K) of one sequence, shared transitions included.
nb::object steps(const LinearLayout& layout, const Vector& weights, const Corpus& pairs, int64_t sequence) {
  const double* weight_data = checked_weights(weights, layout);
  require(sequence >= 0 && sequence < pairs->view.sequences, "there is no such sequence");
  const auto labels = static_cast<std::size_t>(layout.outputs.labels);
  const int64_t length = pairs->view.sequence_offsets[sequence + 1] - pairs->view.sequence_offsets[sequence];
  const std::size_t count = length > 1 ? length - 1 : 0;
  std::vector<double> edges(labels * labels, 0), boundary(labels, 0), matrices(count * labels * labels);
  edge_scores(layout, weight_data, edges.data(), boundary.data(), boundary.data(), static_cast<int>(labels));
  for (std::size_t i = 0; i < matrices.size(); ++i) matrices[i] = edges[i % edges.size()];
  if (count) pair_scores(layout, weight_data, pairs->view, sequence, 1.0, matrices.data(), static_cast<int>(labels));
  return table_of(std::move(matrices), {count, labels, labels});
}

nb::object marginals(const LinearLayout& layout, const Vector& weights, const Corpus& data, const Corpus& pairs, int threads) {
  const double* weight_data = checked_weights(weights, layout);
  const Sequences* pair_view = checked_pairs(pairs, *data);
  const auto positions = static_cast<std::size_t>(data->view.positions()),
             labels = static_cast<std::size_t>(layout.outputs.labels);
  std::vector<double> probabilities(positions * labels), partitions(data->view.sequences);
  {
    nb::gil_scoped_release release;
    marginals_of_all(layout, weight_data, data->view, pair_view, threads, probabilities.data(), partitions.data());
  }
  return nb::make_tuple(table_of(std::move(probabilities), {positions, labels}), owned_array(std::move(partitions)));
}

}  // namespace

void bind_linear_tagging(nb::module_& m) {
#define LAWFUL_CORPUS "layout: LinearLayout, weights: numpy.typing.NDArray[numpy.float64], data: LinearSequences, "
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
  m.def("linear_tag", &tag, nb::arg("layout"), nb::arg("weights"), nb::arg("data"), nb::arg("pairs").none(), nb::kw_only(),
        nb::arg("threads"),
        nb::sig("def linear_tag(" LAWFUL_CORPUS "pairs: LinearSequences | None, *, threads: int) -> "
                "numpy.typing.NDArray[numpy.int32]"),
        "The best label of every position.");
  m.def("linear_emissions", &emissions, nb::arg("layout"), nb::arg("weights"), nb::arg("data"), nb::kw_only(), nb::arg("threads"),
        nb::sig("def linear_emissions(" LAWFUL_CORPUS "*, threads: int) -> " LAWFUL_FLOATS), "Emission scores (M, K).");
  m.def("linear_transitions", &transitions, nb::arg("layout"), nb::arg("weights"),
        nb::sig("def linear_transitions(layout: LinearLayout, weights: " LAWFUL_FLOATS ") -> tuple[" LAWFUL_FLOATS
                ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS "]"),
        "Scores of transitions (K, K), of first and of last labels (K,).");
  m.def("linear_steps", &steps, nb::arg("layout"), nb::arg("weights"), nb::arg("pairs"), nb::arg("sequence"),
        nb::sig("def linear_steps(layout: LinearLayout, weights: " LAWFUL_FLOATS
                ", pairs: LinearSequences, sequence: int) -> " LAWFUL_FLOATS),
        "Transition scores (T-1, K, K) of one sequence.");
  m.def("linear_marginals", &marginals, nb::arg("layout"), nb::arg("weights"), nb::arg("data"), nb::arg("pairs").none(),
        nb::kw_only(), nb::arg("threads"),
        nb::sig("def linear_marginals(" LAWFUL_CORPUS "pairs: LinearSequences | None, *, threads: int) -> tuple[" LAWFUL_FLOATS
                ", " LAWFUL_FLOATS "]"),
        "Label marginals (M, K), and the log-partition of each sequence.");
#undef LAWFUL_CORPUS
#undef LAWFUL_FLOATS
}

}  // namespace lawful
