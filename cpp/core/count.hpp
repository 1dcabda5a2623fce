// The judge of rules: walks a rule's counting machine over a finished labelling. Shares nothing with the search.
#pragma once

#include "core/part.hpp"

namespace bylaw {

// `kinds` may be null (every token is of kind 0).
inline int64_t count_violations(const Part& part, const uint16_t* kinds, const int32_t* labels, int length) {
  int64_t total = 0;
  int32_t state = 0;
  for (int t = 0; t < length; ++t) {
    const int32_t at = state * part.classes + part.class_at(kinds ? kinds[t] : 0, labels[t]);
    total += part.count_violations[at];
    state = part.count_delta[at];
  }
  return total + part.count_final[state];
}

}  // namespace bylaw
