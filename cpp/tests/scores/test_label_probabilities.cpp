// Label probabilities beside those that enumeration finds.
#include <cmath>
#include <vector>

#include "core/scores/label_probabilities.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

// What each label's paths weigh at each position, by looking at every labelling.
std::vector<double> by_enumeration(const Trellis& trellis) {
  std::vector<double> weights(static_cast<std::size_t>(trellis.length) * trellis.labels);
  double all = 0;
  std::vector<int32_t> path(trellis.length);
  while (true) {
    const double weight = std::exp(path_score(trellis, path.data()));
    all += weight;
    for (int t = 0; t < trellis.length; ++t) weights[static_cast<std::size_t>(t) * trellis.labels + path[t]] += weight;
    int t = 0;
    while (t < trellis.length && ++path[t] == trellis.labels) path[t++] = 0;
    if (t == trellis.length) break;
  }
  for (double& weight : weights) weight /= all;
  return weights;
}

TEST(label_probabilities_are_those_of_enumeration) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const int length = random.between(1, 5), labels = random.between(1, 4);
    std::vector<double> emissions(length * labels), steps(labels * labels), start(labels), end(labels);
    for (auto* scores : {&emissions, &steps, &start, &end})
      for (double& score : *scores) score = random.score(false);
    if (labels > 1) emissions[0] = kForbidden;
    const auto between = random.chance(0.8) ? Transitions::make(steps.data(), 1, labels) : nullptr;
    const bool bounded = random.chance(0.5);
    const auto trellis = Trellis::make(emissions.data(), length, labels, between, bounded ? start.data() : nullptr,
                                       bounded ? end.data() : nullptr, nullptr);
    const auto found = label_probabilities(*trellis);
    if (!found) continue;
    const std::vector<double> wanted = by_enumeration(*trellis);
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(std::abs((*found)[i] - wanted[i]) < 1e-12);
  }
}

TEST(what_scaled_sums_cannot_do_is_left_to_others) {
  const double emissions[] = {0, 0, 0, 0, 0, 0}, wide[] = {0, -1000, 0, 0}, steps[8] = {}, nowhere[] = {kForbidden, kForbidden};
  CHECK(label_probabilities(*Trellis::make(emissions, 3, 2, nullptr, nullptr, nullptr, nullptr)).has_value());
  CHECK(!label_probabilities(*Trellis::make(emissions, 3, 2, Transitions::make(wide, 1, 2), nullptr, nullptr, nullptr)));
  CHECK(!label_probabilities(*Trellis::make(emissions, 3, 2, Transitions::make(steps, 2, 2), nullptr, nullptr, nullptr)));
  CHECK(!label_probabilities(*Trellis::make(emissions, 3, 2, nullptr, nowhere, nullptr, nullptr)));
}

}  // namespace
}  // namespace lawful
