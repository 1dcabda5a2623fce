// Best path under all searched parts at once, over single states: for problems in which many rules may be broken, but few
// combinations of their states matter.
//
// A node is a label at a position with the states of all parts. There is a heap of nodes for every position, and the search
// goes round them, each time opening the most promising few of each: it soon comes to complete paths, whose scores cut the
// rest, and the largest promise that is left in the heaps bounds everything at any time. A node that another one of its
// position and label can only beat, whatever follows, is not opened.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/engine/own_completion.hpp"
#include "core/engine/packed_states.hpp"

namespace lawful {

struct StateSearchResult {
  bool finished = false;      // nothing is left that could beat the best path
  double bound = kForbidden;  // otherwise: no path can score more than this, or than the best one
  int64_t states = 0, arcs = 0;
  LimitHit limit = LimitHit::none;  // none, too, if it was only the caller's `most_opened`
};

class StateSearch {
 public:
  struct Task {
    const Problem* problem;
    const Folded* folded;
    const double* completion;            // (T, stride), from `Kernels::complete` over the same folded trellis
    const std::vector<int32_t>* broken;  // parts that the best path without them breaks
    double threshold;                    // only better paths are looked for
    int64_t most_opened;                 // nodes; then it gives up
    bool dominance = true;               // false only for tests: the answers are the same
    // Called with every complete path that beats the threshold; gives the new one.
    std::function<double(double score, std::vector<int32_t>& path)> better;
  };

  // Whether this problem's states fit; to be asked before `run`.
  bool begin(const Problem& problem, Budget& budget) { return states_.begin(problem, budget); }
  StateSearchResult run(const Task& task, const Limits& limits, Budget& budget);

  std::size_t kept_bytes() const { return kept_; }  // from one run to the next

 private:
  std::size_t bytes() const;
  struct Node {
    double score;  // of the path to here, this position's emission included
    int32_t parent, label;
  };
  struct Waiting {
    double promise;
    int32_t node;
    // The heap's top is the most promising node and, among equals, the one that was made first.
    bool operator<(const Waiting& other) const { return promise != other.promise ? promise < other.promise : node > other.node; }
  };

  const uint64_t* key(int32_t node) const { return keys_.data() + static_cast<std::size_t>(node) * words_; }
  void reach(int t, int before, int label, int32_t parent, double score, Budget& budget);
  void open(int t, int32_t node, Budget& budget);
  bool dominated(int t, int32_t node, Budget& budget);
  void complete(int32_t node, double score);
  double promise_of(double score, int t, int label, const uint64_t* key) const;
  void tighten(Budget& budget);
  void go_round(StateSearchResult& result, const Limits& limits, Budget& budget);

  PackedStates states_;
  const Task* task_ = nullptr;
  int words_ = 1, length_ = 0, labels_ = 0, stride_ = 0;
  double threshold_ = kForbidden, caution_ = 1;
  int64_t arcs_ = 0;
  std::size_t kept_ = 0;
  int filled_ = 0;                              // positions before this one have been reached
  std::vector<Node> nodes_;
  std::vector<uint64_t> keys_;                  // (nodes, words)
  std::vector<std::vector<Waiting>> heaps_;     // (T)
  std::vector<int32_t> opened_, opened_count_;  // (T, K, kCompared), (T, K): the first nodes that were opened
  std::vector<OwnCompletion> own_;              // of broken parts
  std::vector<int> own_field_;                  // (own completions in use): the part's field
  std::vector<int32_t> path_;
};

}  // namespace lawful
