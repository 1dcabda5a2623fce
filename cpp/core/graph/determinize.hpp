// Deterministic views of acyclic graphs in which several paths may spell the same labels; the best of them counts.
//
// The subset construction with weights (Mohri 1997): a subset holds the states that one prefix of labels reaches, and
// how much the best path to each falls short of the best path to any. It ends for every acyclic graph, though it may
// take as many subsets as there are prefixes.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/graph/graph.hpp"

namespace lawful {

enum class Weights : bool { ignored, kept };

class Subsets {
 public:
  struct Member {
    int32_t state;
    double residual;
  };
  struct Step {
    int32_t label;
    double weight;
    int32_t target;
  };
  using Members = std::vector<Member>;

  // Subset 0 is the start.
  Subsets(const Graph& graph, Budget& budget, Weights weights = Weights::kept);

  int32_t size() const { return static_cast<int32_t>(members_.size()); }
  const Members& members(int32_t subset) const { return *members_[subset]; }
  std::size_t bytes() const { return bytes_; }
  double final(int32_t subset) const;
  std::vector<Step> steps(int32_t subset);  // in label order; may make new subsets

 private:
  struct Hash {
    std::size_t operator()(const Members& members) const;
  };
  struct Equal {
    bool operator()(const Members& a, const Members& b) const;
  };

  double weighed(double weight) const { return weights_ == Weights::kept ? weight : 0; }
  Members closed(const std::vector<Member>& reached) const;  // through epsilon arcs; in the order of states
  int32_t number(Members&& members);

  const Graph& graph_;
  Budget& budget_;
  const Weights weights_;
  std::unordered_map<Members, int32_t, Hash, Equal> numbers_;
  std::vector<const Members*> members_;  // the keys of numbers_, which stay where they are
  std::size_t bytes_ = 0;
};

// The whole deterministic graph, within limits; `max_states` counts subsets.
Product determinize(const Graph& graph, Weights weights, const Limits& limits);

}  // namespace lawful
