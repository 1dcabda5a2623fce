// The steps, first and last scores of a trellis as weights for sums over its labellings.
#pragma once

#include <optional>

#include "core/scores/trellis.hpp"

namespace lawful {

// exp of scores, each kind of them less its largest; zeros in the padding.
struct ChainWeights {
  Doubles steps, start, end;  // (K, stride): [source][target], (stride), (stride)
  double step_shift = 0, boundary_shift = 0;  // what was taken off each step, and off both ends together

  // Nothing where scaled sums will not do: steps that differ from position to position, labels that are read as others, scores that
  // spread too far.
  static std::optional<ChainWeights> of(const Trellis& trellis);
};

}  // namespace lawful
