// The label sequences of an acyclic graph, best first, as many as are asked for.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/graph/determinize.hpp"

namespace lawful {

// A best-first walk over prefixes, led by exact completion scores, so that no step is in vain: each sequence costs
// one step per label. Every prefix is met once, in a deterministic view of the graph (Mohri & Riley 2002), so that
// no sequence comes twice. Equal scores come in label order.
class BestSequences {
 public:
  // The limits hold for all that is asked for together; the time in between does not count.
  explicit BestSequences(GraphPointer graph, const Limits& limits = {});
  BestSequences(const BestSequences&) = delete;
  BestSequences& operator=(const BestSequences&) = delete;

  struct Sequence {
    double score;
    std::vector<int32_t> labels;
  };
  std::optional<Sequence> next();

 private:
  static constexpr int32_t kEnd = -1;  // before every label

  struct Option {
    double best;  // of all that can follow
    double weight;
    int32_t label, target;
  };
  struct Prefix {
    double score;
    int32_t parent, label, depth, state;
  };
  struct Candidate {  // the best sequence that starts with a prefix and goes on with its option of this rank
    double score;
    int32_t prefix, rank;
  };
  struct Worse {
    BestSequences* self;
    bool operator()(const Candidate& a, const Candidate& b) const;
  };

  const std::vector<Option>& options(int32_t state);
  std::vector<Option> direct_options(int32_t state) const;
  std::vector<Option> subset_options(int32_t subset);
  double completion(int32_t subset) const;
  bool comes_before(const Candidate& a, const Candidate& b);
  void offer(int32_t prefix, int32_t rank);
  Sequence follow();

  GraphPointer graph_;
  Budget budget_;
  std::size_t option_bytes_ = 0;
  std::vector<double> after_;         // (states): best completions
  std::optional<Subsets> subsets_;    // if the graph is not deterministic itself
  std::vector<std::unique_ptr<std::vector<Option>>> options_;  // of each state or subset that was met, best first
  std::vector<Prefix> prefixes_;
  std::vector<Candidate> heap_;
};

}  // namespace lawful
