#include "bindings/linear/online_arrays.hpp"
#include "core/linear/scores.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

class Perceptron : public Online<StructuredPerceptron> {
 public:
  Perceptron(std::shared_ptr<LinearLayout> layout, Corpus data, Corpus pairs, Ids gold, const Vector& weights, double margin,
             double rate, bool record)
      : Online(std::move(layout), std::move(data), std::move(pairs), std::move(gold), weights,
               StructuredPerceptron::Options{margin, rate, record}),
        margin_(margin) {}

  int length(int64_t s) {
    require(s >= 0 && s < data().view.sequences, "there is no such sequence");
    return trainer().corpus().length(s);
  }

  const int32_t* labels_of(int64_t s, const Ids& labels) {
    require(static_cast<int>(labels.size()) == length(s), "there must be one label per position");
    for (std::size_t i = 0; i < labels.size(); ++i)
      require(labels.data()[i] >= 0 && labels.data()[i] < layout().outputs.labels, "a label does not exist");
    return labels.data();
  }

  nb::object best(int64_t s, const std::optional<Ids>& against) {
    std::vector<int32_t> labels(length(s));
    trainer().best(s, against ? labels_of(s, *against) : nullptr, labels.data());
    return owned_array(std::move(labels));
  }

  bool update(int64_t s, const Ids& target, const Ids& predicted, double rate) {
    const int32_t *right = labels_of(s, target), *wrong = labels_of(s, predicted);
    if (std::equal(right, right + target.size(), wrong)) return false;
    trainer().update(s, right, wrong, rate);
    return true;
  }

  nb::object emissions(int64_t s, const std::optional<Ids>& against) {
    const auto labels = static_cast<std::size_t>(layout().outputs.labels), count = static_cast<std::size_t>(length(s));
    const int32_t* right = against ? labels_of(s, *against) : nullptr;
    std::vector<double> scores(count * labels);
    state_scores(layout(), trainer().current().data(), data().view, s, 1.0, scores.data(), static_cast<int>(labels));
    if (right && margin_ != 0)
      for (std::size_t t = 0; t < count; ++t)
        for (std::size_t k = 0; k < labels; ++k) scores[t * labels + k] += static_cast<int32_t>(k) == right[t] ? 0.0 : margin_;
    return table_of(std::move(scores), {count, labels});
  }

  nb::object transitions() {
    const auto labels = static_cast<std::size_t>(layout().outputs.labels);
    std::vector<double> edges(labels * labels, 0), first(labels, 0), last(labels, 0);
    edge_scores(layout(), trainer().current().data(), edges.data(), first.data(), last.data(), static_cast<int>(labels));
    return nb::make_tuple(table_of(std::move(edges), {labels, labels}), owned_array(std::move(first)),
                          owned_array(std::move(last)));
  }

  nb::object steps(int64_t s) {
    require(pairs() != nullptr, "there are no pair attributes");
    const auto labels = static_cast<std::size_t>(layout().outputs.labels);
    const std::size_t count = std::max(0, length(s) - 1);
    std::vector<double> edges(labels * labels, 0), boundary(labels, 0), matrices(count * labels * labels);
    edge_scores(layout(), trainer().current().data(), edges.data(), boundary.data(), boundary.data(), static_cast<int>(labels));
    for (std::size_t i = 0; i < matrices.size(); ++i) matrices[i] = edges[i % edges.size()];
    if (count)
      pair_scores(layout(), trainer().current().data(), pairs()->view, s, 1.0, matrices.data(), static_cast<int>(labels));
    return table_of(std::move(matrices), {count, labels, labels});
  }

  nb::object updates() {
    const SequenceUpdates& all = trainer().updates();
    return nb::make_tuple(owned_array(all.time), owned_array(all.rate), owned_array(all.sequence), owned_array(all.target),
                          owned_array(all.predicted));
  }

 private:
  double margin_;
};

nb::object history_counts(const LinearLayout& layout, const Vector& weights, const Corpus& learned_from,
                          const Corpus& learned_pairs, const Vector& times, const Vector& rates, const Offsets& sequences,
                          const Ids& target, const Ids& predicted, double time, const Corpus& data, const Corpus& pairs,
                          int64_t max_vectors, int threads) {
  const double* start = checked_weights(weights, layout);
  const Sequences *pair_view = checked_pairs(pairs, *data), *learned_pair_view = checked_pairs(learned_pairs, *learned_from);
  const SequenceUpdates updates{copied(times), copied(rates), copied(sequences), copied(target), copied(predicted)};
  const LabelledCorpus corpus{layout, learned_from->view, learned_pair_view, nullptr};
  int64_t labels = 0;
  for (const int64_t s : updates.sequence) {
    require(s >= 0 && s < corpus.sequences(), "an update names a sequence that does not exist");
    labels += corpus.length(s);
  }
  require(updates.time.size() == updates.sequence.size() && updates.rate.size() == updates.sequence.size() &&
              static_cast<int64_t>(target.size()) == labels && static_cast<int64_t>(predicted.size()) == labels,
          "the updates do not fit together");
  for (const auto* ids : {&updates.target, &updates.predicted})
    for (const int32_t label : *ids) require(label >= 0 && label < layout.outputs.labels, "a label does not exist");
  const auto positions = static_cast<std::size_t>(data->view.positions()),
             count = static_cast<std::size_t>(layout.outputs.labels);
  std::vector<double> counted(positions * count);
  {
    nb::gil_scoped_release release;
    count_sequence_history(corpus, start, updates, time, data->view, pair_view, max_vectors, threads, counted.data());
  }
  return table_of(std::move(counted), {positions, count});
}

}  // namespace

void bind_perceptron(nb::module_& m) {
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
#define LAWFUL_IDS "numpy.typing.NDArray[numpy.int32]"
#define LAWFUL_OFFSETS "numpy.typing.NDArray[numpy.int64]"
  nb::class_<Perceptron>(m, "StructuredPerceptron", "The structured perceptron: one epoch or one sequence per call.")
      .def(nb::init<std::shared_ptr<LinearLayout>, Corpus, Corpus, Ids, const Vector&, double, double, bool>(), nb::arg("layout"),
           nb::arg("data"), nb::arg("pairs").none(), nb::arg("gold"), nb::arg("weights"), nb::kw_only(), nb::arg("margin") = 0.0,
           nb::arg("rate") = 1.0, nb::arg("record") = false)
      .def("epoch", &Perceptron::epoch, nb::arg("order"), "The mean share of wrong labels.")
      .def("best", &Perceptron::best, nb::arg("sequence"), nb::arg("against") = nb::none(),
           nb::sig("def best(self, sequence: int, against: " LAWFUL_IDS " | None = None) -> " LAWFUL_IDS),
           "The best labels of a sequence; with `against`, other labels than those gain the margin.")
      .def("update", &Perceptron::update, nb::arg("sequence"), nb::arg("target"), nb::arg("predicted"), nb::arg("rate"),
           "Whether anything changed.")
      .def(
          "advance", [](Perceptron& self, double by) { self.trainer().advance(by); }, nb::arg("sequences"))
      .def("emissions", &Perceptron::emissions, nb::arg("sequence"), nb::arg("against") = nb::none(),
           nb::sig("def emissions(self, sequence: int, against: " LAWFUL_IDS " | None = None) -> " LAWFUL_FLOATS))
      .def("transitions", &Perceptron::transitions,
           nb::sig("def transitions(self) -> tuple[" LAWFUL_FLOATS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS "]"))
      .def("steps", &Perceptron::steps, nb::arg("sequence"), nb::sig("def steps(self, sequence: int) -> " LAWFUL_FLOATS))
      .def_prop_ro(
          "time", [](Perceptron& self) { return self.trainer().time(); }, "One more than the sequences seen.")
      .def_prop_ro(
          "weights", [](Perceptron& self) { return owned_array(self.trainer().averaged()); },
          nb::sig("def weights(self) -> " LAWFUL_FLOATS), "Averaged.")
      .def_prop_ro(
          "current", [](Perceptron& self) { return owned_array(self.trainer().current()); },
          nb::sig("def current(self) -> " LAWFUL_FLOATS), "The weights, not averaged.")
      .def_prop_ro("updates", &Perceptron::updates,
                   nb::sig("def updates(self) -> tuple[" LAWFUL_FLOATS ", " LAWFUL_FLOATS ", " LAWFUL_OFFSETS ", " LAWFUL_IDS
                           ", " LAWFUL_IDS "]"),
                   "Times, rates, sequences, target labels, predicted labels.");

  m.def("sequence_history_counts", &history_counts, nb::arg("layout"), nb::arg("weights"), nb::arg("learned_from"),
        nb::arg("learned_pairs").none(), nb::arg("times"), nb::arg("rates"), nb::arg("sequences"), nb::arg("target"),
        nb::arg("predicted"), nb::arg("time"), nb::arg("data"), nb::arg("pairs").none(), nb::kw_only(), nb::arg("max_vectors"),
        nb::arg("threads"),
        nb::sig("def sequence_history_counts(layout: LinearLayout, weights: " LAWFUL_FLOATS
                ", learned_from: LinearSequences, learned_pairs: "
                "LinearSequences | None, times: " LAWFUL_FLOATS ", rates: " LAWFUL_FLOATS ", sequences: " LAWFUL_OFFSETS
                ", target: " LAWFUL_IDS ", predicted: " LAWFUL_IDS
                ", time: float, data: LinearSequences, pairs: LinearSequences | None, *, max_vectors: int, "
                "threads: int) -> " LAWFUL_FLOATS),
        "(M, K): how often each label was a weight vector's best, times the vector's lifetime.");
#undef LAWFUL_FLOATS
#undef LAWFUL_IDS
#undef LAWFUL_OFFSETS
}

}  // namespace lawful
