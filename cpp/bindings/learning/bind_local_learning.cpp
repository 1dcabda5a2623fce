#include "bindings/linear/online_arrays.hpp"
#include "core/learning/local_learning.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

class Learner {
 public:
  Learner(std::shared_ptr<LinearLayout> layout, Corpus data, Ids gold, const LocalOptions& options)
      : layout_(std::move(layout)), data_(std::move(data)), gold_(std::move(gold)),
        learner_(*layout_, data_->view, checked_labels(gold_, *data_, layout_->outputs.labels), options) {}

  double epoch(const Order& order) {
    for (std::size_t i = 0; i < order.size(); ++i)
      require(order.data()[i] >= 0 && order.data()[i] < data_->view.positions(),
              "the order names a position that does not exist");
    nb::gil_scoped_release release;
    return learner_.epoch(order.data(), static_cast<int64_t>(order.size()));
  }

  const LocalLearner& learner() const { return learner_; }

 private:
  std::shared_ptr<LinearLayout> layout_;
  Corpus data_;
  Ids gold_;
  LocalLearner learner_;
};

nb::object history_counts(const LinearLayout& layout, const Corpus& learned_from, const Ids& gold, const LocalOptions& options,
                          const Vector& times, const Offsets& positions, const Ids& labels, double time, const Corpus& data,
                          int64_t max_vectors, int threads) {
  const int32_t* gold_labels = checked_labels(gold, *learned_from, layout.outputs.labels);
  const LocalUpdates updates{copied(times), copied(positions), copied(labels)};
  require(updates.time.size() == updates.position.size() && updates.time.size() == updates.label.size(),
          "the updates do not fit together");
  for (const int64_t p : updates.position)
    require(p >= 0 && p < learned_from->view.positions(), "an update names a position that does not exist");
  for (const int32_t label : updates.label) require(label >= 0 && label < layout.outputs.labels, "a label does not exist");
  const auto rows = static_cast<std::size_t>(data->view.positions()), count = static_cast<std::size_t>(layout.outputs.labels);
  std::vector<double> counted(rows * count);
  {
    nb::gil_scoped_release release;
    count_position_history(layout, learned_from->view, gold_labels, options, updates, time, data->view, max_vectors, threads,
                           counted.data());
  }
  return table_of(std::move(counted), {rows, count});
}

}  // namespace

void bind_local_learning(nb::module_& m) {
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
#define LAWFUL_IDS "numpy.typing.NDArray[numpy.int32]"
#define LAWFUL_OFFSETS "numpy.typing.NDArray[numpy.int64]"
  nb::class_<LocalOptions>(m, "LocalOptions", "How a local classifier learns.")
      .def(
          "__init__",
          [](LocalOptions* self, bool multiplicative, bool balanced, bool one_vs_all, double margin, double rate,
             double promotion, double demotion, double threshold, double initial, bool record) {
            new (self)
                LocalOptions{multiplicative, balanced, one_vs_all, margin, rate, promotion, demotion, threshold, initial, record};
          },
          nb::kw_only(), nb::arg("multiplicative") = false, nb::arg("balanced") = false, nb::arg("one_vs_all") = false,
          nb::arg("margin") = 0.0, nb::arg("rate") = 1.0, nb::arg("promotion") = 2.0, nb::arg("demotion") = 0.5,
          nb::arg("threshold") = 0.0, nb::arg("initial") = 0.0, nb::arg("record") = false);

  nb::class_<Learner>(m, "LocalLearner", "A classifier of single positions that learns from one at a time.")
      .def(nb::init<std::shared_ptr<LinearLayout>, Corpus, Ids, const LocalOptions&>(), nb::arg("layout"), nb::arg("data"),
           nb::arg("gold"), nb::arg("options"))
      .def("epoch", &Learner::epoch, nb::arg("order"), "The share of positions whose best label was wrong.")
      .def_prop_ro(
          "time", [](Learner& self) { return self.learner().time(); }, "One more than the positions seen.")
      .def_prop_ro(
          "averaged", [](Learner& self) { return owned_array(self.learner().averaged()); },
          nb::sig("def averaged(self) -> " LAWFUL_FLOATS))
      .def_prop_ro(
          "current", [](Learner& self) { return owned_array(self.learner().current()); },
          nb::sig("def current(self) -> " LAWFUL_FLOATS))
      .def_prop_ro(
          "updates",
          [](Learner& self) {
            const LocalUpdates& all = self.learner().updates();
            return nb::make_tuple(owned_array(all.time), owned_array(all.position), owned_array(all.label));
          },
          nb::sig("def updates(self) -> tuple[" LAWFUL_FLOATS ", " LAWFUL_OFFSETS ", " LAWFUL_IDS "]"),
          "Times, positions, labels.");

  m.def("position_history_counts", &history_counts, nb::arg("layout"), nb::arg("learned_from"), nb::arg("gold"),
        nb::arg("options"), nb::arg("times"), nb::arg("positions"), nb::arg("labels"), nb::arg("time"), nb::arg("data"),
        nb::kw_only(), nb::arg("max_vectors"), nb::arg("threads"),
        nb::sig("def position_history_counts(layout: LinearLayout, learned_from: LinearSequences, gold: " LAWFUL_IDS
                ", options: LocalOptions, times: " LAWFUL_FLOATS ", positions: " LAWFUL_OFFSETS ", labels: " LAWFUL_IDS
                ", time: float, data: LinearSequences, *, max_vectors: "
                "int, threads: int) -> " LAWFUL_FLOATS),
        "(M, K): how often each label was a weight vector's best, times the vector's lifetime.");
#undef LAWFUL_FLOATS
#undef LAWFUL_IDS
#undef LAWFUL_OFFSETS
}

}  // namespace lawful
