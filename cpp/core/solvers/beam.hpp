// Beam search over (label, states of the rules), position by position; what it drops is the bound it reports.
#pragma once

#include "core/solvers/guidance.hpp"
#include "core/solvers/joint_states.hpp"

namespace lawful {

class Beam {
 public:
  struct Options {
    int64_t width = std::numeric_limits<int64_t>::max();  // nodes kept at each position
    // Labels whose best path scores that much less than the best path of all are dropped.
    double per_position = std::numeric_limits<double>::infinity();
    Completion completion = Completion::plain;
  };
  Outcome run(const Problem& problem, const Options& options, const Limits& limits);

 private:
  struct Node {
    double score;    // of the best prefix that ends here
    double promise;  // the same with its completion
    int32_t parent;  // the node before, or -1
    int32_t states, label;
  };

  void forbid_labels(double within);
  void enter(int32_t parent, double score, int32_t from, int t, int label);
  void extend(int32_t parent, int t);
  void cut(std::size_t first, std::size_t keep);
  bool sweep(int64_t width, const Limits& limits, Budget& budget, LimitHit& limit);
  void fill(std::size_t before, int t, Budget& budget);
  void make_room(Budget& budget);
  std::vector<int32_t> path_to(int32_t node) const;

  Guidance guidance_;
  JointStates states_;
  KeyNumbers numbers_;               // of the nodes at one position
  std::vector<Node> nodes_;          // all that were kept, by position
  std::size_t first_ = 0;            // of those at the present position
  std::vector<char> forbidden_;      // (T, K), or empty
  double threshold_ = kForbidden;    // a path must beat this to matter
  double dropped_ = kForbidden;      // the best promise of all that was dropped
  int64_t arcs_ = 0;
};

}  // namespace lawful
