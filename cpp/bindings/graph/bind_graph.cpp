#include <optional>

#include "bindings/bindings.hpp"
#include "core/graph/graph.hpp"
#include "core/rules/count.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

using Ints = In<int32_t, nb::ndim<1>>;
using Kinds = std::optional<In<uint16_t, nb::ndim<1>>>;

bool is_state(int32_t state, std::size_t states) { return state >= 0 && static_cast<std::size_t>(state) < states; }

GraphPointer from_arcs(int labels, int32_t start, const Ints& source, const Ints& target, const Ints& label, const Vector& weight,
                       const Vector& final, const In<int64_t, nb::ndim<1>>& origin) {
  const std::size_t states = final.size(), arcs = source.size();
  require(target.size() == arcs && label.size() == arcs && weight.size() == arcs, "every arc needs its four fields");
  require(origin.size() == states, "every state needs its number");
  require(is_state(start, states), "the start is not a state");
  require(scores_are_legal(weight.data(), arcs) && scores_are_legal(final.data(), states), "a score is NaN or +inf");
  std::vector<Arc> table(arcs);
  for (std::size_t i = 0; i < arcs; ++i) {
    table[i] = {target.data()[i], label.data()[i], weight.data()[i]};
    require(is_state(source.data()[i], states) && is_state(table[i].target, states), "an arc joins no two states");
    require(table[i].label >= kEpsilon && table[i].label < labels, "an arc has a label that does not exist");
  }
  std::vector<int32_t> sources(source.data(), source.data() + arcs);
  std::vector<double> ends(final.data(), final.data() + states);
  std::vector<int64_t> numbers(origin.data(), origin.data() + states);
  nb::gil_scoped_release release;
  return graph_from_arcs(labels, start, sources, std::move(table), std::move(ends), std::move(numbers));
}

GraphPointer from_trellis(const Trellis& trellis, bool keep_dead_ends, const Limits& limits) {
  nb::gil_scoped_release release;
  return graph_from_trellis(trellis, keep_dead_ends ? DeadEnds::keep : DeadEnds::trim, limits);
}

void require_kinds(const Part& part, const Kinds& kinds) {
  require(kinds || part.kinds == 1, "the rule looks at tokens: their kinds are needed");
  if (!kinds) return;
  for (std::size_t t = 0; t < kinds->size(); ++t)
    require(kinds->data()[t] < part.kinds, "a token has a kind that does not exist");
}

Product intersect_with(const Graph& graph, const Part& part, const Kinds& kinds, bool obeyed, bool keep_dead_ends,
                       const Limits& limits) {
  require_kinds(part, kinds);
  const uint16_t* data = kinds ? kinds->data() : nullptr;
  const auto length = kinds ? static_cast<int64_t>(kinds->size()) : 0;
  nb::gil_scoped_release release;
  return intersect(graph, part, data, length, obeyed ? Enter::obeyed : Enter::priced, limits,
                   keep_dead_ends ? DeadEnds::keep : DeadEnds::trim);
}

int64_t count(const Part& part, const Kinds& kinds, const Ints& labels) {
  require_kinds(part, kinds);
  require(part.kinds == 1 || kinds->size() >= labels.size(), "there are more labels than tokens");
  for (std::size_t t = 0; t < labels.size(); ++t)
    require(labels.data()[t] >= 0 && labels.data()[t] < part.labels, "a label does not exist");
  const uint16_t* data = part.kinds > 1 ? kinds->data() : nullptr;
  return count_violations(part, data, labels.data(), static_cast<int>(labels.size()));
}

// The violations of each of some labellings of the same sequence, one a row.
nb::object count_each(const Part& part, const Kinds& kinds, const In<int32_t, nb::ndim<2>>& labellings) {
  require_kinds(part, kinds);
  const std::size_t rows = labellings.shape(0), length = labellings.shape(1);
  require(part.kinds == 1 || kinds->size() >= length, "there are more labels than tokens");
  for (std::size_t i = 0; i < labellings.size(); ++i)
    require(labellings.data()[i] >= 0 && labellings.data()[i] < part.labels, "a label does not exist");
  const uint16_t* data = part.kinds > 1 ? kinds->data() : nullptr;
  std::vector<int64_t> counts(rows);
  for (std::size_t row = 0; row < rows; ++row)
    counts[row] = count_violations(part, data, labellings.data() + row * length, static_cast<int>(length));
  return owned_array(std::move(counts));
}

// Sources, targets, labels and weights of the arcs; the weights of ending and the positions of the states.
nb::tuple as_arrays(const Graph& graph) {
  std::vector<int32_t> source, target, label;
  std::vector<double> weight;
  for (int32_t state = 0; state < graph.states(); ++state) {
    for (auto i = graph.first[state]; i < graph.first[state + 1]; ++i) {
      source.push_back(state);
      target.push_back(graph.arcs[i].target);
      label.push_back(graph.arcs[i].label);
      weight.push_back(graph.arcs[i].weight);
    }
  }
  return nb::make_tuple(frozen_array(std::move(source)), frozen_array(std::move(target)), frozen_array(std::move(label)),
                        frozen_array(std::move(weight)), frozen_array(graph.final), frozen_array(graph.position));
}

}  // namespace

void bind_graph(nb::module_& m) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<BestPath>(m, "BestPath", "The best path of a graph, or a cycle that gains for ever.")
      .def_ro("score", &BestPath::score)
      .def_ro("labels", &BestPath::labels)
      .def_ro("cycle", &BestPath::cycle)
      .def_ro("gain", &BestPath::gain);
  nb::class_<Product>(m, "Product", "A graph intersected with a part, or the limit that was reached.")
      .def_prop_ro(
          "graph", [](const Product& p) { return p.graph; }, nb::sig("def graph(self) -> Graph | None"))
      .def_prop_ro("limit", [](const Product& p) { return name_of(p.limit); })
      .def_ro("expanded", &Product::expanded);
  nb::class_<Graph>(m, "Graph", "A weighted acceptor over labels, trimmed and in topological order. Immutable.")
      .def_static("from_arcs", &from_arcs, nb::kw_only(), nb::arg("labels"), nb::arg("start"), nb::arg("source"),
                  nb::arg("target"), nb::arg("label"), nb::arg("weight"), nb::arg("final"), nb::arg("origin"))
      .def_static("from_trellis", &from_trellis, nb::arg("trellis"), nb::kw_only(), nb::arg("keep_dead_ends") = false,
                  nb::arg("limits") = Limits())
      .def("intersect", &intersect_with, nb::arg("part"), nb::arg("kinds").none(), nb::kw_only(), nb::arg("obeyed") = false,
           nb::arg("keep_dead_ends") = false, nb::arg("limits") = Limits())
      .def("best_path", &best_path, nb::arg("limits") = Limits(), Release())
      .def("prune", &prune, nb::arg("threshold"), nb::arg("limits") = Limits(), Release())
      .def("as_arrays", &as_arrays,
           nb::sig("def as_arrays(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.int32]]"),
           "Sources, targets, labels and weights of the arcs, by source; weights of ending and positions of the states.")
      .def_prop_ro("labels", [](const Graph& g) { return g.labels; })
      .def_prop_ro("states", [](const Graph& g) { return g.states(); })
      .def_prop_ro("arcs", [](const Graph& g) { return g.arcs.size(); })
      .def_ro("acyclic", &Graph::acyclic)
      .def_prop_ro("length", &Graph::length, "Labels of every path; -1 if they differ or there is no path.")
      .def_prop_ro("furthest", &Graph::furthest, "The last position that a path reaches; -1 if there is none.")
      .def_prop_ro("bytes", &Graph::bytes);
  m.def("count_violations", &count, nb::arg("part"), nb::arg("kinds").none(), nb::arg("labels"),
        "The violations of one part by a finished labelling, by its counting machine.");
  m.def("count_violations_of_each", &count_each, nb::arg("part"), nb::arg("kinds").none(), nb::arg("labellings"),
        "The same for many labellings of one sequence, a row for each.");
}

}  // namespace lawful
