#include "core/semi_crf.hpp"

#include <algorithm>
#include <cmath>

#include "core/crf_scores.hpp"

namespace bylaw {
namespace {

constexpr double kNegligible = -45;  // logs of shares of a sum that would not change it

// row += the weights of the attributes of a row.
void add_row(const CrfLayout& layout, const double* weights, const Sequences& rows, int64_t at, double* row) {
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

void SemiTables::set(const CrfLayout& layout, const double* weights, const SemiShape& shape, const SemiCorpus& corpus) {
  const int labels = shape.labels();
  edges.assign(static_cast<std::size_t>(labels) * labels, 0.0), first.assign(labels, 0.0), last.assign(labels, 0.0);
  edge_scores(layout, weights, edges.data(), first.data(), last.data(), labels);
  for (int k = 0; k < labels; ++k)
    if (!shape.repeats[k]) edges[k * labels + k] = kForbidden;
  lengths.assign(static_cast<std::size_t>(shape.width) * labels, 0.0);
  if (corpus.lengths)
    for (int d = 0; d < shape.width; ++d) add_row(layout, weights, *corpus.lengths, d, lengths.data() + d * labels);
}

void SemiChain::score(const double* weights, const SemiTables& tables, const SemiCorpus& corpus, int64_t s) {
  const int labels = shape_.labels();
  length_ = corpus.length(s);
  const std::size_t rows = static_cast<std::size_t>(length_) * labels;
  tokens_.resize(rows), firsts_.assign(rows, 0.0), lasts_.assign(rows, 0.0), row_.resize(labels);
  state_scores(layout_, weights, corpus.tokens, s, 1.0, tokens_.data(), labels);
  if (corpus.firsts) state_scores(layout_, weights, *corpus.firsts, s, 1.0, firsts_.data(), labels);
  if (corpus.lasts) state_scores(layout_, weights, *corpus.lasts, s, 1.0, lasts_.data(), labels);
  cells_.resize(rows * shape_.width);
  const int64_t position = corpus.tokens.sequence_offsets[s];
  for (int start = 0; start < length_; ++start) {
    std::copy_n(firsts_.data() + start * labels, labels, row_.data());
    for (int d = 1; d <= most(start); ++d) {
      const int last = start + d - 1;
      double* into = cells_.data() + cell(start, d);
      for (int k = 0; k < labels; ++k) {
        row_[k] += tokens_[last * labels + k];
        into[k] = row_[k] + lasts_[last * labels + k] + tables.lengths[(d - 1) * labels + k];
      }
      if (corpus.segments) add_row(layout_, weights, *corpus.segments, (position + start) * shape_.width + d - 1, into);
      for (int k = 0; k < labels; ++k)
        if (d > shape_.longest[k]) into[k] = kForbidden;
    }
  }
}

void SemiChain::forward(const SemiTables& tables) {
  const int labels = shape_.labels();
  const std::size_t rows = static_cast<std::size_t>(length_ + 1) * labels;
  enter_.assign(rows, kForbidden), alpha_.assign(rows, 0.0), largest_.assign(rows, kForbidden);
  for (int start = 0; start <= length_; ++start) {  // alpha_ first holds sums relative to largest_
    double *alpha = alpha_.data() + start * labels, *enter = enter_.data() + start * labels;
    for (int k = 0; start && k < labels; ++k)
      alpha[k] = alpha[k] > 0 ? largest_[start * labels + k] + std::log(alpha[k]) : kForbidden;
    if (start == length_) return;
    for (int k = 0; k < labels; ++k)
      enter[k] = start ? log_sum(labels, [&](int j) { return alpha[j] + tables.edges[j * labels + k]; }) : tables.first[k];
    for (int d = 1; d <= most(start); ++d) {
      const double* scores = cells_.data() + cell(start, d);
      double *largest = largest_.data() + (start + d) * labels, *sum = alpha_.data() + (start + d) * labels;
      for (int k = 0; k < labels; ++k) {
        const double value = enter[k] + scores[k], below = value - largest[k];
        if (below <= kNegligible || value == kForbidden) continue;
        if (below > 0) {
          sum[k] = sum[k] * std::exp(-below) + 1;
          largest[k] = value;
        } else {
          sum[k] += std::exp(below);
        }
      }
    }
  }
}

double SemiChain::sum(const SemiTables& tables) {
  const int labels = shape_.labels();
  const std::size_t rows = static_cast<std::size_t>(length_) * labels;
  forward(tables);
  const double* ends = alpha_.data() + rows;
  const double total = log_sum(labels, [&](int k) { return ends[k] + tables.last[k]; });
  beta_.assign(rows + labels, kForbidden), leave_.resize(labels);
  covering_.assign(rows, 0.0), beginning_.assign(rows, 0.0), ending_.assign(rows, 0.0);
  of_lengths_.assign(static_cast<std::size_t>(shape_.width) * labels, 0.0);
  of_edges_.assign(static_cast<std::size_t>(labels) * labels, 0.0);
  std::copy(tables.last.begin(), tables.last.end(), beta_.begin() + rows);
  for (int start = length_ - 1; start >= 0; --start) {
    const double* enter = enter_.data() + start * labels;
    double* begun = beginning_.data() + start * labels;
    for (int d = 1; d <= most(start); ++d) {
      const double* beta = beta_.data() + (start + d) * labels;
      double *cells = cells_.data() + cell(start, d), *ended = ending_.data() + (start + d - 1) * labels;
      for (int k = 0; k < labels; ++k) {
        const double log = enter[k] + cells[k] + beta[k] - total;
        cells[k] = 0;
        if (!(log > kNegligible)) continue;
        const double share = cells[k] = std::exp(log);
        begun[k] += share, ended[k] += share, of_lengths_[(d - 1) * labels + k] += share;
      }
    }
    if (!start) break;
    // What can follow is worth the segments that begin here, but for how they are reached.
    for (int k = 0; k < labels; ++k) leave_[k] = begun[k] > 0 ? std::log(begun[k]) + total - enter[k] : kForbidden;
    const double* alpha = alpha_.data() + start * labels;
    for (int j = 0; j < labels; ++j) {
      const double* edges = tables.edges.data() + j * labels;
      const double after = beta_[start * labels + j] = log_sum(labels, [&](int k) { return edges[k] + leave_[k]; });
      if (!(alpha[j] + after - total > kNegligible)) continue;
      for (int k = 0; k < labels; ++k) {
        const double log = alpha[j] + edges[k] + leave_[k] - total;
        if (log > kNegligible) of_edges_[j * labels + k] += std::exp(log);
      }
    }
  }
  for (int t = 0; t < length_; ++t)
    for (int k = 0; k < labels; ++k) {
      const double before = t ? covering_[(t - 1) * labels + k] - ending_[(t - 1) * labels + k] : 0.0;
      covering_[t * labels + k] = std::max(0.0, before) + beginning_[t * labels + k];
    }
  return total;
}

double SemiChain::best(const SemiTables& tables, std::vector<int32_t>& ends, std::vector<int32_t>& labels_of) {
  const int labels = shape_.labels();
  const std::size_t rows = static_cast<std::size_t>(length_ + 1) * labels;
  std::vector<double> reach(rows, kForbidden), enter(labels);
  std::vector<int32_t> came(rows, -1), before(rows, -1);  // the start of the segment; the label before a start
  for (int start = 0; start < length_; ++start) {
    for (int k = 0; k < labels; ++k) {
      enter[k] = start ? kForbidden : tables.first[k];
      for (int j = 0; start && j < labels; ++j) {
        const double value = reach[start * labels + j] + tables.edges[j * labels + k];
        if (value > enter[k]) enter[k] = value, before[start * labels + k] = j;
      }
    }
    for (int d = 1; d <= most(start); ++d) {
      const double* scores = cells_.data() + cell(start, d);
      for (int k = 0; k < labels; ++k) {
        const double value = enter[k] + scores[k];
        const std::size_t at = static_cast<std::size_t>(start + d) * labels + k;
        if (value > reach[at]) reach[at] = value, came[at] = start;
      }
    }
  }
  double score = kForbidden;
  int label = 0;
  for (int k = 0; k < labels; ++k)
    if (const double value = reach[length_ * labels + k] + tables.last[k]; value > score) score = value, label = k;
  ends.clear(), labels_of.clear();
  if (score == kForbidden) return score;
  for (int end = length_; end > 0;) {
    ends.push_back(end), labels_of.push_back(label);
    end = came[end * labels + label];
    label = end ? before[end * labels + label] : label;
  }
  std::reverse(ends.begin(), ends.end()), std::reverse(labels_of.begin(), labels_of.end());
  return score;
}

SemiGraph segmentation_graph(const SemiChain& chain, const SemiTables& tables, const SemiShape& shape, int length,
                             const int32_t* tags) {
  const int labels = shape.labels();
  SemiGraph graph;
  auto ended = [&](int t, int k) { return t ? 1 + (t - 1) * labels + k : 0; };  // a segment of label k ends before token t
  auto arc = [&](int32_t source, int32_t target, int k, int which, double weight) {
    if (weight == kForbidden) return;
    graph.source.push_back(source), graph.target.push_back(target);
    graph.tag.push_back(tags[4 * k + which]), graph.weight.push_back(weight);
  };
  int32_t next = 1 + length * labels;  // states inside segments: so many tokens of a segment read, more to come
  for (int start = 0; start < length; ++start) {
    for (int k = 0; k < labels; ++k) {
      const int most = std::min<int>(shape.longest[k], length - start);
      const int32_t inside = next;
      for (int j = 0; j < (start ? labels : 1); ++j) {
        const double reach = start ? tables.edges[j * labels + k] : tables.first[k];
        arc(ended(start, j), ended(start + 1, k), k, 1, reach + chain.score_of(start, 1, k));
        if (most > 1) arc(ended(start, j), inside, k, 0, reach);
      }
      for (int d = 2; d <= most; ++d, ++next) {
        arc(next, ended(start + d, k), k, 3, chain.score_of(start, d, k));
        if (d < most) arc(next, next + 1, k, 2, 0.0);
      }
    }
  }
  graph.final.assign(next, kForbidden);
  for (int k = 0; k < labels; ++k) graph.final[ended(length, k)] = tables.last[k];
  return graph;
}

}  // namespace bylaw
