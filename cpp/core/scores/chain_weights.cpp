#include "core/scores/chain_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/chain_sums.hpp"

namespace lawful {
namespace {

// Adds what it takes off to `shift`; false if the scores spread too far.
bool exponentiate(const double* scores, int rows, int labels, int stride, Doubles& into, double& shift) {
  double most = kForbidden, least = -kForbidden;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < labels; ++k) {
      const double score = scores[static_cast<std::size_t>(i) * stride + k];
      if (score == kForbidden) continue;
      most = std::max(most, score);
      least = std::min(least, score);
    }
  if (!(most - least < kWidestSpread)) return false;
  into.assign(static_cast<std::size_t>(rows) * stride, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < labels; ++k) {
      const std::size_t at = static_cast<std::size_t>(i) * stride + k;
      into[at] = std::exp(scores[at] - most);
    }
  shift += most;
  return true;
}

}  // namespace

std::optional<ChainWeights> ChainWeights::of(const Trellis& trellis) {
  const int labels = trellis.labels, stride = trellis.stride;
  const Transitions* between = trellis.transitions.get();
  if (trellis.reading || (between && between->matrices > 1)) return std::nullopt;
  const Doubles zeros(between ? stride : static_cast<std::size_t>(labels) * stride, 0.0);
  const auto scores_of = [&](const Doubles& boundary) { return boundary.empty() ? zeros.data() : boundary.data(); };
  ChainWeights weights;
  if (!exponentiate(between ? between->forward_at(0) : zeros.data(), labels, labels, stride, weights.steps, weights.step_shift) ||
      !exponentiate(scores_of(trellis.start), 1, labels, stride, weights.start, weights.boundary_shift) ||
      !exponentiate(scores_of(trellis.end), 1, labels, stride, weights.end, weights.boundary_shift))
    return std::nullopt;
  return weights;
}

}  // namespace lawful
