#include "core/scores/label_probabilities.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/chain_sums.hpp"

namespace lawful {
namespace {

// exp of scores less the largest of them, with zeros in the padding; false if they spread too far.
bool exponentiate(const double* scores, int rows, int labels, int stride, Doubles& into) {
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
  return true;
}

}  // namespace

std::optional<std::vector<double>> label_probabilities(const Trellis& trellis) {
  const int length = trellis.length, labels = trellis.labels, stride = trellis.stride;
  const Transitions* steps = trellis.transitions.get();
  if (trellis.reading || (steps && steps->matrices > 1)) return std::nullopt;
  const Doubles matrix_of_zeros(steps ? 0 : static_cast<std::size_t>(labels) * stride, 0.0), zeros(stride, 0.0);
  const auto scores_of = [&](const Doubles& boundary) { return boundary.empty() ? zeros.data() : boundary.data(); };
  Doubles forward, backward, start, end;
  if (!exponentiate(steps ? steps->forward_at(0) : matrix_of_zeros.data(), labels, labels, stride, forward) ||
      !exponentiate(steps ? steps->backward_at(0) : matrix_of_zeros.data(), labels, labels, stride, backward) ||
      !exponentiate(scores_of(trellis.start), 1, labels, stride, start) ||
      !exponentiate(scores_of(trellis.end), 1, labels, stride, end))
    return std::nullopt;
  const std::size_t size = static_cast<std::size_t>(length) * stride;
  Doubles rows(size, 0.0), alpha(size), arrival(size), scales(length);
  for (int t = 0; t < length; ++t) std::copy_n(trellis.emission(t), labels, rows.data() + static_cast<std::size_t>(t) * stride);
  const Chain chain{length,     labels,       stride,         rows.data(),  forward.data(), backward.data(), start.data(),
                    end.data(), alpha.data(), arrival.data(), rows.data(), scales.data()};
  if (!std::isfinite(chain_kernels().forward_backward(chain))) return std::nullopt;
  std::vector<double> probabilities;
  probabilities.reserve(static_cast<std::size_t>(length) * labels);
  for (int t = 0; t < length; ++t) {
    const double* row = rows.data() + static_cast<std::size_t>(t) * stride;
    probabilities.insert(probabilities.end(), row, row + labels);
  }
  return probabilities;
}

}  // namespace lawful
