// The body of kernels_*.cpp, which define BYLAW_NAMESPACE and are compiled for one processor generation each.
#include <cstdint>
#include <limits>

#include "core/kernels.hpp"

#if defined(__AVX512F__) || defined(__AVX__)
#include <immintrin.h>
#endif

namespace bylaw::BYLAW_NAMESPACE {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif

#define BYLAW_INLINE inline __attribute__((always_inline))
typedef double Vec __attribute__((vector_size(kWidth * 8)));
typedef int64_t Mask __attribute__((vector_size(kWidth * 8)));

BYLAW_INLINE Vec load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
BYLAW_INLINE void store(double* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
BYLAW_INLINE Vec broadcast(double x) { return x - Vec{}; }
BYLAW_INLINE Vec larger(Vec a, Vec b) { return a > b ? a : b; }

BYLAW_INLINE double horizontal_max(Vec v) {
#if defined(__AVX512F__)
  v = larger(v, __builtin_shuffle(v, Mask{4, 5, 6, 7, 0, 1, 2, 3}));
  v = larger(v, __builtin_shuffle(v, Mask{2, 3, 0, 1, 6, 7, 4, 5}));
#elif defined(__AVX__)
  v = larger(v, __builtin_shuffle(v, Mask{2, 3, 0, 1}));
#endif
  return v[0] > v[1] ? v[0] : v[1];
}

// Bit i says whether a[i] >= b[i].
BYLAW_INLINE unsigned at_least(Vec a, Vec b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GE_OQ);
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GE_OQ)));
#else
  unsigned result = 0;
  for (int i = 0; i < kWidth; ++i) result |= (a[i] >= b[i] ? 1u : 0u) << i;
  return result;
#endif
}

// best[i] = max over j of matrix[j][i] + addend[j], for N vectors of i at once, kept in registers.
template <int N>
BYLAW_INLINE void max_plus(const double* matrix, const double* addend, int labels, int stride, Vec* best) {
  Vec even[N], odd[N];  // two chains, so that one maximum need not wait for the other
  for (int n = 0; n < N; ++n) even[n] = odd[n] = broadcast(kNever);
  int j = 0;
  for (; j + 1 < labels; j += 2, matrix += 2 * stride) {
    const Vec a = broadcast(addend[j]), b = broadcast(addend[j + 1]);
    for (int n = 0; n < N; ++n) {
      even[n] = larger(even[n], a + load(matrix + n * kWidth));
      odd[n] = larger(odd[n], b + load(matrix + stride + n * kWidth));
    }
  }
  if (j < labels) {
    const Vec a = broadcast(addend[j]);
    for (int n = 0; n < N; ++n) even[n] = larger(even[n], a + load(matrix + n * kWidth));
  }
  for (int n = 0; n < N; ++n) best[n] = larger(even[n], odd[n]);
}

template <int N>
BYLAW_INLINE void complete_full(const double* matrix, const double* next, const double* emission, double* reach,
                                int labels, int stride) {
  for (int from = 0; from < stride; from += N * kWidth) {
    Vec best[N];
    max_plus<N>(matrix + from, next, labels, stride, best);
    for (int n = 0; n < N; ++n) store(reach + from + n * kWidth, best[n] + load(emission + from + n * kWidth));
  }
}

BYLAW_INLINE double row_max(const double* row, int stride) {
  Vec best = load(row);
  for (int k = kWidth; k < stride; k += kWidth) best = larger(best, load(row + k));
  return horizontal_max(best);
}

BYLAW_INLINE int first_best_inline(const double* a, const double* b, int stride, double* best_out) {
  Vec best = broadcast(kNever);
  for (int k = 0; k < stride; k += kWidth) best = larger(best, b ? load(a + k) + load(b + k) : load(a + k));
  const double top = horizontal_max(best);
  *best_out = top;
  for (int k = 0; k < stride; k += kWidth) {
    const unsigned hits = at_least(b ? load(a + k) + load(b + k) : load(a + k), broadcast(top));
    if (hits) return k + __builtin_ctz(hits);
  }
  return 0;
}

void complete(const double* const* emissions, const Step* steps, double* reach, int length, int labels, int stride) {
  double* row = reach + static_cast<int64_t>(length - 1) * stride;
  for (int k = 0; k < stride; k += kWidth) store(row + k, load(emissions[length - 1] + k));
  for (int t = length - 1; t > 0; --t) {
    const double* next = row;
    row -= stride;
    const double* emission = emissions[t - 1];
    if (steps[t].backward) {
      const int vectors = stride / kWidth;
      if (vectors % 4 == 0) complete_full<4>(steps[t].backward, next, emission, row, labels, stride);
      else if (vectors % 3 == 0) complete_full<3>(steps[t].backward, next, emission, row, labels, stride);
      else if (vectors % 2 == 0) complete_full<2>(steps[t].backward, next, emission, row, labels, stride);
      else complete_full<1>(steps[t].backward, next, emission, row, labels, stride);
    } else if (steps[t].diagonal) {
      for (int k = 0; k < stride; k += kWidth)
        store(row + k, load(next + k) + load(steps[t].diagonal + k) + load(emission + k));
    } else {
      const Vec best = broadcast(row_max(next, stride));
      for (int k = 0; k < stride; k += kWidth) store(row + k, best + load(emission + k));
    }
  }
}

double follow(const Step* steps, const double* reach, int32_t* path, int length, int stride) {
  double score;
  int label = first_best_inline(reach, nullptr, stride, &score);
  if (score == kNever) return score;
  path[0] = label;
  for (int t = 1; t < length; ++t) {
    reach += stride;
    double ignored;
    if (steps[t].forward) {
      label = first_best_inline(steps[t].forward + static_cast<int64_t>(label) * stride, reach, stride, &ignored);
    } else if (!steps[t].diagonal) {
      label = first_best_inline(reach, nullptr, stride, &ignored);
    }
    path[t] = label;
  }
  return score;
}

void extend(const Extension* items, int64_t n, int stride) {
  for (const Extension* item = items; item != items + n; ++item) {
    const Vec score = broadcast(item->score);
    for (int k = 0; k < stride; k += kWidth) {
      Vec v = item->row ? score + load(item->row + k) : score;
      if (item->cost) v = v + load(item->cost + k);
      store(item->into + k, larger(v, load(item->into + k)));
    }
  }
}

void extend_rows(const RowExtension* items, int64_t n, int stride) {
  for (const RowExtension* item = items; item != items + n; ++item) {
    for (int k = 0; k < stride; k += kWidth) {
      Vec v = load(item->scores + k);
      if (item->row) v = v + load(item->row + k);
      if (item->cost) v = v + load(item->cost + k);
      store(item->into + k, larger(v, load(item->into + k)));
    }
  }
}

double largest(const double* scores, const double* mask, int stride) {
  Vec best = broadcast(kNever);
  for (int k = 0; k < stride; k += kWidth) best = larger(best, mask ? load(scores + k) + load(mask + k) : load(scores + k));
  return horizontal_max(best);
}

int first_best(const double* a, const double* b, int stride, double* best) {
  return first_best_inline(a, b, stride, best);
}

int settle(double* scores, const double* emissions, const double* reach, double threshold, int stride, uint64_t* alive) {
  // With no threshold the smallest finite number still drops what cannot be completed at all.
  const Vec least = broadcast(threshold == kNever ? std::numeric_limits<double>::lowest() : threshold);
  int count = 0;
  for (int word = 0; word * 64 < stride; ++word) {
    uint64_t bits = 0;
    for (int k = word * 64; k < stride && k < word * 64 + 64; k += kWidth) {
      const Vec v = load(scores + k), promise = v + load(reach + k);
      bits |= static_cast<uint64_t>(at_least(promise, least)) << (k % 64);
      store(scores + k, promise >= least ? v + load(emissions + k) : broadcast(kNever));
    }
    alive[word] = bits;
    count += __builtin_popcountll(bits);
  }
  return count;
}

}  // namespace

const Kernels& table() {
  static constexpr Kernels kTable{BYLAW_NAME, complete, follow, extend, extend_rows, largest, first_best, settle};
  return kTable;
}

}  // namespace bylaw::BYLAW_NAMESPACE
