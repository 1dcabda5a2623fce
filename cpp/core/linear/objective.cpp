#include "core/linear/objective.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/kernels/chain_sums.hpp"
#include "core/linear/scores.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kBlock = 512;          // positions of a block, at least
constexpr int64_t kTile = int64_t{1} << 20;       // numbers in a tile, about: 8 MB
constexpr int64_t kPairTile = int64_t{1} << 22;

}  // namespace

LinearObjective::LinearObjective(const LinearLayout& layout, const Sequences& data, const Sequences* pairs,
                                 const double* observed, int threads)
    : layout_(layout), plan_(layout, data), sequence_offsets_(data.sequence_offsets, data.sequence_offsets + data.sequences + 1),
      pairs_(pairs ? *pairs : Sequences{}), has_pairs_(pairs && layout.has_pairs()), observed_(layout.size()),
      threads_(std::max(1, threads)) {
  import_weights(observed, observed_.data());
  cut_blocks();
  cut_parts();
  part_seconds_.assign(threads_, 0.0);
  const std::size_t size = static_cast<std::size_t>(plan_.rows) * plan_.stride;
  row_weights_.assign(size, 0.0);
  row_gradient_.assign(size, 0.0);
}

void LinearObjective::import_weights(const double* in_layout_order, double* in_plan_order) const {
  for (std::size_t i = 0; i < plan_.original.size(); ++i) in_plan_order[i] = in_layout_order[plan_.original[i]];
  std::copy(in_layout_order + layout_.edges_at(), in_layout_order + layout_.size(), in_plan_order + layout_.edges_at());
}

void LinearObjective::export_weights(const double* in_plan_order, double* in_layout_order) const {
  for (std::size_t i = 0; i < plan_.original.size(); ++i) in_layout_order[plan_.original[i]] = in_plan_order[i];
  std::copy(in_plan_order + layout_.edges_at(), in_plan_order + layout_.size(), in_layout_order + layout_.edges_at());
}

void LinearObjective::cut_blocks() {
  const int64_t labels = layout_.outputs.labels;
  const int64_t a_position = plan_.stride + (has_pairs_ ? labels * padded(static_cast<int>(labels)) : 0);
  const int64_t most = (has_pairs_ ? kPairTile : kTile) / a_position;  // positions of a tile, about
  const int64_t block_size = std::min(kBlock, most / 8 + 1);
  const auto sequences = static_cast<int64_t>(sequence_offsets_.size()) - 1;
  int64_t tile_start = 0, largest_tile = 0, blocks_in_tile = 0, largest_count = 0;
  for (int64_t s = 0; s < sequences;) {
    const int64_t first = s, start = sequence_offsets_[s];
    while (s < sequences && sequence_offsets_[s] - start < block_size) ++s;
    if (tiles_.empty() || sequence_offsets_[s] - tile_start > most) {
      const auto here = static_cast<int64_t>(blocks_.size());
      tiles_.push_back({here, here});
      tile_start = start;
      blocks_in_tile = 0;
    }
    blocks_.push_back({first, s});
    tiles_.back().last = static_cast<int64_t>(blocks_.size());
    largest_tile = std::max(largest_tile, sequence_offsets_[s] - tile_start);
    largest_count = std::max(largest_count, ++blocks_in_tile);
  }
  tile_rows_.resize(largest_tile * plan_.stride);
  if (has_pairs_) tile_pairs_.resize(largest_tile * labels * padded(static_cast<int>(labels)));
  edge_sums_.resize(largest_count);
  log_sums_.resize(largest_count);
}

void LinearObjective::cut_parts() {
  const int parts = threads_;
  const double total = std::accumulate(plan_.cost.begin(), plan_.cost.end(), 0.0);
  double sum = 0;
  parts_.assign(1, 0);
  for (int32_t a = 0; a < plan_.attributes(); ++a) {
    sum += plan_.cost[a];
    if (sum >= total * static_cast<double>(parts_.size()) / parts) parts_.push_back(a + 1);
  }
  parts_.resize(parts + 1, static_cast<int32_t>(plan_.attributes()));
  parts_.back() = static_cast<int32_t>(plan_.attributes());
  const int64_t positions = sequence_offsets_.back();
  part_starts_.resize(static_cast<std::size_t>(parts - 1) * positions);
  for (int64_t p = 0; p < positions; ++p) {
    const int32_t *begin = plan_.items.data() + plan_.item_first[p], *end = plan_.items.data() + plan_.item_first[p + 1];
    for (int part = 1; part < parts; ++part)
      part_starts_[(part - 1) * positions + p] = static_cast<uint32_t>(std::lower_bound(begin, end, parts_[part]) - begin);
  }
}

// Moves the borders of the parts if one took far longer than the others: what an attribute costs depends on the caches. Asked
// after the first pass and ever more rarely, since something else may have held up a thread.
void LinearObjective::balance() {
  constexpr double kUneven = 1.05;
  ++passes_;
  const int parts = threads_;
  const double mean = std::accumulate(part_seconds_.begin(), part_seconds_.end(), 0.0) / parts;
  const bool asked =
      std::has_single_bit(passes_) && *std::max_element(part_seconds_.begin(), part_seconds_.end()) > kUneven * mean;
  for (int part = 0; asked && part < parts; ++part) {
    const auto from = plan_.cost.begin() + parts_[part], to = plan_.cost.begin() + parts_[part + 1];
    const double rate = part_seconds_[part] / std::max(1.0, std::accumulate(from, to, 0.0));
    std::for_each(from, to, [&](double& cost) { cost *= rate * 1e9; });
  }
  if (asked) cut_parts();
  part_seconds_.assign(parts, 0.0);
}

double LinearObjective::evaluate(const double* weights, double* gradient) {
  const int labels = layout_.outputs.labels;
  table_.set(layout_, weights);
  std::fill(row_gradient_.begin(), row_gradient_.end(), 0.0);
  for (int32_t row = 0; row < plan_.rows; ++row)
    for (int64_t f = plan_.first[row]; f < plan_.first[row + 1]; ++f)
      row_weights_[static_cast<int64_t>(row) * plan_.stride + plan_.output[f]] = weights[f];
  for (int64_t i = 0; i < size(); ++i) gradient[i] = -observed_[i];

  double result = 0;
  EdgeSums all;
  all.clear(labels, table_.stride);
  const int parts = static_cast<int>(parts_.size()) - 1;
  for (const Tile& tile : tiles_) {
    const int64_t from = sequence_offsets_[blocks_[tile.first].first], to = sequence_offsets_[blocks_[tile.last - 1].last];
    parallel_for(tile.last - tile.first, threads_,
                 [&](int64_t i, int) { log_sums_[i] = sum_block(weights, blocks_[tile.first + i], from, edge_sums_[i]); });
    for (int64_t i = 0; i < tile.last - tile.first; ++i) {
      result += log_sums_[i];
      all.add(edge_sums_[i]);
    }
    parallel_for(parts, threads_, [&](int64_t part, int) {
      const auto began = Clock::now();
      add_states(gradient, part, from, to);
      if (has_pairs_) {
        const int64_t count = layout_.pair_attributes();
        add_pairs(gradient, count * part / parts, count * (part + 1) / parts, from, to);
      }
      part_seconds_[part] += std::chrono::duration<double>(Clock::now() - began).count();
    });
  }
  for (int32_t row = 0; row < plan_.rows; ++row)
    for (int64_t f = plan_.first[row]; f < plan_.first[row + 1]; ++f)
      gradient[f] += row_gradient_[static_cast<int64_t>(row) * plan_.stride + plan_.output[f]];
  all.finish(table_);
  add_edges(gradient, all);
  if (parts > 1) balance();
  return result - std::inner_product(observed_.begin(), observed_.end(), weights, 0.0);
}

void LinearObjective::score_position(const double* weights, int64_t p, double* row) const {
  const int64_t begin = plan_.item_first[p], end = plan_.item_first[p + 1];
  const int64_t rows_end = begin + plan_.row_end[p], lists_end = begin + plan_.list_end[p];
  const double* values = plan_.values.empty() ? nullptr : plan_.values.data();
  std::fill(row, row + plan_.stride, 0.0);
  chain_kernels().gather(row_weights_.data(), plan_.items.data() + begin, values ? values + begin : nullptr, rows_end - begin,
                         row, plan_.stride);
  for (int64_t i = rows_end; i < lists_end; ++i) {
    const int32_t a = plan_.items[i];
    const double value = values ? values[i] : 1.0;
    for (int64_t f = plan_.first[a]; f < plan_.first[a + 1]; ++f) row[plan_.output[f]] += value * weights[f];
  }
  const int64_t shift = plan_.single_at() - plan_.rows - plan_.lists;
  for (int64_t i = lists_end; i < end; ++i) {
    const int64_t f = shift + plan_.items[i];
    row[plan_.output[f]] += values ? values[i] * weights[f] : weights[f];
  }
}

double LinearObjective::sum_block(const double* weights, const Block& block, int64_t tile_start, EdgeSums& edges) {
  thread_local SequenceSums sums;
  thread_local Doubles label_rows;
  const int labels = table_.labels, stride = table_.stride;
  const int64_t matrix = static_cast<int64_t>(labels) * stride;
  edges.clear(labels, stride);
  double result = 0;
  for (int64_t s = block.first; s < block.last; ++s) {
    const int64_t from = sequence_offsets_[s], to = sequence_offsets_[s + 1];
    const auto length = static_cast<int>(to - from);
    if (!length) continue;
    double* rows = tile_rows_.data() + (from - tile_start) * plan_.stride;
    for (int64_t p = from; p < to; ++p) score_position(weights, p, rows + (p - from) * plan_.stride);
    double* pairs = nullptr;
    if (has_pairs_) {  // the matrix of a step stands at the position that it leads to
      pairs = tile_pairs_.data() + (from - tile_start + 1) * matrix;
      std::fill(pairs, pairs + (length - 1) * matrix, 0.0);
      pair_scores(layout_, weights, pairs_, s, 1.0, pairs, stride);
    }
    if (layout_.outputs.plain) {
      result += sums.run(table_, rows, length, pairs, edges);
      continue;
    }
    label_rows.assign(static_cast<std::size_t>(length) * stride, 0.0);
    for (int t = 0; t < length; ++t)
      outputs_to_labels(layout_.outputs, rows + static_cast<int64_t>(t) * plan_.stride,
                        label_rows.data() + static_cast<int64_t>(t) * stride);
    result += sums.run(table_, label_rows.data(), length, pairs, edges);
    for (int t = 0; t < length; ++t)
      labels_to_outputs(layout_.outputs, label_rows.data() + static_cast<int64_t>(t) * stride,
                        rows + static_cast<int64_t>(t) * plan_.stride);
  }
  return result;
}

// Adds the marginals of positions [from, to), which stand in the tile, to the gradient of the attributes of a part.
void LinearObjective::add_states(double* gradient, int64_t part, int64_t from, int64_t to) {
  const auto parts = static_cast<int64_t>(parts_.size()) - 1, positions = sequence_offsets_.back();
  const uint32_t* starts = part > 0 ? part_starts_.data() + (part - 1) * positions : nullptr;
  const uint32_t* ends = part + 1 < parts ? part_starts_.data() + part * positions : nullptr;
  const int64_t shift = plan_.single_at() - plan_.rows - plan_.lists;
  const int32_t* items = plan_.items.data();
  const double* values = plan_.values.empty() ? nullptr : plan_.values.data();
  const double* row = tile_rows_.data();
  for (int64_t p = from; p < to; ++p, row += plan_.stride) {
    int64_t begin = plan_.item_first[p], end = plan_.item_first[p + 1];
    int64_t rows_end = begin + plan_.row_end[p], lists_end = begin + plan_.list_end[p];
    if (parts > 1) {
      end = ends ? begin + ends[p] : end;
      begin = starts ? begin + starts[p] : begin;
      rows_end = std::clamp(rows_end, begin, end);
      lists_end = std::clamp(lists_end, begin, end);
    }
    chain_kernels().scatter(row_gradient_.data(), items + begin, values ? values + begin : nullptr, rows_end - begin, row,
                            plan_.stride);
    for (int64_t i = rows_end; i < lists_end; ++i) {
      const int32_t a = items[i];
      const double value = values ? values[i] : 1.0;
      for (int64_t f = plan_.first[a]; f < plan_.first[a + 1]; ++f) gradient[f] += value * row[plan_.output[f]];
    }
    for (int64_t i = lists_end; i < end; ++i) {
      const int64_t f = shift + items[i];
      gradient[f] += values ? values[i] * row[plan_.output[f]] : row[plan_.output[f]];
    }
  }
}

void LinearObjective::add_pairs(double* gradient, int64_t low, int64_t high, int64_t from, int64_t to) const {
  const Ragged& members = layout_.outputs.members;
  const int64_t stride = table_.stride, matrix = table_.labels * stride;
  double* into = gradient + layout_.pairs_at();
  const auto first = std::lower_bound(sequence_offsets_.begin(), sequence_offsets_.end(), from);
  auto next = first;  // where the next sequence starts: its first position has no pair
  for (int64_t p = from; p < to; ++p) {
    bool starts = false;
    while (next != sequence_offsets_.end() && *next <= p) {
      starts = *next == p;
      ++next;
    }
    if (starts) continue;
    const double* pair = tile_pairs_.data() + (p - from) * matrix;
    for (int64_t i = pairs_.item_offsets[p]; i < pairs_.item_offsets[p + 1]; ++i) {
      const int32_t a = pairs_.attributes[i];
      if (a < low || a >= high) continue;  // also those without features
      const double value = pairs_.values ? pairs_.values[i] : 1.0;
      for (int64_t f = layout_.pair_first[a]; f < layout_.pair_first[a + 1]; ++f) {
        const int32_t source = layout_.pair_source[f], target = layout_.pair_target[f];
        double sum = 0;
        for (const auto* j = members.begin(source); j != members.end(source); ++j)
          for (const auto* k = members.begin(target); k != members.end(target); ++k) sum += pair[*j * stride + *k];
        into[f] += value * sum;
      }
    }
  }
}

void LinearObjective::add_edges(double* gradient, const EdgeSums& sums) const {
  const Ragged& members = layout_.outputs.members;
  double* into = gradient + layout_.edges_at();
  const LabelSteps& steps = layout_.steps;
  for (int64_t s = 0; s < steps.size(); ++s) {
    const double expected = sums.edges[static_cast<int64_t>(steps.source[s]) * table_.stride + steps.target[s]];
    for (const auto* edge = steps.edges.begin(s); edge != steps.edges.end(s); ++edge) into[*edge] += expected;
  }
  for (std::size_t i = 0; i < layout_.edge_source.size() && steps.all(); ++i) {
    const int32_t source = layout_.edge_source[i], target = layout_.edge_target[i];
    for (const auto* j = members.begin(source); j != members.end(source); ++j)
      for (const auto* k = members.begin(target); k != members.end(target); ++k)
        into[i] += sums.edges[static_cast<int64_t>(*j) * table_.stride + *k];
  }
  auto boundary = [&](const std::vector<int32_t>& outputs, int64_t at, const Doubles& expected) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      for (const auto* k = members.begin(outputs[i]); k != members.end(outputs[i]); ++k) gradient[at + i] += expected[*k];
  };
  boundary(layout_.first_output, layout_.first_at(), sums.first);
  boundary(layout_.last_output, layout_.last_at(), sums.last);
}

}  // namespace lawful
