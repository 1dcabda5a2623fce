#include "core/engine/own_completion.hpp"

#include <algorithm>
#include <bit>

namespace lawful {
namespace {

constexpr int kFew = 2;  // labels, for which one row each is cheaper than a pass over all

}  // namespace

// What each state does on tokens of one kind: where most labels lead for nothing, and the others.
const OwnCompletion::Move* OwnCompletion::moves_on(int kind, int labels) {
  if (first_move_[kind] >= 0) return moves_.data() + first_move_[kind];
  const Part& part = *bound_.part;
  first_move_[kind] = static_cast<int32_t>(moves_.size());
  const uint16_t* classes = part.table.data() + static_cast<std::size_t>(kind) * labels;
  for (int32_t s = 0; s < part.states; ++s) {
    auto at = [&](int k) { return s * part.classes + classes[k]; };
    count_.assign(part.states, 0);
    for (int k = 0; k < labels; ++k)
      if (part.delta[at(k)] != kDead && part.cost[at(k)] == 0) ++count_[part.delta[at(k)]];
    const auto most = static_cast<int32_t>(std::max_element(count_.begin(), count_.end()) - count_.begin());
    moves_.push_back({most, static_cast<int32_t>(others_.size()), 0});
    for (int k = 0; k < labels; ++k)
      if (part.delta[at(k)] != most || part.cost[at(k)] != 0) others_.push_back({k, part.delta[at(k)], part.cost[at(k)]});
    moves_.back().end = static_cast<int32_t>(others_.size());
  }
  return moves_.data() + first_move_[kind];
}

// Whether the part cannot charge anything from state s after position t: it goes only where nothing is charged any more.
bool OwnCompletion::free_from(const Move& move) const {
  if (!free_then_[move.most]) return false;
  for (int32_t o = move.first; o < move.end; ++o)
    if (others_[o].cost != 0 || others_[o].target == kDead || !free_then_[others_[o].target]) return false;
  return true;
}

void OwnCompletion::step(const Folded& folded, int t, int32_t s, const Move& move) {
  const int words = (stride_ + 63) / 64;
  double* row = scores_.data() + (static_cast<std::size_t>(t) * states_ + s) * stride_;
  const double* then = scores_.data() + static_cast<std::size_t>(t + 1) * states_ * stride_;
  const double* most = then + static_cast<std::size_t>(move.most) * stride_;
  std::copy(most, most + stride_, next_.begin());
  for (int32_t o = move.first; o < move.end; ++o) {
    const Other& other = others_[o];
    next_[other.label] =
        other.target == kDead ? kForbidden : then[static_cast<std::size_t>(other.target) * stride_ + other.label] - other.cost;
  }
  const Step& leap = folded.steps[t + 1];
  const uint64_t* follows = follows_.data() + static_cast<std::size_t>(s) * words;
  int followed = 0;
  for (int w = 0; w < words; ++w) followed += std::popcount(follows[w]);
  if (leap.diagonal && !leap.forward) {
    kernels().add(next_.data(), leap.diagonal, row, stride_);
  } else if (!leap.forward) {
    std::fill(row, row + stride_, kernels().largest(next_.data(), nullptr, stride_));
  } else if (followed <= kFew) {
    std::fill(row, row + stride_, kForbidden);
    for (int w = 0; w < words; ++w)
      for (uint64_t bits = follows[w]; bits; bits &= bits - 1) {
        const int i = 64 * w + std::countr_zero(bits);
        row[i] = kernels().largest(next_.data(), leap.forward + static_cast<std::size_t>(i) * stride_, stride_);
      }
  } else {
    std::fill(row, row + stride_, kForbidden);
    const Entry entry{row, nullptr};
    kernels().extend(next_.data(), all_.data(), leap.backward, &entry, 1, stride_);
  }
  kernels().add(row, folded.emissions[t], row, stride_);
}

void OwnCompletion::build(const BoundPart& bound, const Folded& folded, const double* completion, std::size_t others,
                          Budget& budget) {
  const Part& part = *bound.part;
  bound_ = bound;
  states_ = part.states;
  stride_ = folded.stride;
  const int words = (stride_ + 63) / 64;
  const std::size_t layer = static_cast<std::size_t>(states_) * stride_;
  budget.hold(others + bytes() + folded.length * layer * sizeof(double));
  scores_.resize(folded.length * layer);
  next_.assign(stride_, kForbidden);
  all_.assign(words, 0);
  for (int k = 0; k < folded.labels; ++k) all_[k / 64] |= uint64_t{1} << (k % 64);
  moves_.clear();
  others_.clear();
  first_move_.assign(part.kinds, -1);
  follows_.assign(static_cast<std::size_t>(states_) * words, 0);
  for (int k = 0; k < folded.labels; ++k)
    for (int colour = 0; colour < part.colours; ++colour)
      if (const int32_t s = part.state_of[k * part.colours + colour]; s != kDead)
        follows_[s * words + k / 64] |= uint64_t{1} << (k % 64);
  free_.assign(states_, 0);
  for (int t = folded.length - 1; t >= 0; --t) {
    const double* plain = completion + static_cast<std::size_t>(t) * stride_;
    std::swap(free_, free_then_);
    free_.resize(states_);
    const Move* moves = t + 1 < folded.length ? moves_on(bound.kind(t + 1), folded.labels) : nullptr;
    for (int32_t s = 0; s < states_; ++s) {
      double* row = scores_.data() + t * layer + static_cast<std::size_t>(s) * stride_;
      free_[s] = moves ? free_from(moves[s]) : part.final_cost[s] == 0;
      if (free_[s]) {
        std::copy(plain, plain + stride_, row);
      } else if (!moves) {
        for (int k = 0; k < stride_; ++k) row[k] = plain[k] - part.final_cost[s];
      } else {
        step(folded, t, s, moves[s]);
        budget.work(stride_ * static_cast<int64_t>(folded.labels) / 4);
      }
    }
  }
}

}  // namespace lawful
