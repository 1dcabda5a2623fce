// From the values of slots to attributes: tables that grow while fitting, and stay as they are afterwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/features/pairs.hpp"
#include "core/features/program.hpp"

namespace lawful {

class FeatureTables {
 public:
  explicit FeatureTables(const FeatureProgram& program);
  // What attribute strings, numbered from 0, say of the program's slots. `complete` says whether slots make all of them;
  // those that none could make are skipped. Throws if one is listed twice.
  FeatureTables(const FeatureProgram& program, const char* bytes, const int64_t* offsets, int32_t count);

  int32_t find_value(int leaf, std::string_view escaped) const { return values_[leaf].find(escaped); }
  int32_t add_value(int leaf, std::string_view escaped) { return values_[leaf].add(escaped); }
  const PairTable& pairs(int lane) const { return lanes_[lane].pairs; }
  int32_t add_pair(int lane, int32_t left, int32_t right) { return lanes_[lane].pairs.add(left, right); }

  // The attribute that a slot makes of an id of its lane.
  int32_t find(int lane, int column, int32_t id) const {
    const Lane& table = lanes_[lane];
    const auto at = static_cast<std::size_t>(id) * table.width + column;
    return at < table.attributes.size() ? table.attributes[at] : -1;
  }
  int32_t add(int slot, int lane, int column, int32_t id);
  void prefetch(int lane, int32_t id) const {
    const Lane& table = lanes_[lane];
    __builtin_prefetch(table.attributes.data() + static_cast<std::size_t>(id) * table.width);
  }

  uint64_t program() const { return program_; }
  int32_t size() const { return count_; }
  bool complete() const { return complete_; }
  // The string of an attribute, once it is prepared, and the attribute of a string (-1 if there is none).
  void prepare_strings(const FeatureProgram& program);
  void append_string(const FeatureProgram& program, int32_t attribute, std::string& into) const;
  int32_t find_string(const FeatureProgram& program, std::string_view text) const;

 private:
  struct Lane {
    PairTable pairs;                  // for lanes of pairs
    std::vector<int32_t> attributes;  // (ids, width), -1 for none: slots that read one id in turn find it in one place
    std::size_t width = 0;
  };
  struct Origin {
    int32_t slot = -1, id = -1;
  };
  int32_t& attribute_entry(int lane, int column, int32_t id);
  void append_values(const FeatureProgram& program, int lane, int32_t id, std::string& into) const;

  uint64_t program_;
  std::vector<StringTable> values_;  // by leaf, escaped
  std::vector<Lane> lanes_;
  std::vector<Origin> origins_;  // by attribute; after reading an index, only when strings are asked for: tagging needs none
  int32_t count_ = 0;
  bool complete_ = true;
};

}  // namespace lawful
