#include "core/engine/packed_states.hpp"

#include <algorithm>
#include <bit>

namespace lawful {
namespace {

// Whether a part may do something when `label` follows `before`.
bool moves(const Part& part, int before, int label) {
  const int c = part.class_at(0, label);
  for (int colour = 0; colour < part.colours; ++colour) {
    const int32_t s = part.state_of[before * part.colours + colour];
    if (s != kDead && !part.idle(s, c)) return true;
  }
  return false;
}

}  // namespace

bool PackedStates::begin(const Problem& problem, Budget& budget) {
  if (problem.searched.size() > 255) return false;
  fields_.clear();
  field_of_.assign(problem.parts.size(), -1);
  field_of_bit_.assign(64 * kMostWords, 0);
  words_ = 1;
  int used = 0;  // bits of the last word
  for (const bool looks : {false, true}) {
    for (const int32_t p : problem.searched) {
      const BoundPart& bound = problem.parts[p];
      if ((bound.kinds != nullptr) != looks) continue;
      const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(bound.part->states - 1))));
      if (used + bits > 64) {
        if (++words_ > kMostWords) return false;
        used = 0;
      }
      field_of_[p] = static_cast<int>(fields_.size());
      std::fill_n(field_of_bit_.begin() + 64 * (words_ - 1) + used, bits, static_cast<uint8_t>(fields_.size()));
      const Part& part = *bound.part;
      fields_.push_back({&part, bound.kinds, words_ - 1, used, (uint64_t{1} << bits) - 1, part.table.data(), part.delta.data(),
                         part.cost.data(), part.classes});
      used += bits;
    }
    if (!looks) kindless_ = fields_.size();
  }
  labels_ = problem.trellis->labels;
  list_movers(budget);
  list_awake(problem.trellis->length, budget);
  return true;
}

void PackedStates::list_movers(Budget& budget) {
  std::vector<uint64_t> serials;
  for (std::size_t f = 0; f < kindless_; ++f) serials.push_back(fields_[f].part->serial);
  const std::size_t pairs = static_cast<std::size_t>(labels_) * labels_;
  if (serials == listed_ && first_mover_.size() == pairs + 1) return;
  budget.work(static_cast<int64_t>(4 * pairs * (kindless_ + 1)));
  listed_.clear();  // nothing is listed if a limit ends this
  movers_.clear();
  first_mover_.clear();
  for (int before = 0; before < labels_; ++before)
    for (int label = 0; label < labels_; ++label) {
      first_mover_.push_back(static_cast<int32_t>(movers_.size()));
      for (std::size_t f = 0; f < kindless_; ++f)
        if (moves(*fields_[f].part, before, label)) movers_.push_back(static_cast<uint8_t>(f));
    }
  first_mover_.push_back(static_cast<int32_t>(movers_.size()));
  listed_ = std::move(serials);
}

void PackedStates::list_awake(int length, Budget& budget) {
  awake_.clear();
  first_awake_.assign(1, 0);
  budget.work(static_cast<int64_t>(length) * static_cast<int64_t>(fields_.size() - kindless_));
  for (int t = 0; t < length; ++t) {
    for (std::size_t f = kindless_; f < fields_.size(); ++f)
      if (!fields_[f].part->sleeps[fields_[f].kinds[t]]) awake_.push_back(static_cast<uint8_t>(f));
    first_awake_.push_back(static_cast<int32_t>(awake_.size()));
  }
}

inline bool PackedStates::read_with(const Field& field, uint64_t* key, int t, int label, double& worth) const {
  const auto state = static_cast<int32_t>(key[field.word] >> field.shift & field.mask);
  const int at = state * field.classes + field.table[(field.kinds ? field.kinds[t] * labels_ : 0) + label];
  const int32_t next = field.delta[at];
  if (next == kDead) return false;
  worth -= field.cost[at];
  key[field.word] ^= static_cast<uint64_t>(state ^ next) << field.shift;
  return true;
}

double PackedStates::read(uint64_t* key, int t, int before, int label) const {
  double worth = 0;
  if (t == 0) {
    for (const Field& field : fields_)
      if (!read_with(field, key, t, label, worth)) return kForbidden;
    return worth;
  }
  const int pair = before * labels_ + label;
  for (int32_t m = first_mover_[pair]; m < first_mover_[pair + 1]; ++m)
    if (!read_with(fields_[movers_[m]], key, t, label, worth)) return kForbidden;
  for (int32_t a = first_awake_[t]; a < first_awake_[t + 1]; ++a)
    if (!read_with(fields_[awake_[a]], key, t, label, worth)) return kForbidden;
  return worth;
}

double PackedStates::at_end(const uint64_t* key) const {
  double worth = 0;
  for (std::size_t f = 0; f < fields_.size(); ++f) worth -= fields_[f].part->final_cost[state(key, static_cast<int>(f))];
  return worth;
}

double PackedStates::arrears(const uint64_t* a, const uint64_t* b, double most) const {
  double sum = 0;
  for (int w = 0; w < words_; ++w)
    for (uint64_t differ = a[w] ^ b[w]; differ;) {
      const int f = field_of_bit_[64 * w + std::countr_zero(differ)];
      const Field& field = fields_[f];
      const std::vector<double>& table = field.part->arrears;
      if (table.empty()) return -kForbidden;
      sum += table[static_cast<std::size_t>(state(a, f)) * field.part->states + state(b, f)];
      if (sum > most) return sum;
      differ &= ~(field.mask << field.shift);
    }
  return sum;
}

std::size_t PackedStates::bytes() const {
  return movers_.capacity() + awake_.capacity() + (first_mover_.capacity() + first_awake_.capacity()) * sizeof(int32_t) +
         fields_.capacity() * (sizeof(Field) + 64);
}

}  // namespace lawful
