#include "core/fold.hpp"

#include <algorithm>

namespace bylaw {

double* Folded::rewrite(int t) {
  if (rewritten_[t]) return rewritten_[t];
  if (rows_used_ == rows_.size()) rows_.emplace_back();
  Doubles& row = rows_[rows_used_++];
  row.assign(emissions[t], emissions[t] + stride);
  emissions[t] = rewritten_[t] = row.data();
  return row.data();
}

void Folded::add(int t, const double* row) {
  double* target = rewrite(t);
  for (int k = 0; k < stride; ++k) target[k] += row[k];
}

Step Folded::sheet(const Transitions* transitions, int t) {
  const double* base = transitions ? transitions->forward_at(t - 1) : nullptr;
  for (std::size_t s = 0; s < sheets_used_; ++s) {
    const Sheet& sheet = sheets_[s];
    if (sheet.base == base && sheet.effects == here_)
      return {sheet.forward.data(), sheet.backward.data(), sheet.diagonal.data()};
  }
  if (sheets_used_ == sheets_.size()) sheets_.emplace_back();
  Sheet& sheet = sheets_[sheets_used_++];
  const std::size_t size = static_cast<std::size_t>(labels) * stride;
  sheet.base = base;
  sheet.effects = here_;
  if (base) {
    sheet.forward.assign(base, base + size);
    sheet.backward.assign(transitions->backward_at(t - 1), transitions->backward_at(t - 1) + size);
  } else {
    sheet.forward.assign(size, 0.0);
    sheet.backward.assign(size, 0.0);
  }
  for (const Part::Effect* effect : here_) {
    for (std::size_t n = 0; n < size; ++n) {
      sheet.forward[n] += effect->forward[n];
      sheet.backward[n] += effect->backward[n];
    }
  }
  sheet.diagonal.assign(stride, kForbidden);
  for (int k = 0; k < labels; ++k) sheet.diagonal[k] = sheet.forward[k * stride + k];
  return {sheet.forward.data(), sheet.backward.data(), sheet.diagonal.data()};
}

void Folded::build(const Problem& problem, bool with_rules) {
  const Trellis& trellis = *problem.trellis;
  const Transitions* transitions = trellis.transitions.get();
  length = trellis.length, labels = trellis.labels, stride = trellis.stride;
  rows_used_ = sheets_used_ = 0;
  emissions.resize(length);
  steps.resize(length);
  rewritten_.assign(length, nullptr);
  for (int t = 0; t < length; ++t) emissions[t] = trellis.emission(t);
  if (!trellis.start.empty()) add(0, trellis.start.data());
  if (!trellis.end.empty()) add(length - 1, trellis.end.data());

  bool steps_change = false;
  if (with_rules) {
    for (std::size_t p = 0; p < problem.parts.size(); ++p) {
      const Part& part = *problem.parts[p];
      if (!part.local) continue;
      const uint16_t* kinds = problem.kinds_of(p);
      auto kind = [&](int t) { return kinds ? kinds[t] : 0; };
      if (part.touches_first[kind(0)]) add(0, part.first.data() + static_cast<std::size_t>(kind(0)) * stride);
      if (part.touches_last) add(length - 1, part.last.data() + static_cast<std::size_t>(kind(length - 1)) * stride);
      for (int t = 1; t < length; ++t) {
        const Part::Effect& effect = part.effects[kind(t - 1) * part.kinds + kind(t)];
        if (effect.type == Part::Effect::per_target) add(t, effect.forward.data());
        steps_change |= effect.type >= Part::Effect::stay;
      }
    }
  }
  if (!transitions && steps_change) zeros_.assign(stride, 0.0);
  for (int t = 1; t < length; ++t) {
    Step step;
    if (transitions) step = {transitions->forward_at(t - 1), transitions->backward_at(t - 1), transitions->diagonal_at(t - 1)};
    if (steps_change) {
      bool stay = false;
      here_.clear();
      for (std::size_t p = 0; p < problem.parts.size(); ++p) {
        const Part& part = *problem.parts[p];
        if (!part.local) continue;
        const uint16_t* kinds = problem.kinds_of(p);
        const Part::Effect& effect = kinds ? part.effects[kinds[t - 1] * part.kinds + kinds[t]] : part.effects[0];
        stay |= effect.type == Part::Effect::stay;
        if (effect.type == Part::Effect::matrix) here_.push_back(&effect);
      }
      if (!here_.empty()) step = sheet(transitions, t);
      if (stay) step = {nullptr, nullptr, step.diagonal ? step.diagonal : zeros_.data()};
    }
    steps[t] = step;
  }
}

}  // namespace bylaw
