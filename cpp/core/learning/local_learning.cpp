#include "core/learning/local_learning.hpp"

#include <algorithm>
#include <cmath>

#include "core/linear/online.hpp"
#include "core/linear/scores.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kShare = 256;  // positions that a thread takes at least

int32_t best_of(const std::vector<double>& scores) {
  return static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace

LocalWeights::LocalWeights(const LinearLayout& layout, const LocalOptions& options)
    : layout_(layout), options_(options),
      values_(layout.size(), options.multiplicative && !options.balanced ? options.initial : 0.0),
      of_outputs_(layout.outputs.plain ? 0 : layout.outputs.count()) {
  if (options.balanced) {
    plus_.assign(layout.size(), options.initial);
    minus_ = plus_;
  }
}

void LocalWeights::score(const Sequences& data, int64_t position, double* scores) const {
  const Outputs& outputs = layout_.outputs;
  double* into = outputs.plain ? scores : of_outputs_.data();
  std::fill(into, into + outputs.count(), 0.0);
  for (int64_t i = data.item_offsets[position]; i < data.item_offsets[position + 1]; ++i) {
    const int32_t attribute = data.attributes[i];
    if (attribute < 0 || attribute >= layout_.attributes()) continue;
    const double value = data.values ? data.values[i] : 1.0;
    for (int64_t f = layout_.state.first[attribute]; f < layout_.state.first[attribute + 1]; ++f)
      into[layout_.state.items[f]] += value * values_[f];
  }
  if (!outputs.plain) outputs_to_labels(outputs, into, scores);
}

template <typename Changed>
void LocalWeights::change(const Sequences& data, int64_t position, int32_t label, bool up, const Changed& changed) {
  const Ragged& outputs = layout_.outputs.of_label;
  for (int64_t i = data.item_offsets[position]; i < data.item_offsets[position + 1]; ++i) {
    const int32_t attribute = data.attributes[i];
    if (attribute < 0 || attribute >= layout_.attributes()) continue;
    const int32_t *begin = layout_.state.begin(attribute), *end = layout_.state.end(attribute);
    const double value = data.values ? data.values[i] : 1.0;
    auto times = [&](double factor) { return value == 1.0 ? factor : std::pow(factor, value); };
    for (const int32_t* output = outputs.begin(label); output != outputs.end(label); ++output) {
      const int32_t* entry = std::lower_bound(begin, end, *output);
      if (entry == end || *entry != *output) continue;
      const int64_t f = entry - layout_.state.items.data();
      const double before = values_[f];
      if (!options_.multiplicative) {
        values_[f] += up ? options_.rate * value : -options_.rate * value;
      } else if (options_.balanced) {
        plus_[f] *= times(up ? options_.promotion : options_.demotion);
        minus_[f] *= times(up ? options_.demotion : options_.promotion);
        values_[f] = plus_[f] - minus_[f];
      } else {
        values_[f] *= times(up ? options_.promotion : options_.demotion);
      }
      changed(f, values_[f] - before);
    }
  }
}

LocalLearner::LocalLearner(const LinearLayout& layout, const Sequences& data, const int32_t* labels, const LocalOptions& options)
    : layout_(layout), data_(data), labels_(labels), options_(options), weights_(layout, options),
      timed_changes_(layout.size(), 0.0), scores_(layout.outputs.labels) {}

void LocalLearner::correct(int64_t position, int32_t label) {
  weights_.change(data_, position, label, label == labels_[position],
                  [&](int64_t f, double by) { timed_changes_[f] += by * time_; });
  if (!options_.record) return;
  updates_.time.push_back(time_);
  updates_.position.push_back(position);
  updates_.label.push_back(label);
}

bool LocalLearner::learn(int64_t position) {
  const int labels = layout_.outputs.labels;
  const int32_t gold = labels_[position];
  weights_.score(data_, position, scores_.data());
  const bool right = best_of(scores_) == gold;
  if (options_.one_vs_all) {
    for (int k = 0; k < labels; ++k) {
      const double above = scores_[k] - options_.threshold;
      if ((k == gold ? above : -above) <= options_.margin) correct(position, k);
    }
  } else if (labels > 1) {
    int32_t rival = gold == 0 ? 1 : 0;
    for (int k = 0; k < labels; ++k)
      if (k != gold && scores_[k] > scores_[rival]) rival = k;
    if (scores_[gold] - scores_[rival] <= options_.margin) {
      correct(position, gold);
      correct(position, rival);
    }
  }
  return right;
}

double LocalLearner::epoch(const int64_t* order, int64_t count) {
  int64_t wrong = 0;
  for (int64_t n = 0; n < count; ++n, ++time_) wrong += !learn(order[n]);
  return count ? static_cast<double>(wrong) / static_cast<double>(count) : 0;
}

std::vector<double> LocalLearner::averaged() const {
  std::vector<double> result(weights_.values());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= timed_changes_[i] / time_;
  return result;
}

void count_position_history(const LinearLayout& layout, const Sequences& learned_from, const int32_t* labels,
                            const LocalOptions& options, const LocalUpdates& updates, double time, const Sequences& data,
                            int64_t max_vectors, int threads, double* counts) {
  const int count = layout.outputs.labels;
  const auto changes = static_cast<int64_t>(updates.time.size());
  std::vector<int64_t> ends{0};  // where the changes of one position end: there a weight vector is whole
  std::vector<double> lasted;
  double before = 1;
  for (int64_t i = 0; i <= changes; ++i) {
    if (i > 0 && i < changes && updates.time[i] == updates.time[i - 1]) continue;
    if (i > 0) ends.push_back(i);
    const double now = i < changes ? updates.time[i] : time;
    lasted.push_back(now - before);
    before = now;
  }
  lasted = keep_longest_lived(std::move(lasted), max_vectors);
  std::fill(counts, counts + data.positions() * count, 0.0);
  const int64_t size = std::max(kShare, (data.positions() + threads - 1) / std::max(1, threads));
  parallel_for((data.positions() + size - 1) / size, threads, [&](int64_t share, int) {
    LocalWeights weights(layout, options);  // each thread replays all updates: cheaper than waiting for others
    std::vector<double> scores(count);
    for (std::size_t n = 0; n < lasted.size(); ++n) {
      for (int64_t i = n ? ends[n - 1] : 0; i < ends[n]; ++i)
        weights.change(learned_from, updates.position[i], updates.label[i], updates.label[i] == labels[updates.position[i]],
                       [](int64_t, double) {});
      if (lasted[n] <= 0) continue;
      for (int64_t p = share * size; p < std::min(data.positions(), (share + 1) * size); ++p) {
        weights.score(data, p, scores.data());
        counts[p * count + best_of(scores)] += lasted[n];
      }
    }
  });
}

}  // namespace lawful
