#include "core/solvers/joint_states.hpp"

#include <algorithm>

namespace lawful {
namespace {

uint64_t hash_of(const int32_t* states, std::size_t n) {
  uint64_t hash = 0;
  for (std::size_t p = 0; p < n; ++p) {
    hash = (hash ^ static_cast<uint32_t>(states[p])) * kHashFactor;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

void JointStates::begin(std::vector<BoundPart> parts, const Potentials* potentials) {
  parts_ = std::move(parts);
  potentials_ = potentials;
  states_.clear();
  corrections_.clear();
  owed_.clear();
  owed_bytes_ = 0;
  slots_.assign(1 << 8, -1);
  next_.assign(parts_.size(), 0);
  count_ = 0;
  number_of_next();
}

int32_t JointStates::number_of_next() {
  const std::size_t n = parts_.size();
  auto find = [&](const int32_t* states) -> int32_t& {
    std::size_t i = hash_of(states, n);
    while (slots_[i &= slots_.size() - 1] >= 0 && !std::equal(states, states + n, states_.data() + slots_[i] * n)) ++i;
    return slots_[i];
  };
  if (2 * static_cast<std::size_t>(count_) >= slots_.size()) {
    slots_.assign(2 * slots_.size(), -1);
    for (int32_t known = 0; known < count_; ++known) find(states_.data() + known * n) = known;
  }
  int32_t& slot = find(next_.data());
  if (slot >= 0) return slot;
  states_.insert(states_.end(), next_.begin(), next_.end());
  if (potentials_) {
    double sum = 0;
    for (std::size_t p = 0; p < n; ++p) sum += potentials_->kept_potential(p, next_[p]);
    corrections_.push_back(sum);
  }
  return slot = count_++;
}

void JointStates::look_ahead(const double* completion, const double* prices, int length, int stride, Budget& budget) {
  owed_.resize(parts_.size());
  std::vector<double> least;  // (C): the least price of a label of the class that can come at the next position
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = *parts_[p].part;
    owed_bytes_ += static_cast<std::size_t>(length) * part.states * sizeof(double);
    budget.hold(bytes());
    owed_[p].assign(static_cast<std::size_t>(length) * part.states, -kForbidden);
    std::copy(part.final_cost.begin(), part.final_cost.end(), owed_[p].end() - part.states);
    for (int t = length - 1; t > 0; --t) {
      budget.work(part.labels + 3 * static_cast<int64_t>(part.delta.size()));
      least.assign(part.classes, -kForbidden);
      for (int k = 0; k < part.labels; ++k) {
        const std::size_t at = static_cast<std::size_t>(t) * stride + k;
        if (completion[at] == kForbidden) continue;
        double& of_class = least[part.class_at(parts_[p].kind(t), k)];
        of_class = std::min(of_class, prices ? prices[p * length * stride + at] : 0.0);
      }
      const double* then = owed_[p].data() + static_cast<std::size_t>(t) * part.states;
      double* now = owed_[p].data() + static_cast<std::size_t>(t - 1) * part.states;
      for (int s = 0; s < part.states; ++s)
        for (int c = 0; c < part.classes; ++c) {
          const int at = s * part.classes + c;
          if (part.delta[at] != kDead) now[s] = std::min(now[s], least[c] + part.cost[at] + then[part.delta[at]]);
        }
    }
  }
}

JointStates::Reading JointStates::read(int32_t from, int t, int label) {
  const std::size_t n = parts_.size();
  const int32_t* states = states_.data() + from * n;
  Reading reading;
  bool moved = false;
  for (std::size_t p = 0; p < n; ++p) {
    const Part& part = *parts_[p].part;
    const int at = states[p] * part.classes + part.class_at(parts_[p].kind(t), label);
    next_[p] = part.delta[at];
    if (next_[p] == kDead) return reading;
    reading.worth -= part.cost[at];
    if (!owed_.empty()) reading.owed += owed_[p][static_cast<std::size_t>(t) * part.states + next_[p]];
    moved |= next_[p] != states[p];
  }
  if (reading.owed == -kForbidden) return reading;
  reading.states = moved ? number_of_next() : from;
  return reading;
}

double JointStates::at_end(int32_t states) const {
  double worth = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) worth -= parts_[p].part->final_cost[states_[states * parts_.size() + p]];
  return worth;
}

std::size_t JointStates::bytes() const {
  return (states_.capacity() + slots_.capacity()) * sizeof(int32_t) + corrections_.capacity() * sizeof(double) + owed_bytes_;
}

std::size_t JointStates::bytes_to_grow() const {
  std::size_t more = 0;  // a vector that grows is there twice, the new one twice as large
  if (states_.size() + parts_.size() > states_.capacity()) more += 2 * states_.capacity() * sizeof(int32_t);
  if (2 * static_cast<std::size_t>(count_) >= slots_.size()) more += 2 * slots_.size() * sizeof(int32_t);
  if (potentials_ && corrections_.size() == corrections_.capacity()) more += 2 * corrections_.capacity() * sizeof(double);
  return bytes() + more;
}

}  // namespace lawful
