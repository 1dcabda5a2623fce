#include "core/engine/own_completion.hpp"

#include <algorithm>
#include <bit>

namespace lawful {
namespace {

constexpr int kFew = 2;  // labels, for which one row each is cheaper than a pass over all

// The states from which nothing can be charged any more.
void find_peace(const Part& part, std::vector<uint8_t>& at_peace) {
  at_peace.assign(part.states, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (int s = 0; s < part.states; ++s) {
      if (!at_peace[s]) continue;
      bool peace = part.final_cost[s] == 0;
      for (int at = s * part.classes; at < (s + 1) * part.classes && peace; ++at)
        peace = part.delta[at] != kDead && part.cost[at] == 0 && at_peace[part.delta[at]];
      if (peace) continue;
      at_peace[s] = 0;
      changed = true;
    }
  }
}

}  // namespace

void OwnCompletion::step(const BoundPart& bound, const Folded& folded, int t, int32_t s) {
  const Part& part = *bound.part;
  const int labels = folded.labels, words = (stride_ + 63) / 64;
  double* row = scores_.data() + (static_cast<std::size_t>(t) * states_ + s) * stride_;
  const double* then = scores_.data() + static_cast<std::size_t>(t + 1) * states_ * stride_;
  const uint16_t* classes = part.table.data() + static_cast<std::size_t>(bound.kind(t + 1)) * labels;
  std::fill(finite_.begin(), finite_.end(), 0);
  for (int j = 0; j < labels; ++j) {
    const int at = s * part.classes + classes[j];
    const int32_t target = part.delta[at];
    next_[j] = target == kDead ? kForbidden : then[static_cast<std::size_t>(target) * stride_ + j] - part.cost[at];
    if (next_[j] > kForbidden) finite_[j / 64] |= uint64_t{1} << (j % 64);
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
    kernels().extend(next_.data(), finite_.data(), leap.backward, &entry, 1, stride_);
  }
  kernels().add(row, folded.emissions[t], row, stride_);
}

void OwnCompletion::build(const BoundPart& bound, const Folded& folded, const double* completion, std::size_t others,
                          Budget& budget) {
  const Part& part = *bound.part;
  states_ = part.states;
  stride_ = folded.stride;
  const int words = (stride_ + 63) / 64;
  const std::size_t layer = static_cast<std::size_t>(states_) * stride_;
  budget.hold(others + bytes() + folded.length * layer * sizeof(double));
  scores_.resize(folded.length * layer);
  next_.assign(stride_, kForbidden);
  finite_.resize(words);
  follows_.assign(static_cast<std::size_t>(states_) * words, 0);
  for (int k = 0; k < folded.labels; ++k)
    for (int colour = 0; colour < part.colours; ++colour)
      if (const int32_t s = part.state_of[k * part.colours + colour]; s != kDead)
        follows_[s * words + k / 64] |= uint64_t{1} << (k % 64);
  find_peace(part, at_peace_);
  for (int t = folded.length - 1; t >= 0; --t) {
    for (int32_t s = 0; s < states_; ++s) {
      double* row = scores_.data() + t * layer + static_cast<std::size_t>(s) * stride_;
      const double* plain = completion + static_cast<std::size_t>(t) * stride_;
      if (at_peace_[s]) {
        std::copy(plain, plain + stride_, row);
      } else if (t == folded.length - 1) {
        for (int k = 0; k < stride_; ++k) row[k] = plain[k] - part.final_cost[s];
      } else {
        step(bound, folded, t, s);
        budget.work(stride_ * static_cast<int64_t>(folded.labels) / 4);
      }
    }
  }
}

}  // namespace lawful
