#include "core/rules/fold.hpp"

#include <algorithm>

namespace lawful {
namespace {

constexpr std::size_t kMostKept = 16;  // sheets, from one sequence to the next: more take longer to look through than to make

}  // namespace

bool Folded::matches(const Sheet& sheet, uint64_t transitions, int matrix, std::span<const StepEffect> effects) {
  if (sheet.transitions != transitions || sheet.matrix != matrix || sheet.effects.size() != effects.size()) return false;
  for (std::size_t e = 0; e < effects.size(); ++e)
    if (sheet.effects[e] != effects[e].effect->serial) return false;
  return true;
}

Step Folded::sheet(const Transitions* transitions, int t, std::span<const StepEffect> effects) {
  const double* base = transitions ? transitions->forward_at(t - 1) : nullptr;
  const uint64_t serial = transitions ? transitions->serial : 0;
  const int matrix = transitions ? transitions->at(t - 1) : 0;
  // Few combinations of matrix and rules occur, so a linear search finds a sheet fast enough.
  for (std::size_t s = 0; s < sheets_used_; ++s) {
    const Sheet& sheet = sheets_[s];
    if (matches(sheet, serial, matrix, effects)) return {sheet.forward.data(), sheet.backward.data(), sheet.diagonal.data()};
  }
  if (sheets_used_ == sheets_.size()) sheets_.emplace_back();
  Sheet& sheet = sheets_[sheets_used_++];
  const std::size_t size = static_cast<std::size_t>(labels) * stride;
  sheet.transitions = serial;
  sheet.matrix = matrix;
  sheet.effects.clear();
  for (const StepEffect& here : effects) sheet.effects.push_back(here.effect->serial);
  if (base) {
    sheet.forward.assign(base, base + size);
    sheet.backward.assign(transitions->backward_at(t - 1), transitions->backward_at(t - 1) + size);
  } else {
    sheet.forward.assign(size, 0.0);
    sheet.backward.assign(size, 0.0);
  }
  for (const StepEffect& here : effects) {
    for (std::size_t n = 0; n < size; ++n) {
      sheet.forward[n] += here.effect->forward[n];
      sheet.backward[n] += here.effect->backward[n];
    }
  }
  if (sheet.diagonal.empty()) sheet_bytes_ += (2 * size + stride) * sizeof(double);
  sheet.diagonal.assign(stride, kForbidden);
  for (int k = 0; k < labels; ++k) sheet.diagonal[k] = sheet.forward[k * stride + k];
  return {sheet.forward.data(), sheet.backward.data(), sheet.diagonal.data()};
}

std::size_t Folded::bytes() const {
  return sheet_bytes_ + rows_.capacity() * sizeof(double) + sheets_.capacity() * sizeof(Sheet) +
         emissions.capacity() * sizeof(double*) + steps.capacity() * sizeof(Step);
}

void Folded::build(const Trellis& trellis, const LocalEffects& local) {
  const Transitions* transitions = trellis.transitions.get();
  length = trellis.length;
  labels = trellis.labels;
  stride = trellis.stride;
  if (sheets_used_ > kMostKept) sheets_used_ = 0;
  emissions.resize(length);
  steps.resize(length);
  for (int t = 0; t < length; ++t) emissions[t] = trellis.emission(t);
  auto add = [&](const Addition* additions, std::size_t count) {
    rows_.resize(static_cast<std::size_t>(length) * stride);
    kernels().add_all(additions, static_cast<int64_t>(count), emissions.data(), rows_.data(), stride);
  };
  const Addition start{0, 1, trellis.start.data()}, end{length - 1, length, trellis.end.data()};
  if (!trellis.start.empty()) add(&start, 1);
  if (!trellis.end.empty()) add(&end, 1);
  if (!local.additions.empty()) add(local.additions.data(), local.additions.size());
  if (!transitions) zeros_.assign(stride, 0.0);
  lay_steps(transitions, local.stays);
  add_effects(transitions, local);
}

// The steps by transitions alone, and where labels must stay.
void Folded::lay_steps(const Transitions* transitions, const std::vector<uint8_t>& stays) {
  for (int t = 1; t < length;) {  // runs of steps with the same matrix: most often a single one
    const Step free = transitions ? transitions->step_at(t - 1) : Step{};
    const int until = !transitions || transitions->matrices == 1 ? length : t + 1;
    if (stays.empty()) {
      std::fill(steps.begin() + t, steps.begin() + until, free);
    } else {  // a table and no branch: where labels may change cannot be guessed
      const Step either[] = {free, staying(free)};
      for (int u = t; u < until; ++u) steps[u] = either[stays[u]];
    }
    t = until;
  }
}

void Folded::add_effects(const Transitions* transitions, const LocalEffects& local) {
  uint64_t latest = 0;  // the serial of an effect that a step had to itself
  int latest_matrix = 0;
  Step latest_step;
  for (auto first = local.effects.begin(), next = first; first != local.effects.end(); first = next) {
    const int t = first->t;
    while (next != local.effects.end() && next->t == t) ++next;
    // Most of them do what the last one did.
    const uint64_t alone = next - first == 1 ? first->effect->serial : 0;
    const int matrix = transitions ? transitions->at(t - 1) : 0;
    if (!alone || alone != latest || matrix != latest_matrix) latest_step = sheet(transitions, t, {first, next});
    latest = alone;
    latest_matrix = matrix;
    steps[t] = !local.stays.empty() && local.stays[t] ? staying(latest_step) : latest_step;
  }
}

}  // namespace lawful
