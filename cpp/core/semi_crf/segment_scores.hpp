// The scores of all segmentations of one sequence, kept for decoding: the best one, and those near it as a graph.
#pragma once

#include <memory>
#include <utility>

#include "core/semi_crf/semi_crf.hpp"

namespace lawful {

// What the sequences of a model share.
struct SegmentFrame {
  SemiShape shape;
  Doubles edges, first, last;  // (K, K), -inf where labels may not follow; (K); (K)
  std::vector<int32_t>
      tags;   // (4 K): what a segment of label k reads at its first token, at its only one, inside, and at its last

  void write(int label, int size, std::vector<int32_t>& into) const;  // the tags of one segment
};

// The segmentations of one sequence as a graph whose arcs read one tag per token. State 0 starts.
struct SegmentGraph {
  std::vector<int32_t> source, target, tag;
  std::vector<double> weight, final;
};

class SegmentScores {
 public:
  // `cells`: (T, shape.cells()), the segments that begin at each position, by length and then by label.
  SegmentScores(std::shared_ptr<const SegmentFrame> frame, int length, Doubles cells);

  const SegmentFrame& frame() const { return *frame_; }
  const Doubles& cells() const { return cells_; }
  int length() const { return length_; }
  double score_of(int start, int length, int label) const;
  double after(int t, int label) const { return after_[t * frame_->shape.labels() + label]; }  // the best behind a segment
  double leave(int t, int label) const { return leave_[t * frame_->shape.labels() + label]; }  // the best from a segment on
  double magnitude() const { return magnitude_; }  // no path's scores add up to more, signs ignored
  double rounding() const;                         // by how much sums of one path can differ, added up in different orders

  // What the best segments that spell the tags score, and the same with all signs ignored. Judges what the searches find.
  std::pair<double, double> score_of_path(const std::vector<int32_t>& tags) const;

  double best() const { return best_; }  // kForbidden if there is no path
  const std::vector<int32_t>& best_tags() const { return tags_; }

  // The score that so many segments reach: each lies on a segmentation that is as good.
  double reached_by(int64_t segments) const;

  // The segmentations that score at least `least`, and some that do not.
  SegmentGraph graph(double least) const;

 private:
  int64_t cell(int start, int length) const { return start * frame_->shape.cells() + frame_->shape.of_length.first[length - 1]; }
  int most(int start) const { return std::min(frame_->shape.width, length_ - start); }
  Doubles entering() const;
  template <typename Visit>
  void each_segment(int start, const Visit& visit) const;

  std::shared_ptr<const SegmentFrame> frame_;
  int length_;
  Doubles cells_;
  Doubles after_, leave_;  // (T + 1, K), (T, K): the best of what follows a segment, and from a segment's beginning on
  std::vector<int32_t> tags_;
  double best_ = kForbidden, magnitude_ = 0;
};

}  // namespace lawful
