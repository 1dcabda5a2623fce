#include "core/rules/part_set.hpp"

#include <optional>

#include "core/support/key_numbers.hpp"

namespace lawful {
namespace {

constexpr std::size_t kMostStates = 2048;  // of a bundle: its table should stay in the nearest cache

// A bundle with the counting machine of one more part; nothing if that is too large. What was multiplied before is not done again.
std::optional<Bundle> extended(const Bundle& bundle, int32_t index, const Part& part) {
  const auto labels = static_cast<uint32_t>(bundle.labels);
  const std::size_t members = bundle.parts.size();
  Bundle larger{bundle.parts, bundle.labels, {}, {}, {}};
  larger.parts.push_back(index);
  struct State {
    uint32_t inside;  // of the bundle
    int32_t own;  // of the part
  };
  std::vector<State> queue{{0, 0}};
  const uint64_t own_states = part.count_final.size();
  KeyNumbers numbers;
  numbers.number(0);
  for (std::size_t s = 0; s < queue.size(); ++s) {
    const auto [inside, own] = queue[s];
    larger.ends_counting.push_back(bundle.ends_counting[inside] | (part.count_final[own] > 0));
    larger.states.insert(larger.states.end(), bundle.states.begin() + inside * members,
                         bundle.states.begin() + (inside + 1) * members);
    larger.states.push_back(own);
    for (uint32_t k = 0; k < labels; ++k) {
      const uint32_t step = bundle.next[inside * labels + k];
      const int at = own * part.classes + part.class_at(0, static_cast<int>(k));
      const State target{(step & ~Bundle::kCounts) / labels, part.count_delta[at]};
      const auto [number, added] = numbers.number(target.inside * own_states + static_cast<uint32_t>(target.own));
      if (added) queue.push_back(target);
      if (queue.size() > kMostStates) return std::nullopt;
      const uint32_t counts = part.count_violations[at] > 0 ? Bundle::kCounts : step & Bundle::kCounts;
      larger.next.push_back(static_cast<uint32_t>(number) * labels + counts);
    }
  }
  return larger;
}

// What every bundle begins with: no machine at all.
Bundle empty_bundle(int labels) { return {{}, labels, std::vector<uint32_t>(labels, 0), {}, {0}}; }

}  // namespace

// The last bundle takes a part if it stays small.
void PartSet::bundle(int32_t index) {
  const Part& part = *parts[index];
  if (!bundles.empty()) {
    if (auto larger = extended(bundles.back(), index, part)) {
      bundles.back() = std::move(*larger);
      return;
    }
  }
  if (auto alone = extended(empty_bundle(part.labels), index, part)) bundles.push_back(std::move(*alone));
  else unbundled.push_back(index);
}

std::shared_ptr<const PartSet> PartSet::make(std::vector<std::shared_ptr<const Part>> parts) {
  auto set = std::make_shared<PartSet>();
  set->parts = std::move(parts);
  for (std::size_t p = 0; p < set->parts.size(); ++p) {
    const Part& part = *set->parts[p];
    set->bound.push_back({&part, nullptr});
    const double at_end = part.most_charge(0);
    set->charge_in_all_ += at_end;
    set->charge_at_step_ += part.most_charge(1) - at_end;
    const auto index = static_cast<int32_t>(p);
    (part.local ? set->folded : set->searched).push_back(index);
    if (!part.local) set->bundle(index);
  }
  return set;
}

std::shared_ptr<const PartSet> PartSet::read_through(const Reading& reading) const {
  return read_.get(reading, [&] {
    std::vector<std::shared_ptr<const Part>> copies;
    for (const auto& part : parts) copies.push_back(part->read_through(reading));
    return make(std::move(copies));
  });
}

}  // namespace lawful
