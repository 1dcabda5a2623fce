// Labellings drawn from a trellis, each with the probability that its score gives it: the same draws that a Distribution over the
// graph of the trellis makes of the same numbers, without the graph.
#pragma once

#include <optional>
#include <vector>

#include "core/scores/chain_weights.hpp"

namespace lawful {

class ChainSampler {
 public:
  // Nothing where scaled sums will not do, or if there is no labelling.
  static std::optional<ChainSampler> of(const Trellis& trellis);

  int length() const { return length_; }
  double log_partition() const { return log_partition_; }

  // A labelling from at least length() numbers in [0, 1).
  void sample(const double* uniforms, int32_t* labels) const;

 private:
  int length_ = 0, labels_ = 0, stride_ = 0;
  double log_partition_ = 0;
  ChainWeights weights_;
  Doubles onward_;  // (T, stride): the weight of a label here and of all that can follow, scaled position by position
};

}  // namespace lawful
