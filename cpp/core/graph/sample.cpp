#include "core/graph/sums.hpp"

namespace lawful {

std::vector<std::vector<int32_t>> Distribution::sample(const double* uniforms, std::size_t count, std::size_t width,
                                                       Budget& budget) const {
  std::vector<double> known(count > 1 ? graph_->arcs.size() : 0, -1.0);  // chances of arcs; negative: not yet
  std::vector<std::vector<int32_t>> samples;
  samples.reserve(count);
  for (std::size_t i = 0; i < count; ++i) samples.push_back(sample(uniforms + i * width, budget, count > 1 ? &known : nullptr));
  return samples;
}

std::vector<int32_t> Distribution::sample(const double* uniforms, Budget& budget, std::vector<double>* known) const {
  const Graph& g = *graph_;
  std::vector<int32_t> labels;
  int32_t state = 0;
  while (true) {
    double left = *uniforms++ - chance_of_ending(state);
    const int64_t begin = g.first[state], end = g.first[state + 1];
    budget.work(10 + 15 * (end - begin));
    if (left < 0 || begin == end) return labels;
    int64_t chosen = begin;
    double most = -1;
    for (int64_t i = begin; i < end; ++i) {
      double probability = known ? (*known)[i] : -1;
      if (probability < 0) {
        probability = chance(state, g.arcs[i]);
        if (known) (*known)[i] = probability;
      }
      left -= probability;
      if (left < 0) {
        chosen = i;
        break;
      }
      if (probability > most) {  // taken if rounding leaves a remainder after the last arc
        most = probability;
        chosen = i;
      }
    }
    labels.push_back(g.arcs[chosen].label);
    state = g.arcs[chosen].target;
  }
}

}  // namespace lawful
