// The search over single states against enumeration, dynamic programming and the search over rows.
#include "core/engine/engine.hpp"
#include "core/engine/packed_states.hpp"
#include "core/rules/count.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

constexpr SearchWay kWays[] = {SearchWay::rows, SearchWay::states, SearchWay::states_without_dominance};

struct Decoded {
  Engine::Answer answer;
  std::vector<int32_t> labels;
};

Decoded decode(Engine& engine, const Problem& problem, const Limits& limits) {
  Decoded decoded{{}, std::vector<int32_t>(problem.trellis->length, -1)};
  std::vector<int64_t> violations(problem.parts.size());
  engine.rounds.clear();
  engine.entered.clear();
  if (engine.bytes() > static_cast<std::size_t>(limits.max_memory) / 2) engine = Engine();
  Budget budget(limits);
  decoded.answer = engine.decode(problem, limits, budget, decoded.labels.data(), violations.data());
  return decoded;
}

void check_ways(Engine& engine, const Problem& problem, double best) {
  for (const SearchWay way : kWays) {
    Limits limits;
    limits.way = way;
    const Decoded decoded = decode(engine, problem, limits);
    CHECK(decoded.answer.status == (best == kForbidden ? Status::infeasible : Status::optimal));
    CHECK(best == decoded.answer.score || close(decoded.answer.score, best));
    if (best > kForbidden) CHECK(close(total_score(problem, decoded.labels.data()), best));
  }
}

TEST(rows_and_states_agree_with_enumeration) {
  Engine engine;  // one for all: what is left of a problem must not disturb the next
  int infeasible = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed + 20000);
    const int labels = random.between(1, 4), length = random.between(1, labels == 4 ? 5 : 6);
    const auto problem = random_problem(random, length, labels, random.between(1, 6));
    const double best = best_by_enumeration(*problem);
    infeasible += best == kForbidden;
    check_ways(engine, *problem, best);
  }
  CHECK(infeasible > 300);
}

TEST(rows_and_states_agree_on_longer_problems) {
  Engine engine;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed + 3000);
    const auto problem = seed % 4 ? random_problem(random, random.between(10, 30), random.between(2, 4), random.between(2, 4))
                                  : counting_problem(random, random.between(10, 16), 4);
    check_ways(engine, *problem, best_by_dynamic_programming(*problem));
  }
}

// At a limit the best path so far is legal, and the bound holds; without a limit the cap hands over to rows.
TEST(states_keep_limits) {
  Engine engine;
  int bounded = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed + 7000);
    const auto problem = random_problem(random, random.between(6, 25), 3, 4);
    const double best = best_by_dynamic_programming(*problem);
    for (int which = 0; which < 3; ++which) {
      Limits limits;
      limits.way = SearchWay::states;
      limits.bounded = true;
      if (which == 0) limits.max_states = random.between(1, 60);
      if (which == 1) limits.max_memory = random.between(1, 40000);
      if (which == 2) limits.timeout = random.chance(0.5) ? 1e-9 : 2e-5;
      const Decoded decoded = decode(engine, *problem, limits);
      if (decoded.answer.status == Status::infeasible) CHECK_EQUAL(best, kForbidden);
      if (decoded.answer.status == Status::optimal) CHECK(close(decoded.answer.score, best));
      if (decoded.answer.status != Status::bounded) continue;
      ++bounded;
      CHECK(decoded.answer.bound >= best - 1e-9);
      if (decoded.answer.score > kForbidden) CHECK(close(total_score(*problem, decoded.labels.data()), decoded.answer.score));
    }
  }
  CHECK(bounded > 30);
}

// What a machine pays for some random futures, from one state and from another: never more apart than `arrears` says.
TEST(arrears_hold_for_every_future) {
  int known = 0, finite = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto mode = static_cast<Mode>(random.below(3));
    const auto part = make_part(random_machine(random, 3, 1, Memory::any), mode, 1.5);
    if (part->arrears.empty()) continue;
    ++known;
    for (int a = 0; a < part->states; ++a)
      for (int b = 0; b < part->states; ++b) {
        const double most = part->arrears[a * part->states + b];
        CHECK(most >= 0);
        finite += a != b && most < -kForbidden;
        for (int tries = 0; tries < 20; ++tries) {
          int32_t mine = a, other = b;
          double more = 0;
          bool dead = false, other_dead = false;
          for (int t = random.below(12); t > 0 && !dead && !other_dead; --t) {
            const int c = random.below(part->classes), at = mine * part->classes + c, from = other * part->classes + c;
            dead = part->delta[at] == kDead;
            other_dead = part->delta[from] == kDead;
            more += part->cost[at] - part->cost[from];
            mine = part->delta[at];
            other = part->delta[from];
          }
          if (other_dead) continue;  // a future that the other does not have asks nothing
          if (!dead && part->final_cost[other] == -kForbidden) continue;
          if (!dead) more += part->final_cost[mine] - part->final_cost[other];
          CHECK((dead ? -kForbidden : more) <= most + 1e-9);
        }
      }
  }
  CHECK(known > 100 && finite > 300);
}

}  // namespace
}  // namespace lawful
