// Training that looks at one sequence at a time; one epoch a call. Weights are in the layout's order.
#pragma once

#include "core/crf_path.hpp"
#include "core/crf_sums.hpp"

namespace bylaw {

// A labelled corpus; everything must outlive what trains on it.
struct LabelledCorpus {
  const CrfLayout& layout;
  const Sequences& data;
  const Sequences* pairs;  // may be null
  const int32_t* labels;

  int64_t sequences() const { return data.sequences; }
  int length(int64_t s) const { return static_cast<int>(data.sequence_offsets[s + 1] - data.sequence_offsets[s]); }
  const int32_t* gold(int64_t s) const { return labels + data.sequence_offsets[s]; }
};

// The averaged perceptron of Collins (2002): after each sequence whose best labels are wrong, the features of the
// right labels gain 1 and those of the best ones lose 1; the result is the mean of the weights after every sequence.
class CrfPerceptron {
 public:
  CrfPerceptron(const LabelledCorpus& corpus, const double* weights);
  // Goes over the sequences in this order; returns the mean over sequences of the share of wrong labels.
  double epoch(const int64_t* order, int64_t count);
  std::vector<double> averaged() const;
  const std::vector<double>& current() const { return weights_; }

 private:
  LabelledCorpus corpus_;
  CrfPath path_;
  std::vector<double> weights_, weighted_;  // weighted_: changes, each times the number of the sequence that made it
  double seen_ = 1;
};

// Stochastic gradient descent on the mean of -log p(y | x) + c2 / N |w|^2, with steps 1 / (lambda (t0 + t)) where lambda
// is 2 c2 / N (Shalev-Shwartz et al. 2007); the shrinking of all weights is kept as one factor.
class CrfDescent {
 public:
  CrfDescent(const LabelledCorpus& corpus, const double* weights, double lambda);
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
  CrfPath path_;
  std::vector<double> weights_;
  double lambda_, t0_ = 1, t_ = 0;
  EdgeTable table_;
  EdgeSums edge_sums_;
  SequenceSums sums_;
  Doubles rows_, matrices_, of_outputs_;
};

}  // namespace bylaw
