#include "core/linear/plan.hpp"

#include <algorithm>
#include <numeric>

namespace lawful {
namespace {

constexpr int kRowPays = 3;  // outputs from which on a whole row is worth its memory, if the attribute is frequent
constexpr int kFrequent = 4;

enum Kind : uint8_t { kRow, kList, kSingle, kUnused };

}  // namespace

TrainingPlan::TrainingPlan(const LinearLayout& layout, const Sequences& data) : stride(padded(layout.outputs.count())) {
  const int64_t count = layout.attributes(), positions = data.positions();
  const int64_t occurrences = data.item_offsets[positions];
  std::vector<int64_t> frequency(count, 0);
  auto known = [&](int32_t a) { return a >= 0 && a < count; };
  for (int64_t i = 0; i < occurrences; ++i)
    if (known(data.attributes[i])) ++frequency[data.attributes[i]];

  std::vector<Kind> kind(count);
  for (int64_t a = 0; a < count; ++a) {
    const int64_t outputs = layout.state.first[a + 1] - layout.state.first[a];
    kind[a] = !outputs || !frequency[a]                                             ? kUnused
              : outputs == 1                                                        ? kSingle
              : outputs >= kRowPays && frequency[a] * outputs >= kFrequent * stride ? kRow
                                                                                    : kList;
  }
  std::vector<int32_t> order;
  order.reserve(count);
  for (int64_t a = 0; a < count; ++a)
    if (kind[a] != kUnused) order.push_back(static_cast<int32_t>(a));
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return kind[a] != kind[b] ? kind[a] < kind[b] : frequency[a] > frequency[b]; });

  std::vector<int32_t> renumbered(count, -1);
  first.push_back(0);
  for (const int32_t a : order) {
    renumbered[a] = rows + lists + singles;
    for (int64_t f = layout.state.first[a]; f < layout.state.first[a + 1]; ++f) {
      output.push_back(layout.state.items[f]);
      original.push_back(f);
    }
    const auto outputs = static_cast<double>(layout.state.first[a + 1] - layout.state.first[a]);
    const double each = kind[a] == kRow ? 2 + stride / kLanes : 4 + 1.5 * outputs;
    cost.push_back(each * static_cast<double>(frequency[a]));
    if (kind[a] == kSingle) {
      ++singles;
    } else {
      ++(kind[a] == kRow ? rows : lists);
      first.push_back(static_cast<int64_t>(output.size()));
    }
  }

  used = static_cast<int64_t>(output.size());
  for (int64_t a = 0; a < count; ++a)
    if (kind[a] == kUnused)
      for (int64_t f = layout.state.first[a]; f < layout.state.first[a + 1]; ++f) original.push_back(f);

  item_first.reserve(positions + 1);
  item_first.push_back(0);
  items.reserve(occurrences);
  row_end.resize(positions);
  list_end.resize(positions);
  if (data.values) values.reserve(occurrences);
  std::vector<std::pair<int32_t, double>> valued;
  for (int64_t p = 0; p < positions; ++p) {
    valued.clear();
    const auto begin = static_cast<int64_t>(items.size());
    for (int64_t i = data.item_offsets[p]; i < data.item_offsets[p + 1]; ++i) {
      const int32_t id = known(data.attributes[i]) ? renumbered[data.attributes[i]] : -1;
      if (id < 0) continue;
      if (data.values) valued.emplace_back(id, data.values[i]);
      else items.push_back(id);
    }
    if (data.values) {
      std::stable_sort(valued.begin(), valued.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [id, value] : valued) {
        items.push_back(id);
        values.push_back(value);
      }
    } else {
      std::sort(items.begin() + begin, items.end());
    }
    item_first.push_back(static_cast<int64_t>(items.size()));
    row_end[p] = static_cast<uint32_t>(std::lower_bound(items.begin() + begin, items.end(), rows) - items.begin() - begin);
    list_end[p] =
        static_cast<uint32_t>(std::lower_bound(items.begin() + begin, items.end(), rows + lists) - items.begin() - begin);
  }
}

}  // namespace lawful
