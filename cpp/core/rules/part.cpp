#include "core/rules/part.hpp"

#include <algorithm>
#include <atomic>

#include "core/rules/arrears.hpp"

namespace lawful {
namespace {

constexpr int kMostFoldedKinds = 64;         // a local rule with more kinds of tokens is searched instead
constexpr std::size_t kMostFolded = 1 << 22;  // numbers that the folded form of one part may take

// For each class the one state that every legal step on it leads to (kDead if no step is legal); false if there
// are two, so that the machine remembers more than the class just read.
bool follows_last_class(const Part& part, std::vector<int32_t>& after) {
  after.assign(part.classes, kDead);
  for (int s = 0; s < part.states; ++s) {
    for (int c = 0; c < part.classes; ++c) {
      const int32_t target = part.delta[s * part.classes + c];
      if (target == kDead) continue;
      if (after[c] == kDead) after[c] = target;
      if (after[c] != target) return false;
    }
  }
  return true;
}

double penalty(const Part& part, int32_t state, int c) {
  const int at = state * part.classes + c;
  return part.delta[at] == kDead ? kForbidden : 0.0 - part.cost[at];
}

Part::Effect make_effect(const Part& part, const std::vector<int32_t>& after, int before, int now) {
  const int labels = part.labels, stride = part.stride();
  Part::Effect effect;
  effect.forward.assign(static_cast<std::size_t>(labels) * stride, kForbidden);
  bool nothing = true, stay = true, per_target = true;
  int witness = -1;  // a label that can stand before; those that cannot may be given any score
  for (int i = 0; i < labels; ++i) {
    const int32_t state = after[part.class_at(before, i)];
    double* row = effect.forward.data() + static_cast<std::size_t>(i) * stride;
    if (state == kDead) continue;
    if (witness < 0) witness = i;
    const double* model = effect.forward.data() + static_cast<std::size_t>(witness) * stride;
    for (int j = 0; j < labels; ++j) {
      row[j] = penalty(part, state, part.class_at(now, j));
      nothing &= row[j] == 0.0;
      stay &= row[j] == (i == j ? 0.0 : kForbidden);
      per_target &= row[j] == model[j];
    }
  }
  if (nothing) return {};
  if (per_target) {
    effect.type = Part::Effect::per_target;
    const double* model = effect.forward.data() + static_cast<std::size_t>(witness) * stride;
    effect.forward = Doubles(model, model + stride);
    std::fill(effect.forward.begin() + labels, effect.forward.end(), 0.0);
    return effect;
  }
  if (stay) return {Part::Effect::stay, {}, {}, 0};
  effect.type = Part::Effect::matrix;
  effect.backward.assign(static_cast<std::size_t>(labels) * stride, kForbidden);
  for (int i = 0; i < labels; ++i)
    for (int j = 0; j < labels; ++j) effect.backward[j * stride + i] = effect.forward[i * stride + j];
  return effect;
}

// To most steps the token before does not matter: matrices that say the same for this reason have one serial.
void number_matrices(Part& part) {
  static std::atomic<uint64_t> last{0};
  for (int at = 0; at < part.kinds * part.kinds; ++at) {
    Part::Effect& effect = part.effects[at];
    if (effect.type != Part::Effect::matrix) continue;
    for (int other = at % part.kinds; other < at && !effect.serial; other += part.kinds)
      if (part.effects[other].forward == effect.forward) effect.serial = part.effects[other].serial;
    if (!effect.serial) effect.serial = ++last;
  }
}

void fold(Part& part) {
  std::vector<int32_t> after;
  const std::size_t worst = static_cast<std::size_t>(part.kinds) * part.kinds * part.labels * part.stride();
  // The folded form has a matrix for each pair of kinds: past a size, searching is cheaper than folding.
  part.local = part.kinds <= kMostFoldedKinds && worst <= kMostFolded && follows_last_class(part, after);
  if (!part.local) return;
  const int stride = part.stride();
  part.first.assign(static_cast<std::size_t>(part.kinds) * stride, 0.0);
  part.last = part.first;
  part.touches_first.assign(part.kinds, false);
  for (int u = 0; u < part.kinds; ++u) {
    for (int k = 0; k < part.labels; ++k) {
      const int c = part.class_at(u, k);
      const double first = penalty(part, 0, c);
      const double last = after[c] == kDead ? kForbidden : 0.0 - part.final_cost[after[c]];
      part.first[u * stride + k] = first;
      part.last[u * stride + k] = last;
      if (first != 0.0) part.touches_first[u] = true;
      part.touches_last |= last != 0.0;
    }
  }
  for (int before = 0; before < part.kinds; ++before)
    for (int now = 0; now < part.kinds; ++now) {
      part.effects.push_back(make_effect(part, after, before, now));
      part.effect_types.push_back(part.effects.back().type);
    }
  number_matrices(part);
  part.only_stays = part.effect_types.size() <= 64 &&
                    std::all_of(part.effect_types.begin(), part.effect_types.end(), [](Part::Effect::Type type) {
                      return type == Part::Effect::nothing || type == Part::Effect::stay;
                    });
  for (std::size_t at = 0; part.only_stays && at < part.effect_types.size(); ++at)
    part.staying_pairs |= uint64_t{part.effect_types[at] == Part::Effect::stay} << at;
}

// What makes the counting machine quick to walk.
void look_at_counting(Part& part) {
  if (part.count_states == 1)
    for (const uint16_t c : part.table) part.count_alone.push_back(part.count_violations[c]);
  for (const int32_t next : part.count_delta) part.count_row.push_back(next * part.classes);
  constexpr int32_t kUnknown = -1;
  std::vector<int32_t> after(part.classes, kUnknown);
  bool alike = true;
  for (std::size_t at = 0; at < part.count_row.size(); ++at) {
    int32_t& known = after[at % part.classes];
    if (part.count_violations[at] != 0) continue;
    if (known == kUnknown) known = part.count_row[at];
    alike = alike && known == part.count_row[at];
  }
  std::replace(after.begin(), after.end(), kUnknown, 0);
  if (alike) part.count_after = std::move(after);
  for (int k = 0; k < part.labels; ++k) {
    const int c = part.class_at(0, k);
    if (part.count_violations[c] != 0 || part.count_delta[c] != 0) part.stirring |= uint64_t{1} << (k % 64);
  }
}

// What does nothing, so that it need not be read.
void find_sleeps(Part& part) {
  for (int u = 0; u < part.kinds; ++u) {
    bool sleeps = true;
    for (int k = 0; k < part.labels && sleeps; ++k)
      for (int32_t s = 0; s < part.states && sleeps; ++s) sleeps = part.idle(s, part.class_at(u, k));
    part.sleeps.push_back(sleeps);
  }
  for (int32_t s = 0; s < part.states; ++s) {
    uint64_t idle = ~uint64_t{0};
    for (int k = 0; k < part.labels; ++k)
      if (!part.idle(s, part.class_at(0, k))) idle &= ~(uint64_t{1} << (k % 64));
    part.idle_labels.push_back(idle);
  }
}

// Greedy colouring: the first colour that no state after the same label has yet.
void assign_colours(Part& part) {
  // can_follow[k][s]: some step on label k leads to state s.
  std::vector<std::vector<bool>> can_follow(part.labels, std::vector<bool>(part.states, false));
  for (int u = 0; u < part.kinds; ++u)
    for (int k = 0; k < part.labels; ++k)
      for (int s = 0; s < part.states; ++s) {
        const int32_t target = part.delta[s * part.classes + part.class_at(u, k)];
        if (target != kDead) can_follow[k][target] = true;
      }
  part.colour.assign(part.states, 0);
  std::vector<std::vector<int32_t>> owner(part.labels);  // owner[k][colour]: the state, or kDead
  part.colours = 1;
  for (int s = 0; s < part.states; ++s) {
    int chosen = 0;
    for (;; ++chosen) {
      bool free = true;
      for (int k = 0; k < part.labels && free; ++k)
        free = !can_follow[k][s] || static_cast<int>(owner[k].size()) <= chosen || owner[k][chosen] == kDead;
      if (free) break;
    }
    part.colour[s] = chosen;
    part.colours = std::max(part.colours, chosen + 1);
    for (int k = 0; k < part.labels; ++k) {
      if (!can_follow[k][s]) continue;
      if (static_cast<int>(owner[k].size()) <= chosen) owner[k].resize(chosen + 1, kDead);
      owner[k][chosen] = s;
    }
  }
  part.state_of.assign(static_cast<std::size_t>(part.labels) * part.colours, kDead);
  for (int k = 0; k < part.labels; ++k)
    std::copy(owner[k].begin(), owner[k].end(), part.state_of.begin() + static_cast<std::size_t>(k) * part.colours);
}

}  // namespace

Part Part::made_fatal() const {
  Part strict;
  strict.labels = labels;
  strict.kinds = kinds;
  strict.classes = classes;
  strict.table = table;
  strict.states = count_states;
  strict.delta = count_delta;
  strict.cost.assign(strict.delta.size(), 0);
  strict.final_cost.assign(strict.states, 0);
  for (std::size_t i = 0; i < strict.delta.size(); ++i) {
    if (count_violations[i] > 0) strict.delta[i] = kDead;
  }
  for (int s = 0; s < strict.states; ++s) {
    if (count_final[s] > 0) strict.final_cost[s] = -kForbidden;
  }
  return strict;
}

void Part::prepare() {
  static std::atomic<uint64_t> last{0};
  serial = ++last;
  for (const int32_t count : count_violations) most_at_step = std::max<int64_t>(most_at_step, count);
  for (const int32_t count : count_final) most_at_end = std::max<int64_t>(most_at_end, count);
  look_at_counting(*this);
  fold(*this);
  if (local) return;
  if (mode == Mode::once) {
    auto strict = std::make_shared<Part>(made_fatal());
    fold(*strict);
    if (strict->local) obeyed = std::move(strict);
  }
  find_sleeps(*this);
  assign_colours(*this);
  find_arrears(*this);
}

std::shared_ptr<const Part> Part::read_through(const Reading& reading) const {
  return read_.get(reading, [&] {
    auto copy = std::make_shared<Part>();
    copy->rule = rule;
    copy->labels = reading.columns();
    copy->kinds = kinds;
    copy->classes = classes;
    for (int u = 0; u < kinds; ++u)
      for (const int32_t label : reading.label_of) copy->table.push_back(static_cast<uint16_t>(class_at(u, label)));
    copy->states = states;
    copy->delta = delta;
    copy->cost = cost;
    copy->final_cost = final_cost;
    copy->mode = mode;
    copy->price = price;
    copy->count_states = count_states;
    copy->count_delta = count_delta;
    copy->count_violations = count_violations;
    copy->count_final = count_final;
    copy->prepare();
    return std::shared_ptr<const Part>(std::move(copy));
  });
}

}  // namespace lawful
