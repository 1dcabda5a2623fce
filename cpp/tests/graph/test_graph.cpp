// Graphs: trellises and others as acceptors, their products with parts, best paths, pruning.
#include <stdexcept>

#include "core/graph/graph.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

GraphPointer intersect_all(const Problem& problem, Enter enter = Enter::priced) {
  GraphPointer graph = graph_from_trellis(*problem.trellis);
  for (const BoundPart& bound : problem.parts) {
    const std::vector<uint16_t> zeros(problem.trellis->length, 0);
    const uint16_t* kinds = bound.kinds ? bound.kinds : zeros.data();
    graph = intersect(*graph, *bound.part, kinds, problem.trellis->length, enter, {}).graph;
  }
  return graph;
}

TEST(the_product_of_everything_has_the_best_path) {
  int feasible = 0;
  for (uint64_t seed = 0; seed < 800; ++seed) {
    Random random(seed);
    const auto problem = random_problem(random, random.between(1, 5), random.between(1, 3), random.between(0, 3));
    const double best = best_by_enumeration(*problem);
    const GraphPointer graph = intersect_all(*problem);
    const BestPath answer = best_path(*graph);
    CHECK(answer.cycle.empty());
    CHECK(close(answer.score, best));
    CHECK_EQUAL(graph->empty(), best == kForbidden);
    if (best == kForbidden) continue;
    ++feasible;
    CHECK(close(total_score(*problem, answer.labels.data()), best));
    CHECK_EQUAL(graph->length(), problem->trellis->length);
  }
  CHECK(feasible > 200);
}

TEST(what_is_obeyed_is_never_paid_for) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto machine = random_machine(random, 3, 1, Memory::any);
    const auto trellis = random_trellis(random, 4, 3, random_options(random));
    const auto soft = make_part(machine, random.chance(0.5) ? Mode::once : Mode::counted, 2.5);
    const auto hard = make_part(machine, Mode::hard, 0);
    const GraphPointer graph = graph_from_trellis(*trellis);
    const BestPath obeyed = best_path(*intersect(*graph, *soft, nullptr, 0, Enter::obeyed, {}).graph);
    const BestPath legal = best_path(*intersect(*graph, *hard, nullptr, 0, Enter::priced, {}).graph);
    CHECK(close(obeyed.score, legal.score));
  }
}

TEST(pruning_keeps_what_reaches_the_threshold) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto problem = random_problem(random, random.between(1, 5), 3, 1);
    const GraphPointer graph = intersect_all(*problem);
    if (graph->empty()) continue;
    const double best = best_path(*graph).score;
    const GraphPointer smaller = prune(*graph, best - 1.0);
    CHECK(smaller->arcs.size() <= graph->arcs.size());
    CHECK(close(best_path(*smaller).score, best));
    CHECK(prune(*graph, best + 1.0)->empty());
  }
}

TEST(limits_stop_an_intersection) {
  Random random(3);
  const auto trellis = random_trellis(random, 50, 4, {});
  const GraphPointer graph = graph_from_trellis(*trellis);
  const auto part = make_part(random_machine(random, 4, 1, Memory::any), Mode::counted, 1.0);
  const auto run = [&](const Limits& limits) { return intersect(*graph, *part, nullptr, 0, Enter::priced, limits); };
  CHECK(run({}).graph);
  CHECK(run({.max_states = 3}).limit == LimitHit::states);
  CHECK(run({.max_memory = 1}).limit == LimitHit::memory);
  CHECK(run({.timeout = 0.0}).limit == LimitHit::time);
  CHECK(!run({.max_states = 3}).graph);
}

TEST(a_cycle_that_gains_is_told) {
  // 0 -> 1 -> 0 gains 1; 1 -> 2 ends.
  const auto cyclic = [](double weight) {
    return graph_from_arcs(1, 0, {0, 1, 1}, {{1, 0, 2.0}, {0, 0, weight}, {2, 0, 0.0}}, {kForbidden, kForbidden, 0.0},
                           {10, 11, 12});
  };
  const BestPath gaining = best_path(*cyclic(-1.0));
  CHECK_EQUAL(gaining.cycle.size(), 2u);
  CHECK_EQUAL(gaining.gain, 1.0);
  for (const int64_t state : gaining.cycle) CHECK(state == 10 || state == 11);
  const BestPath losing = best_path(*cyclic(-3.0));
  CHECK(losing.cycle.empty());
  CHECK_EQUAL(losing.score, 2.0);
  CHECK(!cyclic(-3.0)->acyclic);
}

TEST(dead_ends_are_dropped_or_kept) {
  // 0 -a-> 1 ends; 0 -a-> 2 leads nowhere; 3 is not reached.
  const auto graph =
      graph_from_arcs(1, 0, {0, 0, 3}, {{1, 0, 0.0}, {2, 0, 5.0}, {1, 0, 9.0}}, {kForbidden, 0.0, kForbidden, 0.0}, {0, 1, 2, 3});
  CHECK_EQUAL(graph->states(), 2);
  CHECK_EQUAL(graph->arcs.size(), 1u);
  CHECK_EQUAL(graph->length(), 1);
  const double emissions[] = {0, 0, kForbidden, kForbidden, 0, 0};
  const auto trellis = Trellis::make(emissions, 3, 2, nullptr, nullptr, nullptr, nullptr);
  CHECK(graph_from_trellis(*trellis)->empty());
  CHECK_EQUAL(graph_from_trellis(*trellis, DeadEnds::keep)->furthest(), 1);
}

TEST(a_part_that_looks_at_tokens_needs_positions) {
  // Two paths of different lengths meet in state 1.
  const auto graph =
      graph_from_arcs(1, 0, {0, 0, 1}, {{1, 0, 0.0}, {1, kEpsilon, 0.0}, {2, 0, 0.0}}, {kForbidden, kForbidden, 0.0}, {0, 1, 2});
  Random random(2);
  const auto part = make_part(random_machine(random, 1, 2, Memory::any), Mode::counted, 1.0);
  const uint16_t kinds[] = {0, 1};
  bool refused = false;
  try {
    intersect(*graph, *part, kinds, 2, Enter::priced, {});
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

}  // namespace
}  // namespace lawful
