// The arithmetic of decoding, on padded rows of scores. Compiled once for each generation of processors
// (kernels_*.cpp); `kernels()` picks the best one this machine can run. Raw pointers only: a standard template
// compiled here for a new processor could otherwise be linked into code that an old one runs.
#pragma once

#include <cstdint>

namespace bylaw {

// How one position leads to the next. All three null: every change is free. Only `diagonal`: labels must stay.
struct Step {
  const double* forward = nullptr;   // (K, stride): [source][target]
  const double* backward = nullptr;  // (K, stride): [target][source]
  const double* diagonal = nullptr;  // (stride)
};

// One row of partial scores to extend: into[j] = max(into[j], score + row[j] + cost[j]); null rows count as zeros.
struct Extension {
  double score;
  const double* row;
  const double* cost;
  double* into;
};

// The same for a whole row of scores at once: into[j] = max(into[j], scores[j] + row[j] + cost[j]).
struct RowExtension {
  const double* scores;
  const double* row;
  const double* cost;
  double* into;
};

struct Kernels {
  const char* name;

  // Completion scores, backwards: reach[t][k] = the best score of positions t.. given label k at t.
  // emissions: T rows; steps[t] leads from t-1 to t (steps[0] unused); reach: (T, stride).
  void (*complete)(const double* const* emissions, const Step* steps, double* reach, int length, int labels, int stride);

  // Follows the completion scores forward from position 0, preferring the first label among equals.
  // Returns the best score; labels are not written if it is -inf.
  double (*follow)(const Step* steps, const double* reach, int32_t* path, int length, int stride);

  void (*extend)(const Extension* items, int64_t n, int stride);
  void (*extend_rows)(const RowExtension* items, int64_t n, int stride);

  // The largest of scores[k] + mask[k]; mask may be null.
  double (*largest)(const double* scores, const double* mask, int stride);

  // The first k at which a[k] + b[k] is largest (b may be null), and that sum.
  int (*first_best)(const double* a, const double* b, int stride, double* best);

  // Ends a step: drops every label whose best completion falls below `threshold` (or is impossible), adds the
  // emissions to the others. Bit k of alive[] says which remain; returns how many.
  int (*settle)(double* scores, const double* emissions, const double* reach, double threshold, int stride,
                uint64_t* alive);
};

const Kernels& kernels();

}  // namespace bylaw
