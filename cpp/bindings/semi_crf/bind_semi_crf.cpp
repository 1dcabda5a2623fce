#include "bindings/linear/arrays.hpp"
#include "core/learning/lbfgs.hpp"
#include "core/semi_crf/segment_scores.hpp"
#include "core/support/parallel.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

SemiShape checked_shape(const Ids& longest, const In<uint8_t, nb::ndim<1>>& repeats) {
  require(longest.size() > 0 && longest.size() == repeats.size(), "longest and repeats need one entry per label");
  for (std::size_t k = 0; k < longest.size(); ++k) require(longest.data()[k] >= 1, "segments have one token at least");
  return {copied(longest), copied(repeats)};
}

// Everything that the kernels of a semi-CRF read of a corpus.
struct Segments {
  SemiShape shape;
  Corpus tokens, firsts, lasts, lengths, segments;
  SemiCorpus view;

  Segments(const Ids& longest, const In<uint8_t, nb::ndim<1>>& repeats, Corpus of_tokens, Corpus of_firsts, Corpus of_lasts,
           Corpus of_lengths, Corpus of_segments)
      : shape(checked_shape(longest, repeats)), tokens(std::move(of_tokens)), firsts(std::move(of_firsts)),
        lasts(std::move(of_lasts)), lengths(std::move(of_lengths)), segments(std::move(of_segments)) {
    checked_pairs(firsts, *tokens);
    checked_pairs(lasts, *tokens);
    require(!lengths || lengths->view.positions() == shape.width, "there must be one row per length");
    require(!segments || segments->view.positions() == tokens->view.positions() * shape.width,
            "there must be one row per segment");
    auto of = [](const Corpus& corpus) { return corpus ? &corpus->view : nullptr; };
    view = {tokens->view, of(firsts), of(lasts), of(lengths), of(segments)};
  }

  void check(const LinearLayout& layout) const {
    require(layout.outputs.plain && layout.outputs.labels == shape.labels(), "the layout has other labels");
  }
};

using SegmentsPointer = std::shared_ptr<Segments>;
using LayoutPointer = std::shared_ptr<LinearLayout>;

// A workspace a thread, over all sequences: work(chain, tables, sequence).
template <typename Work>
void each_sequence(const LinearLayout& layout, const double* weights, const Segments& segments, int threads, const Work& work) {
  nb::gil_scoped_release release;
  SemiTables tables;
  tables.set(layout, weights, segments.shape, segments.view);
  std::vector<SemiChain> chains(std::max(1, threads), SemiChain(layout, segments.shape));
  parallel_for(segments.view.tokens.sequences, threads, [&](int64_t s, int worker) {
    if (!segments.view.length(s)) return;
    chains[worker].score(weights, tables, segments.view, s);
    work(chains[worker], tables, s);
  });
}

nb::object evaluate(const LinearLayout& layout, const Segments& segments, const Vector& observed, const Vector& weights,
                    int threads) {
  segments.check(layout);
  const double *seen = checked_weights(observed, layout), *from = checked_weights(weights, layout);
  std::vector<double> gradient(layout.size());
  double value;
  {
    nb::gil_scoped_release release;
    value = SemiObjective(layout, segments.shape, segments.view, seen, threads).evaluate(from, gradient.data());
  }
  return nb::make_tuple(value, owned_array(std::move(gradient)));
}

nb::object marginals(const LinearLayout& layout, const Segments& segments, const Vector& weights, int threads) {
  segments.check(layout);
  const double* from = checked_weights(weights, layout);
  const auto positions = static_cast<std::size_t>(segments.view.tokens.positions()),
             labels = static_cast<std::size_t>(segments.shape.labels());
  std::vector<double> covering(positions * labels), beginning(positions * labels), ending(positions * labels),
      alone(positions * labels);
  std::vector<double> partitions(segments.view.tokens.sequences);
  each_sequence(layout, from, segments, threads, [&](SemiChain& chain, const SemiTables& tables, int64_t s) {
    partitions[s] = chain.sum(tables);
    const std::size_t at = segments.view.tokens.sequence_offsets[s] * labels, count = segments.view.length(s) * labels;
    std::copy_n(chain.covering(), count, covering.data() + at);
    std::copy_n(chain.beginning(), count, beginning.data() + at);
    std::copy_n(chain.ending(), count, ending.data() + at);
    for (int t = 0; t < segments.view.length(s); ++t) chain.of_segment(t, 1, alone.data() + at + t * labels);
  });
  return nb::make_tuple(table_of(std::move(covering), {positions, labels}), table_of(std::move(beginning), {positions, labels}),
                        table_of(std::move(ending), {positions, labels}), table_of(std::move(alone), {positions, labels}),
                        owned_array(std::move(partitions)));
}

nb::object best(const LinearLayout& layout, const Segments& segments, const Vector& weights, int threads) {
  segments.check(layout);
  const double* from = checked_weights(weights, layout);
  const int64_t sequences = segments.view.tokens.sequences;
  std::vector<std::vector<int32_t>> ends(sequences), labels(sequences);
  std::vector<double> scores(sequences);
  each_sequence(layout, from, segments, threads, [&](SemiChain& chain, const SemiTables& tables, int64_t s) {
    scores[s] = chain.best(tables, ends[s], labels[s]);
  });
  std::vector<int64_t> first{0};
  std::vector<int32_t> all_ends, all_labels;
  for (int64_t s = 0; s < sequences; ++s) {
    all_ends.insert(all_ends.end(), ends[s].begin(), ends[s].end());
    all_labels.insert(all_labels.end(), labels[s].begin(), labels[s].end());
    first.push_back(static_cast<int64_t>(all_ends.size()));
  }
  return nb::make_tuple(owned_array(std::move(first)), owned_array(std::move(all_ends)), owned_array(std::move(all_labels)),
                        owned_array(std::move(scores)));
}

// What decoding under rules needs of each sequence.
std::vector<std::shared_ptr<SegmentScores>> scores(const LinearLayout& layout, const Segments& segments, const Vector& weights,
                                                   const Ids& tags, int threads) {
  segments.check(layout);
  const double* from = checked_weights(weights, layout);
  require(static_cast<int>(tags.size()) == 4 * segments.shape.labels(), "there must be four tags per label");
  std::vector<std::shared_ptr<SegmentScores>> scores(segments.view.tokens.sequences);
  SemiTables tables;
  tables.set(layout, from, segments.shape, segments.view);
  const auto frame =
      std::make_shared<const SegmentFrame>(SegmentFrame{segments.shape, tables.edges, tables.first, tables.last, copied(tags)});
  each_sequence(layout, from, segments, threads, [&](SemiChain& chain, const SemiTables&, int64_t s) {
    scores[s] = std::make_shared<SegmentScores>(frame, segments.view.length(s), chain.cells());
  });
  return scores;
}

class SemiBatch {
 public:
  SemiBatch(LayoutPointer layout, SegmentsPointer segments, const Vector& observed, const Vector& weights, double c1, double c2,
            int memory, int most_trials, int threads)
      : layout_(std::move(layout)), segments_(std::move(segments)) {
    segments_->check(*layout_);
    const double *seen = checked_weights(observed, *layout_), *from = checked_weights(weights, *layout_);
    nb::gil_scoped_release release;
    objective_ = std::make_unique<SemiObjective>(*layout_, segments_->shape, segments_->view, seen, threads);
    lbfgs_ = std::make_unique<Lbfgs>(
        layout_->size(), [this](const double* x, double* gradient) { return objective_->evaluate(x, gradient); },
        Lbfgs::Options{c1, c2, memory, most_trials, threads});
    started_ = lbfgs_->start(from);
  }

  Lbfgs::Report step() { return lbfgs_->step(); }
  const Lbfgs::Report& started() const { return started_; }
  nb::object weights() const { return owned_array(lbfgs_->x()); }

 private:
  LayoutPointer layout_;
  SegmentsPointer segments_;
  std::unique_ptr<SemiObjective> objective_;
  std::unique_ptr<Lbfgs> lbfgs_;
  Lbfgs::Report started_;
};

}  // namespace

void bind_semi_crf(nb::module_& m) {
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
#define LAWFUL_IDS "numpy.typing.NDArray[numpy.int32]"
  nb::class_<Segments>(m, "SemiSegments", "A corpus and the segments that it may be cut into.")
      .def(nb::init<const Ids&, const In<uint8_t, nb::ndim<1>>&, Corpus, Corpus, Corpus, Corpus, Corpus>(), nb::arg("longest"),
           nb::arg("repeats"), nb::arg("tokens"), nb::arg("firsts").none(), nb::arg("lasts").none(), nb::arg("lengths").none(),
           nb::arg("segments").none());
  nb::class_<SemiBatch>(m, "SemiBatch", "Maximum likelihood of segmentations by L-BFGS; one iteration per call.")
      .def(nb::init<LayoutPointer, SegmentsPointer, const Vector&, const Vector&, double, double, int, int, int>(),
           nb::arg("layout"), nb::arg("segments"), nb::arg("observed"), nb::arg("weights"), nb::kw_only(), nb::arg("c1"),
           nb::arg("c2"), nb::arg("memory"), nb::arg("most_trials"), nb::arg("threads"))
      .def_prop_ro("started", &SemiBatch::started, "The report of where it started.")
      .def("step", &SemiBatch::step, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("weights", &SemiBatch::weights, nb::sig("def weights(self) -> " LAWFUL_FLOATS));
  m.def("semi_objective", &evaluate, nb::arg("layout"), nb::arg("segments"), nb::arg("observed"), nb::arg("weights"),
        nb::kw_only(), nb::arg("threads"),
        nb::sig("def semi_objective(layout: LinearLayout, segments: SemiSegments, observed: " LAWFUL_FLOATS
                ", weights: " LAWFUL_FLOATS ", *, threads: int) -> tuple[float, " LAWFUL_FLOATS "]"),
        "The sum of -log p(segments | x) and its gradient, without any penalty.");
  m.def("semi_marginals", &marginals, nb::arg("layout"), nb::arg("segments"), nb::arg("weights"), nb::kw_only(),
        nb::arg("threads"),
        nb::sig("def semi_marginals(layout: LinearLayout, segments: SemiSegments, weights: " LAWFUL_FLOATS
                ", *, threads: int) -> tuple[" LAWFUL_FLOATS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS
                ", " LAWFUL_FLOATS "]"),
        "Probabilities (M, K) of labels, of segments that begin, that end, and that do both; log-partitions (N,).");
  m.def(
      "semi_best", &best, nb::arg("layout"), nb::arg("segments"), nb::arg("weights"), nb::kw_only(), nb::arg("threads"),
      nb::sig("def semi_best(layout: LinearLayout, segments: SemiSegments, weights: " LAWFUL_FLOATS ", *, threads: int) -> tuple["
              "numpy.typing.NDArray[numpy.int64], " LAWFUL_IDS ", " LAWFUL_IDS ", " LAWFUL_FLOATS "]"),
      "Best segments: offsets (N + 1,), their ends, their labels; scores (N,).");
  m.def("semi_scores", &scores, nb::arg("layout"), nb::arg("segments"), nb::arg("weights"), nb::arg("tags"), nb::kw_only(),
        nb::arg("threads"),
        nb::sig("def semi_scores(layout: LinearLayout, segments: SemiSegments, weights: " LAWFUL_FLOATS ", tags: " LAWFUL_IDS
                ", *, threads: int) -> list[SegmentScores]"),
        "The scores of all segments of each sequence; None for one without tokens.");
#undef LAWFUL_FLOATS
#undef LAWFUL_IDS
}

}  // namespace lawful
