// Which features a linear model has, and the index of the weight of each one. Weights live in one vector:
//   state features (attribute, output) | edges (output, output) | first labels | last labels | pair features.
// An output is a set of labels: usually one label, or a group of labels that share features. A feature fires for
// every label of its output, so a label scores the sum over the outputs it belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/block_lists.hpp"

namespace lawful {

// Lists behind one another: list i is items[first[i]] up to items[first[i + 1]].
struct Ragged {
  std::vector<int64_t> first{0};
  std::vector<int32_t> items;

  int64_t size() const { return static_cast<int64_t>(first.size()) - 1; }
  const int32_t* begin(int64_t i) const { return items.data() + first[i]; }
  const int32_t* end(int64_t i) const { return items.data() + first[i + 1]; }
};

struct Outputs {
  int labels = 0;
  Ragged members;   // the labels of each output, ascending
  Ragged of_label;  // the outputs of each label, ascending
  bool plain = true;  // output k is label k, and there are no others

  Outputs() = default;
  Outputs(int labels, Ragged members);  // throws if a label is unknown or stands twice in one output
  int count() const { return static_cast<int>(members.size()); }
};

// Attribute occurrences of a corpus, position by position; arrays belong to the caller.
struct Sequences {
  int64_t sequences = 0;
  const int64_t* sequence_offsets = nullptr;  // (sequences + 1): positions
  const int64_t* item_offsets = nullptr;      // (positions + 1): occurrences
  const int32_t* attributes = nullptr;
  const double* values = nullptr;  // null: all ones

  int64_t positions() const { return sequence_offsets[sequences]; }
  // Throws unless offsets ascend and end where they should and attributes are in [-1, size); -1 is one without features.
  void check(int64_t occurrences, int64_t positions, int64_t size) const;
};

// Which labels may stand side by side, if not all may: steps from `source` to `target`, ascending.
struct LabelSteps {
  std::vector<int32_t> source, target;
  Ragged edges;                     // the edges that fire for each step
  BlockLists by_source, by_target;  // of matrices [source][target], and [target][source]

  bool all() const { return source.empty(); }  // every label may follow every other
  int64_t size() const { return static_cast<int64_t>(source.size()); }
};

struct LinearLayout {
  Outputs outputs;
  Ragged state;                             // outputs of each attribute; weight i belongs to state.items[i]
  std::vector<int32_t> edge_source, edge_target;  // outputs
  std::vector<int32_t> first_output, last_output;
  std::vector<int64_t> pair_first{0};       // pair features of attribute a: pair_first[a] up to pair_first[a + 1]
  std::vector<int32_t> pair_source, pair_target;
  LabelSteps steps;

  // Forbids all steps but these; throws unless they ascend and lead from label to label without end.
  void allow(std::vector<int32_t> sources, std::vector<int32_t> targets);
  int64_t attributes() const { return state.size(); }
  int64_t pair_attributes() const { return static_cast<int64_t>(pair_first.size()) - 1; }
  bool has_pairs() const { return !pair_source.empty(); }
  int64_t edges_at() const { return static_cast<int64_t>(state.items.size()); }
  int64_t first_at() const { return edges_at() + static_cast<int64_t>(edge_source.size()); }
  int64_t last_at() const { return first_at() + static_cast<int64_t>(first_output.size()); }
  int64_t pairs_at() const { return last_at() + static_cast<int64_t>(last_output.size()); }
  int64_t size() const { return pairs_at() + static_cast<int64_t>(pair_source.size()); }
  void check() const;  // throws unless every output exists and every list fits
};

// Scores of label pairs (K, stride), of first and of last labels (stride each): sums over outputs, added to what is there. Steps
// that are not allowed get -inf, and those that are get their scores whatever was there.
void edge_scores(const LinearLayout& layout, const double* weights, double* edges, double* first, double* last, int stride);

}  // namespace lawful
