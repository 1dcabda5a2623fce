// What guides a best-first or beam search: how much every prefix can still gain, and a quick legal path.
#pragma once

#include <algorithm>

#include "core/solvers/joint_states.hpp"
#include "core/solvers/outcome.hpp"

namespace lawful {

enum class Completion : uint8_t {
  published,  // Chang et al. (2012), Eq. 5: the best completion by the scores alone; every rule is left to the search
  plain,      // the same with the local rules worked into the scores, less what each other rule must still charge
  relaxed,    // or, where that is less, what potentials on the states of the other rules leave
};

// Prices of labels at tokens, as dual decomposition finds them: the trellis earns what the machines of the searched parts pay, so
// that no path gains or loses by them; but completion scores that see only the trellis, or only one machine, become nearly exact.
struct Prices {
  const double* of_labels;  // (searched parts, T, stride)
  const double* mask;       // (T, stride): 0, or kForbidden for labels that are on no better path than the best known one
  double rounding;          // how far they may put a bound wrong
};

class Guidance {
 public:
  // `known`: a legal path, to begin with; or nothing.
  void build(const Problem& problem, Completion completion, Budget& budget, const std::vector<int32_t>& known = {});

  const Folded& folded() const { return bare_ ? bare_folded_ : folded_; }
  // After `build`: promises what the prices leave. They must stay where they are.
  void use(const Problem& problem, const Prices& prices, Budget& budget);
  // Makes `states` read these parts.
  void prepare(const Problem& problem, JointStates& states, Budget& budget) const;
  // The best score of positions t.. with this label at t, by the scores alone.
  double completion(int t, int label) const { return at(completion_, t, label); }
  // What a prefix may reach that scores `score` before the emission of its last label, at t, and led to these states.
  double promise(int t, int label, double score, const JointStates::Reading& reading, const JointStates& states) const {
    if (prices_) return score + at(priced_.data(), t, label) - reading.owed + prices_->rounding;
    const double plain = score + completion(t, label) - reading.owed;
    if (!tightened_) return plain;
    const double relaxed = score + at(potentials_.kept_completion(), t, label) + states.correction(reading.states);
    return std::min(plain, relaxed + potentials_.kept_rounding());
  }
  const Incumbent& incumbent() const { return incumbent_; }
  double bound() const { return bound_; }   // no path scores more
  int64_t states() const { return states_; }

  // (T, stride): the best score of any path through each label, by the plain scores. Local rules are worked in.
  Doubles max_marginals() const;

 private:
  double at(const double* rows, int t, int label) const { return rows[static_cast<std::size_t>(t) * folded_.stride + label]; }
  void tighten(const Problem& problem, Budget& budget);
  void repair(const Problem& problem, const double* completion, const Potentials* potentials, Budget& budget);
  std::size_t bytes() const;

  Folded folded_, bare_folded_;
  std::shared_ptr<const Problem> bare_problem_;
  bool bare_ = false;
  Doubles plain_, bare_plain_;  // (T, stride) each
  const double* completion_ = nullptr;
  Potentials potentials_;
  bool tightened_ = false;
  const Prices* prices_ = nullptr;
  Doubles priced_;  // (T, stride): completion scores of the trellis with its prices, but for that of the label itself
  Repair repair_;
  Incumbent incumbent_;
  double bound_ = kForbidden;
  int64_t states_ = 0;
};

}  // namespace lawful
