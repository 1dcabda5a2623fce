// Sums over long vectors, cut into blocks of a fixed size and added up in order: the same for any number of threads.
#pragma once

#include <cstring>

#include "core/support/parallel.hpp"

namespace lawful {

class Blocked {
 public:
  Blocked(int64_t size, int threads) : size_(size), threads_(threads), partial_((size + kBlock - 1) / kBlock) {}

  // The sum of of_block(begin, end) over all blocks.
  template <typename OfBlock>
  double sum(const OfBlock& of_block) {
    const auto blocks = static_cast<int64_t>(partial_.size());
    parallel_for(blocks, blocks < kFew ? 1 : threads_,
                 [&](int64_t block, int) { partial_[block] = of_block(block * kBlock, std::min(size_, (block + 1) * kBlock)); });
    double total = 0;
    for (const double partial : partial_) total += partial;  // in block order, so that threads cannot change the rounding
    return total;
  }

  template <typename OfBlock>
  void each(const OfBlock& of_block) {
    sum([&](int64_t begin, int64_t end) {
      of_block(begin, end);
      return 0.0;
    });
  }

  double dot(const double* a, const double* b) {
    return sum([&](int64_t begin, int64_t end) { return dot_of(a + begin, b + begin, end - begin); });
  }

  // into += factor * from; then the product of `into` with `with` (null: none).
  double add_and_dot(double factor, const double* from, double* into, const double* with) {
    return sum([&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) into[i] += factor * from[i];
      return with ? dot_of(into + begin, with + begin, end - begin) : 0.0;
    });
  }

 private:
  static constexpr int64_t kBlock = 8192;
  static constexpr int64_t kFew = 16;  // blocks below which starting threads costs more than it saves

  // Eight sums side by side: a compiler may not reorder additions, but this order can be done in vectors.
  static double dot_of(const double* a, const double* b, int64_t n) {
    double sums[8] = {};
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
      for (int lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    for (int lane = 0; i < n; ++i, ++lane) sums[lane] += a[i] * b[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }

  int64_t size_;
  int threads_;
  std::vector<double> partial_;
};

}  // namespace lawful
