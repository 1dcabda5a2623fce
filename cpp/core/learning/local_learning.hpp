// Classifiers of single positions that learn from one at a time: perceptron and winnow, with margins.
#pragma once

#include "core/linear/layout.hpp"

namespace lawful {

struct LocalOptions {
  bool multiplicative = false;  // winnow: weights are multiplied; otherwise `rate` is added and taken away
  bool balanced = false;        // winnow: a weight is the difference of two positive ones, which move in opposite ways
  bool one_vs_all = false;      // every label learns for itself; otherwise the right one against its strongest rival
  double margin = 0;            // a score that is right by no more than this is corrected too
  double rate = 1;
  double promotion = 2, demotion = 0.5;  // factors for a value of 1; for a value of v, their v-th powers
  double threshold = 0;         // one_vs_all: what a label's score is compared with
  double initial = 0;           // winnow: every weight, or both of its halves, at first
  bool record = false;
};

// Changes in order. Those of one position have the same time; a label that is the right one went up, others down.
struct LocalUpdates {
  std::vector<double> time;
  std::vector<int64_t> position;
  std::vector<int32_t> label;
};

// The weights of every (attribute, output) of a layout, and how they change when a label does: those of all its outputs do.
class LocalWeights {
 public:
  LocalWeights(const LinearLayout& layout, const LocalOptions& options);
  void score(const Sequences& data, int64_t position, double* scores) const;  // (K)
  template <typename Changed>  // changed(weight index, by how much)
  void change(const Sequences& data, int64_t position, int32_t label, bool up, const Changed& changed);
  const std::vector<double>& values() const { return values_; }

 private:
  const LinearLayout& layout_;
  LocalOptions options_;
  std::vector<double> values_, plus_, minus_;
  mutable std::vector<double> of_outputs_;  // while scoring, unless outputs are labels
};

class LocalLearner {
 public:
  // All must outlive the learner. Borders of sequences do not matter: each position is an example.
  LocalLearner(const LinearLayout& layout, const Sequences& data, const int32_t* labels, const LocalOptions& options);
  // Goes over the positions in this order; returns the share whose best label was wrong.
  double epoch(const int64_t* order, int64_t count);
  std::vector<double> averaged() const;  // over the weights after every position, and the first ones
  const std::vector<double>& current() const { return weights_.values(); }
  const LocalUpdates& updates() const { return updates_; }
  double time() const { return time_; }

 private:
  bool learn(int64_t position);
  void correct(int64_t position, int32_t label);

  const LinearLayout& layout_;
  const Sequences& data_;
  const int32_t* labels_;
  LocalOptions options_;
  LocalWeights weights_;
  std::vector<double> timed_changes_, scores_;
  LocalUpdates updates_;
  double time_ = 1;
};

// As count_sequence_history in linear/online.hpp, for these classifiers. counts: (positions of data, K).
void count_position_history(const LinearLayout& layout, const Sequences& learned_from, const int32_t* labels,
                            const LocalOptions& options, const LocalUpdates& updates, double time, const Sequences& data,
                            int64_t max_vectors, int threads, double* counts);

}  // namespace lawful
