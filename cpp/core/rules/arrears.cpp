#include "core/rules/arrears.hpp"

#include <algorithm>

namespace lawful {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kMostWork = 200'000;  // steps compared; a fraction of a millisecond

// How much more `a` is; a charge that is infinite for `b` too asks nothing of `a`.
double more(double a, double b) {
  if (b == kInfinity) return -kInfinity;
  return a == kInfinity ? kInfinity : a - b;
}

}  // namespace

// Value iteration over pairs of states, from below: after n rounds it holds what futures of up to n tokens can cost more.
// What still grows after enough rounds to come round every cycle is taken to grow for ever. All prices of a part are
// multiples of one, so that rounding cannot hide a difference here.
void find_arrears(Part& part) {
  const int states = part.states, classes = part.classes, rounds = 2 * states + 8;
  if (static_cast<int64_t>(states) * states * classes * rounds > kMostWork) return;
  std::vector<double> worst(static_cast<std::size_t>(states) * states);
  for (int a = 0; a < states; ++a)
    for (int b = 0; b < states; ++b) worst[a * states + b] = more(part.final_cost[a], part.final_cost[b]);
  auto step = [&](int a, int b, int c) {
    const int from_a = a * classes + c, from_b = b * classes + c;
    if (part.delta[from_b] == kDead) return -kInfinity;
    if (part.delta[from_a] == kDead) return kInfinity;
    const double then = worst[part.delta[from_a] * states + part.delta[from_b]];
    return then == -kInfinity ? then : part.cost[from_a] - part.cost[from_b] + then;
  };
  bool grows = true;
  for (int round = 0; grows; ++round) {
    grows = false;
    for (int a = 0; a < states; ++a)
      for (int b = 0; b < states; ++b) {
        double& known = worst[a * states + b];
        for (int c = 0; c < classes && known < kInfinity && a != b; ++c) {
          const double now = step(a, b, c);
          if (now <= known) continue;
          known = round < rounds ? now : kInfinity;
          grows = true;
        }
      }
  }
  for (double& value : worst) value = std::max(value, 0.0);
  for (int s = 0; s < states; ++s) worst[s * states + s] = 0;
  part.arrears = std::move(worst);
}

}  // namespace lawful
