// Best-first search over (position, label, states of the rules), by what is scored plus what can still be gained.
#pragma once

#include "core/solvers/guidance.hpp"
#include "core/solvers/joint_states.hpp"

namespace lawful {

class AStar {
 public:
  // `known`: a legal path, to begin with; or nothing. With `prices` promises are those under prices.
  Outcome run(const Problem& problem, Completion completion, const Limits& limits, const std::vector<int32_t>& known = {},
              const Prices* prices = nullptr);

 private:
  struct Node {
    double score;    // of the best known prefix that ends here
    int32_t parent;  // its node before, or -1
    int32_t states;
    int32_t t, label;
    bool closed;
  };
  // Better promises first; among equals the longest prefix, then the first that was met.
  struct Entry {
    double promise;
    int32_t t;  // the length: the prefix is a whole path, and the promise its score
    int32_t node;
    bool operator<(const Entry& other) const {
      if (promise != other.promise) return promise < other.promise;
      return t != other.t ? t < other.t : node > other.node;
    }
  };

  void extend(int32_t parent, double promise);
  void reach(int32_t parent, double promise, double score, int32_t from, int t, int label);
  void push(Entry entry);
  std::vector<int32_t> path_to(int32_t node) const;
  void search(const Limits& limits, Budget& budget, Incumbent& best);
  void make_room(Budget& budget);

  Guidance guidance_;
  JointStates states_;
  KeyNumbers numbers_;
  std::vector<Node> nodes_;
  std::vector<Entry> queue_;  // a heap
  double threshold_ = kForbidden;
  int64_t arcs_ = 0;
};

}  // namespace lawful
