#include "core/kernels/block_lists.hpp"

#include <algorithm>
#include <numeric>

namespace lawful {
namespace {

constexpr int kBlock = 8;
constexpr int kSmall = 64;   // columns below which whole rows are quicker
constexpr int kFewest = 3;   // lists pay if at most one block in so many is in them

// Bit r of column k says whether row r holds something there; no bits at all if more than one place in kFewest does.
std::vector<std::vector<uint64_t>> patterns(const double* matrix, int rows, int columns, int stride, double nothing) {
  std::vector<std::vector<uint64_t>> bits(columns, std::vector<uint64_t>((rows + 63) / 64));
  int64_t left = static_cast<int64_t>(rows) * columns / kFewest;
  for (int row = 0; row < rows; ++row, matrix += stride)
    for (int k = 0; k < columns; ++k) {
      if (matrix[k] == nothing) continue;
      if (--left < 0) return {};
      bits[k][row / 64] |= uint64_t{1} << (row % 64);
    }
  return bits;
}

}  // namespace

BlockLists BlockLists::of(const double* matrix, int rows, int stride, double nothing) {
  BlockLists lists;
  if (stride < kSmall) return lists;
  const std::size_t most = static_cast<std::size_t>(rows) * stride / kBlock / kFewest;
  lists.first_.push_back(0);
  for (int row = 0; row < rows; ++row, matrix += stride) {
    for (int from = 0; from < stride; from += kBlock) {
      bool any = false;
      for (int k = from; k < from + kBlock; ++k) any = any || matrix[k] != nothing;
      if (any) lists.columns_.push_back(from);
    }
    if (lists.columns_.size() > most) return {};
    lists.first_.push_back(static_cast<int64_t>(lists.columns_.size()));
  }
  return lists;
}

SortedMatrix SortedMatrix::of(const double* matrix, int rows, int columns, int stride, double nothing) {
  SortedMatrix sorted;
  if (stride < kSmall) return sorted;
  const auto bits = patterns(matrix, rows, columns, stride, nothing);
  if (bits.empty()) return sorted;
  std::vector<int32_t> at(columns);  // the column in each place
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(), [&](int32_t a, int32_t b) { return bits[a] < bits[b]; });
  sorted.matrix_.assign(static_cast<std::size_t>(rows) * stride, nothing);
  for (int row = 0; row < rows; ++row) {
    const std::size_t from = static_cast<std::size_t>(row) * stride;
    for (int place = 0; place < columns; ++place) sorted.matrix_[from + place] = matrix[from + at[place]];
  }
  sorted.blocks_ = BlockLists::of(sorted.matrix_.data(), rows, stride, nothing);
  if (sorted.blocks_.empty()) return {};
  for (int32_t place = 0; place < columns; ++place)
    while (at[place] != place) {  // each swap brings one column home
      const int32_t home = at[place];
      sorted.swaps_.push_back(place);
      sorted.swaps_.push_back(home);
      std::swap(at[place], at[home]);
    }
  return sorted;
}

}  // namespace lawful
