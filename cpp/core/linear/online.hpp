// Training that looks at one sequence at a time; one epoch per call. Weights are in the layout's order.
#pragma once

#include "core/linear/path.hpp"
#include "core/linear/sums.hpp"
#include "core/linear/tagging.hpp"

namespace lawful {

// A labelled corpus; everything must outlive what trains on it.
struct LabelledCorpus {
  const LinearLayout& layout;
  const Sequences& data;
  const Sequences* pairs;  // may be null
  const int32_t* labels;

  int64_t sequences() const { return data.sequences; }
  int length(int64_t s) const { return static_cast<int>(data.sequence_offsets[s + 1] - data.sequence_offsets[s]); }
  const int32_t* gold(int64_t s) const { return labels + data.sequence_offsets[s]; }
};

// Updates of a perceptron, in order: enough to make all of its weight vectors again.
struct SequenceUpdates {
  std::vector<double> time, rate;   // when (how many sequences had been seen, itself included), and how far
  std::vector<int64_t> sequence;
  std::vector<int32_t> target, predicted;  // labels, behind one another; as many as the sequences are long
};

// The structured perceptron of Collins (2002): after each sequence whose best labels are wrong, the features of the
// right labels gain 1 and those of the best ones lose 1. The average is that of the weights after every sequence and
// of the first ones; changes are kept with their time, so that it costs nothing until it is asked for.
class StructuredPerceptron {
 public:
  struct Options {
    double margin = 0;    // what each wrong label gains while the best labels are searched for
    double rate = 1;
    bool record = false;  // keep the updates
  };

  StructuredPerceptron(const LabelledCorpus& corpus, const double* weights, const Options& options);
  // Goes over the sequences in this order; returns the mean over sequences of the share of wrong labels.
  double epoch(const int64_t* order, int64_t count);

  // The same in single steps, for training that finds labels in its own way.
  void best(int64_t s, const int32_t* against, int32_t* labels);  // against: null, or labels that get no margin
  void update(int64_t s, const int32_t* target, const int32_t* predicted, double rate);  // at the time of the next sequence
  void advance(double sequences) { time_ += sequences; }

  std::vector<double> averaged() const;
  const std::vector<double>& current() const { return weights_; }
  const SequenceUpdates& updates() const { return updates_; }
  double time() const { return time_; }
  const LabelledCorpus& corpus() const { return corpus_; }

 private:
  LabelledCorpus corpus_;
  Options options_;
  PathFeatures path_;
  LinearViterbi viterbi_;
  bool stale_ = true;  // viterbi_ knows older weights
  std::vector<double> weights_, timed_changes_;  // timed_changes_: changes, each times the number of the sequence that made it
  SequenceUpdates updates_;
  double time_ = 1;
};

// What the history of a perceptron's weight vectors says about labels (the voted perceptron of Freund & Schapire 1999):
// each vector counts for its best label at each position as often as it survived a sequence. Only the `max_vectors`
// vectors that survived longest count; all of them if it is negative. counts: (positions of data, K). `time`: of the end
// of training. Vectors are not stored but replayed from the updates.
void count_sequence_history(const LabelledCorpus& learned_from, const double* weights, const SequenceUpdates& updates,
                            double time, const Sequences& data, const Sequences* pairs, int64_t max_vectors, int threads,
                            double* counts);

// The lifetimes of the vectors that count, 0 for the others: the `max_vectors` longest, the earlier among equals.
std::vector<double> keep_longest_lived(std::vector<double> lasted, int64_t max_vectors);

// Stochastic gradient descent on the mean of -log p(y | x) + c2 / N |w|^2, with steps 1 / (lambda (t0 + t)) where lambda
// is 2 c2 / N (Shalev-Shwartz et al. 2007); the shrinking of all weights is kept as one factor.
class LinearDescent {
 public:
  LinearDescent(const LabelledCorpus& corpus, const double* weights, double lambda);
  // t0 = 1 / (lambda * first_step).
  void set_first_step(double first_step);
  void reset(const double* weights);
  // One pass; returns the sum of -log p(y | x), each before its own update. Weights are whole again afterwards.
  double epoch(const int64_t* order, int64_t count);
  double loss(const int64_t* order, int64_t count);  // without any update
  const std::vector<double>& current() const { return weights_; }
  double next_step() const { return 1 / (lambda_ * (t0_ + t_)); }

 private:
  double look(int64_t s, double scale);  // sums of one sequence into rows_, matrices_ and edge_sums_
  void update(int64_t s, double gain);

  LabelledCorpus corpus_;
  PathFeatures path_;
  std::vector<double> weights_;
  double lambda_, t0_ = 1, t_ = 0;
  EdgeTable table_;
  EdgeSums edge_sums_;
  SequenceSums sums_;
  Doubles rows_, matrices_, of_outputs_;
};

}  // namespace lawful
