// The body of chain_sums_*.cpp, which define LAWFUL_NAMESPACE and are compiled for one processor generation each.
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/kernels/chain_sums.hpp"

namespace lawful::LAWFUL_NAMESPACE {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 8;
#elif defined(__AVX__)
constexpr int kWidth = 4;
#else
constexpr int kWidth = 2;
#endif
constexpr int kRow = 8;  // columns that are summed together, whatever the width

#define LAWFUL_INLINE inline __attribute__((always_inline))
typedef double Vec __attribute__((vector_size(kWidth * 8)));
typedef int64_t Mask __attribute__((vector_size(kWidth * 8)));

LAWFUL_INLINE Vec load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
LAWFUL_INLINE void store(double* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
LAWFUL_INLINE Vec broadcast(double x) { return x - Vec{}; }  // minus zero, because plus zero would turn -0.0 into 0.0
LAWFUL_INLINE Vec larger(Vec a, Vec b) { return a > b ? a : b; }
LAWFUL_INLINE Vec smaller(Vec a, Vec b) { return a < b ? a : b; }

// Eight sums, kept apart until the end so that their order does not depend on the width.
struct RowSum {
  Vec parts[kRow / kWidth] = {};
  LAWFUL_INLINE void add(int column, Vec v) { parts[column / kWidth % (kRow / kWidth)] += v; }
  LAWFUL_INLINE double value() const {
    alignas(64) double all[kRow];
    for (int i = 0; i < kRow / kWidth; ++i) store(all + i * kWidth, parts[i]);
    return ((all[0] + all[1]) + (all[2] + all[3])) + ((all[4] + all[5]) + (all[6] + all[7]));
  }
};

// exp for arguments in [-708, 709]; smaller ones count as -708. Within two units of the last place.
LAWFUL_INLINE Vec exponential(Vec x) {
  constexpr double kToInteger = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer in the low bits
  x = larger(x, broadcast(-708.0));
  const Vec shifted = x * 1.4426950408889634074 + kToInteger;
  const Vec n = shifted - kToInteger;
  const Vec r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  // Taylor to the 13th power on |r| <= ln(2) / 2, even and odd powers side by side.
  const Vec s = r * r;
  Vec even = s * (1.0 / 479001600.0) + (1.0 / 3628800.0);
  Vec odd = s * (1.0 / 6227020800.0) + (1.0 / 39916800.0);
  even = even * s + (1.0 / 40320.0);
  odd = odd * s + (1.0 / 362880.0);
  even = even * s + (1.0 / 720.0);
  odd = odd * s + (1.0 / 5040.0);
  even = even * s + (1.0 / 24.0);
  odd = odd * s + (1.0 / 120.0);
  even = even * s + 0.5;
  odd = odd * s + (1.0 / 6.0);
  const Vec power = 1.0 + (r + (s * even + s * r * odd));
  const Mask exponent = ((Mask)shifted) << 52;  // the integer part, moved to where the exponent is
  return (Vec)((Mask)power + exponent);
}

template <int N>
LAWFUL_INLINE void gather_block(const double* rows, const int32_t* ids, const double* values, int64_t count, double* row,
                                int stride) {
  Vec sum[N];
  for (int n = 0; n < N; ++n) sum[n] = load(row + n * kWidth);
  if (values) {
    for (int64_t i = 0; i < count; ++i) {
      const double* from = rows + static_cast<int64_t>(ids[i]) * stride;
      for (int n = 0; n < N; ++n) sum[n] += values[i] * load(from + n * kWidth);
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const double* from = rows + static_cast<int64_t>(ids[i]) * stride;
      for (int n = 0; n < N; ++n) sum[n] += load(from + n * kWidth);
    }
  }
  for (int n = 0; n < N; ++n) store(row + n * kWidth, sum[n]);
}

void gather(const double* rows, const int32_t* ids, const double* values, int64_t count, double* row, int stride) {
  constexpr int kUnit = kRow / kWidth;
  int from = 0;
  for (; from + 4 * kRow <= stride; from += 4 * kRow)
    gather_block<4 * kUnit>(rows + from, ids, values, count, row + from, stride);
  switch ((stride - from) / kRow) {
    case 3: return gather_block<3 * kUnit>(rows + from, ids, values, count, row + from, stride);
    case 2: return gather_block<2 * kUnit>(rows + from, ids, values, count, row + from, stride);
    case 1: return gather_block<1 * kUnit>(rows + from, ids, values, count, row + from, stride);
  }
}

template <int N>
LAWFUL_INLINE void scatter_block(double* rows, const int32_t* ids, const double* values, int64_t count, const double* row,
                                 int stride) {
  Vec add[N];
  for (int n = 0; n < N; ++n) add[n] = load(row + n * kWidth);
  for (int64_t i = 0; i < count; ++i) {
    double* into = rows + static_cast<int64_t>(ids[i]) * stride;
    for (int n = 0; n < N; ++n) {
      const Vec v = values ? values[i] * add[n] : add[n];
      store(into + n * kWidth, load(into + n * kWidth) + v);
    }
  }
}

void scatter(double* rows, const int32_t* ids, const double* values, int64_t count, const double* row, int stride) {
  constexpr int kUnit = kRow / kWidth;
  int from = 0;
  for (; from + 4 * kRow <= stride; from += 4 * kRow)
    scatter_block<4 * kUnit>(rows + from, ids, values, count, row + from, stride);
  switch ((stride - from) / kRow) {
    case 3: return scatter_block<3 * kUnit>(rows + from, ids, values, count, row + from, stride);
    case 2: return scatter_block<2 * kUnit>(rows + from, ids, values, count, row + from, stride);
    case 1: return scatter_block<1 * kUnit>(rows + from, ids, values, count, row + from, stride);
  }
}

LAWFUL_INLINE double exponentiate_inline(const double* scores, double* into, int labels, int stride, double* smallest) {
  // The padding takes the first label's score, so that it changes neither the largest nor the smallest.
  const Vec first = broadcast(scores[0]);
  Vec most = first, least = first;
  const int full = labels / kWidth * kWidth;
  for (int k = 0; k < full; k += kWidth) {
    most = larger(most, load(scores + k));
    least = smaller(least, load(scores + k));
  }
  double top = most[0], bottom = least[0];
  for (int i = 1; i < kWidth; ++i) {
    top = most[i] > top ? most[i] : top;
    bottom = least[i] < bottom ? least[i] : bottom;
  }
  for (int k = full; k < labels; ++k) {
    top = scores[k] > top ? scores[k] : top;
    bottom = scores[k] < bottom ? scores[k] : bottom;
  }
  *smallest = bottom - top;
  const Vec shift = broadcast(top);
  // In the padding the argument may be too large: there the result is anything finite, and zeros multiply it later.
  for (int k = 0; k < stride; k += kWidth) store(into + k, exponential(smaller(load(scores + k) - shift, Vec{})));
  return top;
}

double exponentiate(const double* scores, double* into, int labels, int stride, double* smallest) {
  return exponentiate_inline(scores, into, labels, stride, smallest);
}

// product[j] = sum over i of factor[i] * matrix[i][j], for N vectors of j at once, kept in registers.
template <int N>
LAWFUL_INLINE void multiply_block(const double* matrix, const double* factor, int labels, int stride, double* product) {
  Vec even[N], odd[N];  // two chains, so that one sum need not wait for the other
  for (int n = 0; n < N; ++n) even[n] = odd[n] = Vec{};
  int i = 0;
  for (; i + 1 < labels; i += 2, matrix += 2 * stride) {
    for (int n = 0; n < N; ++n) {
      even[n] += factor[i] * load(matrix + n * kWidth);
      odd[n] += factor[i + 1] * load(matrix + stride + n * kWidth);
    }
  }
  if (i < labels)
    for (int n = 0; n < N; ++n) even[n] += factor[i] * load(matrix + n * kWidth);
  for (int n = 0; n < N; ++n) store(product + n * kWidth, even[n] + odd[n]);
}

LAWFUL_INLINE void multiply(const double* matrix, const double* factor, int labels, int stride, double* product) {
  constexpr int kUnit = kRow / kWidth;
  int from = 0;
  if constexpr (kWidth == 8)
    for (; from + 4 * kRow <= stride; from += 4 * kRow)
      multiply_block<4 * kUnit>(matrix + from, factor, labels, stride, product + from);
  for (; from + 3 * kRow <= stride && kWidth == 8; from += 3 * kRow)
    multiply_block<3 * kUnit>(matrix + from, factor, labels, stride, product + from);
  for (; from + 2 * kRow <= stride && kWidth >= 4; from += 2 * kRow)
    multiply_block<2 * kUnit>(matrix + from, factor, labels, stride, product + from);
  for (; from < stride; from += kRow) multiply_block<1 * kUnit>(matrix + from, factor, labels, stride, product + from);
}

// The same for a matrix that is mostly 0: only the blocks that are not.
LAWFUL_INLINE void multiply(const double* matrix, RowBlocks blocks, const double* factor, int labels, int stride, double* product) {
  if (!blocks.first) return multiply(matrix, factor, labels, stride, product);
  for (int k = 0; k < stride; k += kWidth) store(product + k, Vec{});
  for (int i = 0; i < labels; ++i, matrix += stride)
    for (int64_t b = blocks.first[i]; b < blocks.first[i + 1]; ++b)
      for (int k = blocks.columns[b]; k < blocks.columns[b] + kRow; k += kWidth)
        store(product + k, load(product + k) + factor[i] * load(matrix + k));
}

double forward_backward(const Chain& chain) {
  const int stride = chain.stride, labels = chain.labels;
  double* emission = chain.arrival;  // exp of emissions first; beta turns each row into arrivals
  double log_sum = 0, product = 1;
  for (int t = 0; t < chain.length; ++t) {
    const int64_t row = static_cast<int64_t>(t) * stride;
    double* here = chain.alpha + row;
    double smallest;
    log_sum += exponentiate_inline(chain.scores + row, emission + row, labels, stride, &smallest);
    if (!(smallest > -kWidestSpread)) return std::numeric_limits<double>::quiet_NaN();
    if (t == 0) {
      for (int k = 0; k < stride; k += kWidth) store(here + k, load(chain.start + k));
    } else {
      multiply(chain.forward, chain.forward_blocks, here - stride, labels, stride, here);
    }
    RowSum sum;
    for (int k = 0; k < stride; k += kWidth) {
      const Vec v = load(here + k) * load(emission + row + k);
      store(here + k, v);
      sum.add(k, v);
    }
    const double total = sum.value(), scale = 1 / total;
    chain.scales[t] = scale;
    for (int k = 0; k < stride; k += kWidth) store(here + k, load(here + k) * scale);
    product *= total;
    // One logarithm for many positions: it is taken only before the product could overflow or vanish.
    if (!(product > 1e-30 && product < 1e30)) {
      log_sum += std::log(product);
      product = 1;
    }
  }
  const int64_t last = static_cast<int64_t>(chain.length - 1) * stride;
  RowSum sum;
  for (int k = 0; k < stride; k += kWidth) sum.add(k, load(chain.alpha + last + k) * load(chain.end + k));
  const double total = sum.value();
  log_sum += std::log(product) + std::log(total);
  for (int k = 0; k < stride; k += kWidth) {
    const Vec beta = load(chain.end + k) * (1 / total);
    store(chain.marginals + last + k, load(chain.alpha + last + k) * beta);
    store(emission + last + k, load(emission + last + k) * beta * chain.scales[chain.length - 1]);
  }
  for (int t = chain.length - 1; t > 0; --t) {
    const int64_t row = static_cast<int64_t>(t - 1) * stride;
    double* beta = chain.marginals + row;  // free by now, even where it held the scores
    multiply(chain.backward, chain.backward_blocks, emission + row + stride, labels, stride, beta);
    for (int k = 0; k < stride; k += kWidth) {
      const Vec b = load(beta + k);
      store(emission + row + k, load(emission + row + k) * b * chain.scales[t - 1]);
      store(beta + k, b * load(chain.alpha + row + k));
    }
  }
  return log_sum;
}

// Only where the transitions are not 0: nothing else counts.
void outer_blocks(const Chain& chain, double* sums) {
  const int stride = chain.stride;
  const RowBlocks blocks = chain.forward_blocks;
  for (int t = 1; t < chain.length; ++t) {
    const double* a = chain.alpha + static_cast<int64_t>(t - 1) * stride;
    const double* b = chain.arrival + static_cast<int64_t>(t) * stride;
    for (int i = 0; i < chain.labels; ++i) {
      double* into = sums + static_cast<int64_t>(i) * stride;
      for (int64_t block = blocks.first[i]; block < blocks.first[i + 1]; ++block)
        for (int k = blocks.columns[block]; k < blocks.columns[block] + kRow; k += kWidth)
          store(into + k, load(into + k) + a[i] * load(b + k));
    }
  }
}

void outer(const Chain& chain, double* sums) {
  if (chain.forward_blocks.first) return outer_blocks(chain, sums);
  const int stride = chain.stride;
  int t = 1;
  for (; t + 3 < chain.length; t += 4) {  // four steps at a time: each sum is loaded and stored once
    const double* a = chain.alpha + static_cast<int64_t>(t - 1) * stride;
    const double* b = chain.arrival + static_cast<int64_t>(t) * stride;
    for (int i = 0; i < chain.labels; ++i) {
      double* into = sums + static_cast<int64_t>(i) * stride;
      const double a0 = a[i], a1 = a[stride + i], a2 = a[2 * stride + i], a3 = a[3 * stride + i];
      for (int k = 0; k < stride; k += kWidth) {
        const Vec v =
            (a0 * load(b + k) + a1 * load(b + stride + k)) + (a2 * load(b + 2 * stride + k) + a3 * load(b + 3 * stride + k));
        store(into + k, load(into + k) + v);
      }
    }
  }
  for (; t < chain.length; ++t) {
    const double* a = chain.alpha + static_cast<int64_t>(t - 1) * stride;
    const double* b = chain.arrival + static_cast<int64_t>(t) * stride;
    for (int i = 0; i < chain.labels; ++i) {
      double* into = sums + static_cast<int64_t>(i) * stride;
      for (int k = 0; k < stride; k += kWidth) store(into + k, load(into + k) + a[i] * load(b + k));
    }
  }
}

}  // namespace

const ChainKernels& chain_table() {
  static constexpr ChainKernels kTable{gather, scatter, exponentiate, forward_backward, outer};
  return kTable;
}

}  // namespace lawful::LAWFUL_NAMESPACE
