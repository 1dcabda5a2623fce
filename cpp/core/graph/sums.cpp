#include "core/graph/sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lawful {

Natural count_paths(const Graph& graph, const Limits& limits) {
  if (graph.empty()) return Natural();
  Budget budget(limits);
  budget.set_aside(graph.bytes());
  return std::move(sum_completions<Counting>(graph, budget).front());
}

bool is_deterministic(const Graph& graph) {
  for (int32_t s = 0; s < graph.states(); ++s) {
    int32_t before = kEpsilon;
    for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {  // arcs come in label order
      if (graph.arcs[i].label <= before) return false;
      before = graph.arcs[i].label;
    }
  }
  return true;
}

bool has_positions(const Graph& graph) {
  return std::find(graph.position.begin(), graph.position.end(), kAmbiguous) == graph.position.end();
}

Product with_positions(const Graph& graph, const Limits& limits) {
  Part counter;  // counts labels, and never comes to its end: no acyclic path is that long
  counter.labels = graph.labels;
  counter.classes = 1;
  counter.table.assign(graph.labels, 0);
  counter.states = graph.states() + 1;
  counter.delta.resize(counter.states);
  std::iota(counter.delta.begin(), counter.delta.end(), 1);
  counter.delta.back() = kDead;
  counter.cost.assign(counter.states, 0);
  counter.final_cost.assign(counter.states, 0);
  return intersect(graph, counter, nullptr, 0, Enter::priced, limits);
}

Distribution::Distribution(GraphPointer graph, const Limits& limits) : graph_(std::move(graph)) {
  Budget budget(limits);
  budget.set_aside(graph_->bytes());
  const Graph& g = *graph_;
  if (g.empty()) throw std::invalid_argument("the graph has no path");
  if (!is_deterministic(g)) throw std::invalid_argument("the graph is not deterministic");
  if (!has_positions(g)) throw std::invalid_argument("a state of the graph has no position");
  budget.hold(static_cast<std::size_t>(g.states()) * (2 * sizeof(double) + 3 * sizeof(int32_t)));
  after_ = sum_completions<LogSum>(g, budget);

  passing_.assign(g.states(), 0);
  passing_[0] = 1;
  for (int32_t s = 0; s < g.states(); ++s) {
    budget.work(5 + 15 * (g.first[s + 1] - g.first[s]));
    for (auto i = g.first[s]; i < g.first[s + 1]; ++i) passing_[g.arcs[i].target] += passing_[s] * chance(s, g.arcs[i]);
  }

  length_ = g.furthest();
  level_first_.assign(length_ + 2, 0);
  index_in_level_.resize(g.states());
  for (int32_t s = 0; s < g.states(); ++s) index_in_level_[s] = level_first_[g.position[s] + 1]++;
  std::partial_sum(level_first_.begin(), level_first_.end(), level_first_.begin());
  level_states_.resize(g.states());
  for (int32_t s = 0; s < g.states(); ++s) level_states_[level_first_[g.position[s]] + index_in_level_[s]] = s;
}

double Distribution::chance(int32_t source, const Arc& arc) const {
  return std::exp(arc.weight + after_[arc.target] - after_[source]);
}

double Distribution::chance_of_ending(int32_t state) const { return std::exp(graph_->final[state] - after_[state]); }

std::vector<double> Distribution::label_marginals() const {
  const Graph& g = *graph_;
  Budget budget{Limits()};  // so that the user can end it
  std::vector<double> result(static_cast<std::size_t>(length_) * g.labels, 0);
  for (int32_t s = 0; s < g.states(); ++s) {
    budget.work(5 + 15 * (g.first[s + 1] - g.first[s]));
    double* row = result.data() + static_cast<std::size_t>(g.position[s]) * g.labels;
    for (auto i = g.first[s]; i < g.first[s + 1]; ++i) row[g.arcs[i].label] += passing_[s] * chance(s, g.arcs[i]);
  }
  for (double& probability : result) probability = std::min(probability, 1.0);  // rounding may lift a sum above 1
  return result;
}

double Distribution::window(int start, const uint8_t* choices, int count, bool may_end) const {
  const Graph& g = *graph_;
  if (start < 0 || start + count > length_ + may_end) return 0;
  auto level = [&](int position) { return level_states_.data() + level_first_[position]; };
  auto size = [&](int position) { return position > length_ ? 0 : level_first_[position + 1] - level_first_[position]; };

  Budget budget{Limits()};
  std::vector<double> mass(size(start)), next;
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = passing_[level(start)[i]];
  double ended = 0;
  for (int step = 0; step < count; ++step) {
    const uint8_t* allowed = choices + static_cast<std::size_t>(step) * g.labels;
    const bool ends_here = may_end && step == count - 1;
    next.assign(size(start + step + 1), 0);
    for (std::size_t i = 0; i < mass.size(); ++i) {
      if (mass[i] == 0) continue;
      const int32_t state = level(start + step)[i];
      budget.work(5 + 15 * (g.first[state + 1] - g.first[state]));
      if (ends_here) ended += mass[i] * chance_of_ending(state);
      for (auto a = g.first[state]; a < g.first[state + 1]; ++a) {
        const Arc& arc = g.arcs[a];
        if (allowed[arc.label]) next[index_in_level_[arc.target]] += mass[i] * chance(state, arc);
      }
    }
    mass.swap(next);
  }
  return std::min(1.0, std::accumulate(mass.begin(), mass.end(), ended));
}

double Distribution::log_probability(const int32_t* labels, int count) const {
  const Graph& g = *graph_;
  int32_t state = 0;
  double score = 0;
  for (int t = 0; t < count; ++t) {
    const auto begin = g.arcs.begin() + g.first[state], end = g.arcs.begin() + g.first[state + 1];
    const auto arc = std::find_if(begin, end, [&](const Arc& candidate) { return candidate.label == labels[t]; });
    if (arc == end) return kForbidden;
    score += arc->weight;
    state = arc->target;
  }
  return score + g.final[state] - after_[0];
}

}  // namespace lawful
