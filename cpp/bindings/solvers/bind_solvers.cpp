#include <optional>

#include "bindings/bindings.hpp"
#include "core/solvers/a_star.hpp"
#include "core/solvers/a_star_graph.hpp"
#include "core/solvers/beam.hpp"
#include "core/solvers/dual.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

Completion completion_named(const std::string& name) {
  if (name == "published") return Completion::published;
  if (name == "plain") return Completion::plain;
  if (name == "relaxed") return Completion::relaxed;
  throw nb::value_error("completion must be 'published', 'plain' or 'relaxed'");
}

// When the solver is gone, with all that it held.
Outcome tidied(const Outcome& outcome) {
  give_back(outcome.held);
  return outcome;
}

// In the labels that rules speak of.
Outcome tidied(Outcome outcome, const Problem& problem) {
  if (!outcome.labels.empty()) problem.read_path(outcome.labels.data());
  return tidied(outcome);
}

// A path to begin with, in the trellis's own labels.
const std::vector<int32_t>& checked(const std::vector<int32_t>& known, const Problem& problem) {
  if (known.empty()) return known;
  if (static_cast<int>(known.size()) != problem.trellis->length) throw nb::value_error("known must have one label per token");
  for (const int32_t label : known)
    if (label < 0 || label >= problem.trellis->labels) throw nb::value_error("known holds a label that is none");
  return known;
}

Outcome run_a_star(const Problem& problem, const std::string& completion, const Limits& limits,
                   const std::vector<int32_t>& known) {
  const Completion chosen = completion_named(completion);
  checked(known, problem);
  const nb::gil_scoped_release released;
  Outcome outcome = AStar().run(problem, chosen, limits, known);
  return tidied(std::move(outcome), problem);
}

using Kinds = In<uint16_t, nb::ndim<1>>;

Outcome run_a_star_graph(const Graph& graph, const nb::typed<nb::tuple, Part, nb::ellipsis>& parts,
                         const nb::typed<nb::tuple, std::optional<Kinds>, nb::ellipsis>& kinds, int64_t length,
                         const Limits& limits) {
  if (kinds.size() != parts.size()) throw nb::value_error("kinds must have one entry per part");
  std::vector<BoundPart> bound;
  std::vector<Kinds> arrays;  // what they hold must outlive the search
  for (std::size_t p = 0; p < parts.size(); ++p) {
    bound.push_back({nb::cast<const Part*>(parts[p]), nullptr});
    if (bound.back().part->labels != graph.labels)
      throw nb::value_error("a part reads another number of labels than the graph has");
    const nb::object part_kinds = kinds[p];
    if (part_kinds.is_none()) {
      if (bound.back().part->kinds > 1) throw nb::value_error("a part looks at tokens: their kinds are needed");
      continue;
    }
    const Kinds& array = arrays.emplace_back(nb::cast<Kinds>(part_kinds));
    if (static_cast<int64_t>(array.shape(0)) != length) throw nb::value_error("kinds must have one number per token");
    for (std::size_t t = 0; t < array.size(); ++t)
      if (array.data()[t] >= bound.back().part->kinds) throw nb::value_error("kinds holds a kind that the part does not know");
    bound.back().kinds = array.data();
  }
  const nb::gil_scoped_release released;
  const Outcome outcome = a_star_graph(graph, std::move(bound), length, limits);
  return tidied(outcome);
}

Outcome run_beam(const Problem& problem, std::optional<int64_t> width, std::optional<double> per_position,
                 const std::string& completion, const Limits& limits) {
  Beam::Options options;
  options.completion = completion_named(completion);
  if (width) options.width = *width;
  if (per_position) options.per_position = *per_position;
  const nb::gil_scoped_release released;
  Outcome outcome = Beam().run(problem, options, limits);
  return tidied(std::move(outcome), problem);
}

Outcome run_dual(const Problem& problem, int iterations, bool finish, const Limits& limits, const std::vector<int32_t>& known,
                 bool search) {
  const Dual::Options options{iterations, search, finish, checked(known, problem)};
  const nb::gil_scoped_release released;
  Outcome outcome = Dual().run(problem, options, limits);
  return tidied(std::move(outcome), problem);
}

}  // namespace

void bind_solvers(nb::module_& m) {
  nb::class_<Outcome>(m, "Outcome", "What A*, beam search or dual decomposition found for one sequence.")
      .def_prop_ro("status", [](const Outcome& self) { return name_of(self.status); })
      .def_prop_ro("limit", [](const Outcome& self) { return name_of(self.limit); })
      .def_ro("score", &Outcome::score)
      .def_ro("bound", &Outcome::bound)
      .def_ro("labels", &Outcome::labels, "Empty if there is no answer.")
      .def_ro("states", &Outcome::states)
      .def_ro("arcs", &Outcome::arcs)
      .def_ro("passes", &Outcome::passes)
      .def_ro("branches", &Outcome::branches)
      .def_prop_ro(
          "open",
          [](const Outcome& self) { return nb::bytes(reinterpret_cast<const char*>(self.open.data()), self.open.size()); },
          "Of dual decomposition: a byte for each label at each token, 0 if it is on no path as good as the answer.");
  m.def("a_star", &run_a_star, nb::arg("problem"), nb::kw_only(), nb::arg("completion"), nb::arg("limits"),
        nb::arg("known") = std::vector<int32_t>());
  m.def("a_star_graph", &run_a_star_graph, nb::arg("graph"), nb::arg("parts"), nb::arg("kinds"), nb::kw_only(), nb::arg("length"),
        nb::arg("limits"));
  m.def("beam", &run_beam, nb::arg("problem"), nb::kw_only(), nb::arg("width").none(), nb::arg("per_position").none(),
        nb::arg("completion"), nb::arg("limits"));
  m.def("dual", &run_dual, nb::arg("problem"), nb::kw_only(), nb::arg("iterations"), nb::arg("finish"), nb::arg("limits"),
        nb::arg("known") = std::vector<int32_t>(), nb::arg("search") = false);
}

}  // namespace lawful
