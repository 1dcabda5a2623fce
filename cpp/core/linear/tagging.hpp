// Labels and marginals of many sequences under fixed weights.
#pragma once

#include "core/kernels/max_plus.hpp"
#include "core/linear/sums.hpp"

namespace lawful {

// The best labels of one sequence; a workspace for one thread. Ties go to the first label, as everywhere.
class LinearViterbi {
 public:
  // Prepares the transitions; call it again when weights change.
  void set(const LinearLayout& layout, const double* weights);
  // With `against`, every other label gains `margin`.
  void run(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs, int64_t s,
           int32_t* labels, const int32_t* against = nullptr, double margin = 0);

 private:
  int labels_ = 0, stride_ = 0;
  Doubles forward_, backward_, first_, last_;  // padding forbidden
  SparseMatrix sparse_;                        // of the layout: where `backward_` allows anything
  Doubles rows_, reach_, pair_forward_, pair_backward_;
  Indices choice_;
  std::vector<const double*> emissions_;
  std::vector<Step> steps_;
};

void tag_all(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs, int threads,
             int32_t* labels);

// emissions: (positions, K) without padding.
void emissions_of_all(const LinearLayout& layout, const double* weights, const Sequences& data, int threads, double* emissions);

// marginals: (positions, K) without padding; log_partitions: one per sequence, 0 for an empty one.
void marginals_of_all(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs,
                      int threads, double* marginals, double* log_partitions);

}  // namespace lawful
