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

}  // namespace lawful
