#include "core/rules/problem.hpp"

#include <stdexcept>

#include "core/support/ask_for.hpp"

namespace lawful {

std::shared_ptr<const Problem> Problem::make(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own) {
  auto problem = std::make_shared<Problem>();
  problem->remake(trellis, common, own);
  return problem;
}

void Problem::remake(const std::shared_ptr<const Trellis>& scores, const std::shared_ptr<const PartSet>& common_parts,
                     const std::shared_ptr<const Binding>& own) {
  // Most of it is that of the problem before, and pointers that threads share are not touched without need.
  if (trellis != scores) trellis = scores;
  if (own_ != own) own_ = own;
  if (common != common_parts) {
    common = common_parts;
    parts = common->bound;
    searched = common->searched;
    unbundled = common->unbundled;
  }
  parts.resize(common->bound.size());
  searched.resize(common->searched.size());
  unbundled.resize(common->unbundled.size());
  local.clear();
  for (const int32_t p : common->folded) local.add(parts[p], trellis->length, trellis->stride);
  double charges = common->most_charge(trellis->length);
  const auto& own_parts = own_->parts;
  parts.reserve(parts.size() + own_parts.size());
  for (std::size_t p = 0; p < own_parts.size(); ++p) {
    const auto index = static_cast<int32_t>(parts.size());
    parts.push_back({own_parts[p], own_->kinds(p)});
    charges += own_parts[p]->most_charge(trellis->length);
    if (own_parts[p]->local) {
      local.add(parts.back(), trellis->length, trellis->stride);
    } else {
      searched.push_back(index);
      unbundled.push_back(index);
    }
  }
  if (!(charges <= kMostScore)) throw std::overflow_error("the prices that a path pays could add up to more than 1e302");
  local.sort();
}

std::shared_ptr<const Problem> Problem::read(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own) {
  if (trellis->reading) {
    common = common->read_through(*trellis->reading);
    if (!own->parts.empty()) own = own->read_through(*trellis->reading);
  }
  return make(std::move(trellis), std::move(common), std::move(own));
}

void Problem::fetch(int step) const {
  auto all_of = [](const auto& values) { ask_for(values.data(), values.size() * sizeof values[0]); };
  if (step == 0) ask_for(this, sizeof *this);
  if (step == 1) {
    trellis->fetch(0);
    all_of(parts);
    all_of(searched);
    all_of(unbundled);
    all_of(local.additions);
    all_of(local.stays);
    all_of(local.effects);
  }
  if (step == 2) {
    trellis->fetch(1);
    // The kinds of all parts stand one after the other.
    const uint16_t *first = nullptr, *last = nullptr;
    for (std::size_t p = common->bound.size(); p < parts.size(); ++p) {
      if (!parts[p].kinds) continue;
      if (!first) first = parts[p].kinds;
      last = parts[p].kinds + trellis->length;
    }
    if (first) ask_for(first, (last - first) * sizeof(uint16_t));
  }
}

void Problem::read_path(int32_t* path) const {
  if (!trellis->reading) return;
  for (int t = 0; t < trellis->length; ++t) path[t] = trellis->reading->label_of[path[t]];
}

}  // namespace lawful
