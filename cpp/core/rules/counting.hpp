// How often labellings of many sequences break each rule: for whoever counts, not for the search.
#pragma once

#include "core/rules/binder.hpp"

namespace lawful {

struct Labellings {
  const int32_t* labels;  // end to end: rows[n] labellings of sequence n, one after another
  int32_t most;           // no label is larger
  const int64_t* rows;    // (N)
  int rules;
};

// Adds to `counts` (labellings, rules), and says for which sequences it cannot: those that the binder cannot tie.
std::vector<int64_t> count_violations(const Binder& binder, const Examples& examples, const Labellings& given, int64_t* counts);

}  // namespace lawful
