// Exact decoding by relaxation: a plain pass, a check, and a search under the rules that were broken; again,
// until none is. Rules can only lower scores, so a best path of the relaxed problem that breaks nothing is best.
#pragma once

#include "core/engine/repair.hpp"
#include "core/engine/search.hpp"
#include "core/engine/state_search.hpp"

namespace lawful {

enum class Status : uint8_t { optimal, bounded, infeasible, limited, disagreement };

// The name that callers know the status by.
constexpr const char* name_of(Status status) {
  constexpr const char* kNames[] = {"optimal", "bounded", "infeasible", "limited", "disagreement"};
  return kNames[static_cast<int>(status)];
}

struct Round {
  double score;                    // of the relaxed problem's best path
  int64_t states, arcs;            // of its lattice, as far as the search visited it
  int32_t first_entered, entered;  // the parts that entered for it: a range of Engine::entered
};

// One for a thread; its buffers and products are used again for each sequence.
class Engine {
 public:
  struct Answer {
    Status status = Status::infeasible;
    LimitHit limit = LimitHit::none;
    bool repaired = false;  // the proof: a quick legal path met the bound
    double score = kForbidden, bound = kForbidden;
    int64_t states = 0, arcs = 0;
    int rounds = 0;
  };

  // Writes labels (T) and the violations of each part. Rounds are appended to `rounds` and `entered`.
  // At the budget's limits the answer says so; whoever asks for bounded answers gets what was known then.
  Answer decode(const Problem& problem, const Limits& limits, Budget& budget, int32_t* labels, int64_t* violations);

  std::size_t bytes() const;  // of all that is kept for the next sequence

  std::vector<Round> rounds;
  std::vector<int32_t> entered;

 private:
  double relax(const Problem& problem, Answer& answer);
  double complete(const Problem& problem, const LocalEffects& local);
  void run(const Problem& problem, const Limits& limits, Budget& budget, Answer& answer, int32_t* labels, int64_t* violations);
  Answer& finish(const Problem& problem, Status status, const std::vector<int32_t>& path, double score, double bound,
                 Answer& answer, int32_t* labels, int64_t* violations);
  Answer& settle(const Problem& problem, double bound, Answer& answer, int32_t* labels, int64_t* violations);
  void check(const Problem& problem, const int32_t* path);
  bool judge(const Problem& problem, const int32_t* labels, int64_t* violations, double& score);
  bool breaks_more(const Problem& problem) const;
  void offer(const Problem& problem, double relaxed);
  void offer_consistent(const Problem& problem);
  void take(const Problem& problem, double score, std::vector<int32_t>& path);
  void let_in(const Problem& problem);
  void repair(const Problem& problem, const Potentials* potentials, Budget& budget);
  double tighten(const Problem& problem, double bound, bool leaps, Budget& budget, Answer& answer);
  SearchResult improve(const Problem& problem, double bound, const Limits& limits, Budget& budget, Answer& answer);
  int64_t own_budget(const Problem& problem, const Limits& limits) const;
  SearchResult search(const Problem& problem, const Limits& limits, Budget& budget, double paid = 0);
  bool goes_by_states(const Problem& problem, const Limits& limits);
  bool search_states(const Problem& problem, const Limits& limits, Budget& budget, Answer& answer);
  SearchResult advance(const Problem& problem, double relaxed, const Limits& limits, Budget& budget, Answer& answer);

  // Paths that obey some rules paid once, and break others. (branch.cpp)
  struct Branch {
    std::vector<int32_t> obeyed, paid;  // parts
    double price = 0;                   // of those paid
    double bound = kForbidden;          // no path of the branch scores more
    bool closing = false;               // its own branches come before it, and only other parts are left to enter
  };
  bool branches(const Problem& problem, const Limits& limits) const;
  bool branch(const Problem& problem, double relaxed, const Limits& limits, Budget& budget, Answer& answer);
  bool enter_branch(const Problem& problem, Budget& budget, Answer& answer);
  void divide(const Problem& problem);
  bool close_branch(const Problem& problem, Limits& limits, Budget& budget, Answer& answer);
  Branch& open_branch();

  Folded folded_;
  Doubles completion_;                      // (T, stride)
  Indices choice_;                          // (T, stride), of few labels: see Kernels::complete
  Repair repair_;
  Products products_;
  Search search_;
  StateSearch state_search_;
  double bound_ = -kForbidden;              // no path scores more
  std::vector<int32_t> path_;               // the best path of the relaxed problem
  std::vector<int64_t> counts_;             // its violations of each searched part; known after check(),
  bool breaks_ = false;                     // and whether there are any
  double best_ = kForbidden;                // the score of the best legal path so far
  PathSum best_sum_{};                      // that path's raw scores
  double rounding_ = 0;                     // sums of that path's terms in another order differ by at most this
  std::vector<int32_t> best_path_, repaired_;
  std::vector<char> included_;              // (parts): whether it has entered
  std::vector<int32_t> inside_;             // the parts that have
  std::vector<Branch> branches_;        // the first `open_` wait, the last of them is next
  std::size_t open_ = 0;
  Branch branch_;                       // the one at hand
  LocalEffects obeyed_;                 // the local parts, and those that its paths obey
  std::vector<char> concerned_;         // (parts): whether a branch was divided by it, or searched under it
  Potentials potentials_;
  bool sparse_ = false;                     // whether a search over single states has shown that rows would be sparse
  bool tightened_ = false;                  // whether potentials_ belong to the parts inside
  bool consistent_ = false;                 // whether path_ is the one that potentials_ proved best under the parts inside
  std::vector<int32_t> broken_;             // parts that the plain path breaks
  std::vector<const Part*> product_parts_;
  std::vector<const uint16_t*> product_kinds_;
};

}  // namespace lawful
