#include "core/features/program.hpp"

#include <algorithm>
#include <cstdlib>

namespace lawful {

int FeatureProgram::leaf_lane(const FeatureTerm& term) {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].leaf == term.leaf && lanes[i].pad == term.pad) return static_cast<int>(i);
  FeatureLane lane;
  lane.leaf = term.leaf;
  lane.pad = term.pad;
  lane.many = leaves[term.leaf].operation == Operation::function;
  lanes.push_back(lane);
  return static_cast<int>(lanes.size()) - 1;
}

int FeatureProgram::pair_lane(int left, int right, int delta) {
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].left == left && lanes[i].right == right && lanes[i].delta == delta) return static_cast<int>(i);
  FeatureLane lane;
  lane.left = left;
  lane.right = right;
  lane.delta = delta;
  lane.many = lanes[left].many || lanes[right].many;
  lanes.push_back(lane);
  return static_cast<int>(lanes.size()) - 1;
}

void FeatureProgram::add_slot(std::string prefix, std::vector<FeatureTerm> terms) {
  FeatureSlot slot;
  slot.prefix = std::move(prefix);
  slot.terms = std::move(terms);
  slot.shift = slot.terms[0].offset;
  for (const FeatureTerm& term : slot.terms) {
    reach = std::max(reach, std::abs(term.offset));
    const int lane = leaf_lane(term);
    slot.lanes.push_back(slot.lanes.empty() ? lane : pair_lane(slot.lanes.back(), lane, term.offset - slot.shift));
  }
  slot.column = lanes[slot.lanes.back()].width++;
  slots.push_back(std::move(slot));
}

}  // namespace lawful
