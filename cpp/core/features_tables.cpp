#include "core/features_tables.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace bylaw {

FeatureTables::FeatureTables(const FeatureProgram& program)
    : program_(program.serial), values_(program.leaves.size()), lanes_(program.lanes.size()) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].width = static_cast<std::size_t>(program.lanes[i].width);
}

FeatureTables::FeatureTables(const FeatureProgram& program, const StringTable& index) : FeatureTables(program) {
  std::unordered_map<std::string_view, int> slot_of;
  for (std::size_t i = 0; i < program.slots.size(); ++i) slot_of.emplace(program.slots[i].prefix, static_cast<int>(i));
  std::vector<std::string_view> values;
  for (int32_t attribute = 0; attribute < index.size(); ++attribute) {
    const std::string_view text = index[attribute];
    auto skip_to = [&](std::size_t at, char wanted) {  // where it stands next without a backslash before it
      while (at < text.size() && text[at] != wanted) at += text[at] == '\\' ? 2 : 1;
      return std::min(at, text.size());
    };
    const std::size_t equals = skip_to(0, '=');
    if (equals == text.size()) continue;
    const auto found = slot_of.find(text.substr(0, equals + 1));
    if (found == slot_of.end()) continue;
    values.clear();
    for (std::size_t start = equals + 1; start <= text.size();) {
      const std::size_t end = skip_to(start, '|');
      values.push_back(text.substr(start, end - start));
      start = end + 1;
    }
    const FeatureSlot& slot = program.slots[found->second];
    if (values.size() != slot.parts.size()) continue;
    int32_t id = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int32_t value = add_value(slot.parts[i].leaf, values[i]);
      id = i == 0 ? value : add_pair(slot.lanes[i], id, value);
    }
    place(slot.lanes.back(), slot.column, id) = attribute;
  }
}

int32_t& FeatureTables::place(int lane, int column, int32_t id) {
  Lane& table = lanes_[lane];
  const auto at = static_cast<std::size_t>(id) * table.width + column;
  if (at >= table.attributes.size()) table.attributes.resize((static_cast<std::size_t>(id) + 1) * table.width, -1);
  return table.attributes[at];
}

int32_t FeatureTables::add(int slot, int lane, int column, int32_t id) {
  int32_t& attribute = place(lane, column, id);
  if (attribute < 0) {
    if (made_.size() >= static_cast<std::size_t>(std::numeric_limits<int32_t>::max() - 1))
      throw std::length_error("more than 2^31 different attributes");
    attribute = size();
    made_.push_back({slot, id});
  }
  return attribute;
}

void FeatureTables::append_string(const FeatureProgram& program, int32_t attribute, std::string& into) const {
  const FeatureSlot& slot = program.slots[made_[attribute].slot];
  into += slot.prefix;
  append_values(program, slot.lanes.back(), made_[attribute].id, into);
}

void FeatureTables::append_values(const FeatureProgram& program, int lane, int32_t id, std::string& into) const {
  const FeatureLane& described = program.lanes[lane];
  if (described.leaf >= 0) {
    into += values_[described.leaf][id];
    return;
  }
  append_values(program, described.left, lanes_[lane].pairs.first(id), into);
  into += '|';
  append_values(program, described.right, lanes_[lane].pairs.second(id), into);
}

}  // namespace bylaw
