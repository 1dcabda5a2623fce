#include "core/features/rows.hpp"

namespace lawful {

std::vector<int32_t> drop_rare(Rows& rows, int32_t size, int64_t min_count) {
  std::vector<int64_t> counts(size, 0);
  for (const int32_t attribute : rows.attributes) ++counts[attribute];
  std::vector<int32_t> renamed(size, -1);
  int32_t kept = 0;
  for (int32_t id = 0; id < size; ++id) {
    if (counts[id] >= min_count) renamed[id] = kept++;
  }
  if (kept == size) return renamed;
  std::size_t into = 0;
  int64_t from = 0;
  for (std::size_t position = 1; position < rows.item_offsets.size(); ++position) {
    const int64_t end = rows.item_offsets[position];
    for (; from < end; ++from) {
      const int32_t attribute = renamed[rows.attributes[from]];
      if (attribute < 0) continue;
      rows.attributes[into] = attribute;
      if (rows.weighted) rows.values[into] = rows.values[from];
      ++into;
    }
    rows.item_offsets[position] = static_cast<int64_t>(into);
  }
  rows.attributes.resize(into);
  rows.attributes.shrink_to_fit();
  if (rows.weighted) rows.values.resize(into);
  return renamed;
}

}  // namespace lawful
