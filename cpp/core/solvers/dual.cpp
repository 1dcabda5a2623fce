#include "core/solvers/dual.hpp"

#include <algorithm>
#include <cmath>

namespace lawful {
namespace {

constexpr int kBranchIterations = 24;  // in a branch, which starts from its parent's multipliers
constexpr double kStepScale = 1.9;   // of the first of Polyak's steps, which converge below 2;
constexpr double kStepDecay = 0.98;  // its factor after each step that did not lower the bound
constexpr int kTogether = 8;  // steps of common prices may fail to lower the bound, before every token gets its own;
constexpr double kTogetherDecay = 0.5;  // the factor of the next one, from where the bound was lowest
constexpr double kTie = 100;         // roundings within which two labels of a part are equally good
constexpr double kMostRounding = 1e6;  // of multipliers, as a multiple of that of the best legal path's own score
constexpr int kBlind = 12;             // iterations without any legal path before one is looked for on its own;
constexpr double kBlindGrowth = 1.5;   // the factor of the gap that each of them assumes
constexpr double kBackwards = 0.1;     // what is left of the steps that made them larger than that
constexpr int kBetweenFixes = 10;      // iterations
constexpr int64_t kSearched = 8;       // a search may keep one state in so many of those that may be visited
constexpr std::size_t kFewParts = 32;  // whose paths are all offered, in every iteration

// The same labellings, all of which score 0: what forbids some is kept, what charges for some is not.
std::shared_ptr<const Problem> legality_of(const Problem& problem) {
  auto hard = std::make_shared<Binding>(problem.trellis->length);
  for (const BoundPart& bound : problem.parts) {
    if (bound.part->mode != Mode::hard) continue;
    auto part = bound.part->shared_from_this();
    if (bound.kinds) std::copy(bound.kinds, bound.kinds + hard->length, hard->add_with_kinds(std::move(part)));
    else hard->add(std::move(part));
  }
  return Problem::make(without_scores(*problem.trellis), PartSet::make({}), std::move(hard));
}

}  // namespace

void Dual::begin(const Problem& problem, const Limits& limits, Budget& budget) {
  folded_.build(problem);
  length_ = folded_.length;
  labels_ = folded_.labels;
  stride_ = folded_.stride;
  size_ = static_cast<std::size_t>(length_) * stride_;
  searched_ = problem.searched;
  open_ = {};
  sets_ = 0;
  best_ = {};
  outcome_ = {};
  require_rest(limits, budget);
  multipliers_.assign(searched_.size() * size_, 0.0);
  fixed_.assign(size_, 0.0);
  emissions_.resize(size_);
  marginals_.assign(size_, 0.0);
  completion_.resize(size_);
  rows_.resize(length_);
  for (int t = 0; t < length_; ++t) rows_[t] = emissions_.data() + static_cast<std::size_t>(t) * stride_;
  common_prices_.begin(problem, labels_, stride_);
  trellis_path_.resize(length_);
  repaired_.resize(length_);
  paths_.resize(searched_.size() * length_);
  order_ = 0;
  tie_ = kTie;
}

// All 0 if there are no values.
void Dual::set_multipliers(const Multipliers* values) {
  if (values) std::copy(values->begin(), values->end(), multipliers_.begin());
  else std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  largest_.assign(searched_.size(), 0.0);
  for (std::size_t p = 0; p < searched_.size(); ++p)
    for (const double *u = multipliers(p), *end = u + size_; u < end; ++u) largest_[p] = std::max(largest_[p], std::abs(*u));
}

void Dual::enter(const Branch& branch) {
  set_multipliers(branch.multipliers.get());
  mask_ = fixed_;
  for (const Decision& decision : branch.decisions) {
    double* row = mask_.data() + static_cast<std::size_t>(decision.t) * stride_;
    for (int k = 0; k < labels_; ++k)
      if ((k == decision.label) != decision.taken) row[k] = kForbidden;
  }
  disagreement_counts_.assign(length_, 0);
  step_scale_ = kStepScale;
  together_ = branch.decisions.empty() && !legality_only_ ? kTogether : 0;
  aimed_ = false;
  most_gap_ = -kForbidden;
  blind_gap_ = 1;
}

// What the machine of a part makes of its multipliers.
double Dual::solve_part(const Problem& problem, std::size_t part, Budget& budget) {
  const BoundPart& bound = problem.parts[searched_[part]];
  int32_t* path = path_of(part);
  if (idle(part)) {  // if the trellis's path costs nothing, no sequence is better
    double cost = 0;
    int32_t state = 0;
    for (int t = 0; t < length_ && state != kDead && cost == 0; ++t) {
      const int at = state * bound.part->classes + bound.part->class_at(bound.kind(t), trellis_path_[t]);
      cost += bound.part->cost[at];
      state = bound.part->delta[at];
    }
    if (state != kDead && cost == 0 && bound.part->final_cost[state] == 0) {
      std::copy(trellis_path_.begin(), trellis_path_.end(), path);
      return 0;
    }
  }
  return part_path_.best(bound, length_, multipliers(part), mask_.data(), trellis_path_.data(), slack_, path, budget);
}

// Multipliers cancel between the trellis and the parts, but for the rounding of their sums.
double Dual::rounding_of_multipliers() const {
  double size = 0;
  for (const double largest : largest_) size += largest;
  return kRounding * length_ * static_cast<double>(searched_.size() + 2) * size;
}

// Solves everything on its own under the present multipliers; gives the bound.
double Dual::solve(const Problem& problem, Budget& budget, double& trellis_bound) {
  for (int t = 0; t < length_; ++t) {
    const std::size_t at = static_cast<std::size_t>(t) * stride_;
    kernels().add(folded_.emissions[t], mask_.data() + at, emissions_.data() + at, stride_);
  }
  for (std::size_t p = 0; p < searched_.size(); ++p)
    if (!idle(p)) kernels().add(emissions_.data(), multipliers(p), emissions_.data(), static_cast<int>(size_));
  kernels().complete(rows_.data(), folded_.steps.data(), completion_.data(), nullptr, length_, labels_, stride_);
  double bound = kernels().follow(folded_.steps.data(), completion_.data(), nullptr, trellis_path_.data(), length_, stride_);
  trellis_bound = bound;
  outcome_.states += static_cast<int64_t>(length_) * labels_;
  outcome_.arcs += static_cast<int64_t>(length_) * labels_ * labels_;
  if (++outcome_.passes == 1) plain_bound_ = bound;
  budget.work(static_cast<int64_t>(size_) * (labels_ / 4 + 1 + static_cast<int64_t>(searched_.size())));
  if (bound == kForbidden) return bound;
  const double rounding = rounding_of_multipliers();
  const PathSum sum = sum_path(*problem.trellis, trellis_path_.data());
  mean_term_ = sum.size / length_;
  slack_ = tie_ * (sum.rounding(sum.score) + rounding) / length_;
  for (std::size_t p = 0; p < searched_.size() && bound > kForbidden; ++p) bound += solve_part(problem, p, budget);
  return bound + rounding;
}

// Takes a path as the best legal one if it is.
void Dual::offer(const Problem& problem, const int32_t* path) {
  double score = 0;
  for (int t = 0; t < length_; ++t) {
    const Step& step = folded_.steps[t];
    if (t > 0 && step.forward) score += step.forward[path[t - 1] * stride_ + path[t]];
    else if (t > 0 && step.diagonal) score += path[t] == path[t - 1] ? step.diagonal[path[t]] : kForbidden;
    score += folded_.emissions[t][path[t]];
  }
  for (const int32_t p : searched_) {
    if (score <= best_.score) return;
    const BoundPart& bound = problem.parts[p];
    int32_t state = 0;
    for (int t = 0; t < length_; ++t) {
      const int at = state * bound.part->classes + bound.part->class_at(bound.kind(t), path[t]);
      score -= bound.part->cost[at];
      state = bound.part->delta[at];
      if (state == kDead) return;
    }
    score -= bound.part->final_cost[state];
  }
  if (score > best_.score) best_.offer(score, {path, path + length_});
}

// Moves the multipliers by Polyak's step towards agreement; false if all agree. `lowest`: those of the lowest bound.
bool Dual::move(const Problem& problem, double bound, const Multipliers& lowest) {
  int64_t disagreements = 0;
  for (std::size_t p = 0; p < searched_.size(); ++p) {
    const BoundPart& part = problem.parts[searched_[p]];
    for (int t = 0; t < length_; ++t)
      if (part.class_at(t, path_of(p)[t]) != part.class_at(t, trellis_path_[t])) {
        ++disagreements;
        ++disagreement_counts_[t];
      }
  }
  if (disagreements == 0) return false;
  double gap = bound + 1;  // where all score 0, a bound below that proves that nothing is legal
  if (best_.score > kForbidden) gap = bound - best_.score;
  else if (!legality_only_) gap = (blind_gap_ *= kBlindGrowth) * mean_term_;
  gap = step_scale_ * std::min(gap, most_gap_);
  if (together_ > 0) {
    if (overshot_ && aimed_) set_multipliers(&lowest);
    else aimed_ = common_prices_.aim(problem, paths_.data(), trellis_path_.data());
    if (!aimed_) together_ = 0;
  }
  if (together_ > 0) common_prices_.step(problem, gap, multipliers_.data(), largest_.data());
  else move_apart(problem, gap / (2.0 * static_cast<double>(disagreements)));
  return true;
}

// Moves the multipliers at each token of disagreement: of all labels that the part reads alike, as it can tell no others.
void Dual::move_apart(const Problem& problem, double size) {
  for (std::size_t p = 0; p < searched_.size(); ++p) {
    const BoundPart& part = problem.parts[searched_[p]];
    double* u = multipliers(p);
    const int32_t* path = path_of(p);
    for (int t = 0; t < length_; ++t, u += stride_) {
      const int wanted = part.class_at(t, path[t]), had = part.class_at(t, trellis_path_[t]);
      if (wanted == had) continue;
      for (int k = 0; k < labels_; ++k) {
        const int read = part.class_at(t, k);
        if (read == wanted) u[k] += size;
        else if (read == had) u[k] -= size;
      }
      largest_[p] = std::max({largest_[p], std::abs(u[trellis_path_[t]]), std::abs(u[path[t]])});
    }
  }
}

// What the best path of the trellis through each label scores, under the present multipliers.
void Dual::find_marginals(Budget& budget) {
  budget.work(static_cast<int64_t>(size_) * labels_);
  reached_.assign(stride_, 0.0);
  for (int t = 0; t < length_; ++t) {
    const Step& step = folded_.steps[t];
    const std::size_t row = static_cast<std::size_t>(t) * stride_;
    if (t > 0) {
      std::swap(before_, reached_);
      const bool stays = step.diagonal && !step.forward;
      const double best = *std::max_element(before_.begin(), before_.begin() + labels_);
      reached_.assign(stride_, stays || step.forward ? kForbidden : best);
      for (int i = 0; i < labels_; ++i) {
        if (before_[i] == kForbidden) continue;
        if (stays) reached_[i] = before_[i] + step.diagonal[i];
        else if (step.forward)
          for (int k = 0; k < labels_; ++k)
            reached_[k] = std::max(reached_[k], before_[i] + step.forward[static_cast<std::size_t>(i) * stride_ + k]);
      }
    }
    for (int k = 0; k < labels_; ++k) {
      marginals_[row + k] = reached_[k] + completion_[row + k];
      reached_[k] += emissions_[row + k];
    }
  }
}

// Rules out the labels that are on no path as good as the best known one, by their reduced costs: what the trellis makes of
// them, with what the parts make of their multipliers, bounds all paths through them.
void Dual::fix(const Problem& problem, double bound, double trellis_bound, Budget& budget) {
  const double others = bound - trellis_bound, least = best_.score - 2 * rounding_in(problem, best_) - rounding_of_multipliers();
  find_marginals(budget);
  for (int t = 0; t < length_; ++t) {
    const std::size_t row = static_cast<std::size_t>(t) * stride_;
    for (int k = 0; k < labels_; ++k)
      if (marginals_[row + k] + others < least) fixed_[row + k] = kForbidden;
  }
  mask_ = fixed_;
}

Limits Dual::rest_of(const Limits& limits, const Budget& budget) const {
  Limits rest = limits;
  rest.max_states -= outcome_.states;
  rest.timeout = budget.seconds_left();
  if (limits.max_memory < std::numeric_limits<int64_t>::max())
    rest.max_memory = std::max<int64_t>(1, limits.max_memory - static_cast<int64_t>(budget.most()));
  return rest;
}

// Finds any legal path, so that there is something to aim at; or proves that there is none.
Status Dual::find_legal(const Problem& problem, const Options& options, const Limits& limits, Budget& budget) {
  Dual search;
  search.legality_only_ = true;
  Options plainly = options;
  plainly.search = false;
  const Outcome legal = search.run(*legality_of(problem), plainly, rest_of(limits, budget));
  outcome_.states += legal.states;
  outcome_.arcs += legal.arcs;
  outcome_.passes += legal.passes;
  outcome_.branches += legal.branches - 1;
  if (legal.status == Status::optimal) offer(problem, legal.labels.data());
  else if (legal.limit != LimitHit::none) throw LimitReached(legal.limit);
  return legal.status;
}

void Dual::repair(const Problem& problem, Budget& budget) {
  best_.offer(repair_.run(problem, folded_, completion_.data(), nullptr, repaired_.data(), budget), repaired_);
  repair_by_losses(problem, budget);
}

bool Dual::obeys(const BoundPart& bound, const int32_t* path) const {
  int32_t state = 0;
  for (int t = 0; t < length_ && state != kDead; ++t)
    state = bound.part->delta[state * bound.part->classes + bound.class_at(t, path[t])];
  return state != kDead && bound.part->final_cost[state] < -kForbidden;
}

// Mends the trellis's path part by part, where it loses least: each hard part that the path breaks gives its best sequence by
// what the trellis loses with each label, among those that the parts which are not broken, or no longer, read like the path's.
void Dual::repair_by_losses(const Problem& problem, Budget& budget) {
  std::vector<std::size_t> broken;
  allowed_ = mask_;
  auto keep_classes = [&](const BoundPart& bound) {
    budget.work(static_cast<int64_t>(size_));
    for (int t = 0; t < length_; ++t)
      for (int k = 0; k < labels_; ++k)
        if (bound.class_at(t, k) != bound.class_at(t, repaired_[t]))
          allowed_[static_cast<std::size_t>(t) * stride_ + k] = kForbidden;
  };
  repaired_ = trellis_path_;
  for (std::size_t p = 0; p < searched_.size(); ++p) {
    const BoundPart& bound = problem.parts[searched_[p]];
    if (bound.part->mode != Mode::hard) continue;
    if (obeys(bound, repaired_.data())) keep_classes(bound);
    else broken.push_back(p);
  }
  if (broken.empty()) return;
  find_marginals(budget);
  const double most = *std::max_element(marginals_.begin(), marginals_.begin() + labels_);
  for (double& marginal : marginals_) marginal = most - marginal;
  for (const std::size_t p : broken) {
    const BoundPart& bound = problem.parts[searched_[p]];
    if (obeys(bound, repaired_.data())) {
      keep_classes(bound);
      continue;
    }
    const std::vector<int32_t> like = repaired_;
    if (part_path_.best(bound, length_, marginals_.data(), allowed_.data(), like.data(), 0, repaired_.data(), budget) ==
        kForbidden)
      return;
    keep_classes(bound);
  }
  offer(problem, repaired_.data());
}

// Lowers the bound of a branch as far as the iterations go.
void Dual::descend(const Problem& problem, const Options& options, const Limits& limits, Budget& budget, Branch& branch) {
  auto kept = std::make_shared<Multipliers>(multipliers_.begin(), multipliers_.end());
  lowest_path_.clear();
  const int iterations = branch.decisions.empty() ? options.iterations : kBranchIterations;
  int next_fix = kBetweenFixes;
  for (int i = 0; i < iterations; ++i) {
    double trellis_bound = 0;
    const double bound = solve(problem, budget, trellis_bound);
    if (bound == kForbidden || (legality_only_ && bound < 0)) {  // nothing legal is left here
      branch.bound = kForbidden;
      return;
    }
    offer(problem, trellis_path_.data());
    // Each is scored under all parts: of many, only those of a good iteration.
    if (searched_.size() <= kFewParts || bound < branch.bound)
      for (std::size_t p = 0; p < searched_.size(); ++p) {
        offer(problem, path_of(p));
        budget.work(static_cast<int64_t>(length_) * (2 + 3 * static_cast<int64_t>(searched_.size())));
      }
    if (bound < branch.bound || i == 0) repair(problem, budget);
    double rounding = rounding_in(problem, best_);
    const bool hidden = rounding > 0 && rounding_of_multipliers() > kMostRounding * rounding;
    overshot_ = bound >= branch.bound && !lowest_path_.empty();
    if (!overshot_) {
      branch.bound = std::min(bound, branch.bound);
      lowest_path_ = trellis_path_;
      if (!hidden) std::copy(multipliers_.begin(), multipliers_.end(), kept->begin());
      if (branch.decisions.empty() && !hidden && best_.score > kForbidden && !legality_only_ && i >= next_fix) {
        fix(problem, bound, trellis_bound, budget);
        next_fix = i + kBetweenFixes;
      }
    } else if (together_ == 0) {
      step_scale_ *= kStepDecay;
    } else if (--together_ > 0) {
      step_scale_ *= kTogetherDecay;
    } else {
      step_scale_ = kStepScale;
    }
    if (best_.score == kForbidden && !legality_only_ && i >= std::min(kBlind, iterations - 1)) {
      if (find_legal(problem, options, limits, budget) == Status::infeasible) branch.bound = kForbidden;
      if (best_.score == kForbidden) return;
      rounding = rounding_in(problem, best_);
    }
    if (branch.bound <= best_.score + rounding) return;
    if (hidden) {  // the multipliers are so large that nothing can be seen under their rounding: smaller steps, from before
      most_gap_ = std::min(kBackwards * most_gap_, rounding / (kRounding * length_));
      set_multipliers(i == 0 ? nullptr : kept.get());
      aimed_ = false;
    } else if (move(problem, overshot_ && together_ > 0 ? branch.bound : bound, *kept)) {
      tie_ = kTie;
    } else if (tie_ > 0) {  // all agree but for ties: do they without them?
      tie_ = 0;
    } else {  // the trellis's path is the best of the branch, and was offered
      branch.bound = best_.score;
      tie_ = kTie;
      return;
    }
    require_rest(limits, budget);
  }
  if (branch.decisions.empty() && iterations > kBetweenFixes && best_.score > kForbidden && !legality_only_) {
    set_multipliers(kept.get());  // with the best of what was found, perhaps at different times
    double trellis_bound = 0;
    const double bound = solve(problem, budget, trellis_bound);
    if (bound > kForbidden) fix(problem, bound, trellis_bound, budget);
  }
  branch.multipliers = std::move(kept);
}

// Looks for better paths best first. Under the multipliers of the branch, which must have no decisions, what the trellis and the
// parts promise for a prefix, each on its own, adds up to little more than is true. True if best_ is then known to be the best.
bool Dual::search(const Problem& problem, const Limits& limits, const Budget& budget, Branch& branch) {
  if (best_.score == kForbidden || outcome_.states >= limits.max_states) return false;
  set_multipliers(branch.multipliers.get());
  Limits little = rest_of(limits, budget);
  little.max_states = std::min(little.max_states, limits.max_states / kSearched);
  little.bounded = true;
  const Prices prices{multipliers_.data(), mask_.data(), rounding_of_multipliers()};
  const Outcome found = AStar().run(problem, Completion::plain, little, best_.path, &prices);
  outcome_.states += found.states;
  outcome_.arcs += found.arcs;
  outcome_.held = budget.most() + found.held;
  best_.offer(found.score, found.labels);
  branch.bound = std::min(branch.bound, found.bound);
  return found.status == Status::optimal;
}

// Branches on the position of most disagreement: the label that the trellis wanted there, or another.
void Dual::split(const Branch& branch) {
  const auto t = static_cast<int32_t>(std::max_element(disagreement_counts_.begin(), disagreement_counts_.end()) -
                                      disagreement_counts_.begin());
  for (const bool taken : {true, false}) {
    Branch child = branch;
    child.order = ++order_;
    child.decisions.push_back({t, lowest_path_[t], taken});
    open_.push(std::move(child));
  }
  ++sets_;
}

void Dual::require_rest(const Limits& limits, Budget& budget) const {
  if (outcome_.states > limits.max_states) throw LimitReached(LimitHit::states);
  // Besides those of open branches: the present multipliers, the best of the branch and its parent's.
  const std::size_t sets = sets_ + 3, others = 6 * size_ * sizeof(double) + searched_.size() * length_ * sizeof(int32_t);
  budget.set_aside(sets * searched_.size() * size_ * sizeof(double) + others + folded_.bytes());
  budget.hold(part_path_.bytes());
}

Outcome Dual::run(const Problem& problem, const Options& options, const Limits& limits) {
  Budget budget(limits);
  double bound = kForbidden;
  plain_bound_ = -kForbidden;
  Branch branch{legality_only_ ? 0.0 : -kForbidden, 0, {}, nullptr};
  try {
    begin(problem, limits, budget);
    if (!options.known.empty()) offer(problem, options.known.data());
    open_.push(branch);
    while (!open_.empty()) {
      branch = open_.top();
      open_.pop();
      if (branch.multipliers && branch.multipliers.use_count() == 1) --sets_;  // its sibling is done
      if (branch.bound <= best_.score + rounding_in(problem, best_)) break;
      enter(branch);
      ++outcome_.branches;
      descend(problem, options, limits, budget, branch);
      if (branch.bound <= best_.score + rounding_in(problem, best_)) continue;
      if (options.search && branch.decisions.empty() && search(problem, limits, budget, branch)) break;
      if (!options.finish) {
        bound = branch.bound;
        break;
      }
      split(branch);
    }
  } catch (const LimitReached& reached) {
    outcome_.limit = reached.limit;
    bound = std::min(plain_bound_, open_.empty() ? branch.bound : std::max(branch.bound, open_.top().bound));
    if (limits.bounded && best_.score == kForbidden && plain_bound_ < -kForbidden) {
      budget.grant_grace();
      try {
        repair(problem, budget);
      } catch (const LimitReached&) {  // no answer, then
      }
    }
  }
  outcome_.held = std::max(outcome_.held, budget.most());
  outcome_.open.resize(static_cast<std::size_t>(length_) * labels_, 1);
  if (!fixed_.empty())
    for (int t = 0; t < length_; ++t)
      for (int k = 0; k < labels_; ++k)
        outcome_.open[static_cast<std::size_t>(t) * labels_ + k] = fixed_[static_cast<std::size_t>(t) * stride_ + k] == 0.0;
  conclude(problem, limits, best_, std::max(bound, best_.score), outcome_);
  open_ = {};
  return std::move(outcome_);
}

}  // namespace lawful
