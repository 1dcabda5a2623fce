// From the values of slots to attributes: tables that grow while fitting, and stay as they are afterwards.
#pragma once

#include <vector>

#include "core/features_pairs.hpp"
#include "core/features_program.hpp"

namespace bylaw {

class FeatureTables {
 public:
  explicit FeatureTables(const FeatureProgram& program);
  // What an index of attribute strings says of the program's slots; strings that no slot could make are passed over.
  FeatureTables(const FeatureProgram& program, const StringTable& index);

  int32_t find_value(int leaf, std::string_view escaped) const { return values_[leaf].find(escaped); }
  int32_t add_value(int leaf, std::string_view escaped) { return values_[leaf].add(escaped); }

  int32_t find_one(int slot, int32_t value) const {
    const std::vector<int32_t>& single = slots_[slot].single;
    return static_cast<std::size_t>(value) < single.size() ? single[value] : -1;
  }
  int32_t find(int slot, const int32_t* values, int n) const {
    if (n == 1) return find_one(slot, values[0]);
    const std::vector<PairMap>& levels = slots_[slot].levels;
    int32_t id = values[0];
    for (int i = 1; i < n && id >= 0; ++i) id = levels[i - 1].find(id, values[i]);
    return id;
  }
  int32_t add(int slot, const int32_t* values, int n);

  uint64_t program() const { return program_; }
  int32_t size() const { return static_cast<int32_t>(made_slots_.size()); }
  // The strings of the attributes that were added, of those whose new id is not negative.
  StringTable strings(const FeatureProgram& program, const std::vector<int32_t>& renamed) const;

 private:
  struct Slot {
    std::vector<int32_t> single;  // by value, for slots of one part
    std::vector<PairMap> levels;  // for others: first two values, that and the third, ...; the last gives attributes
  };
  int32_t& place(int slot, const int32_t* values, int n);

  uint64_t program_;
  std::vector<StringTable> values_;  // by leaf, escaped
  std::vector<Slot> slots_;
  std::vector<int32_t> made_slots_;           // by attribute
  std::vector<int32_t> made_values_;          // one after another
};

}  // namespace bylaw
