#include "core/rules/fold.hpp"

#include <algorithm>

namespace lawful {

void Folded::add(int t, const double* row) {
  double* target = rows_.data() + static_cast<std::size_t>(t) * stride;
  kernels().add(emissions[t], row, target, stride);
  emissions[t] = target;
}

Step Folded::sheet(const Transitions* transitions, int t, const std::vector<const Part::Effect*>& effects) {
  const double* base = transitions ? transitions->forward_at(t - 1) : nullptr;
  // Few combinations of matrix and rules occur in one sequence, so a linear search finds a sheet fast enough.
  for (std::size_t s = 0; s < sheets_used_; ++s) {
    const Sheet& sheet = sheets_[s];
    if (sheet.base == base && sheet.effects == effects)
      return {sheet.forward.data(), sheet.backward.data(), sheet.diagonal.data()};
  }
  if (sheets_used_ == sheets_.size()) sheets_.emplace_back();
  Sheet& sheet = sheets_[sheets_used_++];
  const std::size_t size = static_cast<std::size_t>(labels) * stride;
  sheet.base = base;
  sheet.effects = effects;
  if (base) {
    sheet.forward.assign(base, base + size);
    sheet.backward.assign(transitions->backward_at(t - 1), transitions->backward_at(t - 1) + size);
  } else {
    sheet.forward.assign(size, 0.0);
    sheet.backward.assign(size, 0.0);
  }
  for (const Part::Effect* effect : effects) {
    for (std::size_t n = 0; n < size; ++n) {
      sheet.forward[n] += effect->forward[n];
      sheet.backward[n] += effect->backward[n];
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

void Folded::build(const Problem& problem) {
  const Trellis& trellis = *problem.trellis;
  const Transitions* transitions = trellis.transitions.get();
  length = trellis.length;
  labels = trellis.labels;
  stride = trellis.stride;
  sheets_used_ = 0;
  emissions.resize(length);
  steps.resize(length);
  rows_.resize(static_cast<std::size_t>(length) * stride);
  for (int t = 0; t < length; ++t) emissions[t] = trellis.emission(t);
  if (!trellis.start.empty()) add(0, trellis.start.data());
  if (!trellis.end.empty()) add(length - 1, trellis.end.data());
  for (const Problem::Addition& addition : problem.additions) add(addition.t, addition.row);

  if (!transitions) zeros_.assign(stride, 0.0);
  for (int t = 1; t < length; ++t) {
    Step& step = steps[t];
    if (!problem.effects.empty() && !problem.effects[t].empty()) step = sheet(transitions, t, problem.effects[t]);
    else if (transitions)
      step = {transitions->forward_at(t - 1), transitions->backward_at(t - 1), transitions->diagonal_at(t - 1),
              transitions->backward_blocks.view()};
    else step = {};
    if (!problem.stays.empty() && problem.stays[t]) step = {nullptr, nullptr, step.diagonal ? step.diagonal : zeros_.data()};
  }
}

}  // namespace lawful
