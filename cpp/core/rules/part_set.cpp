#include "core/rules/part_set.hpp"

#include <map>

namespace lawful {
namespace {

constexpr std::size_t kMostStates = 2048;  // of a bundle: its table should stay in the nearest cache

// The product of the counting machines of `members`; false if it is too large.
bool build(const std::vector<std::shared_ptr<const Part>>& parts, Bundle& bundle) {
  const std::size_t members = bundle.parts.size();
  std::map<std::vector<int32_t>, uint32_t> index;
  std::vector<std::vector<int32_t>> queue{std::vector<int32_t>(members, 0)};
  index[queue[0]] = 0;
  bundle.next.clear();
  bundle.states.clear();
  bundle.ends_counting.clear();
  std::vector<int32_t> target(members);
  for (std::size_t s = 0; s < queue.size(); ++s) {
    uint8_t ends_counting = 0;
    for (std::size_t m = 0; m < members; ++m) ends_counting |= parts[bundle.parts[m]]->count_final[queue[s][m]] > 0;
    bundle.ends_counting.push_back(ends_counting);
    bundle.states.insert(bundle.states.end(), queue[s].begin(), queue[s].end());
    for (int k = 0; k < bundle.labels; ++k) {
      bool counts = false;
      for (std::size_t m = 0; m < members; ++m) {
        const Part& part = *parts[bundle.parts[m]];
        const int at = queue[s][m] * part.classes + part.class_at(0, k);
        target[m] = part.count_delta[at];
        counts |= part.count_violations[at] > 0;
      }
      const auto [at, added] = index.try_emplace(target, static_cast<uint32_t>(queue.size()));
      if (added) queue.push_back(target);
      if (queue.size() > kMostStates) return false;
      bundle.next.push_back(at->second * static_cast<uint32_t>(bundle.labels) + (counts ? Bundle::kCounts : 0));
    }
  }
  return true;
}

}  // namespace

// The last bundle takes a part if it stays small.
void PartSet::bundle(int32_t index) {
  if (!bundles.empty()) {
    Bundle larger = bundles.back();
    larger.parts.push_back(index);
    if (build(parts, larger)) {
      bundles.back() = std::move(larger);
      return;
    }
  }
  Bundle alone{{index}, parts[index]->labels, {}, {}, {}};
  if (build(parts, alone)) bundles.push_back(std::move(alone));
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
