// Draws from a trellis beside the probabilities that enumeration finds.
#include <cmath>
#include <map>
#include <vector>

#include "core/scores/chain_sampler.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

TEST(labellings_are_drawn_with_their_probabilities) {
  Random random(8);
  const int length = 3, labels = 3, draws = 40000;
  std::vector<double> emissions(length * labels), steps(labels * labels), start(labels), end(labels);
  for (auto* scores : {&emissions, &steps, &start, &end})
    for (double& score : *scores) score = random.score(false) / 4;
  emissions[4] = kForbidden;
  const auto trellis = Trellis::make(emissions.data(), length, labels, Transitions::make(steps.data(), 1, labels), start.data(),
                                     end.data(), nullptr);
  const auto sampler = ChainSampler::of(*trellis);
  CHECK(sampler.has_value());
  std::map<std::vector<int32_t>, int> times;
  std::vector<int32_t> path(length);
  std::vector<double> uniforms(length);
  for (int draw = 0; draw < draws; ++draw) {
    for (double& number : uniforms) number = random.below(1 << 30) * 0x1p-30;
    sampler->sample(uniforms.data(), path.data());
    ++times[path];
  }
  double all = 0;
  for (int code = 0; code < 27; ++code) {
    path = {code % 3, code / 3 % 3, code / 9};
    const double probability = std::exp(path_score(*trellis, path.data()) - sampler->log_partition());
    all += probability;
    CHECK(std::abs(times[path] - draws * probability) <= 5 * std::sqrt(draws * probability) + 1e-9);
  }
  CHECK(std::abs(all - 1) < 1e-12);
}

TEST(no_labelling_cannot_be_drawn) {
  const double emissions[] = {0, 0}, nowhere[] = {kForbidden, kForbidden};
  CHECK(!ChainSampler::of(*Trellis::make(emissions, 1, 2, nullptr, nowhere, nullptr, nullptr)));
}

}  // namespace
}  // namespace lawful
