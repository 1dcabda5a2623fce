// A corpus and its features, laid out anew for passes over all of it.
//
// Attributes are renumbered: first those with many outputs, whose weights are kept as whole rows (adding a row takes
// three vector instructions where adding one weight after another takes twenty scalar ones); then those with a few;
// then the many with one. Inside each class the frequent ones come first, so that they stay in the cache. The
// attributes of a position are sorted by their new numbers, which keeps the three classes apart.
#pragma once

#include "core/linear/layout.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

struct TrainingPlan {
  int stride = 0;  // outputs, padded
  int32_t rows = 0, lists = 0, singles = 0;  // attributes of each class
  std::vector<int64_t> first;       // (rows + lists + 1): weights of the first two classes, by new number
  std::vector<int32_t> output;      // the output of each state weight, in the new order
  int64_t used = 0;                 // state weights of attributes that occur; the others stand behind them
  std::vector<int64_t> original;    // where each state weight stands in the layout
  std::vector<int64_t> item_first;  // (positions + 1)
  std::vector<int32_t> items;       // new numbers, ascending within a position
  std::vector<double> values;       // empty: all ones
  std::vector<uint32_t> row_end, list_end;  // (positions): where the first and the second class end
  std::vector<double> cost;         // (attributes): about how long a pass spends on each

  TrainingPlan(const LinearLayout& layout, const Sequences& data);
  int64_t attributes() const { return static_cast<int64_t>(rows) + lists + singles; }
  int64_t single_at() const { return first.back(); }  // the weight of single s is single_at() + s - rows - lists
};

}  // namespace lawful
