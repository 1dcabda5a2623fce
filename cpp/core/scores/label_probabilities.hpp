// The probability of each label at each position, over all labellings of a trellis.
#pragma once

#include <optional>
#include <vector>

#include "core/scores/trellis.hpp"

namespace lawful {

// (T, K); nothing where scaled sums will not do: steps that differ from position to position, labels that are read as others, scores
// that spread too far, no labelling at all.
std::optional<std::vector<double>> label_probabilities(const Trellis& trellis);

}  // namespace lawful
