// Sums over all paths, n-best sequences, samples, and deterministic views of graphs that are not.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/graph/determinize.hpp"
#include "core/graph/nbest.hpp"
#include "core/graph/sums.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

using Labels = std::vector<int32_t>;

// Every label sequence with the score of its best path.
void spell(const Graph& graph, int32_t state, Labels& labels, double score, std::map<Labels, double>& sequences) {
  if (graph.final[state] > kForbidden) {
    const auto [known, fresh] = sequences.try_emplace(labels, score + graph.final[state]);
    if (!fresh) known->second = std::max(known->second, score + graph.final[state]);
  }
  for (auto i = graph.first[state]; i < graph.first[state + 1]; ++i) {
    const Arc& arc = graph.arcs[i];
    if (arc.label != kEpsilon) labels.push_back(arc.label);
    spell(graph, arc.target, labels, score + arc.weight, sequences);
    if (arc.label != kEpsilon) labels.pop_back();
  }
}

std::map<Labels, double> spelled(const Graph& graph) {
  std::map<Labels, double> sequences;
  Labels labels;
  if (!graph.empty()) spell(graph, 0, labels, 0, sequences);
  return sequences;
}

// Acyclic, with epsilons, equal labels side by side, and states that are reached after different numbers of labels.
GraphPointer random_graph(Random& random) {
  const int states = random.between(2, 7), labels = random.between(1, 3);
  const bool whole = random.chance(0.5);
  std::vector<int32_t> sources;
  std::vector<Arc> arcs;
  for (int i = random.between(states, 4 * states); i > 0; --i) {
    const int source = random.below(states - 1);
    sources.push_back(source);
    arcs.push_back({random.between(source + 1, states - 1), random.between(kEpsilon, labels - 1), random.score(whole)});
  }
  std::vector<double> final(states, kForbidden);
  for (double& weight : final)
    if (random.chance(0.4)) weight = random.score(whole);
  std::vector<int64_t> origin(states);
  std::iota(origin.begin(), origin.end(), 0);
  return graph_from_arcs(labels, 0, sources, arcs, final, origin);
}

TEST(the_best_sequences_come_in_order_and_once) {
  int several = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const GraphPointer graph = random_graph(random);
    std::map<Labels, double> left = spelled(*graph);
    several += left.size() > 3;
    double last = -kForbidden;
    BestSequences best(graph);
    while (const auto sequence = best.next()) {
      CHECK(left.contains(sequence->labels));
      CHECK(close(left[sequence->labels], sequence->score));
      CHECK(sequence->score <= last + 1e-9);
      last = sequence->score;
      left.erase(sequence->labels);
    }
    CHECK(left.empty());
  }
  CHECK(several > 300);
}

TEST(a_deterministic_view_spells_the_same) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const GraphPointer graph = random_graph(random);
    const auto expected = spelled(*graph);
    const GraphPointer one_path_each = determinize(*graph, Weights::kept, {}).graph;
    CHECK(is_deterministic(*one_path_each));
    const auto sequences = spelled(*one_path_each);
    CHECK(std::equal(sequences.begin(), sequences.end(), expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first == b.first && close(a.second, b.second); }));
    const Natural count = count_paths(*determinize(*graph, Weights::ignored, {}).graph);
    CHECK_EQUAL(count.limbs.empty() ? 0u : count.limbs[0], expected.size());
  }
}

TEST(a_distribution_is_that_of_the_scores) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const GraphPointer graph = determinize(*random_graph(random), Weights::kept, {}).graph;
    if (graph->empty()) continue;
    const Distribution distribution(with_positions(*graph, {}).graph);
    double total = 0, sum = 0;
    for (const auto& [labels, score] : spelled(*graph)) total += std::exp(score);
    CHECK(close(distribution.log_partition(), std::log(total)));
    std::vector<double> table(static_cast<std::size_t>(distribution.length()) * graph->labels, 0);
    for (const auto& [labels, score] : spelled(*graph)) {
      const double chance = std::exp(distribution.log_probability(labels.data(), static_cast<int>(labels.size())));
      CHECK(close(chance, std::exp(score) / total));
      for (std::size_t t = 0; t < labels.size(); ++t) table[t * graph->labels + labels[t]] += chance;
      sum += chance;
    }
    CHECK(close(sum, 1));
    const std::vector<double> marginals = distribution.label_marginals();
    CHECK(std::equal(marginals.begin(), marginals.end(), table.begin(), table.end(), close));
    const std::vector<uint8_t> anything(static_cast<std::size_t>(distribution.length() + 1) * graph->labels, 1);
    CHECK(close(distribution.window(0, anything.data(), 0, false), 1));
    CHECK_EQUAL(distribution.window(0, anything.data(), distribution.length() + 1, false), 0.0);
  }
}

TEST(samples_are_legal_whatever_the_numbers) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const GraphPointer graph = determinize(*random_graph(random), Weights::kept, {}).graph;
    if (graph->empty()) continue;
    const Distribution distribution(with_positions(*graph, {}).graph);
    Budget budget{Limits()};
    const auto legal = spelled(*graph);
    for (const double number : {0.0, 0.3, 0.5, 0.999999, std::nextafter(1.0, 0.0)})
      CHECK(legal.contains(distribution.sample(std::vector<double>(distribution.length() + 1, number).data(), budget)));
  }
}

TEST(counts_grow_past_one_limb) {
  Natural two_to_the_128(1);
  for (int i = 0; i < 128; ++i) {
    const Natural copy = two_to_the_128;
    two_to_the_128 += copy;
  }
  CHECK_EQUAL(two_to_the_128.limbs.size(), 3u);
  CHECK_EQUAL(two_to_the_128.limbs[2], 1u);
  Natural full(~uint64_t{0});
  full += Natural(1);
  CHECK(full.limbs == std::vector<uint64_t>({0, 1}));
  full += Natural();
  CHECK(full.limbs == std::vector<uint64_t>({0, 1}));
  Natural carried;
  carried.limbs = {~uint64_t{0}, ~uint64_t{0}};
  const Natural same = carried;
  carried += same;
  CHECK(carried.limbs == std::vector<uint64_t>({~uint64_t{1}, ~uint64_t{0}, 1}));
}

TEST(log_sums_neither_overflow_nor_mind_order) {
  LogSum::Sum sum;
  CHECK_EQUAL(sum.value(), kForbidden);
  for (const double term : {kForbidden, -2000.0, 1000.0, -2000.0, 1000.0, kForbidden}) sum.add(term);
  CHECK(close(sum.value(), 1000.0 + std::log(2.0)));
}

TEST(what_sums_cannot_take_is_refused) {
  const auto refuses = [](auto&& work) {
    try {
      work();
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  const auto loop = graph_from_arcs(1, 0, {0, 0}, {{0, 0, -1.0}, {1, 0, 0.0}}, {kForbidden, 0.0}, {0, 1});
  const auto twice = graph_from_arcs(1, 0, {0, 0}, {{1, 0, -1.0}, {1, 0, 0.0}}, {kForbidden, 0.0}, {0, 1});
  const auto nothing = graph_from_arcs(1, 0, {}, {}, {kForbidden}, {0});
  CHECK(refuses([&] {
    Budget budget{Limits()};
    sum_completions<LogSum>(*loop, budget);
  }));
  CHECK(refuses([&] { BestSequences best(loop); }));
  CHECK(refuses([&] { determinize(*loop, Weights::kept, {}); }));
  CHECK(refuses([&] { Distribution distribution(twice); }));
  CHECK(refuses([&] { Distribution distribution(nothing); }));
  CHECK(!BestSequences(nothing).next());
  CHECK(determinize(*twice, Weights::kept, {.max_states = 1}).limit == LimitHit::states);
}

}  // namespace
}  // namespace lawful
