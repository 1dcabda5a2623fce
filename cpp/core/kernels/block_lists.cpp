#include "core/kernels/block_lists.hpp"

namespace lawful {
namespace {

constexpr int kBlock = 8;
constexpr int kSmall = 64;   // columns below which whole rows are quicker
constexpr int kFewest = 3;   // lists pay if at most one block in so many is in them

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

}  // namespace lawful
