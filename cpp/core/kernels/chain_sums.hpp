// The arithmetic of training linear models, on padded rows; compiled once for each generation of processors, like max_plus.hpp.
// Sums over a row always add up the same eight columns in the same order, so all generations give the same bits.
#pragma once

#include <cstdint>

#include "core/kernels/row_blocks.hpp"

namespace lawful {

// One sequence under exponentiated transitions that are the same at every step. Rows have `stride` columns.
struct Chain {
  int length, labels, stride;
  const double* scores;    // (T, stride): emissions, zeros in the padding
  const double* forward;   // (K, stride): exp of transitions, [source][target], zeros in the padding
  const double* backward;  // (K, stride): the same, [target][source]
  const double* start;     // (stride): exp of start scores, zeros in the padding
  const double* end;       // (stride)
  double* alpha;           // (T, stride): workspace; afterwards the scaled forward sums
  double* arrival;         // (T, stride): workspace; afterwards, for t > 0, what outer() needs
  double* marginals;       // (T, stride): may be the same as scores
  double* scales;          // (T): workspace
  RowBlocks forward_blocks = {}, backward_blocks = {};  // where the matrices are not 0
};

struct ChainKernels {
  // row += sum over ids of values[i] * rows[ids[i]]; null values count as ones.
  void (*gather)(const double* rows, const int32_t* ids, const double* values, int64_t count, double* row, int stride);
  // rows[ids[i]] += values[i] * row.
  void (*scatter)(double* rows, const int32_t* ids, const double* values, int64_t count, const double* row, int stride);
  // exp(scores - their largest) over the first `labels` columns; returns the largest, and the smallest difference.
  double (*exponentiate)(const double* scores, double* into, int labels, int stride, double* smallest);
  // Label marginals, and the log of the partition function relative to what `forward`, `start` and `end` were scaled
  // by. NaN if the scores spread so far that scaled sums could underflow: the caller then takes logs.
  double (*forward_backward)(const Chain& chain);
  // sums[i][j] += sum over t > 0 of alpha[t-1][i] * arrival[t][j]: times forward[i][j], the expected transitions.
  void (*outer)(const Chain& chain, double* sums);
};

// Scores of one row may differ by this much before scaled sums could lose something (e^-600 is still a normal number).
inline constexpr double kWidestSpread = 300;

const ChainKernels& chain_kernels();

}  // namespace lawful
