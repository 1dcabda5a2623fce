// The engine against the enumeration of every labelling.
#include <algorithm>

#include "core/engine/engine.hpp"
#include "core/rules/count.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

struct Decoded {
  Engine::Answer answer;
  std::vector<int32_t> labels;
  std::vector<int64_t> violations;
};

Decoded decode(Engine& engine, const Problem& problem, const Limits& limits = {}) {
  Decoded decoded{{}, std::vector<int32_t>(problem.trellis->length, -1), std::vector<int64_t>(problem.parts.size(), -1)};
  engine.rounds.clear();
  engine.entered.clear();
  if (engine.bytes() > static_cast<std::size_t>(limits.max_memory) / 2) engine = Engine();  // as the pool does
  Budget budget(limits);
  decoded.answer = engine.decode(problem, limits, budget, decoded.labels.data(), decoded.violations.data());
  return decoded;
}

void check_answer(const Problem& problem, const Decoded& decoded, double best) {
  if (best == kForbidden) {
    CHECK(decoded.answer.status == Status::infeasible);
    CHECK_EQUAL(decoded.answer.score, kForbidden);
    return;
  }
  CHECK(decoded.answer.status == Status::optimal);
  CHECK(close(decoded.answer.score, best));
  CHECK_EQUAL(decoded.answer.bound, decoded.answer.score);
  CHECK(close(total_score(problem, decoded.labels.data()), decoded.answer.score));
  for (std::size_t p = 0; p < problem.parts.size(); ++p)
    CHECK_EQUAL(decoded.violations[p],
                count_violations(*problem.parts[p].part, problem.parts[p].kinds, decoded.labels.data(), problem.trellis->length));
}

TEST(small_problems_are_solved_exactly) {
  Engine engine;  // one for all: what is left of a problem must not disturb the next
  int feasible = 0, infeasible = 0, searched = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const int labels = random.between(1, 4), length = random.between(1, labels == 4 ? 5 : 6);
    const auto problem = random_problem(random, length, labels, random.between(0, 4));
    const double best = best_by_enumeration(*problem);
    const Decoded decoded = decode(engine, *problem);
    check_answer(*problem, decoded, best);
    ++(best == kForbidden ? infeasible : feasible);
    searched += decoded.answer.rounds > 1;
  }
  CHECK(feasible > 1500 && infeasible > 300 && searched > 500);
}

TEST(many_labels_are_solved_exactly) {
  Engine engine;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 77);
    const int labels = random.between(60, 140);  // more than one word of bits
    const auto problem = random_problem(random, 2, labels, random.between(1, 3));
    check_answer(*problem, decode(engine, *problem), best_by_enumeration(*problem));
  }
}

TEST(rounds_tell_what_entered) {
  Engine engine;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto problem = random_problem(random, 5, 3, 4);
    const Decoded decoded = decode(engine, *problem);
    CHECK_EQUAL(static_cast<int>(engine.rounds.size()), decoded.answer.rounds);
    CHECK_EQUAL(engine.rounds.front().entered, 0);
    std::vector<char> seen(problem->parts.size(), 0);
    for (std::size_t r = 1; r < engine.rounds.size(); ++r) {
      const Round &round = engine.rounds[r], &before = engine.rounds[r - 1];
      CHECK(round.entered > 0);
      CHECK(round.score <= before.score + 1e-9);
      for (int32_t e = 0; e < round.entered; ++e) {
        char& entered = seen[engine.entered[round.first_entered + e]];
        CHECK(!entered);
        entered = 1;
      }
    }
  }
}

TEST(longer_problems_are_solved_exactly) {
  Engine engine;
  int tightened = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 999);
    const auto problem = random_problem(random, random.between(20, 45), random.between(2, 4), random.between(2, 4));
    const Decoded decoded = decode(engine, *problem);
    check_answer(*problem, decoded, best_by_dynamic_programming(*problem));
    tightened += decoded.answer.rounds > 1 && decoded.answer.repaired;
  }
  CHECK(tightened > 0);
}

// Counts that the plain answer misses by far: the search grows until potentials are moved.
TEST(counting_problems_are_solved_exactly) {
  Engine engine;
  int many_states = 0;
  for (uint64_t seed = 0; seed < 25; ++seed) {
    Random random(seed + 31);
    const auto problem = counting_problem(random, random.between(25, 40), 4);
    const Decoded decoded = decode(engine, *problem);
    check_answer(*problem, decoded, best_by_dynamic_programming(*problem));
    many_states += decoded.answer.states > 3000;
  }
  CHECK(many_states > 5);
}

TEST(a_bound_is_never_below_the_best) {
  Engine engine;
  int bounded = 0, limited = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed + 5000);
    const auto problem =
        seed % 3 ? random_problem(random, random.between(4, 30), 3, 3) : counting_problem(random, random.between(12, 25), 4);
    const double best = best_by_dynamic_programming(*problem);
    for (int which = 0; which < 3; ++which) {
      Limits limits;
      if (which == 0) limits.max_states = random.chance(0.5) ? random.between(1, 200) : random.between(200, 3000);
      if (which == 1) limits.max_memory = random.chance(0.5) ? random.between(1, 20000) : random.between(20000, 200000);
      if (which == 2) limits.timeout = random.chance(0.5) ? 1e-9 : 2e-5;
      limited += decode(engine, *problem, limits).answer.status == Status::limited;
      limits.bounded = true;
      const Decoded decoded = decode(engine, *problem, limits);
      if (decoded.answer.status != Status::bounded) {
        check_answer(*problem, decoded, best);
        continue;
      }
      ++bounded;
      CHECK(decoded.answer.limit == (which == 0 ? LimitHit::states : which == 1 ? LimitHit::memory : LimitHit::time));
      CHECK(decoded.answer.bound >= best - 1e-9);
      CHECK(decoded.answer.score <= best + 1e-9);
      if (decoded.answer.score > kForbidden) CHECK(close(total_score(*problem, decoded.labels.data()), decoded.answer.score));
    }
  }
  CHECK(bounded > 30 && limited > 30);
}

// All that is kept beside the scores makes the sequences shorter whose memory an engine may keep between two calls.
TEST(a_plain_pass_keeps_little_more_than_completion_scores) {
  Random random(5);
  const int length = 4000, labels = 13;
  const auto problem = Problem::make(random_trellis(random, length, labels, {}), PartSet::make({}), std::make_shared<Binding>(0));
  Engine engine;
  CHECK(decode(engine, *problem).answer.status == Status::optimal);
  const std::size_t scores = static_cast<std::size_t>(length) * padded(labels) * sizeof(double);
  const std::size_t what_to_read = length * (sizeof(double*) + sizeof(Step));
  CHECK(engine.bytes() >= scores);
  CHECK(engine.bytes() <= scores + what_to_read + 4096);
}

TEST(a_part_whose_machines_disagree_is_found_out) {
  Machine machine;
  machine.labels = 2;
  machine.classes = 2;
  machine.states = 1;
  machine.table = {0, 1};
  machine.delta = machine.violations = {0, 0};
  machine.final = {0};
  Part odd = *make_part(machine, Mode::hard, 0);
  odd.count_violations = {0, 1};
  odd.count_alone = {0, 1};
  odd.stirring = 0b10;
  const double emissions[] = {0, 1};
  const auto problem = Problem::make(Trellis::make(emissions, 1, 2, nullptr, nullptr, nullptr, nullptr),
                                     PartSet::make({std::make_shared<const Part>(odd)}), std::make_shared<Binding>(1));
  Engine engine;
  CHECK(decode(engine, *problem).answer.status == Status::disagreement);
}

}  // namespace
}  // namespace lawful
