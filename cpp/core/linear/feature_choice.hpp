// The features that a labelled corpus asks for, and how often each one was seen.
#pragma once

#include "core/linear/layout.hpp"

namespace lawful {

struct FeatureChoiceOptions {
  bool all_states = false;  // each attribute with every output, not only with those it was seen with
  bool all_edges = false;
  double min_count = 0;  // features seen less often are left out
  bool first = false, last = false;
  // Bits for each attribute: 1, it fires for outputs below `label_outputs`; 2, for the others. Null: for all.
  const uint8_t* scopes = nullptr;
  int label_outputs = 0;
};

struct ChosenFeatures {
  LinearLayout layout;
  std::vector<double> observed;  // the counts, one per weight
};

// `pairs` may be null; its attributes at position t speak of the labels of t-1 and t.
ChosenFeatures choose_features(const Outputs& outputs, const Sequences& data, int64_t attributes, const int32_t* labels,
                               const Sequences* pairs, int64_t pair_attributes, const FeatureChoiceOptions& options);

// How often each feature of a layout was seen: for training that goes on with the features it has.
std::vector<double> count_features(const LinearLayout& layout, const Sequences& data, const int32_t* labels,
                                   const Sequences* pairs);

}  // namespace lawful
