#include "core/scores/chain_sampler.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/chain_sums.hpp"

namespace lawful {

std::optional<ChainSampler> ChainSampler::of(const Trellis& trellis) {
  auto weights = ChainWeights::of(trellis);
  if (!weights) return std::nullopt;
  ChainSampler sampler;
  sampler.length_ = trellis.length;
  sampler.labels_ = trellis.labels;
  sampler.stride_ = trellis.stride;
  sampler.weights_ = std::move(*weights);
  const int labels = trellis.labels;
  const std::size_t stride = trellis.stride;
  sampler.onward_.assign(trellis.length * stride, 0.0);
  const double* after = sampler.weights_.end.data();  // what follows each label
  Doubles following(stride, 0.0);
  double logs = sampler.weights_.boundary_shift + (trellis.length - 1) * sampler.weights_.step_shift;
  for (int t = trellis.length - 1; t >= 0; --t) {
    const double* emission = trellis.emission(t);
    const double most = *std::max_element(emission, emission + labels);
    double* here = sampler.onward_.data() + t * stride;
    double largest = 0;
    for (int k = 0; k < labels; ++k) {
      if (emission[k] != kForbidden && most - emission[k] >= kWidestSpread) return std::nullopt;
      largest = std::max(largest, here[k] = std::exp(emission[k] - most) * after[k]);
    }
    if (!(largest > 0)) return std::nullopt;  // every way died out
    for (int k = 0; k < labels; ++k) here[k] /= largest;
    logs += most + std::log(largest);
    if (t == 0) break;
    for (int i = 0; i < labels; ++i) {
      const double* steps = sampler.weights_.steps.data() + i * stride;
      double sum = 0;
      for (int j = 0; j < labels; ++j) sum += steps[j] * here[j];
      following[i] = sum;
    }
    after = following.data();
  }
  double all = 0;
  for (int k = 0; k < labels; ++k) all += sampler.weights_.start[k] * sampler.onward_[k];
  if (!(all > 0)) return std::nullopt;
  sampler.log_partition_ = logs + std::log(all);
  return sampler;
}

void ChainSampler::sample(const double* uniforms, int32_t* labels) const {
  const double* steps = weights_.start.data();
  for (int t = 0; t < length_; ++t) {
    const double* onward = onward_.data() + static_cast<std::size_t>(t) * stride_;
    double all = 0, most = -1;
    for (int k = 0; k < labels_; ++k) all += steps[k] * onward[k];
    double left = uniforms[t] * all;
    int32_t chosen = 0;
    for (int32_t k = 0; k < labels_; ++k) {
      const double weight = steps[k] * onward[k];
      left -= weight;
      if (left < 0) {
        chosen = k;
        break;
      }
      if (weight > most) {  // taken if rounding leaves a remainder after the last label
        most = weight;
        chosen = k;
      }
    }
    labels[t] = chosen;
    steps = weights_.steps.data() + static_cast<std::size_t>(chosen) * stride_;
  }
}

}  // namespace lawful
