// Sums over all paths of an acyclic graph, and the distribution in which a path weighs exp(score).
#pragma once

#include <stdexcept>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/semiring.hpp"

namespace lawful {

// The one dynamic program: for each state, the sum over all paths from there to an end.
template <typename Semiring>
std::vector<typename Semiring::Value> sum_completions(const Graph& graph, Budget& budget) {
  if (!graph.acyclic) throw std::invalid_argument("the graph has a cycle");
  std::vector<typename Semiring::Value> sums(graph.states());
  std::size_t bytes = sums.capacity() * sizeof(typename Semiring::Value);
  for (int32_t s = graph.states() - 1; s >= 0; --s) {
    typename Semiring::Sum sum;
    if (graph.final[s] > kForbidden) sum.add(Semiring::ending(graph.final[s]));
    for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {
      const Arc& arc = graph.arcs[i];
      sum.add(Semiring::through(arc.weight, sums[arc.target]));
    }
    sums[s] = sum.value();
    bytes += Semiring::bytes(sums[s]);
    budget.work((graph.first[s + 1] - graph.first[s] + 1) * Semiring::units(sums[s]));
    budget.hold(bytes);
  }
  return sums;
}

// How many paths there are.
Natural count_paths(const Graph& graph, const Limits& limits = {});

// Whether no two paths spell the same labels because no state leaves a choice.
bool is_deterministic(const Graph& graph);

// Whether each state knows how many labels were read before it.
bool has_positions(const Graph& graph);

// The same paths, in a graph whose states know their positions.
Product with_positions(const Graph& graph, const Limits& limits);

// Probabilities of label sequences. Each step is normalised by itself: an arc is taken with probability
// exp(weight + after[target] - after[source]), so that nothing overflows, however long the paths are.
class Distribution {
 public:
  // The graph must be acyclic, deterministic, have positions, and at least one path.
  explicit Distribution(GraphPointer graph, const Limits& limits = {});

  double log_partition() const { return after_[0]; }
  int length() const { return length_; }  // of the longest path
  int labels() const { return graph_->labels; }

  std::vector<double> label_marginals() const;  // (length, K); a row sums to the probability of having that position

  // The probability that the label at start + i is one of those set in choices[i], for all i < count. With `may_end`
  // it also counts if the sequence ends just before the last of these positions.
  double window(int start, const uint8_t* choices, int count, bool may_end) const;

  double log_probability(const int32_t* labels, int count) const;

  // A random path; takes at most length() + 1 numbers in [0, 1).
  std::vector<int32_t> sample(const double* uniforms, Budget& budget) const { return sample(uniforms, budget, nullptr); }

  // Many of them, in blocks of `width` numbers. What is worked out for one is kept for the next: they come by the same states.
  std::vector<std::vector<int32_t>> sample(const double* uniforms, std::size_t count, std::size_t width, Budget& budget) const;

 private:
  std::vector<int32_t> sample(const double* uniforms, Budget& budget, std::vector<double>* known) const;
  double chance(int32_t source, const Arc& arc) const;
  double chance_of_ending(int32_t state) const;

  GraphPointer graph_;
  int length_ = 0;
  std::vector<double> after_;          // (states): log-sums over completions
  std::vector<double> passing_;        // (states): the probability of coming by
  std::vector<int32_t> level_first_;   // (length + 2): where the states of each position start in level_states_
  std::vector<int32_t> level_states_;  // (states)
  std::vector<int32_t> index_in_level_;  // (states): the index of a state among those of its position
};

}  // namespace lawful
