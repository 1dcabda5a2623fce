// Branching on rules that are paid once, as Figure 7 of Tromble & Eisner (2006) does.
//
// Such a rule has to remember whether it was paid, so that it does not fold into the scores even if it only looks at single
// tokens or at neighbours. But a path either obeys it, and then it folds as a hard one would; or it pays, and then it is a
// constant. So the paths are divided: those that obey the rule get a plain pass of their own, and for those that pay, the path
// at hand is still the best. Where rules are broken that have no such form, a search over rows comes last, in whatever
// branch is still worth one.
#include <algorithm>

#include "core/engine/engine.hpp"

namespace lawful {
namespace {

// Chosen by `make bench` (B-once, B-priced).
constexpr int kMostPasses = 16;             // plain passes, before other searches take over
constexpr int64_t kMostSearched = 8000;    // states of searches over rows, or those of the trellis, if they are more

}  // namespace

// Whether a rule is broken that paths can be divided by.
bool Engine::branches(const Problem& problem, const Limits& limits) const {
  if (limits.first_search >= 0 || (limits.way != SearchWay::chosen && limits.way != SearchWay::branches)) return false;
  return std::any_of(problem.searched.begin(), problem.searched.end(),
                     [&](int32_t p) { return counts_[p] > 0 && problem.parts[p].part->obeyed; });
}

Engine::Branch& Engine::open_branch() {
  if (open_ == branches_.size()) branches_.emplace_back();
  return branches_[open_++];
}

// Goes through the branches, the first of them the one whose best path is path_. True if best_ is then known to be the best. If it
// gives up, everything is as before, but for better legal paths.
bool Engine::branch(const Problem& problem, double relaxed, const Limits& limits, Budget& budget, Answer& answer) {
  const bool forced = limits.way == SearchWay::branches;
  Limits left = limits;
  left.bounded = false;
  if (!forced) left.max_states = std::min(limits.max_states, std::max(kMostSearched, answer.states));
  concerned_.assign(problem.parts.size(), 0);
  tightened_ = false;
  open_ = 0;
  branch_.obeyed.clear();
  branch_.paid.clear();
  branch_.price = 0;
  branch_.bound = relaxed;
  branch_.closing = false;
  bool finished = true;
  try {
    divide(problem);
    for (int passes = 0; finished && open_ > 0;) {
      std::swap(branch_, branches_[--open_]);
      if (branch_.bound <= best_ + rounding_) continue;
      finished = forced || ++passes <= kMostPasses;
      if (finished && enter_branch(problem, budget, answer)) finished = close_branch(problem, left, budget, answer);
    }
  } catch (const LimitReached&) {
    finished = false;  // the search that comes next knows what to do at a limit
  }
  std::fill(included_.begin(), included_.end(), 0);
  if (!finished) {
    complete(problem, problem.local);
    check(problem, path_.data());
    return false;
  }
  const auto first = static_cast<int32_t>(entered.size());
  for (const int32_t p : problem.searched)
    if (concerned_[p]) entered.push_back(p);
  rounds.push_back({best_, answer.states, answer.arcs, first, static_cast<int32_t>(entered.size()) - first});
  ++answer.rounds;
  return true;
}

// The best path of the branch at hand, as far as only what it obeys says; false if there is none.
bool Engine::enter_branch(const Problem& problem, Budget& budget, Answer& answer) {
  const int length = folded_.length, stride = folded_.stride;
  budget.work(static_cast<int64_t>(length) * stride * folded_.labels / 4);
  obeyed_ = problem.local;
  for (const int32_t p : branch_.obeyed) {
    const BoundPart& bound = problem.parts[p];
    obeyed_.add({bound.part->obeyed.get(), bound.kinds}, length, stride);
  }
  obeyed_.sort();
  const double score = complete(problem, obeyed_);
  answer.states += static_cast<int64_t>(length) * folded_.labels;
  answer.arcs += static_cast<int64_t>(length) * folded_.labels * folded_.labels;
  if (score == kForbidden) return false;
  std::fill(included_.begin(), included_.end(), 0);
  inside_.clear();
  check(problem, path_.data());
  offer(problem, score);
  branch_.bound = std::min(branch_.bound, score - branch_.price);
  return true;
}

// Divides the branch at hand by each rule that its path breaks and has a form for those who obey it. It goes on with the paths
// that pay for all of them, among which its path is the best.
void Engine::divide(const Problem& problem) {
  const std::size_t first = open_;
  for (const int32_t p : problem.searched) {
    const Part& part = *problem.parts[p].part;
    if (counts_[p] == 0 || !part.obeyed) continue;
    if (std::find(branch_.paid.begin(), branch_.paid.end(), p) != branch_.paid.end()) continue;
    concerned_[p] = 1;
    if (branch_.bound <= best_ + rounding_) break;
    Branch& other = open_branch();
    other = branch_;
    other.obeyed.push_back(p);
    other.closing = false;
    branch_.paid.push_back(p);
    branch_.price += part.price;
    branch_.bound -= part.price;
  }
  if (!branch_.closing && branch_.bound > best_ + rounding_) {
    branch_.closing = true;
    if (open_ > first) open_branch() = branch_;
  }
  // The first division promises most, and what is left of the branch least.
  std::reverse(branches_.begin() + static_cast<std::ptrdiff_t>(first), branches_.begin() + static_cast<std::ptrdiff_t>(open_));
}

// Divides the branch at hand; or, if there is nothing to divide it by, finds its best path under the other parts, which enter as
// they are broken. False if that takes too long.
bool Engine::close_branch(const Problem& problem, Limits& limits, Budget& budget, Answer& answer) {
  const bool divided = !branch_.closing;
  const std::size_t before = open_;
  divide(problem);
  if (divided && open_ > before) return true;
  while (branch_.bound > best_ + rounding_) {
    const std::size_t inside_before = inside_.size();
    inside_.clear();
    for (const int32_t p : problem.searched) {
      if (counts_[p] > 0 && !problem.parts[p].part->obeyed) included_[p] = concerned_[p] = 1;
      if (included_[p]) inside_.push_back(p);
    }
    if (inside_.size() == inside_before) return true;  // all that the path breaks is paid for
    const SearchResult result = search(problem, limits, budget, branch_.price);
    answer.states += result.states;
    answer.arcs += result.arcs;
    if (result.limit != LimitHit::none) return false;
    limits.max_states -= result.states;
    if (result.score == kForbidden) return true;
    check(problem, path_.data());
    offer(problem, result.score);
    branch_.bound = std::min(branch_.bound, result.score - branch_.price);
    divide(problem);
  }
  return true;
}

}  // namespace lawful
