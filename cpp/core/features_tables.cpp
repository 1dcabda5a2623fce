#include "core/features_tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace bylaw {

int FeatureProgram::lane_of(int leaf, bool pad) {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].leaf == leaf && lanes[i].pad == pad) return static_cast<int>(i);
  lanes.push_back({leaf, pad});
  return static_cast<int>(lanes.size()) - 1;
}

void FeatureProgram::prepare() {
  for (FeatureSlot& slot : slots) {
    slot.many = false;
    for (const FeaturePart& part : slot.parts) {
      reach = std::max(reach, std::abs(part.offset));
      slot.many = slot.many || leaves[lanes[part.lane].leaf].operation == Operation::function;
    }
    functions = functions || slot.many;
  }
}

FeatureTables::FeatureTables(const FeatureProgram& program)
    : program_(program.serial), values_(program.leaves.size()), slots_(program.slots.size()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].levels.resize(program.slots[i].parts.size() - 1);
}

FeatureTables::FeatureTables(const FeatureProgram& program, const StringTable& index) : FeatureTables(program) {
  std::unordered_map<std::string_view, int> slot_of;
  for (std::size_t i = 0; i < program.slots.size(); ++i) slot_of.emplace(program.slots[i].prefix, static_cast<int>(i));
  std::vector<int32_t> values;
  for (int32_t id = 0; id < index.size(); ++id) {
    const std::string_view text = index[id];
    auto skip_to = [&](std::size_t at, char wanted) {  // where it stands next without a backslash before it
      while (at < text.size() && text[at] != wanted) at += text[at] == '\\' ? 2 : 1;
      return std::min(at, text.size());
    };
    const std::size_t equals = skip_to(0, '=');
    if (equals == text.size()) continue;
    const auto found = slot_of.find(text.substr(0, equals + 1));
    if (found == slot_of.end()) continue;
    const FeatureSlot& slot = program.slots[found->second];
    values.clear();
    std::size_t start = equals + 1;
    for (const FeaturePart& part : slot.parts) {
      if (start > text.size()) break;  // too few values
      const std::size_t end = skip_to(start, '|');
      values.push_back(add_value(program.lanes[part.lane].leaf, text.substr(start, end - start)));
      start = end + 1;
    }
    if (values.size() != slot.parts.size() || start <= text.size()) continue;
    place(found->second, values.data(), static_cast<int>(values.size())) = id;
  }
}

int32_t& FeatureTables::place(int slot, const int32_t* values, int n) {
  if (n == 1) {
    std::vector<int32_t>& single = slots_[slot].single;
    if (static_cast<std::size_t>(values[0]) >= single.size()) single.resize(static_cast<std::size_t>(values[0]) + 1, -1);
    return single[values[0]];
  }
  std::vector<PairMap>& levels = slots_[slot].levels;
  int32_t id = values[0];
  for (int i = 1; i < n - 1; ++i) {
    const int32_t fresh = levels[i - 1].size();
    int32_t& next = levels[i - 1].at(id, values[i]);
    if (next < 0) next = fresh;
    id = next;
  }
  return levels[n - 2].at(id, values[n - 1]);
}

int32_t FeatureTables::add(int slot, const int32_t* values, int n) {
  int32_t& id = place(slot, values, n);
  if (id < 0) {
    if (made_slots_.size() >= static_cast<std::size_t>(std::numeric_limits<int32_t>::max() - 1))
      throw std::length_error("more than 2^31 different attributes");
    id = size();
    made_slots_.push_back(slot);
    made_values_.insert(made_values_.end(), values, values + n);
  }
  return id;
}

StringTable FeatureTables::strings(const FeatureProgram& program, const std::vector<int32_t>& renamed) const {
  StringTable strings;
  std::string text;
  std::size_t at = 0;
  for (int32_t id = 0; id < size(); ++id) {
    const FeatureSlot& slot = program.slots[made_slots_[id]];
    if (renamed.empty() || renamed[id] >= 0) {
      text = slot.prefix;
      for (std::size_t i = 0; i < slot.parts.size(); ++i) {
        if (i > 0) text += '|';
        text += values_[program.lanes[slot.parts[i].lane].leaf][made_values_[at + i]];
      }
      strings.add(text);
    }
    at += slot.parts.size();
  }
  return strings;
}

}  // namespace bylaw
