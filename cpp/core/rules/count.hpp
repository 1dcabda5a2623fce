// The judge of rules: walks a rule's counting machine over a finished labelling. Shares nothing with the search.
#pragma once

#include "core/rules/part.hpp"

namespace lawful {

// `kinds` may be null (every token is of kind 0).
inline int64_t count_violations(const Part& part, const uint16_t* kinds, const int32_t* labels, int length) {
  if (!part.count_alone.empty()) {
    int64_t total = part.count_final[0];
    for (int t = 0; t < length; ++t) total += part.count_alone[(kinds ? kinds[t] * part.labels : 0) + labels[t]];
    return total;
  }
  const uint16_t* table = part.table.data();
  const int32_t* next_row = part.count_row.data();
  const int32_t* violations = part.count_violations.data();
  int64_t total = 0;
  int32_t row = 0;
  for (int t = 0; t < length; ++t) {
    const int32_t at = row + table[(kinds ? kinds[t] * part.labels : 0) + labels[t]];
    total += violations[at];
    row = next_row[at];
  }
  return total + part.count_final[row / part.classes];
}

// What a part charges for a number of violations.
inline double charge(const Part& part, int64_t violations) {
  if (violations == 0) return 0;
  if (part.mode == Mode::hard) return -kForbidden;
  return part.price * (part.mode == Mode::once ? 1.0 : static_cast<double>(violations));
}

}  // namespace lawful
