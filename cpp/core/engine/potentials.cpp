#include "core/engine/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lawful {

void Potentials::begin(const Problem& problem, const Folded& folded, const std::vector<int32_t>& parts, bool go_on) {
  problem_ = &problem;
  folded_ = &folded;
  const std::vector<int32_t> parts_before = std::exchange(parts_, parts);
  const std::vector<int> offset_before = std::exchange(offset_, {});
  const std::vector<double> potential_before = std::exchange(potential_, {}), raised_before = std::exchange(raised_, {});
  const int labels = folded.labels;
  states_after_.clear();
  states_after_end_.clear();
  int states = 0;
  for (const int32_t p : parts_) {
    const Part& part = *problem.parts[p].part;
    offset_.push_back(states);
    states += part.states;
    for (int k = 0; k < labels; ++k) {
      for (int c = 0; c < part.colours; ++c)
        if (const int32_t s = part.state_of[k * part.colours + c]; s != kDead) states_after_.push_back(s);
      states_after_end_.push_back(static_cast<int32_t>(states_after_.size()));
    }
  }
  table_bytes_ = (states_after_.capacity() + states_after_end_.capacity()) * sizeof(int32_t);
  for (const int32_t p : parts_) {
    const Part& part = *problem.parts[p].part;
    table_bytes_ += (part.delta.size() + static_cast<std::size_t>(labels) * part.classes) * sizeof(double);
  }
  step_scale_ = 1;
  lowest_ = -kForbidden;
  potential_.assign(states, 0.0);
  raised_.assign(states, 0.0);
  if (!go_on) {
    laid_out_ = false;
    first_.assign(folded.stride, 0.0);
    path_.assign(folded.length, 0);
  }
  for (std::size_t p = 0, before = 0; go_on && p < parts_.size() && before < parts_before.size(); ++p) {  // both are in order
    if (parts_[p] != parts_before[before]) continue;
    const int count = problem.parts[parts_[p]].part->states, from = offset_before[before++];
    std::copy_n(potential_before.begin() + from, count, potential_.begin() + offset_[p]);
    std::copy_n(raised_before.begin() + from, count, raised_.begin() + offset_[p]);
  }
  gradient_.assign(states, 0.0);
}

// The value of every step, and the best of any state that can follow a label.
void Potentials::collapse(std::size_t part, Budget& budget) {
  const Part& machine = *problem_->parts[parts_[part]].part;
  const double* potential = potential_.data() + offset_[part];
  const int classes = machine.classes;
  auto& values = values_[part];
  values.resize(machine.delta.size());
  for (int32_t s = 0; s < machine.states; ++s)
    for (int c = 0; c < classes; ++c) {
      const int at = s * classes + c;
      values[at] = machine.delta[at] == kDead ? kForbidden : potential[machine.delta[at]] - potential[s] - machine.cost[at];
    }
  auto& best = collapsed_[part];
  best.assign(static_cast<std::size_t>(folded_->labels) * classes, kForbidden);
  for (int i = 0; i < folded_->labels; ++i) {
    const auto after = states_after(part, i);
    budget.work(static_cast<int64_t>(after.size()) * classes);
    for (const int32_t s : after)
      for (int c = 0; c < classes; ++c) best[i * classes + c] = std::max(best[i * classes + c], values[s * classes + c]);
  }
}

void Potentials::collapse_all(Budget& budget) {
  budget.hold(bytes());
  values_.resize(parts_.size());
  collapsed_.resize(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    collapse(p, budget);
    budget.work(2 * static_cast<int64_t>(problem_->parts[parts_[p]].part->delta.size()));
  }
}

Step Potentials::sheet_for(const Step& base, int t, Budget& budget) {
  const bool full = base.forward || !base.diagonal;
  const double* identity = full ? base.forward : base.diagonal;
  kinds_.clear();
  for (const int32_t p : parts_) kinds_.push_back(problem_->parts[p].kind(t));
  budget.work(static_cast<int64_t>(parts_.size() + 4 * sheets_used_));
  for (std::size_t s = 0; s < sheets_used_; ++s) {
    const Sheet& sheet = sheets_[s];
    if (sheet.base == identity && sheet.full == full && sheet.kinds == kinds_)
      return {full ? sheet.forward.data() : nullptr, full ? sheet.backward.data() : nullptr, sheet.diagonal.data()};
  }
  if (sheets_used_ == sheets_.size()) sheets_.emplace_back();
  Sheet& sheet = sheets_[sheets_used_++];
  const int labels = folded_->labels, stride = folded_->stride;
  sheet.base = identity;
  sheet.full = full;
  sheet.kinds = kinds_;
  const std::size_t size = static_cast<std::size_t>(labels) * stride;
  if (sheet.diagonal.empty()) sheet_bytes_ += (2 * size + stride) * sizeof(double) + 256;
  budget.hold(bytes());
  budget.work(static_cast<int64_t>(size * (parts_.size() + 2)));
  sheet.diagonal.assign(stride, kForbidden);
  if (full) {
    sheet.forward.assign(size, kForbidden);
    sheet.backward.assign(size, kForbidden);
    for (int i = 0; i < labels; ++i)
      for (int j = 0; j < labels; ++j) sheet.forward[i * stride + j] = base.forward ? base.forward[i * stride + j] : 0.0;
  } else {
    std::copy(base.diagonal, base.diagonal + labels, sheet.diagonal.begin());
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = *problem_->parts[parts_[p]].part;
    const uint16_t* classes = part.table.data() + static_cast<std::size_t>(kinds_[p]) * labels;
    for (int i = 0; i < labels; ++i) {
      const double* best = collapsed_[p].data() + static_cast<std::size_t>(i) * part.classes;
      if (full)
        for (int j = 0; j < labels; ++j) sheet.forward[i * stride + j] += best[classes[j]];
      else sheet.diagonal[i] += best[classes[i]];
    }
  }
  if (full)
    for (int i = 0; i < labels; ++i) {
      for (int j = 0; j < labels; ++j) sheet.backward[j * stride + i] = sheet.forward[i * stride + j];
      sheet.diagonal[i] = sheet.forward[i * stride + i];
    }
  return {full ? sheet.forward.data() : nullptr, full ? sheet.backward.data() : nullptr, sheet.diagonal.data()};
}

void Potentials::lay_out(Budget& budget) {
  const int length = folded_->length, labels = folded_->labels, stride = folded_->stride;
  sheets_used_ = 0;
  steps_.resize(length);
  collapse_all(budget);
  const bool kinds_matter = std::any_of(parts_.begin(), parts_.end(), [&](int32_t p) { return problem_->parts[p].kinds; });
  for (int t = 1; t < length; ++t) {
    const Step &now = folded_->steps[t], &before = folded_->steps[t - 1];
    const bool same = t > 1 && !kinds_matter && now.forward == before.forward && now.diagonal == before.diagonal;
    steps_[t] = same ? steps_[t - 1] : sheet_for(now, t, budget);
  }
  first_.assign(stride, kForbidden);
  last_.assign(stride, kForbidden);
  for (int k = 0; k < labels; ++k) {
    double first = 0, last = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const BoundPart& bound = problem_->parts[parts_[p]];
      const Part& part = *bound.part;
      const double* potential = potential_.data() + offset_[p];
      const int c = part.class_at(bound.kind(0), k);
      first += part.delta[c] == kDead ? kForbidden : potential[part.delta[c]] - part.cost[c];  // potential(0) cancels
      double end = kForbidden;
      for (const int32_t s : states_after(p, k)) end = std::max(end, -part.final_cost[s] - potential[s]);
      last += end;
    }
    first_[k] = first;
    last_[k] = folded_->emissions[length - 1][k] + last;
  }
  if (!laid_out_) emissions_ = folded_->emissions;
  emissions_[length - 1] = last_.data();
  laid_out_ = true;
}

std::size_t Potentials::bytes() const {
  return sheet_bytes_ + table_bytes_ +
         (potential_.capacity() + kept_potential_.capacity() + gradient_.capacity() + completion_.capacity() +
          kept_completion_.capacity()) *
             sizeof(double) +
         emissions_.capacity() * sizeof(double*) + steps_.capacity() * sizeof(Step) +
         (path_.capacity() + run_end_.capacity()) * sizeof(int32_t);
}

double Potentials::pass(Budget& budget) {
  const int length = folded_->length, stride = folded_->stride;
  completion_.resize(static_cast<std::size_t>(length) * stride);
  lay_out(budget);
  budget.work(static_cast<int64_t>(length) * stride * folded_->labels / 4);
  kernels().complete(emissions_.data(), steps_.data(), completion_.data(), nullptr, length, folded_->labels, stride);
  // The first step is taken from the start state alone; it counts for the path, not for completions.
  Doubles saved(completion_.begin(), completion_.begin() + stride);
  kernels().add(saved.data(), first_.data(), completion_.data(), stride);
  const int first = kernels().first_best(completion_.data(), nullptr, stride, &bound_);
  std::copy(saved.begin(), saved.end(), completion_.begin());
  consistent_ = false;
  if (bound_ > kForbidden) {
    follow(first);
    find_gradient(budget);
  }
  return bound_;
}

// The best path. Most of it is as before, which is quick to see: a completion score is that of the step taken next.
void Potentials::follow(int label) {
  const int stride = folded_->stride;
  int before = path_[0];
  path_[0] = label;
  const double* reach = completion_.data();
  for (int t = 1; t < folded_->length; ++t, reach += stride) {
    const Step& step = steps_[t];
    const int from = label;
    if (!step.forward) {  // labels must stay
      before = path_[t];
      path_[t] = label;
      continue;
    }
    const double *row = step.forward + static_cast<std::size_t>(from) * stride, *there = reach + stride;
    const int guess = path_[t];
    const bool same = from == before && row[guess] + there[guess] + emissions_[t - 1][from] == reach[from];
    double ignored;
    label = same ? guess : kernels().first_best(row, there, stride, &ignored);
    before = guess;
    path_[t] = label;
  }
}

bool Potentials::adopt(const std::vector<int32_t>& path, double score, Budget& budget) {
  path_ = path;
  bound_ = score;
  collapse_all(budget);
  return find_gradient(budget);
}

// Follows each part along the path: where the best step leaves another state than the one that was reached, the
// reached state is priced too high and the other one too low. False if no state allows a step.
bool Potentials::find_gradient(Budget& budget) {
  const int length = folded_->length;
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  consistent_ = true;
  conflicts_.clear();
  paid_ = 0;
  run_end_.resize(length);
  for (int t = length - 1, end = length; t >= 0; --t) {
    run_end_[t] = end;
    if (t > 0 && path_[t - 1] != path_[t]) end = t;
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const BoundPart& bound = problem_->parts[parts_[p]];
    const Part& part = *bound.part;
    const int classes = part.classes;
    const double *values = values_[p].data(), *collapsed = collapsed_[p].data();
    const double* potential = potential_.data() + offset_[p];
    double* gradient = gradient_.data() + offset_[p];
    budget.work(8 * static_cast<int64_t>(length));
    left_.assign(part.states, -1);
    auto leave = [&](int32_t reached, int32_t chosen, int t) {
      conflicts_.push_back({p, t, reached, chosen, left_[chosen]});
      gradient[reached] += 1;
      gradient[chosen] -= 1;
      consistent_ = false;
      return chosen;
    };
    paid_ += part.cost[part.class_at(bound.kind(0), path_[0])];
    int32_t state = part.delta[part.class_at(bound.kind(0), path_[0])];
    if (state != 0) left_[0] = 0;
    if (state == kDead) return false;
    for (int t = 1; t < length; ++t) {
      const int c = part.class_at(bound.kind(t), path_[t]);
      const double best = collapsed[path_[t - 1] * classes + c];
      if (best == kForbidden) return false;
      const bool here = values[state * classes + c] >= best;
      if (!here) {
        const auto after = states_after(p, path_[t - 1]);
        budget.work(static_cast<int64_t>(after.size()));
        for (const int32_t s : after)
          if (values[s * classes + c] == best) {
            state = leave(state, s, t);
            break;
          }
      }
      paid_ += part.cost[state * classes + c];
      const int32_t next = part.delta[state * classes + c];
      if (next != state) left_[state] = t;
      else if (!bound.kinds && here && path_[t] == path_[t - 1]) {  // and so it goes on, for as long as the label stays
        const int end = run_end_[t];
        paid_ += part.cost[state * classes + c] * (end - 1 - t);
        t = end - 1;
      }
      state = next;
    }
    int32_t last = state;
    for (const int32_t s : states_after(p, path_[length - 1]))
      if (-part.final_cost[s] - potential[s] > -part.final_cost[last] - potential[last]) last = s;
    if (last != state) leave(state, last, length);
    paid_ += part.final_cost[last];
  }
  return true;
}

double Potentials::consistent_score() const {
  double score = folded_->emissions[0][path_[0]];
  for (int t = 1; t < folded_->length; ++t) {
    const Step& step = folded_->steps[t];
    if (step.forward) score += step.forward[static_cast<std::size_t>(path_[t - 1]) * folded_->stride + path_[t]];
    else if (step.diagonal) score += step.diagonal[path_[t]];
    score += folded_->emissions[t][path_[t]];
  }
  return score - paid_;
}

double Potentials::rounding_with(const std::vector<double>& potentials) const {
  double largest = 0;  // of all parts together
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const int end = p + 1 < parts_.size() ? offset_[p + 1] : static_cast<int>(potentials.size());
    double size = 0;
    for (int s = offset_[p]; s < end; ++s) size = std::max(size, std::abs(potentials[s]));
    largest += size;
  }
  return kRounding * folded_->length * static_cast<double>(parts_.size() + 2) * largest;
}

bool Potentials::move(double best) {
  double norm = 0;
  for (const double g : gradient_) norm += g * g;
  if (norm == 0) return false;
  if (bound_ >= lowest_) step_scale_ *= 0.6;  // the last step overshot
  lowest_ = std::min(lowest_, bound_);
  const double size = step_scale_ * (bound_ - best) / norm;  // Polyak's step
  for (std::size_t i = 0; i < potential_.size(); ++i) potential_[i] -= size * gradient_[i];
  return true;
}

void Potentials::keep() {
  kept_potential_ = potential_;
  kept_rounding_ = rounding();
  std::swap(completion_, kept_completion_);
}

}  // namespace lawful
