// The arithmetic of decoding, on padded rows of scores. Compiled once for each generation of processors
// (max_plus_*.cpp); `kernels()` picks the best one this machine can run. Raw pointers only: a standard template
// compiled here for a new processor could otherwise be linked into code that an old one runs.
#pragma once

#include <cstdint>

#include "core/kernels/row_blocks.hpp"

namespace lawful {

// How one position leads to the next. All three null: every change is free. Only `diagonal`: labels must stay.
struct Step {
  const double* forward = nullptr;   // (K, stride): [source][target]
  const double* backward = nullptr;  // (K, stride): [target][source]
  const double* diagonal = nullptr;  // (stride)
  const SparseMatrix* sparse = nullptr;  // `backward`, if it forbids nearly everything
};

// A row of so few labels, padding included, is worth the choices of `complete`.
inline constexpr int kFewLabels = 8;

// Where extended scores go: into[k] = max(into[k], score[k] + cost[k]); a null cost counts as zeros.
struct Entry {
  double* into;
  const double* cost;
};

// A row of scores to add at the positions [from, to).
struct Addition {
  int32_t from, to;
  const double* row;  // (stride)
};

struct Kernels {
  const char* name;

  // Completion scores, backwards: reach[t][k] = the best score of positions t.. given label k at t.
  // emissions: T rows; steps[t] leads from t-1 to t (steps[0] unused); reach: (T, stride).
  // choice: (T, stride), gets the best label after label k at t where a step has a matrix; used only if
  // stride is kFewLabels, and may be null: `follow` then need not look for it again.
  void (*complete)(const double* const* emissions, const Step* steps, double* reach, int64_t* choice, int length, int labels,
                   int stride);

  // Follows the completion scores (or the choices) forward from position 0, preferring the first label among equals.
  // Returns the best score; labels are not written if it is -inf.
  double (*follow)(const Step* steps, const double* reach, const int64_t* choice, int32_t* path, int length, int stride);

  // From labels i (bits of `labels`) with scores[i] to all labels j over matrix[i][j], into every entry.
  void (*extend)(const double* scores, const uint64_t* labels, const double* matrix, const Entry* entries, int count, int stride);
  void (*extend_all)(double score, const Entry* entries, int count, int stride);  // one score to all labels
  // From each label to itself: scores[k] + row[k], into every entry.
  void (*extend_row)(const double* scores, const double* row, const Entry* entries, int count, int stride);

  // The largest of scores[k] + mask[k]; mask may be null.
  double (*largest)(const double* scores, const double* mask, int stride);

  // The first k at which a[k] + b[k] is largest (b may be null), and that sum.
  int (*first_best)(const double* a, const double* b, int stride, double* best);

  // Ends a step, for `rows` rows of scores: drops every label whose best completion falls below `threshold` (or is
  // impossible), adds the emissions to the others. Bit k of a row's alive[] says which remain; returns how many.
  // corrections: a row (stride) for each row of scores, to add to `reach` for it; may be null.
  int64_t (*settle)(double* scores, int rows, const double* emissions, const double* reach, const double* const* corrections,
                    double threshold, int stride, uint64_t* alive);

  void (*add)(const double* a, const double* b, double* sum, int stride);
  // Does all additions to rows (T), in their order; a row that is touched moves to its place in `sums` (T, stride).
  void (*add_all)(const Addition* additions, int64_t count, const double** rows, double* sums, int stride);

  // Copies rows of `labels` scores into padded ones (rows, stride), whose padding is forbidden. Returns the largest finite score,
  // signs ignored; NaN if one is no score: NaN or plus infinity.
  double (*pad)(const double* scores, int64_t rows, int labels, int stride, double* padded);
};

const Kernels& kernels();

}  // namespace lawful
