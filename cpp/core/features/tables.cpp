#include "core/features/tables.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace lawful {
namespace {

// Where the mark stands next without a backslash before it.
std::size_t skip_to(std::string_view text, std::size_t at, char mark) {
  while (at < text.size() && text[at] != mark) at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

// Takes attribute strings apart again.
class StringReader {
 public:
  std::vector<std::string_view> values;  // of the last one, escaped

  explicit StringReader(const FeatureProgram& program) : program_(program) {
    for (std::size_t i = 0; i < program.slots.size(); ++i) {
      const std::string& prefix = program.slots[i].prefix;
      if (skip_to(prefix, 0, '=') + 1 == prefix.size()) slot_of_.emplace(prefix, static_cast<int>(i));
    }
    for (const auto& [prefix, slot] : slot_of_) slot_numbers_.push_back(slot);
    std::sort(slot_numbers_.begin(), slot_numbers_.end());
  }

  int find_slot(std::string_view text) {  // the slot whose prefix it has, or -1
    // Fitting met the attributes of a position in the order of their slots, so the next slot is a good guess.
    for (std::size_t tries = 0; tries < std::min<std::size_t>(3, slot_numbers_.size()); ++tries) {
      if (++guess_ >= slot_numbers_.size()) guess_ = 0;
      if (text.starts_with(program_.slots[slot_numbers_[guess_]].prefix)) return slot_numbers_[guess_];
    }
    const std::size_t equals = skip_to(text, 0, '=');
    if (equals == text.size()) return -1;
    const auto entry = slot_of_.find(text.substr(0, equals + 1));
    if (entry == slot_of_.end()) return -1;
    guess_ = static_cast<std::size_t>(std::lower_bound(slot_numbers_.begin(), slot_numbers_.end(), entry->second) -
                                      slot_numbers_.begin());
    return entry->second;
  }

  bool read_values(std::string_view text, int slot) {  // whether there are as many as the slot has terms
    values.clear();
    const std::size_t begin = program_.slots[slot].prefix.size();
    const bool escaped = text.find('\\', begin) != text.npos;
    for (std::size_t start = begin; start <= text.size();) {
      const std::size_t end = escaped ? skip_to(text, start, '|') : std::min(text.find('|', start), text.size());
      values.push_back(text.substr(start, end - start));
      start = end + 1;
    }
    return values.size() == program_.slots[slot].terms.size();
  }

 private:
  const FeatureProgram& program_;
  std::unordered_map<std::string_view, int> slot_of_;
  std::vector<int> slot_numbers_;  // the slots in it, in order
  std::size_t guess_ = 0;
};

}  // namespace

FeatureTables::FeatureTables(const FeatureProgram& program)
    : program_(program.serial), values_(program.leaves.size()), lanes_(program.lanes.size()) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].width = static_cast<std::size_t>(program.lanes[i].width);
}

FeatureTables::FeatureTables(const FeatureProgram& program, const char* bytes, const int64_t* offsets, int32_t count)
    : FeatureTables(program) {
  count_ = count;
  StringReader reader(program);
  auto string = [&](int32_t i) {
    return std::string_view(bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  };
  std::vector<std::size_t> of_slot(program.slots.size(), 0), of_lane(program.lanes.size(), 0);
  std::vector<int32_t> slots(static_cast<std::size_t>(count));
  for (int32_t attribute = 0; attribute < count; ++attribute)
    if ((slots[attribute] = reader.find_slot(string(attribute))) >= 0) ++of_slot[slots[attribute]];
  for (std::size_t i = 0; i < of_slot.size(); ++i) {  // a lane has at least that many ids, and often no more
    std::size_t& most = of_lane[program.slots[i].lanes.back()];
    most = std::max(most, of_slot[i]);
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (program.lanes[i].leaf < 0) lanes_[i].pairs.reserve(of_lane[i]);
    lanes_[i].attributes.reserve(of_lane[i] * lanes_[i].width);
  }
  for (int32_t attribute = 0; attribute < count; ++attribute) {
    const int32_t slot_number = slots[attribute];
    if (slot_number < 0 || !reader.read_values(string(attribute), slot_number)) {
      complete_ = false;
      continue;
    }
    const FeatureSlot& slot = program.slots[slot_number];
    int32_t id = -1;
    for (std::size_t i = 0; i < reader.values.size(); ++i) {
      const int32_t value = add_value(slot.terms[i].leaf, reader.values[i]);
      id = i == 0 ? value : add_pair(slot.lanes[i], id, value);
    }
    int32_t& entry = attribute_entry(slot.lanes.back(), slot.column, id);
    if (entry >= 0) throw std::invalid_argument("string " + std::to_string(attribute) + " stands there twice");
    entry = attribute;
  }
  for (Lane& lane : lanes_) {
    lane.pairs.finish();
    lane.attributes.shrink_to_fit();
  }
}

int32_t FeatureTables::find_string(const FeatureProgram& program, std::string_view text) const {
  StringReader reader(program);
  const int slot_number = reader.find_slot(text);
  if (slot_number < 0 || !reader.read_values(text, slot_number)) return -1;
  const FeatureSlot& slot = program.slots[slot_number];
  int32_t id = -1;
  for (std::size_t i = 0; i < reader.values.size(); ++i) {
    const int32_t value = find_value(slot.terms[i].leaf, reader.values[i]);
    id = value < 0 ? -1 : i == 0 ? value : lanes_[slot.lanes[i]].pairs.find(id, value);
    if (id < 0) return -1;
  }
  return find(slot.lanes.back(), slot.column, id);
}

int32_t& FeatureTables::attribute_entry(int lane, int column, int32_t id) {
  Lane& table = lanes_[lane];
  const auto at = static_cast<std::size_t>(id) * table.width + column;
  if (at >= table.attributes.size()) table.attributes.resize((static_cast<std::size_t>(id) + 1) * table.width, -1);
  return table.attributes[at];
}

int32_t FeatureTables::add(int slot, int lane, int column, int32_t id) {
  int32_t& attribute = attribute_entry(lane, column, id);
  if (attribute < 0) {
    if (count_ >= std::numeric_limits<int32_t>::max() - 1) throw std::length_error("more than 2^31 different attributes");
    attribute = count_++;
    origins_.push_back({slot, id});
  }
  return attribute;
}

void FeatureTables::prepare_strings(const FeatureProgram& program) {
  if (static_cast<int32_t>(origins_.size()) == count_) return;
  origins_.resize(count_);
  for (std::size_t i = 0; i < program.slots.size(); ++i) {
    const FeatureSlot& slot = program.slots[i];
    const Lane& lane = lanes_[slot.lanes.back()];
    for (std::size_t at = slot.column; at < lane.attributes.size(); at += lane.width)
      if (lane.attributes[at] >= 0)
        origins_[lane.attributes[at]] = {static_cast<int32_t>(i), static_cast<int32_t>(at / lane.width)};
  }
}

void FeatureTables::append_string(const FeatureProgram& program, int32_t attribute, std::string& into) const {
  const FeatureSlot& slot = program.slots[origins_[attribute].slot];
  into += slot.prefix;
  append_values(program, slot.lanes.back(), origins_[attribute].id, into);
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

}  // namespace lawful
