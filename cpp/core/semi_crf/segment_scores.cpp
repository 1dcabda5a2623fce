#include "core/semi_crf/segment_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace lawful {

void SegmentFrame::write(int label, int size, std::vector<int32_t>& into) const {
  const int32_t* of_label = tags.data() + 4 * static_cast<std::ptrdiff_t>(label);
  if (size > 1) into.push_back(of_label[0]);
  into.insert(into.end(), std::max(0, size - 2), of_label[2]);
  into.push_back(size > 1 ? of_label[3] : of_label[1]);
}

SegmentScores::SegmentScores(std::shared_ptr<const SegmentFrame> frame, int length, Doubles cells)
    : frame_(std::move(frame)), length_(length), cells_(std::move(cells)) {
  const SegmentFrame& of = *frame_;
  const SemiView view{of.shape, of.edges.data(), of.first.data(), of.last.data(), cells_.data(), length_};
  complete(view, after_, leave_);
  std::vector<int32_t> ends, labels;
  best_ = follow(view, after_, leave_, ends, labels);
  for (std::size_t i = 0; i < ends.size(); ++i) of.write(labels[i], ends[i] - (i ? ends[i - 1] : 0), tags_);
  auto largest = [](const double* begin, int64_t count) {
    double most = 0;
    for (int64_t i = 0; i < count; ++i) most = std::max(most, begin[i] == kForbidden ? 0.0 : std::abs(begin[i]));
    return most;
  };
  const int64_t labels_count = of.shape.labels();
  magnitude_ = largest(of.first.data(), labels_count) + largest(of.last.data(), labels_count) +
               (length_ - 1) * largest(of.edges.data(), labels_count * labels_count);
  for (int t = 0; t < length_; ++t) magnitude_ += largest(cells_.data() + cell(t, 1), cell(t, most(t) + 1) - cell(t, 1));
}

double SegmentScores::score_of(int start, int length, int label) const {
  const Ragged& of_length = frame_->shape.of_length;
  const auto *begin = of_length.begin(length - 1), *end = of_length.end(length - 1);
  return cells_[cell(start, length) + (std::lower_bound(begin, end, label) - begin)];
}

double SegmentScores::rounding() const { return std::numeric_limits<double>::epsilon() * (4.0 * length_ + 8) * magnitude_; }

std::pair<double, double> SegmentScores::score_of_path(const std::vector<int32_t>& tags) const {
  using Sum = std::pair<double, double>;
  const int labels = frame_->shape.labels();
  auto plus = [](const Sum& sum, double term) { return Sum(sum.first + term, sum.second + std::abs(term)); };
  std::vector<Sum> best(static_cast<std::size_t>(length_ + 1) * labels, {kForbidden, 0.0});  // that end in each label
  for (int start = 0; start < length_; ++start)
    for (int k = 0; k < labels; ++k) {
      const int32_t* of_label = frame_->tags.data() + 4 * k;
      if (tags[start] != of_label[0] && tags[start] != of_label[1]) continue;
      Sum before = start ? Sum(kForbidden, 0.0) : plus({0.0, 0.0}, frame_->first[k]);
      for (int j = 0; start && j < labels; ++j)
        if (const Sum step = plus(best[start * labels + j], frame_->edges[j * labels + k]); step.first > before.first)
          before = step;
      if (before.first == kForbidden) continue;
      for (int size = 1; size <= std::min<int>(frame_->shape.longest[k], length_ - start); ++size) {
        if (size > 1 && tags[start] != of_label[0]) break;
        if (size > 2 && tags[start + size - 2] != of_label[2]) break;
        if (tags[start + size - 1] != of_label[size > 1 ? 3 : 1]) continue;
        Sum& at = best[(start + size) * labels + k];
        if (const Sum sum = plus(before, score_of(start, size, k)); sum.first > at.first) at = sum;
      }
    }
  Sum total(kForbidden, 0.0);
  for (int k = 0; k < labels; ++k)
    if (const Sum sum = plus(best[length_ * labels + k], frame_->last[k]); sum.first > total.first) total = sum;
  return total;
}

// visit(length, label, score) for each segment that begins there.
template <typename Visit>
void SegmentScores::each_segment(int start, const Visit& visit) const {
  const Ragged& of_length = frame_->shape.of_length;
  const double* scores = cells_.data() + cell(start, 1);
  for (int d = 1; d <= most(start); ++d)
    for (const auto* k = of_length.begin(d - 1); k != of_length.end(d - 1); ++k) visit(d, *k, *scores++);
}

// (T + 1, K), (T, K), one behind the other: the best that ends in a segment of each label, and the best before a segment of each.
Doubles SegmentScores::entering() const {
  const int labels = frame_->shape.labels();
  const int64_t rows = static_cast<int64_t>(length_ + 1) * labels;
  Doubles scores(rows + rows - labels, kForbidden);
  double *reach = scores.data(), *enter = scores.data() + rows;
  std::copy(frame_->first.begin(), frame_->first.end(), enter);
  for (int t = 0; t < length_; ++t) {
    double* here = enter + t * labels;
    for (int j = 0; t && j < labels; ++j)
      for (int k = 0; k < labels; ++k) here[k] = std::max(here[k], reach[t * labels + j] + frame_->edges[j * labels + k]);
    each_segment(t, [&](int d, int k, double score) {
      double& at = reach[(t + d) * labels + k];
      at = std::max(at, here[k] + score);
    });
  }
  return scores;
}

double SegmentScores::reached_by(int64_t segments) const {
  const int labels = frame_->shape.labels();
  const Doubles scores = entering();
  const double* enter = scores.data() + static_cast<int64_t>(length_ + 1) * labels;
  Doubles through;
  through.reserve(cells_.size());
  for (int t = 0; t < length_; ++t)
    each_segment(t, [&](int d, int k, double score) {
      const double value = enter[t * labels + k] + score + after_[(t + d) * labels + k];
      if (value > kForbidden) through.push_back(value);
    });
  if (segments >= static_cast<int64_t>(through.size())) return kForbidden;
  std::nth_element(through.begin(), through.begin() + segments, through.end(), std::greater<>());
  return through[segments];
}

SegmentGraph SegmentScores::graph(double least) const {
  const SemiShape& shape = frame_->shape;
  const int labels = shape.labels();
  const Doubles scores = entering();
  const double *reach = scores.data(), *enter = scores.data() + static_cast<int64_t>(length_ + 1) * labels;
  SegmentGraph graph;
  auto ended = [&](int t, int k) { return t ? 1 + (t - 1) * labels + k : 0; };  // a segment of label k ends before token t
  auto arc = [&](int32_t source, int32_t target, int k, int which, double weight) {
    graph.source.push_back(source);
    graph.target.push_back(target);
    graph.tag.push_back(frame_->tags[4 * k + which]);
    graph.weight.push_back(weight);
  };
  int32_t next = 1 + length_ * labels;  // states inside segments: some tokens of a segment were read, and more must come
  std::vector<int> longest(labels);     // of the segments of each label that begin here and are good enough
  for (int t = 0; t < length_; ++t) {
    std::fill(longest.begin(), longest.end(), 0);
    auto good = [&](int d, int k, double score, double before) {
      const double through = before + score + after_[(t + d) * labels + k];
      return through > kForbidden && through >= least;
    };
    each_segment(t, [&](int d, int k, double score) {
      if (good(d, k, score, enter[t * labels + k])) longest[k] = d;
    });
    for (int k = 0; k < labels; ++k) {
      if (!longest[k]) continue;
      double longer = kForbidden;  // the best of two tokens or more
      for (int d = 2; d <= longest[k]; ++d) longer = std::max(longer, score_of(t, d, k) + after_[(t + d) * labels + k]);
      const double only = score_of(t, 1, k);
      for (int j = 0; j < (t ? labels : 1); ++j) {
        const double step = t ? frame_->edges[j * labels + k] : frame_->first[k],
                     before = t ? reach[t * labels + j] + step : step;
        if (good(1, k, only, before)) arc(ended(t, j), ended(t + 1, k), k, 1, step + only);
        if (before + longer > kForbidden && before + longer >= least) arc(ended(t, j), next, k, 0, step);
      }
      for (int d = 2; d <= longest[k]; ++d, ++next) {
        const double score = score_of(t, d, k);
        if (good(d, k, score, enter[t * labels + k])) arc(next, ended(t + d, k), k, 3, score);
        if (d < longest[k]) arc(next, next + 1, k, 2, 0.0);
      }
    }
  }
  graph.final.assign(next, kForbidden);
  for (int k = 0; k < labels; ++k) graph.final[ended(length_, k)] = frame_->last[k];
  return graph;
}

}  // namespace lawful
