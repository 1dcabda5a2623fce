#include "core/engine/product.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace lawful {
namespace {

// What the allocator and the containers add, measured with glibc.
constexpr std::size_t kRowBytes = 112, kFanBytes = 256, kGroupBytes = 112, kExitsBytes = 80, kInternedBytes = 224, kKindBytes = 256, kProductBytes = 1024;

constexpr int kReading = 3, kNumbering = 150;  // units of work for one part to read a label; to find a row

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

LazyProduct::LazyProduct(const std::vector<const Part*>& parts)
    : labels_(parts.front()->labels), stride_(parts.front()->stride()) {
  memory_ = kProductBytes;
  for (const Part* part : parts) {
    parts_.push_back(part->shared_from_this());
    // A product that is kept keeps its parts, whoever else has forgotten them.
    memory_ += part->delta.size() * 20 + (part->state_of.size() + 6 * static_cast<std::size_t>(part->states)) * sizeof(int32_t);
  }
  joint_kind(std::vector<uint16_t>(parts.size(), 0));
}

int LazyProduct::joint_kind(const std::vector<uint16_t>& kinds) {
  const auto [at, added] = kind_index_.try_emplace(bytes_of(kinds), static_cast<int32_t>(joint_kinds_.size()));
  if (added) {
    memory_ += kKindBytes + 4 * kinds.size();
    joint_kinds_.push_back(kinds);
    fans_.emplace_back();
    starts_.emplace_back();
  }
  return at->second;
}

int LazyProduct::row_of(const States& states) {
  std::vector<int32_t> colours(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) colours[p] = parts_[p]->colour[states[p]];
  const auto [at, added] = row_index_.try_emplace(bytes_of(colours), rows());
  if (added) {
    row_colours_.insert(row_colours_.end(), colours.begin(), colours.end());
    finals_.push_back(nullptr);
    finals_known_.push_back(false);
    memory_ += kRowBytes + colours.size() * (colours.size() > 3 ? 12 : 8);  // short keys lie in their strings
  }
  return at->second;
}

bool LazyProduct::states_of(int row, int label, States& states) const {
  const int32_t* colours = row_colours_.data() + static_cast<std::size_t>(row) * parts_.size();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    states[p] = parts_[p]->state_of[label * parts_[p]->colours + colours[p]];
    if (states[p] == kDead) return false;
  }
  return true;
}

double LazyProduct::read(const States& from, int joint_kind, int label, States& to) const {
  double cost = 0.0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = *parts_[p];
    const int at = from[p] * part.classes + part.class_at(joint_kinds_[joint_kind][p], label);
    to[p] = part.delta[at];
    if (to[p] == kDead) return kForbidden;
    cost -= part.cost[at];
  }
  return cost;
}

const double* LazyProduct::interned(const std::vector<double>& row) {
  auto& slot = cost_store_[bytes_of(row)];
  if (!slot) {
    slot = std::make_unique<Doubles>(row.begin(), row.end());
    memory_ += 2 * row.size() * sizeof(double) + kInternedBytes;
  }
  return slot->data();
}

LazyProduct::Exits LazyProduct::exits_of(const std::vector<int32_t>& targets, const std::vector<double>& costs,
                                         Budget& budget) {
  auto list = std::make_unique<std::vector<Exit>>();
  std::vector<double> cost(stride_);
  for (int first = 0; first < labels_; ++first) {
    const int32_t row = targets[first];
    if (row < 0 || std::find(targets.begin(), targets.begin() + first, row) != targets.begin() + first) continue;
    budget.work(2 * stride_);
    bool all_free = true;
    for (int k = 0; k < stride_; ++k) {
      const bool here = k < labels_ && targets[k] == row;
      cost[k] = here ? costs[k] : kForbidden;
      all_free &= k >= labels_ || cost[k] == 0.0;
    }
    list->push_back({row, all_free ? nullptr : interned(cost)});
  }
  list->shrink_to_fit();
  const Exits exits{list->data(), static_cast<int32_t>(list->size())};
  memory_ += list->size() * sizeof(Exit) + kExitsBytes;
  exit_store_.push_back(std::move(list));
  return exits;
}

const LazyProduct::Exits& LazyProduct::start(int joint_kind, Budget& budget) {
  auto& slot = starts_[joint_kind];
  if (!slot) {
    States from(parts_.size(), 0), to(parts_.size());
    std::vector<int32_t> targets(labels_, kDead);
    std::vector<double> costs(labels_, kForbidden);
    for (int k = 0; k < labels_; ++k) {
      costs[k] = read(from, joint_kind, k, to);
      if (costs[k] != kForbidden) targets[k] = row_of(to);
    }
    slot = std::make_unique<Exits>(exits_of(targets, costs, budget));
  }
  return *slot;
}

const LazyProduct::Fan& LazyProduct::fan(int row, int joint_kind, Budget& budget) {
  auto& rows = fans_[joint_kind];
  if (static_cast<int>(rows.size()) <= row) {
    memory_ -= rows.capacity() * sizeof(rows[0]);
    rows.resize(std::max<std::size_t>(row + 1, 2 * rows.size()));
    memory_ += rows.capacity() * sizeof(rows[0]);
  }
  if (rows[row]) return *rows[row];

  auto fan = std::make_unique<Fan>();
  fan->group_of.assign(labels_, -1);
  States from(parts_.size()), to(parts_.size());
  std::vector<std::pair<std::vector<int32_t>, std::vector<double>>> distinct_exits;  // targets and costs of each group
  std::vector<int32_t> stay_targets(labels_, kDead);
  std::vector<double> stay_costs(labels_, kForbidden);
  for (int i = 0; i < labels_; ++i) {
    if (!states_of(row, i, from)) continue;
    budget.work(labels_ * static_cast<int64_t>(kReading * parts_.size() + kNumbering + distinct_exits.size()));
    std::vector<int32_t> targets(labels_, kDead);
    std::vector<double> costs(labels_, kForbidden);
    for (int j = 0; j < labels_; ++j) {
      costs[j] = read(from, joint_kind, j, to);
      if (costs[j] != kForbidden) targets[j] = row_of(to);
    }
    stay_targets[i] = targets[i];
    stay_costs[i] = costs[i];
    std::size_t g = 0;
    while (g < distinct_exits.size() && (distinct_exits[g].first != targets || distinct_exits[g].second != costs)) ++g;
    if (g == distinct_exits.size()) distinct_exits.emplace_back(std::move(targets), std::move(costs));
    fan->group_of[i] = static_cast<int32_t>(g);
  }
  std::vector<double> mask(stride_);
  for (std::size_t g = 0; g < distinct_exits.size(); ++g) {
    std::vector<uint64_t> members((stride_ + 63) / 64, 0);
    for (int k = 0; k < stride_; ++k) {
      const bool member = k < labels_ && fan->group_of[k] == static_cast<int32_t>(g);
      mask[k] = member ? 0.0 : kForbidden;
      if (member) members[k / 64] |= uint64_t{1} << (k % 64);
    }
    fan->groups.push_back({std::move(members), distinct_exits.size() == 1 ? nullptr : interned(mask),
                           exits_of(distinct_exits[g].first, distinct_exits[g].second, budget)});
  }
  fan->stay = exits_of(stay_targets, stay_costs, budget);
  memory_ += kFanBytes + labels_ * sizeof(int32_t) + fan->groups.size() * (kGroupBytes + (stride_ + 63) / 64 * 8);
  rows[row] = std::move(fan);
  return *rows[row];
}

const double* LazyProduct::final_cost(int row) {
  if (!finals_known_[row]) {
    std::vector<double> cost(stride_, 0.0);
    States states(parts_.size());
    bool any = false;
    for (int k = 0; k < labels_; ++k) {
      if (!states_of(row, k, states)) continue;
      for (std::size_t p = 0; p < parts_.size(); ++p) cost[k] -= parts_[p]->final_cost[states[p]];
      any |= cost[k] != 0.0;
    }
    finals_[row] = any ? interned(cost) : nullptr;
    finals_known_[row] = true;
  }
  return finals_[row];
}

LazyProduct& Products::of(const std::vector<const Part*>& parts) {
  key_.clear();
  for (const Part* part : parts) key_.append(reinterpret_cast<const char*>(&part->serial), sizeof part->serial);
  auto& slot = kept_[key_];
  if (!slot) {
    slot = std::make_unique<LazyProduct>(parts);
    others_ += slot->memory();
  }
  if (slot.get() != latest_) {
    others_ = bytes() - slot->memory();
    latest_ = slot.get();
  }
  return *slot;
}

}  // namespace lawful
