#include <algorithm>
#include <numeric>

#include "core/semi_crf/semi_crf.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int kShares = 8;  // always as many, whatever the number of threads, so that sums have one order

void scatter_row(const LinearLayout& layout, const Sequences& rows, int64_t at, const double* row, double* gradient) {
  for (int64_t i = rows.item_offsets[at]; i < rows.item_offsets[at + 1]; ++i) {
    const int32_t attribute = rows.attributes[i];
    if (attribute < 0 || attribute >= layout.attributes()) continue;
    const double value = rows.values ? rows.values[i] : 1.0;
    for (int64_t f = layout.state.first[attribute]; f < layout.state.first[attribute + 1]; ++f)
      gradient[f] += value * row[layout.state.items[f]];
  }
}

}  // namespace

SemiObjective::SemiObjective(const LinearLayout& layout, const SemiShape& shape, const SemiCorpus& corpus, const double* observed,
                             int threads)
    : layout_(layout), shape_(shape), corpus_(corpus), observed_(observed, observed + layout.size()),
      threads_(std::max(1, threads)), borders_{0}, gradients_(kShares) {
  const int64_t sequences = corpus.tokens.sequences, positions = corpus.tokens.positions();
  for (int64_t s = 0; s < sequences && static_cast<int>(borders_.size()) < kShares; ++s)
    if (corpus.tokens.sequence_offsets[s + 1] * kShares >= positions * static_cast<int64_t>(borders_.size()))
      borders_.push_back(s + 1);
  borders_.resize(kShares + 1, sequences);
  borders_.back() = sequences;
}

double SemiObjective::evaluate(const double* weights, double* gradient) {
  tables_.set(layout_, weights, shape_, corpus_);
  std::vector<double> sums(kShares);
  parallel_for(kShares, threads_, [&](int64_t share, int) {
    gradients_[share].assign(layout_.size(), 0.0);
    sums[share] = add(weights, borders_[share], borders_[share + 1], gradients_[share].data());
  });
  for (int64_t i = 0; i < size(); ++i) {
    double sum = -observed_[i];
    for (const auto& share : gradients_) sum += share[i];
    gradient[i] = sum;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0) - std::inner_product(observed_.begin(), observed_.end(), weights, 0.0);
}

double SemiObjective::add(const double* weights, int64_t first, int64_t last, double* gradient) {
  SemiChain chain(layout_, shape_);
  double result = 0;
  for (int64_t s = first; s < last; ++s) {
    if (!corpus_.length(s)) continue;
    chain.score(weights, tables_, corpus_, s);
    result += chain.sum(tables_);
    scatter(chain, s, gradient);
  }
  return result;
}

void SemiObjective::scatter(const SemiChain& chain, int64_t s, double* gradient) const {
  const int labels = shape_.labels(), length = corpus_.length(s);
  const int64_t position = corpus_.tokens.sequence_offsets[s];
  std::vector<double> row(labels);
  for (int t = 0; t < length; ++t) {
    scatter_row(layout_, corpus_.tokens, position + t, chain.covering() + t * labels, gradient);
    if (corpus_.firsts) scatter_row(layout_, *corpus_.firsts, position + t, chain.beginning() + t * labels, gradient);
    if (corpus_.lasts) scatter_row(layout_, *corpus_.lasts, position + t, chain.ending() + t * labels, gradient);
    for (int d = 1; corpus_.segments && d <= std::min(shape_.width, length - t); ++d) {
      const int64_t at = (position + t) * shape_.width + d - 1;
      if (corpus_.segments->item_offsets[at] == corpus_.segments->item_offsets[at + 1]) continue;
      chain.of_segment(t, d, row.data());
      scatter_row(layout_, *corpus_.segments, at, row.data(), gradient);
    }
  }
  for (int d = 0; corpus_.lengths && d < shape_.width; ++d)
    scatter_row(layout_, *corpus_.lengths, d, chain.of_lengths() + d * labels, gradient);
  for (std::size_t i = 0; i < layout_.edge_source.size(); ++i)
    gradient[layout_.edges_at() + i] += chain.of_edges()[layout_.edge_source[i] * labels + layout_.edge_target[i]];
  for (std::size_t i = 0; i < layout_.first_output.size(); ++i)
    gradient[layout_.first_at() + i] += chain.beginning()[layout_.first_output[i]];
  for (std::size_t i = 0; i < layout_.last_output.size(); ++i)
    gradient[layout_.last_at() + i] += chain.ending()[(length - 1) * labels + layout_.last_output[i]];
}

}  // namespace lawful
