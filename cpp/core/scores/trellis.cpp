#include "core/scores/trellis.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "core/kernels/max_plus.hpp"
#include "core/support/ask_for.hpp"

namespace lawful {
namespace {

constexpr std::size_t kAbreast = 8;

// Calls fold(i, lane) for every i below n, the lane being one of kAbreast: in a single one, each number would wait for the one
// before it.
template <typename Fold>
void fold_abreast(std::size_t n, const Fold& fold) {
  std::size_t i = 0;
  for (; i + kAbreast <= n; i += kAbreast)
    for (std::size_t lane = 0; lane < kAbreast; ++lane) fold(i + lane, lane);
  for (; i < n; ++i) fold(i, 0);
}

double largest_finite(const double* scores, std::size_t n) {
  double largest[kAbreast] = {};
  fold_abreast(n, [&](std::size_t i, std::size_t lane) {
    const double size = std::abs(scores[i]), finite = size < std::numeric_limits<double>::infinity() ? size : 0.0;
    largest[lane] = finite > largest[lane] ? finite : largest[lane];
  });
  return *std::max_element(largest, largest + kAbreast);
}

// The largest scores of each position added up: less than the length times the largest of all, and rarely needed.
double sum_of_largest(const Trellis& trellis) {
  double sum = largest_finite(trellis.start.data(), trellis.start.size());
  for (int t = 0; t < trellis.length; ++t) {
    sum += largest_finite(trellis.emission(t), trellis.labels);
    if (t > 0 && trellis.transitions)
      sum += largest_finite(trellis.transitions->forward_at(t - 1), trellis.transitions->matrix_size());
  }
  return sum + largest_finite(trellis.end.data(), trellis.end.size());
}

}  // namespace

bool scores_are_legal(const double* scores, std::size_t n) {
  // NaN compares false with everything, so this refuses it together with +inf.
  int64_t illegal[kAbreast] = {};
  fold_abreast(n, [&](std::size_t i, std::size_t lane) {
    illegal[lane] |= scores[i] < std::numeric_limits<double>::infinity() ? 0 : 1;
  });
  return std::all_of(illegal, illegal + kAbreast, [](int64_t any) { return any == 0; });
}

uint64_t Transitions::new_serial() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

std::shared_ptr<const Transitions> Transitions::make(const double* scores, int matrices, int labels) {
  auto result = std::make_shared<Transitions>();
  const int stride = padded(labels);
  result->labels = labels;
  result->stride = stride;
  result->matrices = matrices;
  result->serial = new_serial();
  result->magnitude = largest_finite(scores, static_cast<std::size_t>(matrices) * labels * labels);
  result->forward.assign(result->matrix_size() * matrices, kForbidden);
  result->backward.assign(result->matrix_size() * matrices, kForbidden);
  result->diagonal.assign(static_cast<std::size_t>(stride) * matrices, kForbidden);
  for (int m = 0; m < matrices; ++m) {
    double* forward = result->forward.data() + result->matrix_size() * m;
    double* backward = result->backward.data() + result->matrix_size() * m;
    double* diagonal = result->diagonal.data() + static_cast<std::size_t>(stride) * m;
    for (int i = 0; i < labels; ++i) {
      for (int j = 0; j < labels; ++j) forward[i * stride + j] = backward[j * stride + i] = *scores++;
      diagonal[i] = forward[i * stride + i];
    }
  }
  if (matrices == 1) {
    const double* backward = result->backward.data();
    result->backward_blocks = BlockLists::of(backward, labels, stride, kForbidden);
    if (result->backward_blocks.empty()) result->sorted = SortedMatrix::of(backward, labels, labels, stride, kForbidden);
    result->look_at_blocks();
  }
  return result;
}

void Transitions::look_at_blocks() {
  sparse = {sorted.empty() ? backward_blocks.view() : sorted.blocks(), sorted.view()};
}

std::shared_ptr<const Trellis> Trellis::make(const double* emissions, int length, int labels,
                                             std::shared_ptr<const Transitions> transitions, const double* start,
                                             const double* end, const uint8_t* mask) {
  auto result = std::make_shared<Trellis>();
  result->remake(emissions, length, labels, transitions, start, end, mask);
  return result;
}

void Trellis::remake(const double* scores, int positions, int columns, const std::shared_ptr<const Transitions>& steps,
                     const double* first, const double* last, const uint8_t* mask) {
  length = positions;
  labels = columns;
  stride = padded(labels);
  emissions.resize(static_cast<std::size_t>(length) * stride);
  magnitude = length * kernels().pad(scores, length, labels, stride, emissions.data());
  if (std::isnan(magnitude)) throw std::invalid_argument("a score is NaN or +inf");
  if (steps) magnitude += length * steps->magnitude;
  double* row = emissions.data();
  for (int t = 0; mask && t < length; ++t, row += stride)
    for (int k = 0; k < labels; ++k) {
      if (!*mask++) row[k] = kForbidden;
    }
  if (transitions != steps) transitions = steps;  // threads share it: not counted without need
  auto boundary = [&](Doubles& target, const double* of_labels) {
    target.clear();
    if (!of_labels) return;
    magnitude += largest_finite(of_labels, labels);
    target.assign(stride, kForbidden);
    std::copy(of_labels, of_labels + labels, target.begin());
  };
  boundary(start, first);
  boundary(end, last);
  if (!(magnitude <= kMostScore)) magnitude = sum_of_largest(*this);
  if (!(magnitude <= kMostScore)) throw std::overflow_error("the scores of a path could add up to more than 1e302");
}

void Trellis::fetch(int step) const {
  if (step == 0) return ask_for(this, sizeof *this);
  // Passes begin at the end.
  const std::size_t last = std::min(emissions.size(), kMostAskedFor / sizeof(double));
  ask_for(emissions.data() + emissions.size() - last, last * sizeof(double));
}

std::shared_ptr<const Trellis> Trellis::spread(const Trellis& tags, const Spreading& spreading, const double* start,
                                               const double* end, const uint8_t* mask) {
  const int columns = spreading.columns();
  auto result = std::make_shared<Trellis>();
  result->length = tags.length;
  result->labels = columns;
  result->stride = padded(columns);
  result->magnitude = tags.magnitude;  // every score is one of theirs, or none
  result->emissions.resize(static_cast<std::size_t>(tags.length) * result->stride);
  double* row = result->emissions.data();
  for (int t = 0; t < tags.length; ++t, row += result->stride) {
    const double* scores = tags.emission(t);
    for (int c = 0; c < columns; ++c) row[c] = scores[spreading.tag_of[c]];
    std::fill(row + columns, row + result->stride, kForbidden);
    if (!mask) continue;
    for (int c = 0; c < columns; ++c) {
      if (!*mask++) row[c] = kForbidden;
    }
  }
  if (tags.length > 1) result->transitions = spreading.transitions;
  auto boundary = [&](Doubles& target, const double* scores, const Doubles& unscored) {
    if (!scores) {
      target = unscored;
      return;
    }
    target.assign(result->stride, kForbidden);
    std::copy(scores, scores + columns, target.begin());
  };
  boundary(result->start, start, spreading.first);
  boundary(result->end, end, spreading.last);
  result->reading = spreading.reading;
  return result;
}

PathSum sum_path(const Trellis& trellis, const int32_t* labels) {
  const double first = trellis.start.empty() ? 0.0 : trellis.start[labels[0]];
  PathSum sum{first, std::abs(first), trellis.length};
  auto add = [&](double term) {
    sum.score += term;
    sum.size += std::abs(term);
  };
  for (int t = 0; t < trellis.length; ++t) {
    if (t > 0 && trellis.transitions) add(trellis.transitions->forward_at(t - 1)[labels[t - 1] * trellis.stride + labels[t]]);
    add(trellis.emission(t)[labels[t]]);
  }
  if (!trellis.end.empty()) add(trellis.end[labels[trellis.length - 1]]);
  return sum;
}

double PathSum::rounding(double under_rules) const {
  return kRounding * (2 * length + 4) * (size + std::max(0.0, score - under_rules));
}

std::shared_ptr<const Trellis> without_scores(const Trellis& trellis) {
  auto flatten = [](Doubles& scores) {
    for (double& score : scores) score = score > kForbidden ? 0.0 : kForbidden;
  };
  auto result = std::make_shared<Trellis>(trellis);
  result->magnitude = 0;
  flatten(result->emissions);
  flatten(result->start);
  flatten(result->end);
  if (!trellis.transitions) return result;
  auto transitions = std::make_shared<Transitions>(*trellis.transitions);
  transitions->magnitude = 0;
  transitions->serial = Transitions::new_serial();
  flatten(transitions->forward);
  flatten(transitions->backward);
  flatten(transitions->sorted.scores());
  transitions->look_at_blocks();
  flatten(transitions->diagonal);
  result->transitions = std::move(transitions);
  return result;
}

}  // namespace lawful
