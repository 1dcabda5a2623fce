#include "core/rules/part_set.hpp"

#include <map>

namespace lawful {
namespace {

constexpr std::size_t kMostStates = 2048;  // of a bundle: its table should stay in the nearest cache

// The product of the counting machines of `members`; false if it is too large.
bool build(const std::vector<std::shared_ptr<const Part>>& parts, Bundle& bundle) {
  const int labels = bundle.labels;
  std::map<std::vector<int32_t>, uint32_t> index;
  std::vector<std::vector<int32_t>> queue{std::vector<int32_t>(bundle.parts.size(), 0)};
  index[queue[0]] = 0;
  bundle.next.clear();
  bundle.broken_at_end.clear();
  for (std::size_t s = 0; s < queue.size(); ++s) {
    uint8_t ends_broken = 0;
    for (std::size_t m = 0; m < bundle.parts.size(); ++m) ends_broken |= parts[bundle.parts[m]]->count_final[queue[s][m]] > 0;
    bundle.broken_at_end.push_back(ends_broken);
    for (int k = 0; k < labels; ++k) {
      std::vector<int32_t> target(bundle.parts.size());
      bool broken = false;
      for (std::size_t m = 0; m < bundle.parts.size(); ++m) {
        const Part& part = *parts[bundle.parts[m]];
        const int at = queue[s][m] * part.classes + part.class_at(0, k);
        target[m] = part.count_delta[at];
        broken |= part.count_violations[at] > 0;
      }
      if (broken) {  // where it goes from here no longer matters
        bundle.next.push_back(Bundle::kBroken);
        continue;
      }
      const auto [at, added] = index.try_emplace(target, static_cast<uint32_t>(queue.size()));
      if (added) queue.push_back(target);
      if (queue.size() > kMostStates) return false;
      bundle.next.push_back(at->second * static_cast<uint32_t>(labels));
    }
  }
  return true;
}

}  // namespace

bool Bundle::obeyed(const int32_t* path, int length) const {
  uint32_t row = 0;
  for (int t = 0; t < length; ++t) {
    row = next[row + path[t]];
    if (row == kBroken) return false;
  }
  return !broken_at_end[row / static_cast<uint32_t>(labels)];
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
    if (part.local) continue;
    if (!set->bundles.empty()) {  // the last bundle takes it if it stays small
      Bundle larger = set->bundles.back();
      larger.parts.push_back(index);
      if (build(set->parts, larger)) {
        set->bundles.back() = std::move(larger);
        continue;
      }
    }
    Bundle alone{{index}, set->parts[p]->labels, {}, {}};
    if (!build(set->parts, alone)) alone.next.clear();  // too large for one walk: always asked itself
    set->bundles.push_back(std::move(alone));
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
