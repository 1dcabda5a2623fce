// The body of max_plus_*.cpp, which define LAWFUL_NAMESPACE and are compiled for one processor generation each.
#include <cstdint>
#include <limits>

#include "core/kernels/max_plus.hpp"

#if defined(__AVX512F__) || defined(__AVX__)
#include <immintrin.h>
#endif

namespace lawful::LAWFUL_NAMESPACE {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif

#define LAWFUL_INLINE inline __attribute__((always_inline))
typedef double Vec __attribute__((vector_size(kWidth * 8)));
typedef int64_t Mask __attribute__((vector_size(kWidth * 8)));

LAWFUL_INLINE Vec load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
LAWFUL_INLINE void store(double* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
LAWFUL_INLINE Vec broadcast(double x) { return x - Vec{}; }  // minus zero, because plus zero would turn -0.0 into 0.0
LAWFUL_INLINE Vec larger(Vec a, Vec b) { return a > b ? a : b; }

LAWFUL_INLINE double horizontal_max(Vec v) {
#if defined(__AVX512F__)
  v = larger(v, __builtin_shuffle(v, Mask{4, 5, 6, 7, 0, 1, 2, 3}));
  v = larger(v, __builtin_shuffle(v, Mask{2, 3, 0, 1, 6, 7, 4, 5}));
#elif defined(__AVX__)
  v = larger(v, __builtin_shuffle(v, Mask{2, 3, 0, 1}));
#endif
  return v[0] > v[1] ? v[0] : v[1];
}

// Bit i says whether a[i] >= b[i].
LAWFUL_INLINE unsigned at_least(Vec a, Vec b) {
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

// Bit i says whether v[i] is neither plus infinity nor NaN.
constexpr unsigned kAll = (1u << kWidth) - 1;
LAWFUL_INLINE unsigned below_infinity(Vec v) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)v, (__m512d)broadcast(-kNever), _CMP_LT_OQ);
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd((__m256d)v, (__m256d)broadcast(-kNever), _CMP_LT_OQ)));
#else
  unsigned result = 0;
  for (int i = 0; i < kWidth; ++i) result |= (v[i] < -kNever ? 1u : 0u) << i;
  return result;
#endif
}

LAWFUL_INLINE Vec magnitude(Vec v) {
  const Mask without_sign = Mask{} + std::numeric_limits<int64_t>::max();
  return (Vec)((Mask)v & without_sign);
}

// The larger of each two, the second counting only where it is finite; neither is below 0.
LAWFUL_INLINE Vec larger_finite(Vec a, Vec b) {
#if defined(__AVX512F__)
  return (Vec)_mm512_mask_max_pd((__m512d)a, static_cast<__mmask8>(below_infinity(b)), (__m512d)a, (__m512d)b);
#else
  return larger(a, b < -kNever ? b : Vec{});
#endif
}

// The first `count` numbers from p, wherever it points; the others are never, and are not read.
LAWFUL_INLINE Vec load_first(const double* p, int count) {
#if defined(__AVX512F__)
  const auto wanted = static_cast<__mmask8>(_bzhi_u32(kAll, static_cast<unsigned>(count)));
  return (Vec)_mm512_mask_loadu_pd((__m512d)broadcast(kNever), wanted, p);
#elif defined(__AVX__)
  const Mask wanted = Mask{0, 1, 2, 3} < static_cast<int64_t>(count);
  const Vec some = (Vec)_mm256_maskload_pd(p, (__m256i)wanted);
  return wanted ? some : broadcast(kNever);
#else
  Vec result = broadcast(kNever);
  for (int i = 0; i < kWidth; ++i) result[i] = i < count ? p[i] : kNever;
  return result;
#endif
}

// best[i] = max over j of matrix[j][i] + addend[j], for N vectors of i at once, kept in registers.
template <int N>
LAWFUL_INLINE void max_plus(const double* matrix, const double* addend, int labels, int stride, Vec* best) {
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
LAWFUL_INLINE void complete_full(const double* matrix, const double* next, const double* emission, double* reach, int labels,
                                 int stride) {
  for (int from = 0; from < stride; from += N * kWidth) {
    Vec best[N];
    max_plus<N>(matrix + from, next, labels, stride, best);
    for (int n = 0; n < N; ++n) store(reach + from + n * kWidth, best[n] + load(emission + from + n * kWidth));
  }
}

// The same where most steps are forbidden: only the blocks that are not.
LAWFUL_INLINE void complete_blocks(const Step& step, const double* next, const double* emission, double* reach, int labels,
                                   int stride) {
  const auto& [blocks, sorted] = *step.sparse;
  const double* matrix = sorted.matrix ? sorted.matrix : step.backward;
  for (int k = 0; k < stride; k += kWidth) store(reach + k, broadcast(kNever));
  for (int j = 0; j < labels; ++j, matrix += stride) {
    if (next[j] == kNever) continue;
    const Vec addend = broadcast(next[j]);
    for (int64_t b = blocks.first[j]; b < blocks.first[j + 1]; ++b)
      for (int k = blocks.columns[b]; k < blocks.columns[b] + 8; k += kWidth)
        store(reach + k, larger(load(reach + k), addend + load(matrix + k)));
  }
  const int32_t* swap = sorted.swaps;
  for (int64_t n = 0; n < sorted.count; ++n, swap += 2) {
    const double score = reach[swap[0]];
    reach[swap[0]] = reach[swap[1]];
    reach[swap[1]] = score;
  }
  for (int k = 0; k < stride; k += kWidth) store(reach + k, load(reach + k) + load(emission + k));
}

// The same, with the first j that gives each maximum: the lower half and the upper half of j side by side.
template <int N>
LAWFUL_INLINE void complete_choosing(const double* matrix, const double* next, const double* emission, double* reach,
                                     int64_t* choice, int labels, int stride) {
  const int half = (labels + 1) / 2;
  Vec low[N], high[N];
  Mask low_at[N], high_at[N];
  for (int n = 0; n < N; ++n) {
    low[n] = high[n] = broadcast(kNever);
    low_at[n] = Mask{};
    high_at[n] = Mask{} + half;
  }
  for (int j = 0; j < half; ++j) {
    const int up = half + j < labels ? half + j : labels - 1;  // again the last one: it changes nothing
    const Vec a = broadcast(next[j]), b = broadcast(next[up]);
    for (int n = 0; n < N; ++n) {
      const Vec x = a + load(matrix + static_cast<int64_t>(j) * stride + n * kWidth);
      const Vec y = b + load(matrix + static_cast<int64_t>(up) * stride + n * kWidth);
      low_at[n] = x > low[n] ? Mask{} + j : low_at[n];
      low[n] = larger(x, low[n]);
      high_at[n] = y > high[n] ? Mask{} + up : high_at[n];
      high[n] = larger(y, high[n]);
    }
  }
  for (int n = 0; n < N; ++n) {
    const Mask at = high[n] > low[n] ? high_at[n] : low_at[n];
    *reinterpret_cast<Mask*>(choice + n * kWidth) = at;
    store(reach + n * kWidth, larger(high[n], low[n]) + load(emission + n * kWidth));
  }
}

LAWFUL_INLINE double row_max(const double* row, int stride) {
  Vec best = load(row);
  for (int k = kWidth; k < stride; k += kWidth) best = larger(best, load(row + k));
  return horizontal_max(best);
}

LAWFUL_INLINE int first_best_inline(const double* a, const double* b, int stride, double* best_out) {
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

void complete(const double* const* emissions, const Step* steps, double* reach, int64_t* choice, int length, int labels,
              int stride) {
  double* row = reach + static_cast<int64_t>(length - 1) * stride;
  for (int k = 0; k < stride; k += kWidth) store(row + k, load(emissions[length - 1] + k));
  for (int t = length - 1; t > 0; --t) {
    const double* next = row;
    row -= stride;
    const double* emission = emissions[t - 1];
    if (steps[t].sparse) {
      complete_blocks(steps[t], next, emission, row, labels, stride);
    } else if (steps[t].backward) {
      const int vectors = stride / kWidth;
      if (choice && stride == kFewLabels)
        complete_choosing<kFewLabels / kWidth>(steps[t].backward, next, emission, row,
                                               choice + static_cast<int64_t>(t - 1) * stride, labels, stride);
      else if (vectors % 4 == 0) complete_full<4>(steps[t].backward, next, emission, row, labels, stride);
      else if (vectors % 3 == 0) complete_full<3>(steps[t].backward, next, emission, row, labels, stride);
      else if (vectors % 2 == 0) complete_full<2>(steps[t].backward, next, emission, row, labels, stride);
      else complete_full<1>(steps[t].backward, next, emission, row, labels, stride);
    } else if (steps[t].diagonal) {
      for (int k = 0; k < stride; k += kWidth) store(row + k, load(next + k) + load(steps[t].diagonal + k) + load(emission + k));
    } else {
      const Vec best = broadcast(row_max(next, stride));
      for (int k = 0; k < stride; k += kWidth) store(row + k, best + load(emission + k));
    }
  }
}

double follow(const Step* steps, const double* reach, const int64_t* choice, int32_t* path, int length, int stride) {
  if (stride != kFewLabels) choice = nullptr;
  double score;
  int label = first_best_inline(reach, nullptr, stride, &score);
  if (score == kNever) return score;
  path[0] = label;
  for (int t = 1; t < length; ++t) {
    reach += stride;
    double ignored;
    if (steps[t].forward && choice) {
      label = static_cast<int>(choice[static_cast<int64_t>(t - 1) * stride + label]);
    } else if (steps[t].forward) {
      label = first_best_inline(steps[t].forward + static_cast<int64_t>(label) * stride, reach, stride, &ignored);
    } else if (!steps[t].diagonal) {
      label = first_best_inline(reach, nullptr, stride, &ignored);
    }
    path[t] = label;
  }
  return score;
}

template <int N>
LAWFUL_INLINE void extend_block(const double* scores, const uint64_t* labels, const double* matrix, const Entry* entries,
                                int count, int stride, int from) {
  Vec best[N];
  for (int n = 0; n < N; ++n) best[n] = broadcast(kNever);
  for (int word = 0; word * 64 < stride; ++word) {
    for (uint64_t bits = labels[word]; bits; bits &= bits - 1) {
      const int i = word * 64 + __builtin_ctzll(bits);
      const Vec score = broadcast(scores[i]);
      const double* row = matrix + static_cast<int64_t>(i) * stride + from;
      for (int n = 0; n < N; ++n) best[n] = larger(score + load(row + n * kWidth), best[n]);
    }
  }
  for (const Entry* entry = entries; entry != entries + count; ++entry) {
    double* into = entry->into + from;
    for (int n = 0; n < N; ++n) {
      const Vec v = entry->cost ? best[n] + load(entry->cost + from + n * kWidth) : best[n];
      store(into + n * kWidth, larger(v, load(into + n * kWidth)));
    }
  }
}

void extend(const double* scores, const uint64_t* labels, const double* matrix, const Entry* entries, int count, int stride) {
  int from = 0;
  for (; from + 4 * kWidth <= stride; from += 4 * kWidth) extend_block<4>(scores, labels, matrix, entries, count, stride, from);
  for (; from + 2 * kWidth <= stride; from += 2 * kWidth) extend_block<2>(scores, labels, matrix, entries, count, stride, from);
  for (; from < stride; from += kWidth) extend_block<1>(scores, labels, matrix, entries, count, stride, from);
}

void extend_all(double score, const Entry* entries, int count, int stride) {
  for (const Entry* entry = entries; entry != entries + count; ++entry)
    for (int k = 0; k < stride; k += kWidth) {
      Vec v = broadcast(score);
      if (entry->cost) v = v + load(entry->cost + k);
      store(entry->into + k, larger(v, load(entry->into + k)));
    }
}

void extend_row(const double* scores, const double* row, const Entry* entries, int count, int stride) {
  for (const Entry* entry = entries; entry != entries + count; ++entry)
    for (int k = 0; k < stride; k += kWidth) {
      Vec v = load(scores + k) + load(row + k);
      if (entry->cost) v = v + load(entry->cost + k);
      store(entry->into + k, larger(v, load(entry->into + k)));
    }
}

double largest(const double* scores, const double* mask, int stride) {
  Vec best = broadcast(kNever);
  for (int k = 0; k < stride; k += kWidth) best = larger(best, mask ? load(scores + k) + load(mask + k) : load(scores + k));
  return horizontal_max(best);
}

int first_best(const double* a, const double* b, int stride, double* best) { return first_best_inline(a, b, stride, best); }

int64_t settle(double* scores, int rows, const double* emissions, const double* reach, const double* const* corrections,
               double threshold, int stride, uint64_t* alive) {
  // With no threshold the smallest finite number still drops what cannot be completed at all.
  const Vec least = broadcast(threshold == kNever ? std::numeric_limits<double>::lowest() : threshold);
  int64_t count = 0;
  for (int row = 0; row < rows; ++row, scores += stride) {
    for (int from = 0; from < stride; from += 64) {
      uint64_t bits = 0;
      for (int k = from; k < stride && k < from + 64; k += kWidth) {
        const Vec v = load(scores + k);
        Vec promise = v + load(reach + k);
        if (corrections) promise = promise + load(corrections[row] + k);
        bits |= static_cast<uint64_t>(at_least(promise, least)) << (k - from);
        store(scores + k, promise >= least ? v + load(emissions + k) : broadcast(kNever));
      }
      *alive++ = bits;
      count += __builtin_popcountll(bits);
    }
  }
  return count;
}

void add(const double* a, const double* b, double* sum, int stride) {
  for (int k = 0; k < stride; k += kWidth) store(sum + k, load(a + k) + load(b + k));
}

void add_all(const Addition* additions, int64_t count, const double** rows, double* sums, int stride) {
  for (const Addition* addition = additions; addition != additions + count; ++addition) {
    double* sum = sums + static_cast<int64_t>(addition->from) * stride;
    for (int32_t t = addition->from; t < addition->to; ++t, sum += stride) {
      add(rows[t], addition->row, sum, stride);
      rows[t] = sum;
    }
  }
}

double pad(const double* scores, int64_t rows, int labels, int stride, double* padded) {
  Vec even{}, odd{};  // two chains, so that one maximum need not wait for the other
  unsigned legal = kAll;
  auto copy = [&](int64_t row, int k, Vec& most) {
    const Vec score = load_first(scores + row * labels + k, labels - k);
    store(padded + row * stride + k, score);
    legal &= below_infinity(score);
    most = larger_finite(most, magnitude(score));
  };
  int64_t row = 0;
  for (; row + 1 < rows; row += 2)
    for (int k = 0; k < stride; k += kWidth) {
      copy(row, k, even);
      copy(row + 1, k, odd);
    }
  for (int k = 0; row < rows && k < stride; k += kWidth) copy(row, k, even);
  return legal == kAll ? horizontal_max(larger(even, odd)) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

const Kernels& table() {
  static constexpr Kernels kTable{LAWFUL_NAME, complete,   follow, extend, extend_all, extend_row,
                                  largest,     first_best, settle, add,    add_all,    pad};
  return kTable;
}

}  // namespace lawful::LAWFUL_NAMESPACE
