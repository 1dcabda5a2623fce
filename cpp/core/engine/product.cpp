#include "core/engine/product.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lawful {
namespace {

constexpr std::size_t kProductBytes = 2048;  // of an empty one, with what the allocator adds
constexpr int kNumbering = 12;               // units of work to find a row

const double kNotKnown = 0;  // its address stands for final costs that nobody has asked for

std::vector<int> radices_of(const std::vector<const Part*>& parts, int Part::* radix) {
  std::vector<int> radices;
  for (const Part* part : parts) radices.push_back(part->*radix);
  return radices;
}

template <typename T>
std::size_t room_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

LazyProduct::LazyProduct(const std::vector<const Part*>& parts)
    : labels_(parts.front()->labels), stride_(parts.front()->stride()), colours_(radices_of(parts, &Part::colours)),
      kinds_(radices_of(parts, &Part::kinds)), rows_(colours_.words()), joint_kinds_(kinds_.words()), interned_numbers_(2),
      cost_(static_cast<std::size_t>(stride_)), key_(static_cast<std::size_t>(stride_) * colours_.words()),
      one_key_(std::max(colours_.words(), kinds_.words())), row_colours_(parts.size()),
      states_(parts.size() * parts.front()->labels) {
  fixed_bytes_ = kProductBytes;
  for (const Part* part : parts) {
    parts_.push_back(part->shared_from_this());
    // A product that is kept keeps its parts, whoever else has forgotten them.
    fixed_bytes_ +=
        part->delta.size() * 20 + (part->state_of.size() + 6 * static_cast<std::size_t>(part->states)) * sizeof(int32_t);
    first_moves_.push_back(moves_.size());
    moves_.resize(moves_.size() + part->kinds);
  }
  joint_kind(std::vector<uint16_t>(parts.size(), 0).data());
}

std::size_t LazyProduct::memory() const {
  return fixed_bytes_ + table_bytes_ + arena_.bytes() + rows_.bytes() + joint_kinds_.bytes() + interned_numbers_.bytes() +
         room_of(moves_) + room_of(fans_) + room_of(starts_) + room_of(interned_) + room_of(finals_) +
         room_of(readings_.targets) + room_of(readings_.costs);
}

int LazyProduct::joint_kind(const uint16_t* kinds) {
  std::fill(one_key_.begin(), one_key_.end(), 0);
  for (std::size_t p = 0; p < parts_.size(); ++p) one_key_[kinds_.word_of(p)] += kinds_.worth(p, kinds[p]);
  const int32_t number = joint_kinds_.number(one_key_.data());
  if (static_cast<std::size_t>(number) == fans_.size()) {
    fans_.emplace_back();
    starts_.push_back(nullptr);
  }
  return number;
}

void LazyProduct::colours_of(int row, int32_t* colours) const {
  const uint64_t* key = rows_.key(row);
  for (std::size_t p = 0; p < parts_.size(); ++p) colours[p] = colours_.digit(key, p);
}

bool LazyProduct::has_states(const int32_t* colours, int label) const {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (state_of(p, colours[p], label) == kDead) return false;
  return true;
}

std::size_t LazyProduct::size_by_colour() const {
  std::size_t colours = 0;
  for (const auto& part : parts_) colours += part->colours;
  return colours * stride_;
}

void LazyProduct::sum_by_colour(int row, const double* values, double* out) const {
  const uint64_t* key = rows_.key(row);
  std::fill(out, out + stride_, 0.0);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    kernels().add(out, values + static_cast<std::size_t>(colours_.digit(key, p)) * stride_, out, stride_);
    values += static_cast<std::size_t>(parts_[p]->colours) * stride_;
  }
}

const LazyProduct::Move& LazyProduct::move_of(std::size_t part, int kind, int32_t state) {
  const Part& machine = *parts_[part];
  std::vector<Move>& moves = moves_[first_moves_[part] + kind];
  if (moves.empty()) {
    moves.resize(machine.states, Move{nullptr, nullptr});
    table_bytes_ += room_of(moves);
  }
  Move& move = moves[state];
  if (!move.share) {
    uint64_t* share = arena_.take<uint64_t>(stride_);
    double* cost = arena_.take<double>(stride_);
    for (int k = 0; k < stride_; ++k) {
      const int at = k < labels_ ? state * machine.classes + machine.class_at(kind, k) : 0;
      const int32_t target = k < labels_ ? machine.delta[at] : kDead;
      share[k] = target == kDead ? 0 : colours_.worth(part, machine.colour[target]);
      cost[k] = target == kDead ? kForbidden : 0.0 - machine.cost[at];
    }
    move = {share, cost};
  }
  return move;
}

void LazyProduct::read(const int32_t* states, int joint_kind, int32_t* targets, double* costs) {
  std::fill(cost_.begin(), cost_.end(), 0.0);
  std::fill(key_.begin(), key_.end(), 0);
  // The key of a kind may move when a row is numbered, but none is before all parts are read.
  const uint64_t* kinds = joint_kinds_.key(joint_kind);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Move& move = move_of(p, parts_[p]->kinds == 1 ? 0 : kinds_.digit(kinds, p), states[p]);
    uint64_t* key = key_.data() + static_cast<std::size_t>(colours_.word_of(p)) * stride_;
    for (int k = 0; k < stride_; ++k) {
      key[k] += move.share[k];
      cost_[k] += move.cost[k];
    }
  }
  int32_t before = kDead;  // most labels lead where the one before them leads
  uint64_t before_key = 0;
  for (int k = 0; k < labels_; ++k) {
    costs[k] = cost_[k];
    if (cost_[k] == kForbidden) {
      targets[k] = kDead;
    } else if (colours_.words() == 1) {
      if (before == kDead || key_[k] != before_key) before = rows_.number(&key_[k]);
      before_key = key_[k];
      targets[k] = before;
    } else {
      for (int w = 0; w < colours_.words(); ++w) one_key_[w] = key_[static_cast<std::size_t>(w) * stride_ + k];
      targets[k] = rows_.number(one_key_.data());
    }
  }
}

// Rows of costs repeat: one for each combination of prices and targets. Two hashes of all bits stand for a row.
const double* LazyProduct::interned(const double* row) {
  uint64_t hashes[2] = {0, 0x51ED270B};
  for (int k = 0; k < stride_; ++k)
    for (uint64_t& hash : hashes) {
      hash = (hash ^ std::bit_cast<uint64_t>(row[k])) * kHashFactor;
      hash = std::rotl(hash, &hash == hashes ? 29 : 41);
    }
  for (;; ++hashes[1]) {
    const auto number = static_cast<std::size_t>(interned_numbers_.number(hashes));
    if (number == interned_.size()) interned_.push_back(arena_.copy(row, stride_));
    if (std::memcmp(interned_[number], row, stride_ * sizeof(double)) == 0) return interned_[number];
  }
}

LazyProduct::Exits LazyProduct::exits_of(const int32_t* targets, const double* costs, Budget& budget) {
  exit_rows_.clear();
  exit_of_.assign(labels_, -1);
  for (int k = 0; k < labels_; ++k) {
    if (targets[k] == kDead) continue;
    std::size_t e = 0;
    while (e < exit_rows_.size() && exit_rows_[e] != targets[k]) ++e;
    if (e == exit_rows_.size()) exit_rows_.push_back(targets[k]);
    exit_of_[k] = static_cast<int32_t>(e);
  }
  budget.work(static_cast<int64_t>(exit_rows_.size() + 1) * (stride_ + labels_));
  Exit* exits = arena_.take<Exit>(exit_rows_.size());
  bool priced = false;
  for (std::size_t e = 0; e < exit_rows_.size(); ++e) {
    bool all_free = true;
    std::fill(cost_.begin(), cost_.end(), kForbidden);
    for (int k = 0; k < labels_; ++k) {
      if (exit_of_[k] == static_cast<int32_t>(e)) cost_[k] = costs[k] + 0.0;
      all_free &= cost_[k] == 0.0;
    }
    exits[e] = {exit_rows_[e], all_free ? nullptr : interned(cost_.data()), *std::max_element(cost_.begin(), cost_.end())};
    priced |= exits[e].most < 0;
  }
  return {exits, static_cast<int32_t>(exit_rows_.size()), priced};
}

const LazyProduct::Exits& LazyProduct::start(int joint_kind, Budget& budget) {
  if (!starts_[joint_kind]) {
    readings_.targets.resize(labels_);
    readings_.costs.resize(labels_);
    std::fill(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(parts_.size()), 0);
    budget.work(stride_ * static_cast<int64_t>(parts_.size()) + labels_ * kNumbering);
    read(states_.data(), joint_kind, readings_.targets.data(), readings_.costs.data());
    const Exits exits = exits_of(readings_.targets.data(), readings_.costs.data(), budget);
    starts_[joint_kind] = arena_.copy(&exits, 1);
  }
  return *starts_[joint_kind];
}

const LazyProduct::Fan& LazyProduct::new_fan(int row, int joint_kind, Budget& budget) {
  auto& rows = fans_[joint_kind];
  if (static_cast<int>(rows.size()) <= row) {
    table_bytes_ -= room_of(rows);
    rows.resize(std::max<std::size_t>(row + 1, 2 * rows.size()));
    table_bytes_ += room_of(rows);
  }
  const Fan fan = build_fan(row, joint_kind, budget);
  return *(fans_[joint_kind][row] = arena_.copy(&fan, 1));
}

LazyProduct::Fan LazyProduct::build_fan(int row, int joint_kind, Budget& budget) {
  const std::size_t count = parts_.size();
  colours_of(row, row_colours_.data());
  int32_t* group_of = arena_.take<int32_t>(labels_);
  std::fill(group_of, group_of + labels_, -1);
  std::vector<int32_t> first_with;  // of each combination of states, the first label that has it,
  std::vector<int32_t> group_with;  // and its group
  int32_t groups = 0;
  for (int i = 0; i < labels_; ++i) {
    int32_t* states = states_.data() + i * count;
    bool alive = true;
    for (std::size_t p = 0; p < count && alive; ++p) alive = (states[p] = state_of(p, row_colours_[p], i)) != kDead;
    if (!alive) continue;
    std::size_t known = 0;
    while (known < first_with.size() && !std::equal(states, states + count, states_.data() + first_with[known] * count)) ++known;
    if (known == first_with.size()) {
      budget.work(static_cast<int64_t>(stride_ * count / 2 + labels_ * (kNumbering + groups)));
      const std::size_t size = static_cast<std::size_t>(groups + 1) * labels_;
      if (readings_.targets.size() < size) {
        readings_.targets.resize(2 * size);
        readings_.costs.resize(2 * size);
      }
      int32_t* targets = readings_.targets.data() + size - labels_;
      double* costs = readings_.costs.data() + size - labels_;
      read(states, joint_kind, targets, costs);
      int32_t g = 0;
      while (g < groups && !(std::equal(targets, targets + labels_, readings_.targets.data() + g * labels_) &&
                             std::equal(costs, costs + labels_, readings_.costs.data() + g * labels_)))
        ++g;
      if (g == groups) ++groups;
      first_with.push_back(i);
      group_with.push_back(g);
    }
    group_of[i] = group_with[known];
  }
  const int words = (stride_ + 63) / 64;
  Group* list = arena_.take<Group>(groups);
  Doubles mask(stride_);
  for (int32_t g = 0; g < groups; ++g) {
    auto* members = arena_.take<uint64_t>(words);
    std::fill(members, members + words, 0);
    std::fill(mask.begin(), mask.end(), kForbidden);
    for (int k = 0; k < labels_; ++k) {
      if (group_of[k] != g) continue;
      mask[k] = 0.0;
      members[k / 64] |= uint64_t{1} << (k % 64);
    }
    list[g] = {members, groups == 1 ? nullptr : interned(mask.data()),
               exits_of(readings_.targets.data() + g * labels_, readings_.costs.data() + g * labels_, budget)};
  }
  // What a label that repeats does stands in the reading of its own group.
  std::vector<int32_t> stay_targets(labels_, kDead);
  std::vector<double> stay_costs(labels_, kForbidden);
  for (int k = 0; k < labels_; ++k) {
    if (group_of[k] < 0) continue;
    stay_targets[k] = readings_.targets[static_cast<std::size_t>(group_of[k]) * labels_ + k];
    stay_costs[k] = readings_.costs[static_cast<std::size_t>(group_of[k]) * labels_ + k];
  }
  return {group_of, {list, groups}, exits_of(stay_targets.data(), stay_costs.data(), budget)};
}

const double* LazyProduct::final_cost(int row) {
  if (static_cast<std::size_t>(row) >= finals_.size())
    finals_.resize(std::max<std::size_t>(rows(), 2 * finals_.size()), &kNotKnown);
  if (finals_[row] == &kNotKnown) {
    colours_of(row, row_colours_.data());
    std::fill(cost_.begin(), cost_.end(), 0.0);
    bool any = false;
    for (int k = 0; k < labels_; ++k) {
      if (!has_states(row_colours_.data(), k)) continue;
      for (std::size_t p = 0; p < parts_.size(); ++p) cost_[k] -= parts_[p]->final_cost[state_of(p, row_colours_[p], k)];
      any |= cost_[k] != 0.0;
    }
    finals_[row] = any ? interned(cost_.data()) : nullptr;
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
