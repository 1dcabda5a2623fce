// Spans of tokens laid out in layers of disjoint ones, each as kinds of tokens for a machine that reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lawful {

enum SpanKind : uint16_t { outside, first, inside };

// As few layers as there are spans over one token, the earlier spans in the earlier ones. Single tokens need none.
inline std::vector<std::vector<uint16_t>> lay_spans(std::vector<std::pair<int, int>> spans, int length) {
  std::sort(spans.begin(), spans.end());
  std::vector<std::vector<uint16_t>> layers;
  std::vector<int> ends;  // of the last span of each layer
  for (const auto& [start, end] : spans) {
    if (end - start == 1) continue;
    std::size_t layer = 0;
    while (layer < ends.size() && ends[layer] > start) ++layer;
    if (layer == layers.size()) {
      layers.emplace_back(length, outside);
      ends.push_back(0);
    }
    layers[layer][start] = first;
    std::fill(layers[layer].begin() + start + 1, layers[layer].begin() + end, inside);
    ends[layer] = end;
  }
  return layers;
}

}  // namespace lawful
