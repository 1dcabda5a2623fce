// Sums over all labellings of one sequence: the log-partition, label marginals and expected transitions.
#pragma once

#include "core/linear/layout.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

// Transition scores in the forms that the sums need.
struct EdgeTable {
  int labels = 0, stride = 0;
  Doubles edges, first, last;                        // scores: (K, stride), (stride), (stride); zeros in the padding
  Doubles forward, backward, exp_first, exp_last;    // exp of scores minus the shifts; zeros in the padding
  double edge_shift = 0, boundary_shift = 0;
  RowBlocks forward_blocks, backward_blocks;  // of the layout: where steps are allowed
  bool wide = false;  // the scores spread too far for scaled sums

  void set(const LinearLayout& layout, const double* weights, double scale = 1.0);
};

// Expected counts, added up over sequences.
struct EdgeSums {
  Doubles outer;         // (K, stride): to be multiplied by EdgeTable::forward, then added to `edges`
  Doubles edges;         // (K, stride)
  Doubles first, last;   // (stride)

  void clear(int labels, int stride);
  void add(const EdgeSums& other);
  void finish(const EdgeTable& table);  // works `outer` into `edges`
};

// A workspace for one thread.
class SequenceSums {
 public:
  // rows (T, stride): scores in, label marginals out; zeros in the padding of the scores. Returns the log-partition.
  // pairs: null, or (T-1, K, stride) scores to add to the transitions; replaced by the probabilities of label pairs.
  double run(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums);

 private:
  double run_pairs(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums);
  double run_logs(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums);
  Doubles alpha_, arrival_, scales_, work_;
};

}  // namespace lawful
