// The blocks of a matrix, found and owned.
#pragma once

#include <vector>

#include "core/kernels/row_blocks.hpp"

namespace lawful {

class BlockLists {
 public:
  BlockLists() = default;
  // The blocks of a matrix (rows, stride) that hold something else than `nothing`; `stride` is a multiple of eight. No lists
  // at all if they would be long, or if the matrix is small.
  static BlockLists of(const double* matrix, int rows, int stride, double nothing);
  RowBlocks view() const { return first_.empty() ? RowBlocks{} : RowBlocks{first_.data(), columns_.data()}; }

 private:
  std::vector<int64_t> first_;
  std::vector<int32_t> columns_;
};

}  // namespace lawful
