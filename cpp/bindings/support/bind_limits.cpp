#include <optional>

#include "bindings/bindings.hpp"
#include "core/support/budget.hpp"

#include <nanobind/stl/optional.h>

namespace lawful {
namespace {

Limits make_limits(std::optional<int64_t> max_states, std::optional<double> timeout, std::optional<int64_t> max_memory,
                   bool bounded, int64_t hand_over, int64_t first_search, SearchWay way) {
  Limits limits;
  limits.way = way;
  limits.first_search = first_search;
  if (max_states) limits.max_states = *max_states;
  if (max_memory) limits.max_memory = *max_memory;
  if (timeout) limits.timeout = *timeout;
  limits.bounded = bounded;
  limits.hand_over = hand_over;
  return limits;
}

// What Ctrl-C and other signals asked for happens here; an exception of their handlers ends the call.
void handle_signals() {
  const nb::gil_scoped_acquire acquired;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_limits(nb::module_& m) {
  nb::enum_<SearchWay>(m, "SearchWay", "How the engine searches; the others than `chosen` are for tests.")
      .value("chosen", SearchWay::chosen)
      .value("rows", SearchWay::rows)
      .value("states", SearchWay::states)
      .value("states_without_dominance", SearchWay::states_without_dominance)
      .value("branches", SearchWay::branches);
  nb::class_<Limits>(m, "Limits", "What a search may use, and whether it goes on, bounded, when that is used up.")
      .def(nb::new_(&make_limits), nb::kw_only(), nb::arg("max_states").none() = nb::none(),
           nb::arg("timeout").none() = nb::none(), nb::arg("max_memory").none() = nb::none(), nb::arg("bounded") = false,
           nb::arg("hand_over") = -1, nb::arg("first_search") = -1, nb::arg("way") = SearchWay::chosen)
      .def("__repr__", [](const Limits&) { return "Limits()"; });
  nb::exception<LimitReached>(m, "LimitReached");
  m.def(
      "default_memory", [] { return default_memory(); },
      "Bytes that a call without max_memory may hold: half of what is free now.");
  m.def(
      "give_back_memory", [] { give_back(std::numeric_limits<std::size_t>::max()); },
      "Gives freed memory back to the system where the allocator would keep it.");
  set_interruption(&handle_signals);
}

}  // namespace lawful
