#include "core/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rules/count.hpp"

namespace lawful {
namespace {

// When a search is stopped in favour of tighter completion scores; chosen by `make bench`.
constexpr std::size_t kMany = 2;       // parts, below which it never is
constexpr int64_t kSmall = 1000;       // states that the first search may keep,
constexpr double kSmallShare = 0.15;    // or this share of the trellis, if that is more;
constexpr int64_t kGrowth = 4;         // each search after it this many times more;
constexpr int kPassesAtOnce = 4;       // passes between two searches
constexpr int64_t kLong = 2000;        // cells of the trellis, past which potentials for hard parts come before any search
constexpr double kAgreement = 1e4;      // roundings by which judge and search may differ
// When single states are searched instead of rows; chosen by `make bench` and `make families`.
constexpr double kFewRows = 16;        // combinations of the broken parts' colours that are dense enough for rows,
constexpr double kDense = 4096;        // or of all searched parts' colours
constexpr int64_t kMostOpened = 20'000, kMostOpenedHard = 500;  // states, before rows and potentials take over
constexpr int kTries = 4;              // searches before one that may keep what it needs
// What a search may keep where other solvers wait; chosen by `make families`.
constexpr double kWhole = 2.5e6;       // states, below which the whole product of the parts inside may be searched,
constexpr int64_t kLeastOwn = 4'000;   // or else this many,
constexpr int64_t kOwnShare = 8;       // or this many times the trellis, if that is more

}  // namespace

// The best path by what local parts do to the scores: into path_.
double Engine::complete(const Problem& problem, const LocalEffects& local) {
  const int length = problem.trellis->length;
  folded_.build(*problem.trellis, local);
  completion_.resize(static_cast<std::size_t>(length) * folded_.stride);
  path_.resize(length);
  if (folded_.stride == kFewLabels) choice_.resize(completion_.size());
  kernels().complete(folded_.emissions.data(), folded_.steps.data(), completion_.data(), choice_.data(), length, folded_.labels,
                     folded_.stride);
  return kernels().follow(folded_.steps.data(), completion_.data(), choice_.data(), path_.data(), length, folded_.stride);
}

// The best path when only the local parts hold.
double Engine::relax(const Problem& problem, Answer& answer) {
  const int length = problem.trellis->length, labels = problem.trellis->labels;
  const double score = complete(problem, problem.local);
  answer.states = static_cast<int64_t>(length) * labels;
  answer.arcs = answer.states * labels;
  answer.rounds = 1;
  rounds.push_back({score, answer.states, answer.arcs, static_cast<int32_t>(entered.size()), 0});
  return score;
}

// Counts the violations of the searched parts on a path, into counts_.
void Engine::check(const Problem& problem, const int32_t* path) {
  const int length = problem.trellis->length;
  counts_.assign(problem.parts.size(), 0);
  breaks_ = false;
  problem.common->count(path, length, [&](int32_t p, int64_t violations) {
    counts_[p] += violations;
    breaks_ = true;
  });
  if (problem.unbundled.empty()) return;
  {
    CountingWalks walks(path, length);
    for (const int32_t p : problem.unbundled) walks.count(*problem.parts[p].part, problem.parts[p].kinds, &counts_[p]);
  }
  for (const int32_t p : problem.unbundled) breaks_ |= counts_[p] > 0;
}

// Whether the path last checked breaks a part that is not inside.
bool Engine::breaks_more(const Problem& problem) const {
  if (!breaks_) return false;
  return std::any_of(problem.searched.begin(), problem.searched.end(),
                     [&](int32_t p) { return !included_[p] && charge(*problem.parts[p].part, counts_[p]) > 0; });
}

// Takes path_ as the best legal path if it is one: `relaxed` less what the parts outside the product charge.
void Engine::offer(const Problem& problem, double relaxed) {
  for (const int32_t p : problem.searched)
    if (!included_[p]) relaxed -= charge(*problem.parts[p].part, counts_[p]);
  if (relaxed <= best_) return;
  repaired_ = path_;
  take(problem, relaxed, repaired_);
}

// A better legal path. What rounding can hide is a matter of this path's own terms: a huge score elsewhere in the
// lattice must not make paths of ordinary scores look alike.
void Engine::take(const Problem& problem, double score, std::vector<int32_t>& path) {
  best_ = score;
  std::swap(best_path_, path);
  path.resize(best_path_.size());
  best_sum_ = sum_path(*problem.trellis, best_path_.data());
  rounding_ = best_sum_.rounding(score);
}

// Scores an answer anew, from the raw scores and the rules' own counting; false if that gives another score.
bool Engine::judge(const Problem& problem, const int32_t* labels, int64_t* violations, double& score) {
  const int length = problem.trellis->length;
  bool legal = true;
  for (int t = 0; t < length; ++t) legal &= static_cast<uint32_t>(labels[t]) < static_cast<uint32_t>(problem.trellis->labels);
  if (!legal) return false;
  // What is known of a path already is not found out again: the sum of best_path_, and the counts of path_.
  const PathSum sum = labels == best_path_.data() ? best_sum_ : sum_path(*problem.trellis, labels);
  double judged = sum.score;
  if (labels != path_.data()) check(problem, labels);
  std::copy(counts_.begin(), counts_.end(), violations);
  {
    CountingWalks walks(labels, length);
    auto count = [&](std::size_t p) { walks.count(*problem.parts[p].part, problem.parts[p].kinds, &violations[p]); };
    for (const int32_t p : problem.common->folded) count(p);
    for (std::size_t p = problem.common->parts.size(); p < problem.parts.size(); ++p)
      if (problem.parts[p].part->local) count(p);
  }
  for (std::size_t p = 0; p < problem.parts.size(); ++p)
    if (violations[p]) judged -= charge(*problem.parts[p].part, violations[p]);
  const bool agree = judged > kForbidden && std::abs(judged - score) <= kAgreement * sum.rounding(judged);
  score = judged;
  return agree;
}

// Lets the parts that path_ breaks enter.
void Engine::let_in(const Problem& problem) {
  inside_.clear();
  for (const int32_t p : problem.searched) {
    if (!included_[p] && charge(*problem.parts[p].part, counts_[p]) > 0) {
      included_[p] = 1;
      entered.push_back(p);
    }
    if (included_[p]) inside_.push_back(p);
  }
}

// Looks for a better legal path.
void Engine::repair(const Problem& problem, const Potentials* potentials, Budget& budget) {
  repaired_.resize(problem.trellis->length);
  const double* completion = potentials ? potentials->completion() : completion_.data();
  const std::vector<int32_t>& guide = potentials ? potentials->path() : path_;
  const double score = repair_.run(problem, folded_, completion, potentials, repaired_.data(), budget, guide.data());
  if (score > best_) take(problem, score, repaired_);
}

// Moves potentials a few times, to bring the upper bound and the best legal path together; gives the bound.
double Engine::tighten(const Problem& problem, double bound, bool leaps, Budget& budget, Answer& answer) {
  consistent_ = false;
  budget.set_aside(bytes() - potentials_.bytes());
  for (int pass = 0; pass < kPassesAtOnce; ++pass) {
    const double now = potentials_.pass(budget);
    answer.states += static_cast<int64_t>(folded_.length) * folded_.labels;
    if (now > kForbidden && potentials_.consistent()) offer_consistent(problem);
    else if (now > kForbidden) repair(problem, &potentials_, budget);
    if (potentials_.hide(rounding_)) break;
    if (now + potentials_.rounding() < bound || !tightened_) {
      bound = bound_ = std::min(now + potentials_.rounding(), bound);
      potentials_.keep();
      tightened_ = true;
    }
    if (bound <= best_ + rounding_) break;
    if (potentials_.consistent()) {
      const double slack = potentials_.rounding();
      consistent_ = slack <= rounding_ && potentials_.consistent_score() + rounding_ + slack >= now;
      break;
    }
    const double aim = best_ > kForbidden ? best_ : bound - 1;  // without a legal path, a little lower
    if (leaps && potentials_.leap(best_, budget)) continue;
    if (!potentials_.move(aim)) break;
  }
  return bound;
}

// Takes the path of the last pass, which obeys the parts inside, if it obeys the others as well.
void Engine::offer_consistent(const Problem& problem) {
  check(problem, potentials_.path().data());
  if (breaks_more(problem)) return;
  const double score = potentials_.consistent_score();
  if (score <= best_) return;
  repaired_ = potentials_.path();
  take(problem, score, repaired_);
}

// Finds the best path under the parts inside. paid: for other parts, which all of these paths break.
SearchResult Engine::search(const Problem& problem, const Limits& limits, Budget& budget, double paid) {
  product_parts_.clear();
  product_kinds_.clear();
  for (const int32_t p : inside_) {
    product_parts_.push_back(problem.parts[p].part);
    product_kinds_.push_back(problem.parts[p].kinds);
  }
  // Only what beats the best legal path matters: most searches end by proving that nothing does.
  double threshold = best_ == kForbidden ? kForbidden : best_ + rounding_ + paid;
  if (tightened_) threshold -= potentials_.kept_rounding();
  LazyProduct& product = products_.of(product_parts_);
  budget.set_aside(bytes() - search_.bytes() - product.memory());
  SearchResult result =
      search_.run(folded_, product, product_kinds_, tightened_ ? potentials_.kept_completion() : completion_.data(),
                  tightened_ ? &potentials_ : nullptr, threshold, limits, budget, path_.data());
  if (tightened_) result.bound += potentials_.kept_rounding();
  return result;
}

// What a search under the parts inside may keep before another solver is likely to be the better one. In states and by
// the size of the problem, not by the clock: the same call must give the same answer.
int64_t Engine::own_budget(const Problem& problem, const Limits& limits) const {
  if (limits.hand_over != 0) return limits.hand_over < 0 ? std::numeric_limits<int64_t>::max() : limits.hand_over;
  const int64_t trellis = static_cast<int64_t>(folded_.length) * folded_.labels;
  auto whole = static_cast<double>(trellis);
  for (const int32_t p : inside_) whole *= problem.parts[p].part->colours;
  return whole <= kWhole && !sparse_ ? std::numeric_limits<int64_t>::max() : std::max(kLeastOwn, kOwnShare * trellis);
}

// Finds the best path under the parts inside, or none if nothing beats the best legal path. A search that stays
// small is the cheapest way; one that does not is worth the passes that tighten its completion scores.
SearchResult Engine::improve(const Problem& problem, double bound, const Limits& limits, Budget& budget, Answer& answer) {
  Limits small = limits;
  small.bounded = false;
  const bool chosen = limits.first_search >= 0;
  small.max_states =
      chosen ? limits.first_search : std::max(kSmall, static_cast<int64_t>(kSmallShare * static_cast<double>(answer.states)));
  tightened_ = false;
  const bool go_on = std::exchange(consistent_, false);
  bool leaps =
      (chosen || static_cast<int64_t>(folded_.length) * folded_.labels >= kLong) &&
      std::all_of(inside_.begin(), inside_.end(), [&](int32_t p) { return Potentials::leaps(*problem.parts[p].part); });
  for (int tries = 0;;) {
    const bool last = (inside_.size() < kMany && !chosen && !leaps) || tries == kTries || small.max_states >= limits.max_states;
    const bool leaps_first = tries == 0 && leaps && !chosen && !last;
    SearchResult result;
    if (leaps_first) result.limit = LimitHit::states;
    else result = search(problem, last ? limits : small, budget);
    if (last || result.limit == LimitHit::none) return result;
    if (result.limit != LimitHit::states) {  // out of time or memory: a smaller search would not help
      if (!limits.bounded) return result;
      if (result.limit == LimitHit::memory) {
        search_ = Search();
        products_ = Products();
      }
      return search(problem, limits, budget);
    }
    answer.states += result.states;
    answer.arcs += result.arcs;
    try {
      if (tries == 0) {
        const bool plain = answer.rounds == 1;  // path_ is the best path without any of the parts
        potentials_.begin(problem, folded_, inside_, go_on);
        if ((go_on || plain) && potentials_.adopt(path_, bound, budget) && !(leaps && potentials_.leap(best_, budget))) {
          if (leaps_first) {
            leaps = false;
            continue;
          }
          if (best_ > kForbidden) potentials_.move(best_);
        }
      }
      bound = tighten(problem, bound, leaps && tries == 0, budget, answer);
    } catch (const LimitReached&) {
      if (!limits.bounded || best_ > kForbidden) throw;
      return search(problem, limits, budget);  // a narrow one, which may come to a legal path
    }
    if (bound <= best_ + rounding_) return {};
    if (consistent_) {  // the best path under the parts inside, though others may object to it
      path_ = potentials_.path();
      SearchResult found;
      found.score = found.bound = potentials_.consistent_score();
      return found;
    }
    small.max_states *= kGrowth;
    ++tries;
  }
}

// Whether combinations of states are too many for rows, and a search over single ones is worth trying. Finds broken_.
bool Engine::goes_by_states(const Problem& problem, const Limits& limits) {
  if (limits.way == SearchWay::rows || limits.first_search >= 0) return false;
  broken_.clear();
  double rows = 1, all_rows = 1;
  for (const int32_t p : problem.searched) {
    const Part& part = *problem.parts[p].part;
    all_rows *= part.colours;
    if (charge(part, counts_[p]) == 0) continue;
    broken_.push_back(p);
    rows *= part.colours;
  }
  return limits.way != SearchWay::chosen || (rows > kFewRows && all_rows > kDense);
}

// Looks for better legal paths over single states, under all parts at once. True if best_ is then known to be the best; if
// the search grew too large, or came to a limit, what it has found and proved is kept for the search over rows.
bool Engine::search_states(const Problem& problem, const Limits& limits, Budget& budget, Answer& answer) {
  budget.set_aside(bytes() - state_search_.kept_bytes());
  StateSearchResult result;
  try {
    if (!state_search_.begin(problem, budget)) return false;
  } catch (const LimitReached&) {
    return false;
  }
  const bool hard =
      std::all_of(broken_.begin(), broken_.end(), [&](int32_t p) { return problem.parts[p].part->mode == Mode::hard; });
  StateSearch::Task task{&problem,
                         &folded_,
                         completion_.data(),
                         &broken_,
                         best_ == kForbidden ? kForbidden : best_ + rounding_,
                         hard ? kMostOpenedHard : kMostOpened,
                         limits.way != SearchWay::states_without_dominance,
                         [&](double score, std::vector<int32_t>& path) {
                           take(problem, score, path);
                           return best_ + rounding_;
                         }};
  if (limits.way != SearchWay::chosen) task.most_opened = std::numeric_limits<int64_t>::max();
  result = state_search_.run(task, limits, budget);
  answer.states += result.states;
  answer.arcs += result.arcs;
  if (result.limit == LimitHit::memory) state_search_ = StateSearch();
  if (!result.finished) {
    sparse_ = !hard;
    bound_ = std::min(bound_, std::max(result.bound, best_));
    if (limits.way != SearchWay::chosen) answer.limit = result.limit;
    return false;
  }
  const auto first = static_cast<int32_t>(entered.size());
  for (const int32_t p : problem.searched) {
    included_[p] = 1;
    entered.push_back(p);
  }
  rounds.push_back({best_, result.states, result.arcs, first, static_cast<int32_t>(entered.size()) - first});
  ++answer.rounds;
  return true;
}

// One more round: the broken parts enter, and the best path under all that are inside is found.
SearchResult Engine::advance(const Problem& problem, double relaxed, const Limits& limits, Budget& budget, Answer& answer) {
  const auto first = static_cast<int32_t>(entered.size());
  let_in(problem);
  Limits own = limits;
  own.max_states = std::min(limits.max_states, own_budget(problem, limits));
  const bool hands_over = own.max_states < limits.max_states;
  if (hands_over) own.bounded = true;  // its best path so far is worth a little more work
  SearchResult result = improve(problem, relaxed, own, budget, answer);
  if (hands_over && result.limit == LimitHit::states) result.limit = LimitHit::budget;
  // A search that finds nothing has proved that nothing beats the best legal path.
  const double score = std::max(result.score, best_);
  rounds.push_back({score, result.states, result.arcs, first, static_cast<int32_t>(entered.size()) - first});
  answer.states += result.states;
  answer.arcs += result.arcs;
  ++answer.rounds;
  answer.limit = result.limit;
  return result;
}

Engine::Answer& Engine::finish(const Problem& problem, Status status, const std::vector<int32_t>& path, double score,
                               double bound, Answer& answer, int32_t* labels, int64_t* violations) {
  answer.status = status;
  answer.score = score;
  if (!judge(problem, path.data(), violations, answer.score)) answer.status = Status::disagreement;
  answer.bound = status == Status::optimal ? answer.score : std::max(bound, answer.score);
  std::copy(path.begin(), path.end(), labels);
  return answer;
}

// What is known at a limit: the best legal path so far, if there is one, and what bounds every other.
Engine::Answer& Engine::settle(const Problem& problem, double bound, Answer& answer, int32_t* labels, int64_t* violations) {
  bound = std::max(std::min(bound, bound_), best_);
  if (best_ > kForbidden) {
    const Status status = bound > best_ + rounding_ ? Status::bounded : Status::optimal;
    return finish(problem, status, best_path_, best_, bound, answer, labels, violations);
  }
  answer.status = Status::bounded;
  answer.bound = bound;
  return answer;
}

Engine::Answer Engine::decode(const Problem& problem, const Limits& limits, Budget& budget, int32_t* labels,
                              int64_t* violations) {
  Answer answer;
  best_ = kForbidden;
  bound_ = -kForbidden;
  rounding_ = 0;
  const std::size_t rounds_before = rounds.size();
  try {
    run(problem, limits, budget, answer, labels, violations);
  } catch (const LimitReached& reached) {
    answer.limit = reached.limit;
    answer.status = Status::limited;
    if (limits.bounded) settle(problem, bound_, answer, labels, violations);
  }
  answer.rounds = static_cast<int>(rounds.size() - rounds_before);
  return answer;
}

// `answer` is filled in as far as the search gets.
void Engine::run(const Problem& problem, const Limits& limits, Budget& budget, Answer& answer, int32_t* labels,
                 int64_t* violations) {
  double relaxed = relax(problem, answer);
  consistent_ = sparse_ = false;
  included_.assign(problem.parts.size(), 0);
  while (relaxed > best_ + rounding_) {
    bound_ = std::min(bound_, relaxed);
    check(problem, path_.data());
    if (!breaks_more(problem)) {
      finish(problem, Status::optimal, path_, relaxed, relaxed, answer, labels, violations);
      return;
    }
    offer(problem, relaxed);
    if (answer.rounds == 1 && branches(problem, limits) && branch(problem, relaxed, limits, budget, answer)) break;
    if (answer.rounds == 1) {
      try {
        budget.work(answer.arcs / 4);
        budget.hold(bytes());
        repair(problem, nullptr, budget);
      } catch (const LimitReached& reached) {  // too late already: a narrow search may still come to a legal path
        if (!limits.bounded) throw;
        answer.limit = reached.limit;
        budget.grant_grace();
        let_in(problem);
        tightened_ = false;
        Limits narrow = limits;
        narrow.max_states = 0;
        const SearchResult result = search(problem, narrow, budget);
        if (result.score > kForbidden) {
          check(problem, path_.data());
          offer(problem, result.score);
        }
        settle(problem, result.bound, answer, labels, violations);
        return;
      }
    }
    if (relaxed <= best_ + rounding_) break;
    if (answer.rounds == 1 && goes_by_states(problem, limits) && search_states(problem, limits, budget, answer)) break;
    if (answer.limit != LimitHit::none) throw LimitReached(answer.limit);  // only states were asked for
    if (relaxed <= best_ + rounding_) break;
    const SearchResult result = advance(problem, relaxed, limits, budget, answer);
    relaxed = result.score;
    if (result.limit == LimitHit::none) continue;
    if (!limits.bounded && result.limit != LimitHit::budget) {
      answer.status = Status::limited;
      return;
    }
    // What was cut away on the way still bounds every answer.
    if (relaxed > kForbidden) {
      check(problem, path_.data());
      offer(problem, relaxed);
    }
    settle(problem, result.bound, answer, labels, violations);
    return;
  }
  if (best_ == kForbidden) return;  // infeasible
  answer.repaired = true;
  finish(problem, Status::optimal, best_path_, best_, best_, answer, labels, violations);
}

std::size_t Engine::bytes() const {
  return folded_.bytes() + repair_.bytes() + products_.bytes() + search_.bytes() + state_search_.kept_bytes() +
         potentials_.bytes() + completion_.capacity() * sizeof(double) + choice_.capacity() * sizeof(int64_t);
}

}  // namespace lawful
