// The scores that weights give to one sequence, straight from the layout: for tagging and for training that looks at
// one sequence at a time.
#pragma once

#include "core/linear/layout.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

// rows (T, stride) = emission scores of sequence s times `scale`, zeros in the padding. Unknown attributes score 0.
void state_scores(const LinearLayout& layout, const double* weights, const Sequences& data, int64_t s, double scale, double* rows,
                  int stride);

// matrices (T-1, K, stride) += the scores of pair features of sequence s, times `scale`.
void pair_scores(const LinearLayout& layout, const double* weights, const Sequences& pairs, int64_t s, double scale,
                 double* matrices, int stride);

// Scores of outputs (a row of them) to scores of labels, and label marginals to output marginals: sums both ways.
void outputs_to_labels(const Outputs& outputs, const double* of_outputs, double* of_labels);
void labels_to_outputs(const Outputs& outputs, const double* of_labels, double* of_outputs);

}  // namespace lawful
