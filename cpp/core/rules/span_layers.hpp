// Spans of tokens laid out in layers of disjoint ones, each as kinds of tokens for a machine that reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lawful {

enum SpanKind : uint16_t { outside, first, inside };

struct Span {  // half open
  int32_t start, end;
  bool operator<(const Span& other) const { return start != other.start ? start < other.start : end < other.end; }
};

// As few layers as there are spans over one token, the earlier spans in the earlier ones. Single tokens need none. The spans are
// sorted. `layer(i)` gives the kinds of the i-th layer, to be written into; a new one is all outside.
template <typename Layer>
void lay_spans(const Span* spans, std::size_t count, const Layer& layer) {
  thread_local std::vector<int32_t> ends;  // of the last span of each layer; memory for the next sequence
  ends.clear();
  for (const Span* span = spans; span != spans + count; ++span) {
    if (span->end - span->start == 1) continue;
    std::size_t i = 0;
    while (i < ends.size() && ends[i] > span->start) ++i;
    if (i == ends.size()) ends.push_back(0);
    uint16_t* kinds = layer(i);
    kinds[span->start] = first;
    std::fill(kinds + span->start + 1, kinds + span->end, inside);
    ends[i] = span->end;
  }
}

}  // namespace lawful
