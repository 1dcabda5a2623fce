#include "bindings/bindings.hpp"
#include "core/graph/graph.hpp"
#include "core/semi_crf/segment_search.hpp"
#include "core/support/parallel.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

namespace lawful {
namespace {

using Ids = In<int32_t, nb::ndim<1>>;

std::shared_ptr<SegmentScores> from_arrays(const Ids& longest, const Matrix& cells, const Matrix& edges, const Vector& first,
                                           const Vector& last, const Ids& tags) {
  const std::size_t labels = longest.size();
  require(labels > 0 && std::all_of(longest.data(), longest.data() + labels, [](int32_t most) { return most >= 1; }),
          "segments have one token at least");
  require(edges.shape(0) == labels && edges.shape(1) == labels && first.size() == labels && last.size() == labels,
          "steps need one score per label");
  require(tags.size() == 4 * labels, "there must be four tags per label");
  SemiShape shape(copied(longest), std::vector<uint8_t>(labels, 1));
  require(cells.shape(0) > 0 && static_cast<int64_t>(cells.shape(1)) == shape.cells(),
          "there must be one score per position and segment");
  for (const auto& [scores, count] : {std::pair(cells.data(), cells.size()), std::pair(edges.data(), edges.size()),
                                      std::pair(first.data(), first.size()), std::pair(last.data(), last.size())})
    require(scores_are_legal(scores, count), "a score is NaN or +inf");
  auto doubles = [](const auto& array) { return Doubles(array.data(), array.data() + array.size()); };
  auto frame = std::make_shared<const SegmentFrame>(
      SegmentFrame{std::move(shape), doubles(edges), doubles(first), doubles(last), copied(tags)});
  return std::make_shared<SegmentScores>(std::move(frame), static_cast<int>(cells.shape(0)), doubles(cells));
}

nb::object as_arrays(const SegmentScores& scores) {
  const SegmentFrame& frame = scores.frame();
  auto array = [](const auto& values) { return owned_array(values); };
  auto table = [&](const Doubles& values, std::size_t rows) { return array(values).attr("reshape")(rows, values.size() / rows); };
  return nb::make_tuple(array(frame.shape.longest), table(scores.cells(), scores.length()),
                        table(frame.edges, frame.shape.labels()), array(frame.first), array(frame.last), array(frame.tags));
}

nb::object arcs(const SegmentScores& scores) {
  SegmentGraph graph = scores.graph(kForbidden);
  return nb::make_tuple(owned_array(std::move(graph.source)), owned_array(std::move(graph.target)),
                        owned_array(std::move(graph.tag)), owned_array(std::move(graph.weight)),
                        owned_array(std::move(graph.final)));
}

void require_tags(const SegmentScores& scores, int labels) {
  const auto& tags = scores.frame().tags;
  require(std::all_of(tags.begin(), tags.end(), [&](int32_t tag) { return tag >= 0 && tag < labels; }), "a tag does not exist");
}

GraphPointer graph(const SegmentScores& scores, int labels, double least, bool keep_dead_ends, const Limits& limits) {
  require_tags(scores, labels);
  nb::gil_scoped_release release;
  Budget budget(limits);
  const SegmentGraph found = scores.graph(least);
  Acceptor raw;
  raw.labels = labels;
  raw.final = found.final;
  raw.first.assign(found.final.size() + 1, 0);
  for (const int32_t source : found.source) ++raw.first[source + 1];
  std::partial_sum(raw.first.begin(), raw.first.end(), raw.first.begin());
  raw.arcs.resize(found.source.size());
  std::vector<int64_t> next(raw.first.begin(), raw.first.end() - 1);
  for (std::size_t i = 0; i < found.source.size(); ++i)
    raw.arcs[next[found.source[i]]++] = {found.target[i], found.tag[i], found.weight[i]};
  raw.origin.resize(found.final.size());
  std::iota(raw.origin.begin(), raw.origin.end(), 0);
  budget.work(static_cast<int64_t>(raw.arcs.size()));
  return put_in_order(std::move(raw), budget, keep_dead_ends ? DeadEnds::keep : DeadEnds::trim);
}

SegmentProblem make_problem(std::shared_ptr<const SegmentScores> scores, std::shared_ptr<const PartSet> common,
                            std::shared_ptr<const Binding> own, int labels) {
  require_tags(*scores, labels);
  require(own->length == scores->length(), "the rules are tied to a sequence of another length");
  auto fits = [labels](const auto& part) { require(part->labels == labels, "a rule was compiled for other labels"); };
  std::for_each(common->parts.begin(), common->parts.end(), fits);
  std::for_each(own->parts.begin(), own->parts.end(), fits);
  return {std::move(scores), std::move(common), std::move(own)};
}

std::vector<SegmentAnswer> decode_all(const std::vector<const SegmentProblem*>& problems, int64_t most_rows, int threads) {
  std::vector<SegmentAnswer> answers(problems.size());
  nb::gil_scoped_release release;
  Budget interruptions{Limits()};  // of the thread that the call was made in
  parallel_for(static_cast<int64_t>(problems.size()), threads, [&](int64_t i, int worker) {
    answers[i] = decode_segments(*problems[i], most_rows);
    if (!worker) interruptions.work(100'000 + 10'000 * answers[i].rows);
  });
  return answers;
}

}  // namespace

void bind_segment_scores(nb::module_& m) {
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
#define LAWFUL_IDS "numpy.typing.NDArray[numpy.int32]"
  nb::class_<SegmentScores>(m, "SegmentScores", "The scores of all segmentations of one sequence. Immutable.")
      .def_static("from_arrays", &from_arrays, nb::arg("longest"), nb::arg("cells"), nb::arg("edges"), nb::arg("first"),
                  nb::arg("last"), nb::arg("tags"))
      .def("as_arrays", &as_arrays,
           nb::sig("def as_arrays(self) -> tuple[" LAWFUL_IDS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS
                   ", " LAWFUL_FLOATS ", " LAWFUL_IDS "]"),
           "What `from_arrays` takes.")
      .def("arcs", &arcs,
           nb::sig("def arcs(self) -> tuple[" LAWFUL_IDS ", " LAWFUL_IDS ", " LAWFUL_IDS ", " LAWFUL_FLOATS ", " LAWFUL_FLOATS
                   "]"),
           "All segmentations as arcs: source, target, tag, weight; and final weights of states. State 0 starts.")
      .def("graph", &graph, nb::arg("labels"), nb::arg("least"), nb::kw_only(), nb::arg("keep_dead_ends"), nb::arg("limits"),
           "The segmentations that score at least `least`, and some that do not.")
      .def("reached_by", &SegmentScores::reached_by, nb::arg("segments"), nb::call_guard<nb::gil_scoped_release>(),
           "The score that so many segments reach: each lies on a segmentation that is as good. -inf if there are fewer.")
      .def_prop_ro("length", &SegmentScores::length)
      .def_prop_ro(
          "labels", [](const SegmentScores& scores) { return scores.frame().shape.labels(); },
          "How many labels segments can have.")
      .def_prop_ro(
          "width", [](const SegmentScores& scores) { return scores.frame().shape.cells(); },
          "How many segments begin at one position, at most.")
      .def_prop_ro("score", &SegmentScores::best, "Of the best segmentation; -inf if there is none.")
      .def_prop_ro("tags", &SegmentScores::best_tags, "Of the best segmentation.")
      .def_prop_ro("magnitude", &SegmentScores::magnitude, "No path's scores add up to more than this, signs ignored.")
      .def_prop_ro("rounding", &SegmentScores::rounding,
                   "By how much sums of one path can differ, added up in different orders.");
  nb::class_<SegmentProblem>(m, "SegmentProblem", "The scores of one sequence, and the rules that are tied to it. Immutable.")
      .def(nb::new_(&make_problem), nb::arg("scores"), nb::arg("common"), nb::arg("own"), nb::arg("labels"));
  nb::class_<SegmentAnswer>(m, "SegmentAnswer", "The best segmentation of one sequence under rules, or how far the search came.")
      .def_prop_ro("status",
                   [](const SegmentAnswer& answer) {
                     return answer.status == SegmentAnswer::optimal   ? "optimal"
                            : answer.status == SegmentAnswer::gave_up ? "gave up"
                                                                      : "disagreement";
                   })
      .def_ro("score", &SegmentAnswer::score)
      .def_ro("tags", &SegmentAnswer::tags)
      .def_ro("rows", &SegmentAnswer::rows, "Of K scores, of all searches.")
      .def_prop_ro(
          "rounds",
          [](const SegmentAnswer& answer) {
            nb::list rounds;
            for (const SegmentRound& round : answer.rounds)
              rounds.append(nb::make_tuple(round.rules, round.score, round.states, round.arcs));
            return rounds;
          },
          nb::sig("def rounds(self) -> list[tuple[list[int], float, int, int]]"),
          "Of each round the rules that entered, the score, and the states and arcs that were looked at.");
  m.def("decode_segments", &decode_all, nb::arg("problems"), nb::arg("most_rows"), nb::arg("threads"),
        "The answers to many problems; each gives up after that many rows of K scores.");
#undef LAWFUL_FLOATS
#undef LAWFUL_IDS
}

}  // namespace lawful
