// The best segmentation under rules: the best one without them, if it breaks none; otherwise the best one under those that were
// broken, until nothing else is. What cannot score as much as some segments near the best is left out at first.
#pragma once

#include "core/rules/problem.hpp"
#include "core/semi_crf/segment_scores.hpp"

namespace lawful {

// All are shared with others, and never change.
struct SegmentProblem {
  std::shared_ptr<const SegmentScores> scores;
  std::shared_ptr<const PartSet> common;
  std::shared_ptr<const Binding> own;
};

struct SegmentRound {
  std::vector<int32_t> rules;  // that entered
  double score = 0;            // the best then
  int64_t states = 0, arcs = 0;
};

struct SegmentAnswer {
  enum Status : uint8_t { optimal, gave_up, disagreement } status = gave_up;
  double score = kForbidden;
  std::vector<int32_t> tags;
  std::vector<SegmentRound> rounds;
  int64_t rows = 0;  // of all searches
};

// Gives up where there is no path, or no answer after that many rows of K scores: another solver can tell more.
SegmentAnswer decode_segments(const SegmentProblem& problem, int64_t most_rows);

}  // namespace lawful
