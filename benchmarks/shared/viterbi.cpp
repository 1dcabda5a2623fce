// The floor: a straightforward Viterbi decoder, which the compiler vectorises over the next label. Knows no rules.
#include <cstdint>
#include <vector>

namespace {

// Rows are padded to whole vectors, so that the inner loops have no remainder.
constexpr int kWidth = 8;

struct Buffers {
  std::vector<double> here, next, steps;
  std::vector<int32_t> back;
};

// best[j] = max over i of here[i] + steps[i][j], and the i that reached it.
void advance(const double* __restrict here, const double* __restrict steps, int labels, int stride,
             double* __restrict best, int32_t* __restrict back) {
  for (int j = 0; j < stride; ++j) best[j] = here[0] + steps[j], back[j] = 0;
  for (int i = 1; i < labels; ++i) {
    const double* row = steps + static_cast<int64_t>(i) * stride;
    for (int j = 0; j < stride; ++j) {
      const double candidate = here[i] + row[j];
      const bool better = candidate > best[j];
      best[j] = better ? candidate : best[j];
      back[j] = better ? i : back[j];
    }
  }
}

int best_of(const double* scores, int labels) {
  int best = 0;
  for (int k = 1; k < labels; ++k)
    if (scores[k] > scores[best]) best = k;
  return best;
}

// With transitions: a forward pass with back-pointers, then the walk back.
double decode(const double* emissions, int length, int labels, int stride, Buffers& use, int32_t* answer) {
  double *here = use.here.data(), *next = use.next.data();
  for (int k = 0; k < labels; ++k) here[k] = emissions[k];
  for (int t = 1; t < length; ++t) {
    const double* row = emissions + static_cast<int64_t>(t) * labels;
    advance(here, use.steps.data(), labels, stride, next, use.back.data() + static_cast<int64_t>(t) * stride);
    for (int k = 0; k < labels; ++k) next[k] += row[k];
    double* old = here;
    here = next, next = old;
  }
  int label = best_of(here, labels);
  const double score = here[label];
  for (int t = length - 1; t > 0; --t) {
    answer[t] = label;
    label = use.back[static_cast<int64_t>(t) * stride + label];
  }
  answer[0] = label;
  return score;
}

// Without transitions every position decides for itself.
double decode_alone(const double* emissions, int length, int labels, int32_t* answer) {
  double score = 0;
  for (int t = 0; t < length; ++t) {
    const double* row = emissions + static_cast<int64_t>(t) * labels;
    answer[t] = best_of(row, labels);
    score += row[answer[t]];
  }
  return score;
}

}  // namespace

// Sequence s owns the rows offsets[s] .. offsets[s+1] of `emissions`; `transitions` (K, K) may be null.
extern "C" void viterbi_batch(const double* emissions, const int64_t* offsets, int64_t count, int labels,
                              const double* transitions, int32_t* answers, double* scores) {
  Buffers use;
  if (transitions) {
    const int stride = (labels + kWidth - 1) / kWidth * kWidth;
    int64_t longest = 0;
    for (int64_t s = 0; s < count; ++s)
      if (offsets[s + 1] - offsets[s] > longest) longest = offsets[s + 1] - offsets[s];
    use.here.resize(stride), use.next.resize(stride), use.steps.resize(static_cast<int64_t>(labels) * stride);
    use.back.resize(longest * stride);
    for (int i = 0; i < labels; ++i)
      for (int j = 0; j < labels; ++j) use.steps[static_cast<int64_t>(i) * stride + j] = transitions[i * labels + j];
    for (int64_t s = 0; s < count; ++s)
      scores[s] = decode(emissions + offsets[s] * labels, static_cast<int>(offsets[s + 1] - offsets[s]), labels, stride,
                         use, answers + offsets[s]);
  } else {
    for (int64_t s = 0; s < count; ++s)
      scores[s] = decode_alone(emissions + offsets[s] * labels, static_cast<int>(offsets[s + 1] - offsets[s]), labels,
                               answers + offsets[s]);
  }
}
