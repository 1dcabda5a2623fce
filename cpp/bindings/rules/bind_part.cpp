#include <algorithm>
#include <memory>

#include "bindings/bindings.hpp"
#include "core/rules/part.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace lawful {
namespace {

using Table = In<int32_t, nb::ndim<2>>;
using Row = In<int32_t, nb::ndim<1>>;

// A read-only table of a part, which stays alive with it.
template <typename T>
nb::object view(nb::handle part, const std::vector<T>& table, int rows) {
  const auto height = static_cast<std::size_t>(rows);
  return nb::cast(nb::ndarray<nb::numpy, const T>(table.data(), {height, table.size() / height}, part));
}

std::shared_ptr<const Part> make_part(int rule, const In<uint16_t, nb::ndim<2>>& table, const Table& delta, const Matrix& cost,
                                      const Vector& final_cost, const std::string& mode, double price, const Table& count_delta,
                                      const Table& count_violations, const Row& count_final) {
  auto part = std::make_shared<Part>();
  part->rule = rule;
  part->kinds = static_cast<int>(table.shape(0));
  part->labels = static_cast<int>(table.shape(1));
  part->states = static_cast<int>(delta.shape(0));
  part->classes = static_cast<int>(delta.shape(1));
  part->count_states = static_cast<int>(count_delta.shape(0));
  require(cost.shape(0) == delta.shape(0) && cost.shape(1) == delta.shape(1), "cost must have delta's shape");
  require(final_cost.shape(0) == delta.shape(0), "final_cost must have one number per state");
  require(static_cast<int>(count_delta.shape(1)) == part->classes && count_violations.shape(0) == count_delta.shape(0) &&
              static_cast<int>(count_violations.shape(1)) == part->classes && count_final.shape(0) == count_delta.shape(0),
          "the two machines must read the same classes");
  part->table = copied(table);
  part->delta = copied(delta);
  part->cost = copied(cost);
  part->final_cost = copied(final_cost);
  part->count_delta = copied(count_delta);
  part->count_violations = copied(count_violations);
  part->count_final = copied(count_final);
  for (auto c : part->table) require(c < part->classes, "table holds a class that the machine does not read");
  for (auto s : part->delta) require(s >= kDead && s < part->states, "delta holds a state that does not exist");
  for (auto s : part->count_delta) require(s >= 0 && s < part->count_states, "count_delta holds a state that does not exist");
  for (auto c : part->cost) require(c >= 0, "costs must be 0 or more");
  for (auto c : part->final_cost) require(c >= 0, "costs must be 0 or more");
  part->mode = mode == "hard" ? Mode::hard : mode == "once" ? Mode::once : Mode::counted;
  require(part->mode != Mode::counted || mode == "counted", "mode must be hard, once or counted");
  part->price = price;
  part->prepare();
  return part;
}

}  // namespace

void bind_part(nb::module_& m) {
  nb::class_<Part>(m, "Part", "One automaton of one rule, priced, with its counting twin.")
      .def(nb::new_(&make_part), nb::kw_only(), nb::arg("rule"), nb::arg("table"), nb::arg("delta"), nb::arg("cost"),
           nb::arg("final_cost"), nb::arg("mode"), nb::arg("price"), nb::arg("count_delta"), nb::arg("count_violations"),
           nb::arg("count_final"))
      .def_ro("rule", &Part::rule)
      .def_ro("states", &Part::states)
      .def_ro("kinds", &Part::kinds)
      .def_ro("price", &Part::price)
      .def_prop_ro(
          "table",
          [](nb::handle self) {
            const auto& part = nb::cast<const Part&>(self);
            return view(self, part.table, part.kinds);
          },
          nb::sig("def table(self) -> numpy.typing.NDArray[numpy.uint16]"),
          "(U, K): the class of each label, by the kind of the token.")
      .def_prop_ro(
          "delta",
          [](nb::handle self) {
            const auto& part = nb::cast<const Part&>(self);
            return view(self, part.delta, part.states);
          },
          nb::sig("def delta(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(S, C): the search machine; -1 where a hard rule would be broken.")
      .def_prop_ro(
          "cost",
          [](nb::handle self) {
            const auto& part = nb::cast<const Part&>(self);
            return view(self, part.cost, part.states);
          },
          nb::sig("def cost(self) -> numpy.typing.NDArray[numpy.float64]"), "(S, C): what a step of the search machine costs.")
      .def_prop_ro(
          "final_cost",
          [](nb::handle self) {
            const auto& costs = nb::cast<const Part&>(self).final_cost;
            return nb::cast(nb::ndarray<nb::numpy, const double>(costs.data(), {costs.size()}, self));
          },
          nb::sig("def final_cost(self) -> numpy.typing.NDArray[numpy.float64]"),
          "(S,): what it costs to end in each state; inf where a hard rule may not end.")
      .def_prop_ro("mode",
                   [](const Part& part) {
                     return part.mode == Mode::hard ? "hard" : part.mode == Mode::once ? "once" : "counted";
                   })
      .def("most_violations", &Part::most_violations, nb::arg("length"), "No sequence of that length violates it more often.")
      .def("most_charge", &Part::most_charge, nb::arg("length"), "No sequence of that length is charged more; 0 if it is hard.")
      .def_prop_ro("local", &Part::is_local, "Whether it folds into emissions and transitions.");
}

}  // namespace lawful
