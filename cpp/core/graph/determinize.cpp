#include "core/graph/determinize.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>

namespace lawful {
namespace {

constexpr double kMostLost = 1e-12;  // of a score, by taking another one off and adding it again

}  // namespace

Subsets::Subsets(const Graph& graph, Budget& budget, Weights weights) : graph_(graph), budget_(budget), weights_(weights) {
  if (!graph.acyclic) throw std::invalid_argument("the graph has a cycle");
  if (!graph.empty()) number(closed({{0, 0.0}}));
}

std::size_t Subsets::Hash::operator()(const Members& members) const {
  uint64_t hash = members.size();
  for (const Member& member : members) {
    hash = (hash ^ static_cast<uint64_t>(member.state)) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ std::bit_cast<uint64_t>(member.residual + 0.0)) * 0xC2B2AE3D27D4EB4Fu;  // + 0.0: no -0.0
    hash ^= hash >> 29;
  }
  return hash;
}

bool Subsets::Equal::operator()(const Members& a, const Members& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Member& left, const Member& right) {
    return left.state == right.state && left.residual == right.residual;
  });
}

Subsets::Members Subsets::closed(const std::vector<Member>& reached) const {
  std::map<int32_t, double> best;  // arcs lead to higher states, so one walk in their order is enough
  auto reach = [&](int32_t state, double score) {
    const auto [known, fresh] = best.try_emplace(state, score);
    if (!fresh) known->second = std::max(known->second, score);
  };
  for (const auto& [state, score] : reached) reach(state, score);
  for (const auto& [state, score] : best) {
    budget_.work(100 + 2 * (graph_.first[state + 1] - graph_.first[state]));
    for (auto i = graph_.first[state]; i < graph_.first[state + 1]; ++i) {
      const Arc& arc = graph_.arcs[i];
      if (arc.label == kEpsilon) reach(arc.target, score + weighed(arc.weight));
    }
  }
  Members members;
  for (const auto& [state, score] : best) members.push_back({state, score});
  return members;
}

int32_t Subsets::number(Members&& members) {
  const auto [known, fresh] = numbers_.try_emplace(std::move(members), size());
  if (fresh) {
    members_.push_back(&known->first);
    bytes_ += 112 + known->first.capacity() * sizeof(Member);
  }
  return known->second;
}

double Subsets::final(int32_t subset) const {
  double best = kForbidden;
  for (const auto& [state, residual] : members(subset)) {
    if (graph_.final[state] > kForbidden) best = std::max(best, residual + weighed(graph_.final[state]));
  }
  return best;
}

std::vector<Subsets::Step> Subsets::steps(int32_t subset) {
  std::map<int32_t, std::vector<Member>> reached;  // by label
  for (const auto& [state, residual] : members(subset)) {
    budget_.work(10 + 40 * (graph_.first[state + 1] - graph_.first[state]));
    for (auto i = graph_.first[state]; i < graph_.first[state + 1]; ++i) {
      const Arc& arc = graph_.arcs[i];
      if (arc.label != kEpsilon) reached[arc.label].push_back({arc.target, residual + weighed(arc.weight)});
    }
  }
  std::vector<Step> steps;
  for (const auto& [label, targets] : reached) {
    Members members = closed(targets);
    double most = kForbidden;
    for (const Member& member : members) most = std::max(most, member.residual);
    // What falls short by far more than it is worth itself would be lost in the difference: then all stay as they are.
    const bool lost = std::any_of(members.begin(), members.end(), [&](const Member& member) {
      return std::abs((member.residual - most) + most - member.residual) > kMostLost * std::abs(member.residual);
    });
    if (lost) most = 0;
    for (Member& member : members) member.residual -= most;
    steps.push_back({label, most, number(std::move(members))});
  }
  return steps;
}

Product determinize(const Graph& graph, Weights weights, const Limits& limits) {
  Budget budget(limits);
  budget.set_aside(graph.bytes());
  Product product;
  auto build = [&] {
    Subsets subsets(graph, budget, weights);
    Acceptor raw;
    raw.labels = graph.labels;
    raw.first.push_back(0);
    for (int32_t s = 0; s < subsets.size(); ++s) {
      product.expanded = subsets.size();
      if (subsets.size() > limits.max_states) throw LimitReached(LimitHit::states);
      budget.hold(subsets.bytes() + raw.bytes());
      raw.final.push_back(subsets.final(s));
      raw.origin.push_back(graph.origin[subsets.members(s).front().state]);
      for (const auto& [label, weight, target] : subsets.steps(s)) raw.arcs.push_back({target, label, weight});
      raw.first.push_back(static_cast<int64_t>(raw.arcs.size()));
    }
    product.expanded = subsets.size();
    return raw;
  };
  try {
    product.graph = put_in_order(build(), budget);
  } catch (const LimitReached& reached) {
    product.limit = reached.limit;
    give_back(budget.most());
  }
  return product;
}

}  // namespace lawful
