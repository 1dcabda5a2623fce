// The blocks of a matrix, found and owned.
#pragma once

#include <vector>

#include "core/kernels/row_blocks.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

class BlockLists {
 public:
  BlockLists() = default;
  // The blocks of a matrix (rows, stride) that hold something else than `nothing`; `stride` is a multiple of eight. No lists
  // at all if they would be long, or if the matrix is small.
  static BlockLists of(const double* matrix, int rows, int stride, double nothing);
  bool empty() const { return first_.empty(); }
  RowBlocks view() const { return first_.empty() ? RowBlocks{} : RowBlocks{first_.data(), columns_.data()}; }

 private:
  std::vector<int64_t> first_;
  std::vector<int32_t> columns_;
};

// A matrix with its columns sorted by the rows in which they hold something. Labels that carry a history stand in an order in which
// each block has something for every row; sorted, those with the same history stand together.
class SortedMatrix {
 public:
  SortedMatrix() = default;
  // Nothing at all if its blocks would still be many.
  static SortedMatrix of(const double* matrix, int rows, int columns, int stride, double nothing);
  bool empty() const { return blocks_.empty(); }
  RowBlocks blocks() const { return blocks_.view(); }
  SortedColumns view() const {
    return empty() ? SortedColumns{} : SortedColumns{matrix_.data(), swaps_.data(), static_cast<int64_t>(swaps_.size() / 2)};
  }
  Doubles& scores() { return matrix_; }

 private:
  BlockLists blocks_;
  Doubles matrix_;  // (rows, stride)
  std::vector<int32_t> swaps_;
};

}  // namespace lawful
