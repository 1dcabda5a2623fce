#include <cmath>

#include "bindings/bindings.hpp"
#include "core/graph/determinize.hpp"
#include "core/graph/nbest.hpp"
#include "core/graph/sums.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

using Labels = In<int32_t, nb::ndim<1>>;
using Scored = nb::typed<nb::tuple, double, std::vector<int32_t>>;

Distribution* make_distribution(GraphPointer graph, const Limits& limits) {
  nb::gil_scoped_release release;
  return new Distribution(std::move(graph), limits);
}

BestSequences* make_best(GraphPointer graph, const Limits& limits) {
  nb::gil_scoped_release release;
  return new BestSequences(std::move(graph), limits);
}

Scored next_best(BestSequences& self) {
  const auto sequence = self.next();
  if (!sequence) throw nb::stop_iteration();
  return nb::borrow<Scored>(nb::make_tuple(sequence->score, sequence->labels));
}

nb::object label_marginals(const Distribution& self) {
  auto* owned = new std::vector<double>(self.label_marginals());
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  const std::size_t rows = self.length(), columns = self.labels();
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(owned->data(), {rows, columns}, owner));
}

double window(const Distribution& self, int start, const In<uint8_t, nb::ndim<2>>& choices, bool may_end) {
  require(static_cast<int>(choices.shape(1)) == self.labels(), "choices must have one column per label");
  require(choices.shape(0) <= static_cast<std::size_t>(self.length()) + 2, "there are more choices than positions");
  const auto count = static_cast<int>(choices.shape(0));
  const uint8_t* data = choices.data();
  nb::gil_scoped_release release;
  return self.window(start, data, count, may_end);
}

std::vector<std::vector<int32_t>> sample(const Distribution& self, const Matrix& uniforms, const Limits& limits) {
  require(static_cast<int>(uniforms.shape(1)) > self.length(), "a sample takes one number per label, and one more");
  const std::size_t count = uniforms.shape(0), width = uniforms.shape(1);
  const double* data = uniforms.data();
  nb::gil_scoped_release release;
  Budget budget(limits);
  return self.sample(data, count, width, budget);
}

// The same as one array (samples, T); every sequence of labels must have that length.
nb::object sample_array(const Distribution& self, const Matrix& uniforms) {
  const std::size_t rows = uniforms.shape(0), length = self.length();
  std::vector<int32_t> all;
  all.reserve(rows * length);
  for (const auto& labels : sample(self, uniforms, Limits())) all.insert(all.end(), labels.begin(), labels.end());
  require(all.size() == rows * length, "label sequences differ in length");
  return owned_array(std::move(all)).attr("reshape")(rows, length);
}

nb::bytes count_as_bytes(const Graph& graph, const Limits& limits) {
  Natural count;
  {
    nb::gil_scoped_release release;
    count = count_paths(graph, limits);
  }
  std::vector<uint8_t> bytes;
  for (const uint64_t limb : count.limbs)
    for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<uint8_t>(limb >> shift));
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_sums(nb::module_& m) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Distribution>(m, "Distribution", "Probabilities of the label sequences of an acyclic, deterministic graph.")
      .def(nb::new_(&make_distribution), nb::arg("graph"), nb::arg("limits") = Limits())
      .def_prop_ro("log_partition", &Distribution::log_partition)
      .def_prop_ro("length", &Distribution::length, "Labels of the longest sequence.")
      .def("label_marginals", &label_marginals, nb::sig("def label_marginals(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("window", &window, nb::arg("start"), nb::arg("choices"), nb::kw_only(), nb::arg("may_end") = false,
           "The probability that each label from `start` on is one of its choices (n, K).")
      .def(
          "log_probability",
          [](const Distribution& self, const Labels& labels) {
            return self.log_probability(labels.data(), static_cast<int>(labels.size()));
          },
          nb::arg("labels"))
      .def("sample_array", &sample_array, nb::arg("uniforms"),
           nb::sig("def sample_array(self, uniforms: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int32]"),
           "`sample` as an array (samples, T), without limits; for label sequences that all have the same length.")
      .def("sample", &sample, nb::arg("uniforms"), nb::arg("limits") = Limits(),
           "One label sequence for each row of random numbers in [0, 1).");

  nb::class_<BestSequences>(m, "BestSequences", "The label sequences of an acyclic graph, best first.")
      .def(nb::new_(&make_best), nb::arg("graph"), nb::arg("limits") = Limits())
      .def(
          "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> BestSequences"))
      .def("__next__", &next_best);

  m.def("is_deterministic", &is_deterministic, nb::arg("graph"), Release());
  m.def("has_positions", &has_positions, nb::arg("graph"), Release(),
        "Whether each state knows how many labels were read before it.");
  m.def("with_positions", &with_positions, nb::arg("graph"), nb::arg("limits"), Release());
  m.def(
      "determinize",
      [](const Graph& graph, bool ignore_weights, const Limits& limits) {
        return determinize(graph, ignore_weights ? Weights::ignored : Weights::kept, limits);
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("ignore_weights"), nb::arg("limits"), Release());
  m.def("count_paths", &count_as_bytes, nb::arg("graph"), nb::arg("limits") = Limits(),
        "How many paths there are: a whole number, its lowest byte first.");
}

}  // namespace lawful
