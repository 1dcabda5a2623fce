// The features that fire on one labelling of one sequence.
#pragma once

#include <algorithm>
#include <vector>

#include "core/linear/layout.hpp"

namespace lawful {

class PathFeatures {
 public:
  explicit PathFeatures(const LinearLayout& layout) : layout_(layout), outputs_(layout.outputs.count()) {
    edge_of_.assign(static_cast<std::size_t>(outputs_) * outputs_, -1);
    for (std::size_t i = 0; i < layout.edge_source.size(); ++i)
      edge_of_[static_cast<int64_t>(layout.edge_source[i]) * outputs_ + layout.edge_target[i]] =
          layout.edges_at() + static_cast<int64_t>(i);
    index(layout.first_output, layout.first_at(), first_of_);
    index(layout.last_output, layout.last_at(), last_of_);
  }

  // visit(weight index, value) for every feature; `labels` are those of sequence s. Unknown attributes have none.
  template <typename Visit>
  void visit(const Sequences& data, const Sequences* pairs, int64_t s, const int32_t* labels, const Visit& visit) const {
    const int64_t begin = data.sequence_offsets[s], end = data.sequence_offsets[s + 1];
    if (begin == end) return;
    const Ragged& of_label = layout_.outputs.of_label;
    auto visit_known = [&](int64_t index) {
      if (index >= 0) visit(index, 1.0);
    };
    for (int64_t p = begin; p < end; ++p) {
      const int32_t label = labels[p - begin];
      for (int64_t i = data.item_offsets[p]; i < data.item_offsets[p + 1]; ++i) {
        const int32_t attribute = data.attributes[i];
        if (attribute < 0 || attribute >= layout_.attributes()) continue;
        const double value = data.values ? data.values[i] : 1.0;
        const int32_t *from = layout_.state.begin(attribute), *to = layout_.state.end(attribute);
        for (const auto* o = of_label.begin(label); o != of_label.end(label); ++o) {
          from = std::lower_bound(from, to, *o);
          if (from != to && *from == *o) visit(from - layout_.state.items.data(), value);
        }
      }
      if (p == begin) continue;
      const int32_t before = labels[p - begin - 1];
      for (const auto* o = of_label.begin(before); o != of_label.end(before); ++o)
        for (const auto* q = of_label.begin(label); q != of_label.end(label); ++q) {
          visit_known(edge_of_[static_cast<int64_t>(*o) * outputs_ + *q]);
          if (pairs) visit_pairs(*pairs, p, *o, *q, visit);
        }
    }
    for (const auto* o = of_label.begin(labels[0]); o != of_label.end(labels[0]); ++o) visit_known(first_of_[*o]);
    const int32_t last = labels[end - begin - 1];
    for (const auto* o = of_label.begin(last); o != of_label.end(last); ++o) visit_known(last_of_[*o]);
  }

 private:
  void index(const std::vector<int32_t>& of, int64_t at, std::vector<int64_t>& into) const {
    into.assign(outputs_, -1);
    for (std::size_t i = 0; i < of.size(); ++i) into[of[i]] = at + static_cast<int64_t>(i);
  }

  template <typename Visit>
  void visit_pairs(const Sequences& pairs, int64_t p, int32_t source, int32_t target, const Visit& visit) const {
    for (int64_t i = pairs.item_offsets[p]; i < pairs.item_offsets[p + 1]; ++i) {
      const int32_t attribute = pairs.attributes[i];
      if (attribute < 0 || attribute >= layout_.pair_attributes()) continue;
      for (int64_t f = layout_.pair_first[attribute]; f < layout_.pair_first[attribute + 1]; ++f)
        if (layout_.pair_source[f] == source && layout_.pair_target[f] == target)
          visit(layout_.pairs_at() + f, pairs.values ? pairs.values[i] : 1.0);
    }
  }

  const LinearLayout& layout_;
  int64_t outputs_;
  std::vector<int64_t> edge_of_, first_of_, last_of_;
};

}  // namespace lawful
