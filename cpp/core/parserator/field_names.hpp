// Which field of the answer each label fills, and where the package would raise an error instead.
#pragma once

#include <cstdint>
#include <vector>

namespace lawful {

// Some labels switch to another level, for good; the highest one counts. What field a label fills depends on the level: always,
// or only once it has filled its own field. A field may be filled again right after itself, or right after or by one that may
// interrupt others.
struct FieldNames {
  std::vector<uint8_t> level;       // by label: to which it switches
  std::vector<int32_t> fields;      // (levels, labels)
  bool only_repeated = false;       // whether levels count only for labels that filled their own field before
  std::vector<uint8_t> interrupts;  // by field
  std::vector<uint8_t> sign;        // by label: bits that say what the string is; all together number its kind
};

struct Field {
  int32_t field;
  bool raises;  // whether the package would, here
};

// Reads labels from the first on.
class FieldReader {
 public:
  explicit FieldReader(const FieldNames& names) : names_(names), seen_(names.interrupts.size()) {}
  void start() {
    seen_.assign(seen_.size(), 0);
    level_ = 0;
    last_ = -1;
  }
  Field read(int32_t label) {
    const auto labels = names_.level.size();
    const int32_t own = names_.fields[label];
    level_ = level_ < names_.level[label] ? names_.level[label] : level_;
    const bool shifts = !names_.only_repeated || (seen_[own] && names_.level[label] == 0);
    const int32_t field = shifts ? names_.fields[level_ * labels + label] : own;
    const bool goes_on = field == last_ || (last_ >= 0 && names_.interrupts[last_]) || names_.interrupts[field];
    const bool raises = seen_[field] && !goes_on;
    seen_[field] = 1;
    last_ = field;
    return {field, raises};
  }

 private:
  const FieldNames& names_;
  std::vector<uint8_t> seen_;  // by field
  std::size_t level_ = 0;
  int32_t last_ = -1;
};

}  // namespace lawful
