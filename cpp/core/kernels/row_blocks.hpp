// Where the rows of a matrix hold anything, in blocks of eight columns, as the kernels take it: for matrices that forbid nearly
// everything, such as the steps between labels that carry a history. What is in no block is skipped instead of read.
#pragma once

#include <cstdint>

namespace lawful {

// The blocks of row r begin at columns[first[r]] up to columns[first[r + 1]]. Null: everything counts.
struct RowBlocks {
  const int64_t* first = nullptr;
  const int32_t* columns = nullptr;
};

// A matrix whose columns were sorted, so that its blocks are few. A row of sums over it comes back into the order of the columns by
// swapping two places after the other. Null: no such matrix.
struct SortedColumns {
  const double* matrix = nullptr;  // (rows, stride)
  const int32_t* swaps = nullptr;  // (count, 2)
  int64_t count = 0;
};

// A matrix that forbids nearly everything: the blocks of `sorted`, or of the matrix itself if there is none.
struct SparseMatrix {
  RowBlocks blocks = {};
  SortedColumns sorted = {};
};

}  // namespace lawful
