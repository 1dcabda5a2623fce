#include <algorithm>
#include <cmath>

#include "core/linear/online.hpp"
#include "core/linear/scores.hpp"

namespace lawful {

LinearDescent::LinearDescent(const LabelledCorpus& corpus, const double* weights, double lambda)
    : corpus_(corpus), path_(corpus.layout), weights_(weights, weights + corpus.layout.size()), lambda_(lambda),
      of_outputs_(corpus.layout.outputs.count()) {}

void LinearDescent::set_first_step(double first_step) {
  t0_ = 1 / (lambda_ * first_step);
  t_ = 0;
}

void LinearDescent::reset(const double* weights) {
  std::copy(weights, weights + weights_.size(), weights_.begin());
  t_ = 0;
}

double LinearDescent::look(int64_t s, double scale) {
  const LinearLayout& layout = corpus_.layout;
  const int length = corpus_.length(s);
  table_.set(layout, weights_.data(), scale);
  const int64_t matrix = static_cast<int64_t>(table_.labels) * table_.stride;
  rows_.resize(static_cast<std::size_t>(length) * table_.stride);
  state_scores(layout, weights_.data(), corpus_.data, s, scale, rows_.data(), table_.stride);
  double* pairs = nullptr;
  if (corpus_.pairs && layout.has_pairs()) {
    matrices_.assign(std::max(1, length - 1) * static_cast<std::size_t>(matrix), 0.0);
    pairs = matrices_.data();
    pair_scores(layout, weights_.data(), *corpus_.pairs, s, scale, pairs, table_.stride);
  }
  double right = 0;
  path_.visit(corpus_.data, corpus_.pairs, s, corpus_.gold(s), [&](int64_t i, double value) { right += value * weights_[i]; });
  edge_sums_.clear(table_.labels, table_.stride);
  return sums_.run(table_, rows_.data(), length, pairs, edge_sums_) - right * scale;
}

void LinearDescent::update(int64_t s, double gain) {
  const LinearLayout& layout = corpus_.layout;
  const Outputs& outputs = layout.outputs;
  const Ragged& members = outputs.members;
  const Sequences& data = corpus_.data;
  path_.visit(data, corpus_.pairs, s, corpus_.gold(s), [&](int64_t i, double value) { weights_[i] += gain * value; });
  const double* row = rows_.data();
  for (int64_t p = data.sequence_offsets[s]; p < data.sequence_offsets[s + 1]; ++p, row += table_.stride) {
    const double* expected = row;
    if (!outputs.plain) {
      labels_to_outputs(outputs, row, of_outputs_.data());
      expected = of_outputs_.data();
    }
    for (int64_t i = data.item_offsets[p]; i < data.item_offsets[p + 1]; ++i) {
      const int32_t a = data.attributes[i];
      if (a < 0 || a >= layout.attributes()) continue;
      const double value = data.values ? gain * data.values[i] : gain;
      for (int64_t f = layout.state.first[a]; f < layout.state.first[a + 1]; ++f)
        weights_[f] -= value * expected[layout.state.items[f]];
    }
  }
  edge_sums_.finish(table_);
  auto between = [&](const double* matrix, int32_t source, int32_t target) {
    double sum = 0;
    for (const auto* j = members.begin(source); j != members.end(source); ++j)
      for (const auto* k = members.begin(target); k != members.end(target); ++k)
        sum += matrix[static_cast<int64_t>(*j) * table_.stride + *k];
    return sum;
  };
  double* edge = weights_.data() + layout.edges_at();
  for (std::size_t i = 0; i < layout.edge_source.size(); ++i)
    edge[i] -= gain * between(edge_sums_.edges.data(), layout.edge_source[i], layout.edge_target[i]);
  auto boundary = [&](const std::vector<int32_t>& of, int64_t at, const Doubles& expected) {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (const auto* k = members.begin(of[i]); k != members.end(of[i]); ++k) weights_[at + i] -= gain * expected[*k];
  };
  boundary(layout.first_output, layout.first_at(), edge_sums_.first);
  boundary(layout.last_output, layout.last_at(), edge_sums_.last);
  if (!corpus_.pairs || !layout.has_pairs()) return;
  const Sequences& pairs = *corpus_.pairs;
  double* weight = weights_.data() + layout.pairs_at();
  const double* matrix = matrices_.data();
  for (int64_t p = pairs.sequence_offsets[s] + 1; p < pairs.sequence_offsets[s + 1];
       ++p, matrix += static_cast<int64_t>(table_.labels) * table_.stride)
    for (int64_t i = pairs.item_offsets[p]; i < pairs.item_offsets[p + 1]; ++i) {
      const int32_t a = pairs.attributes[i];
      if (a < 0 || a >= layout.pair_attributes()) continue;
      const double value = pairs.values ? gain * pairs.values[i] : gain;
      for (int64_t f = layout.pair_first[a]; f < layout.pair_first[a + 1]; ++f)
        weight[f] -= value * between(matrix, layout.pair_source[f], layout.pair_target[f]);
    }
}

double LinearDescent::epoch(const int64_t* order, int64_t count) {
  double total = 0, shrunk = 1;
  for (int64_t n = 0; n < count; ++n) {
    if (!corpus_.length(order[n])) continue;
    const double step = next_step();
    // CRFsuite shrinks the weights before it scores, and so does this. The factor is multiplied in before it gets near zero.
    shrunk *= 1 - step * lambda_;
    if (std::abs(shrunk) < 1e-6) {
      for (double& weight : weights_) weight *= shrunk;
      shrunk = 1;
    }
    total += look(order[n], shrunk);
    update(order[n], step / shrunk);
    ++t_;
  }
  for (double& weight : weights_) weight *= shrunk;
  return total;
}

double LinearDescent::loss(const int64_t* order, int64_t count) {
  double total = 0;
  for (int64_t n = 0; n < count; ++n)
    if (corpus_.length(order[n])) total += look(order[n], 1.0);
  return total;
}

}  // namespace lawful
