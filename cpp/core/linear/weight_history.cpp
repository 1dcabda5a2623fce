#include <algorithm>
#include <numeric>

#include "core/linear/online.hpp"
#include "core/support/parallel.hpp"

namespace lawful {

std::vector<double> keep_longest_lived(std::vector<double> lasted, int64_t max_vectors) {
  const auto count = static_cast<int64_t>(lasted.size());
  if (max_vectors < 0 || max_vectors >= count) return lasted;
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return lasted[a] > lasted[b]; });
  for (int64_t i = max_vectors; i < count; ++i) lasted[order[i]] = 0;
  return lasted;
}

void count_sequence_history(const LabelledCorpus& learned_from, const double* weights, const SequenceUpdates& updates,
                            double time, const Sequences& data, const Sequences* pairs, int64_t max_vectors, int threads,
                            double* counts) {
  const LinearLayout& layout = learned_from.layout;
  const int labels = layout.outputs.labels;
  const PathFeatures path(layout);
  const auto count = static_cast<int64_t>(updates.time.size());
  std::vector<double> lasted(count + 1);  // vector 0 is the first, vector i + 1 the one after update i
  for (int64_t i = 0; i <= count; ++i) lasted[i] = (i < count ? updates.time[i] : time) - (i ? updates.time[i - 1] : 1.0);
  lasted = keep_longest_lived(std::move(lasted), max_vectors);
  std::fill(counts, counts + data.positions() * labels, 0.0);
  std::vector<int32_t> best_labels(data.positions());
  const int64_t size = std::max<int64_t>(8, (data.sequences + threads - 1) / std::max(1, threads));
  parallel_for((data.sequences + size - 1) / size, threads, [&](int64_t share, int) {
    const int64_t first = share * size;
    auto share_of = [&](Sequences all) {
      all.sequence_offsets += first;
      all.sequences = std::min(size, all.sequences - first);
      return all;
    };
    const Sequences share_data = share_of(data), share_pairs = pairs ? share_of(*pairs) : Sequences{};
    std::vector<double> current(weights, weights + layout.size());  // each thread replays all updates
    int64_t start = 0;
    for (int64_t i = 0; i <= count; ++i) {
      if (lasted[i] > 0) {
        tag_all(layout, current.data(), share_data, pairs ? &share_pairs : nullptr, 1, best_labels.data());
        for (int64_t p = share_data.sequence_offsets[0]; p < share_data.positions(); ++p)
          counts[p * labels + best_labels[p]] += lasted[i];
      }
      if (i == count) break;
      const int64_t s = updates.sequence[i];
      auto change = [&](const int32_t* of, double by) {
        path.visit(learned_from.data, learned_from.pairs, s, of, [&](int64_t f, double value) { current[f] += by * value; });
      };
      change(updates.target.data() + start, updates.rate[i]);
      change(updates.predicted.data() + start, -updates.rate[i]);
      start += learned_from.length(s);
    }
  });
}

}  // namespace lawful
