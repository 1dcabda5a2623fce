// The attributes of many sequences, position by position: the input of feature-based models.
#pragma once

#include <cstdint>
#include <vector>

namespace lawful {

struct Rows {
  std::vector<int64_t> sequence_offsets{0};  // (N + 1), into positions
  std::vector<int64_t> item_offsets{0};      // (M + 1), into attributes
  std::vector<int32_t> attributes;           // (A)
  std::vector<double> values;                // (A), or empty while all of them are 1

  void add(int32_t attribute, double value) {
    if (value != 1.0 && !weighted) {
      values.assign(attributes.size(), 1.0);
      weighted = true;
    }
    attributes.push_back(attribute);
    if (weighted) values.push_back(value);
  }
  void end_position() { item_offsets.push_back(static_cast<int64_t>(attributes.size())); }
  void end_sequence() { sequence_offsets.push_back(static_cast<int64_t>(item_offsets.size()) - 1); }

  bool weighted = false;  // whether values is in use
};

// Which of `size` attributes occur at least min_count times, as their new ids (-1: too rare); rows change with them.
std::vector<int32_t> drop_rare(Rows& rows, int32_t size, int64_t min_count);

}  // namespace lawful
