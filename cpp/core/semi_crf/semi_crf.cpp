#include "core/semi_crf/semi_crf.hpp"

#include <algorithm>
#include <cmath>

#include "core/linear/scores.hpp"

namespace lawful {
namespace {

constexpr double kNegligible = -45;  // logs of shares of a sum that would not change it
constexpr double kSafe = 1e-250;     // sums of factors above this lack nothing that would count
constexpr double kWidest = 500;      // logs of numbers that can still be multiplied

// row += the weights of the attributes of a row.
void add_row(const LinearLayout& layout, const double* weights, const Sequences& rows, int64_t at, double* row) {
  for (int64_t i = rows.item_offsets[at]; i < rows.item_offsets[at + 1]; ++i) {
    const int32_t attribute = rows.attributes[i];
    if (attribute < 0 || attribute >= layout.attributes()) continue;
    const double value = rows.values ? rows.values[i] : 1.0;
    for (int64_t f = layout.state.first[attribute]; f < layout.state.first[attribute + 1]; ++f)
      row[layout.state.items[f]] += value * weights[f];
  }
}

template <typename Term>
double log_sum(int count, const Term& term) {
  double largest = kForbidden, sum = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, term(i));
  if (largest == kForbidden) return kForbidden;
  for (int i = 0; i < count; ++i) {
    const double below = term(i) - largest;
    if (below > kNegligible) sum += std::exp(below);
  }
  return largest + std::log(sum);
}

}  // namespace

SemiShape::SemiShape(std::vector<int32_t> longest, std::vector<uint8_t> repeats)
    : longest(std::move(longest)), repeats(std::move(repeats)),
      width(*std::max_element(this->longest.begin(), this->longest.end())) {
  for (int d = 1; d <= width; ++d) {
    for (int k = 0; k < labels(); ++k)
      if (d <= this->longest[k]) of_length.items.push_back(k);
    of_length.first.push_back(static_cast<int64_t>(of_length.items.size()));
  }
}

void SemiTables::set(const LinearLayout& layout, const double* weights, const SemiShape& shape, const SemiCorpus& corpus) {
  const int labels = shape.labels();
  edges.assign(static_cast<std::size_t>(labels) * labels, 0.0);
  first.assign(labels, 0.0);
  last.assign(labels, 0.0);
  edge_scores(layout, weights, edges.data(), first.data(), last.data(), labels);
  for (int k = 0; k < labels; ++k)
    if (!shape.repeats[k]) edges[k * labels + k] = kForbidden;
  shift = *std::max_element(edges.begin(), edges.end());
  factors.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) factors[i] = std::exp(edges[i] - (shift == kForbidden ? 0.0 : shift));
  lengths.assign(static_cast<std::size_t>(shape.width) * labels, 0.0);
  if (corpus.lengths)
    for (int d = 0; d < shape.width; ++d) add_row(layout, weights, *corpus.lengths, d, lengths.data() + d * labels);
}

void SemiChain::of_segment(int start, int length, double* row) const {
  std::fill(row, row + shape_.labels(), 0.0);
  const double* cells = cells_.data() + cell(start, length);
  for (const auto* k = shape_.of_length.begin(length - 1); k != shape_.of_length.end(length - 1); ++k) row[*k] = *cells++;
}

void SemiChain::score(const double* weights, const SemiTables& tables, const SemiCorpus& corpus, int64_t s) {
  const int labels = shape_.labels();
  length_ = corpus.length(s);
  const std::size_t rows = static_cast<std::size_t>(length_) * labels;
  tokens_.resize(rows);
  firsts_.assign(rows, 0.0);
  lasts_.assign(rows, 0.0);
  row_.resize(labels);
  state_scores(layout_, weights, corpus.tokens, s, 1.0, tokens_.data(), labels);
  if (corpus.firsts) state_scores(layout_, weights, *corpus.firsts, s, 1.0, firsts_.data(), labels);
  if (corpus.lasts) state_scores(layout_, weights, *corpus.lasts, s, 1.0, lasts_.data(), labels);
  cells_.resize(length_ * shape_.cells());
  Doubles extra(labels);
  const int64_t position = corpus.tokens.sequence_offsets[s];
  for (int start = 0; start < length_; ++start) {
    std::copy_n(firsts_.data() + start * labels, labels, row_.data());
    double* into = cells_.data() + start * shape_.cells();
    for (int d = 1; d <= most(start); ++d) {
      const double *token = tokens_.data() + (start + d - 1) * labels, *last = lasts_.data() + (start + d - 1) * labels;
      const double* length = tables.lengths.data() + (d - 1) * labels;
      const int64_t at = (position + start) * shape_.width + d - 1;
      const bool has_attributes = corpus.segments && corpus.segments->item_offsets[at] < corpus.segments->item_offsets[at + 1];
      if (has_attributes) {
        std::fill(extra.begin(), extra.end(), 0.0);
        add_row(layout_, weights, *corpus.segments, at, extra.data());
      }
      for (const auto* k = shape_.of_length.begin(d - 1); k != shape_.of_length.end(d - 1); ++k) {
        row_[*k] += token[*k];
        *into++ = row_[*k] + last[*k] + length[*k] + (has_attributes ? extra[*k] : 0.0);
      }
    }
  }
}

void SemiChain::forward(const SemiTables& tables) {
  const int labels = shape_.labels();
  const std::size_t rows = static_cast<std::size_t>(length_ + 1) * labels;
  enter_.assign(rows, kForbidden);
  alpha_.assign(rows, 0.0);
  largest_.assign(rows, kForbidden);
  arriving_.resize(labels);
  for (int start = 0; start <= length_; ++start) {  // alpha_ first holds sums relative to largest_
    double *alpha = alpha_.data() + start * labels, *enter = enter_.data() + start * labels;
    double most_of = kForbidden;
    for (int k = 0; start && k < labels; ++k) {
      alpha[k] = alpha[k] > 0 ? largest_[start * labels + k] + std::log(alpha[k]) : kForbidden;
      most_of = std::max(most_of, alpha[k]);
    }
    if (start == length_) return;
    if (!start) {
      std::copy(tables.first.begin(), tables.first.end(), enter);
    } else if (most_of != kForbidden) {
      for (int j = 0; j < labels; ++j) arriving_[j] = std::exp(alpha[j] - most_of);
      for (int k = 0; k < labels; ++k) {
        double sum = 0;
        for (int j = 0; j < labels; ++j) sum += arriving_[j] * tables.factors[j * labels + k];
        // Where nearly all of it is lost, the terms are too far apart for factors.
        enter[k] = sum > kSafe ? most_of + tables.shift + std::log(sum)
                               : log_sum(labels, [&](int j) { return alpha[j] + tables.edges[j * labels + k]; });
      }
    }
    const double* scores = cells_.data() + start * shape_.cells();
    for (int d = 1; d <= most(start); ++d) {
      double *largest = largest_.data() + (start + d) * labels, *sum = alpha_.data() + (start + d) * labels;
      for (const auto* k = shape_.of_length.begin(d - 1); k != shape_.of_length.end(d - 1); ++k, ++scores) {
        const double value = enter[*k] + *scores, below = value - largest[*k];
        if (!(below > kNegligible)) continue;  // also if both are forbidden
        if (below > 0) {
          sum[*k] = sum[*k] * std::exp(-below) + 1;
          largest[*k] = value;
        } else {
          sum[*k] += std::exp(below);
        }
      }
    }
  }
}

// beta_ of a position, and the transitions that are expected there, from the segments that begin there.
void SemiChain::backward_step(const SemiTables& tables, int start, double total) {
  const int labels = shape_.labels();
  const double *enter = enter_.data() + start * labels, *alpha = alpha_.data() + start * labels;
  const double* begun = beginning_.data() + start * labels;
  double *beta = beta_.data() + start * labels, largest = kForbidden, most_of = kForbidden;
  // What can follow is worth the segments that begin here, but for how they are reached.
  for (int k = 0; k < labels; ++k) {
    leave_[k] = begun[k] > 0 ? std::log(begun[k]) + total - enter[k] : kForbidden;
    largest = std::max(largest, leave_[k]);
    most_of = std::max(most_of, alpha[k]);
  }
  if (largest == kForbidden || most_of == kForbidden) return;
  for (int k = 0; k < labels; ++k) {
    leaving_[k] = std::exp(leave_[k] - largest);
    arriving_[k] = std::exp(alpha[k] - most_of);
  }
  const double log_scale = most_of + tables.shift + largest - total;
  const double scale = log_scale < kWidest ? std::exp(log_scale) : 0;
  for (int j = 0; j < labels; ++j) {
    const double *edges = tables.edges.data() + j * labels, *factors = tables.factors.data() + j * labels;
    double sum = 0;
    for (int k = 0; k < labels; ++k) sum += factors[k] * leaving_[k];
    beta[j] = sum > kSafe ? largest + tables.shift + std::log(sum) : log_sum(labels, [&](int k) { return edges[k] + leave_[k]; });
    double* expected = of_edges_.data() + j * labels;
    if (scale > 0) {
      const double here = scale * arriving_[j];
      for (int k = 0; k < labels; ++k) expected[k] += here * factors[k] * leaving_[k];
    } else if (alpha[j] + beta[j] - total > kNegligible) {
      for (int k = 0; k < labels; ++k) expected[k] += std::exp(alpha[j] + edges[k] + leave_[k] - total);
    }
  }
}

double SemiChain::sum(const SemiTables& tables) {
  const int labels = shape_.labels();
  const std::size_t rows = static_cast<std::size_t>(length_) * labels;
  forward(tables);
  const double* ends = alpha_.data() + rows;
  const double total = log_sum(labels, [&](int k) { return ends[k] + tables.last[k]; });
  beta_.assign(rows + labels, kForbidden);
  leave_.resize(labels);
  leaving_.resize(labels);
  covering_.assign(rows, 0.0);
  beginning_.assign(rows, 0.0);
  ending_.assign(rows, 0.0);
  of_lengths_.assign(static_cast<std::size_t>(shape_.width) * labels, 0.0);
  of_edges_.assign(static_cast<std::size_t>(labels) * labels, 0.0);
  std::copy(tables.last.begin(), tables.last.end(), beta_.begin() + rows);
  for (int start = length_ - 1; start >= 0; --start) {
    const double* enter = enter_.data() + start * labels;
    double *begun = beginning_.data() + start * labels, *cells = cells_.data() + start * shape_.cells();
    for (int d = 1; d <= most(start); ++d) {
      const double* beta = beta_.data() + (start + d) * labels;
      double *ended = ending_.data() + (start + d - 1) * labels, *lengths = of_lengths_.data() + (d - 1) * labels;
      for (const auto* k = shape_.of_length.begin(d - 1); k != shape_.of_length.end(d - 1); ++k, ++cells) {
        const double log = enter[*k] + *cells + beta[*k] - total;
        *cells = 0;
        if (!(log > kNegligible)) continue;
        const double share = *cells = std::exp(log);
        begun[*k] += share;
        ended[*k] += share;
        lengths[*k] += share;
      }
    }
    if (start) backward_step(tables, start, total);
  }
  for (int t = 0; t < length_; ++t)
    for (int k = 0; k < labels; ++k) {
      const double before = t ? covering_[(t - 1) * labels + k] - ending_[(t - 1) * labels + k] : 0.0;
      covering_[t * labels + k] = std::max(0.0, before) + beginning_[t * labels + k];
    }
  return total;
}

void complete(const SemiView& view, Doubles& after, Doubles& leave) {
  const int labels = view.shape.labels(), length = view.length;
  after.assign(static_cast<std::size_t>(length + 1) * labels, kForbidden);
  leave.assign(static_cast<std::size_t>(length) * labels, kForbidden);
  std::copy_n(view.last, labels, after.begin() + static_cast<std::ptrdiff_t>(length) * labels);
  for (int start = length - 1; start >= 0; --start) {
    double* here = leave.data() + start * labels;
    const double* scores = view.cells + start * view.shape.cells();
    for (int d = 1; d <= std::min(view.shape.width, length - start); ++d) {
      const double* then = after.data() + (start + d) * labels;
      for (const auto* k = view.shape.of_length.begin(d - 1); k != view.shape.of_length.end(d - 1); ++k)
        here[*k] = std::max(here[*k], *scores++ + then[*k]);
    }
    for (int j = 0; start && j < labels; ++j) {
      const double* edges = view.edges + j * labels;
      double most = kForbidden;
      for (int k = 0; k < labels; ++k) most = std::max(most, edges[k] + here[k]);
      after[start * labels + j] = most;
    }
  }
}

double follow(const SemiView& view, const Doubles& after, const Doubles& leave, std::vector<int32_t>& ends,
              std::vector<int32_t>& labels_of) {
  const int labels = view.shape.labels();
  ends.clear();
  labels_of.clear();
  double total = kForbidden;
  for (int start = 0, before = 0; start < view.length; start = ends.back(), before = labels_of.back()) {
    const double *reach = start ? view.edges + before * labels : view.first, *here = leave.data() + start * labels;
    int label = 0;
    double most = kForbidden;
    for (int k = 0; k < labels; ++k)
      if (reach[k] + here[k] > most) {
        most = reach[k] + here[k];
        label = k;
      }
    if (!start) total = most;
    if (most == kForbidden) return kForbidden;
    int length = 1;
    const Ragged& of_length = view.shape.of_length;
    for (int d = 1; d <= std::min<int>(view.shape.longest[label], view.length - start); ++d) {
      const auto *begin = of_length.begin(d - 1), *at = std::lower_bound(begin, of_length.end(d - 1), label);
      const double score = view.cells[start * view.shape.cells() + of_length.first[d - 1] + (at - begin)];
      if (score + after[(start + d) * labels + label] == here[label]) {
        length = d;
        break;
      }
    }
    ends.push_back(start + length);
    labels_of.push_back(label);
  }
  return total;
}

double SemiChain::best(const SemiTables& tables, std::vector<int32_t>& ends, std::vector<int32_t>& labels_of) {
  const SemiView view{shape_, tables.edges.data(), tables.first.data(), tables.last.data(), cells_.data(), length_};
  complete(view, beta_, leave_);
  return follow(view, beta_, leave_, ends, labels_of);
}

}  // namespace lawful
