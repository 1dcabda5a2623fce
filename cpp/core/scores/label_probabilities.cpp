#include "core/scores/label_probabilities.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/chain_sums.hpp"
#include "core/scores/chain_weights.hpp"

namespace lawful {

std::optional<std::vector<double>> label_probabilities(const Trellis& trellis) {
  const auto weights = ChainWeights::of(trellis);
  if (!weights) return std::nullopt;
  const int length = trellis.length, labels = trellis.labels, stride = trellis.stride;
  Doubles backward(weights->steps.size(), 0.0);
  for (int i = 0; i < labels; ++i)
    for (int j = 0; j < labels; ++j) backward[j * stride + i] = weights->steps[i * stride + j];
  const std::size_t size = static_cast<std::size_t>(length) * stride;
  Doubles rows(size, 0.0), alpha(size), arrival(size), scales(length);
  for (int t = 0; t < length; ++t) std::copy_n(trellis.emission(t), labels, rows.data() + static_cast<std::size_t>(t) * stride);
  const Chain chain{length,
                    labels,
                    stride,
                    rows.data(),
                    weights->steps.data(),
                    backward.data(),
                    weights->start.data(),
                    weights->end.data(),
                    alpha.data(),
                    arrival.data(),
                    rows.data(),
                    scales.data()};
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
