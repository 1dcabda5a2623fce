// What guides a best-first or beam search: how much every prefix can still gain, and a quick legal path.
#pragma once

#include "core/outcome.hpp"

namespace bylaw {

enum class Completion : uint8_t {
  published,  // Chang et al. (2012), Eq. 5: the best completion by the scores alone; every rule is left to the search
  plain,      // the same with the local rules worked into the scores
  relaxed,    // tighter, by potentials on the states of the other rules
};

class Guidance {
 public:
  void build(const Problem& problem, Completion completion);

  const Folded& folded() const { return bare_ ? bare_folded_ : folded_; }
  std::vector<BoundPart> parts(const Problem& problem) const;  // those that the search must read
  // (stride): the best score of positions t.. for each label at t. With potentials a state's correction comes on top.
  const double* completion(int t) const { return completion_ + static_cast<std::size_t>(t) * folded_.stride; }
  const Potentials* potentials() const { return tightened_ ? &potentials_ : nullptr; }
  const Incumbent& incumbent() const { return incumbent_; }
  double bound() const { return bound_; }   // no path scores more
  int64_t states() const { return states_; }

  // (T, stride): the best score of any path through each label, by the plain scores. Local rules are worked in.
  Doubles max_marginals() const;

 private:
  void tighten(const Problem& problem);
  void repair(const Problem& problem, const double* completion, const Potentials* potentials);

  Folded folded_, bare_folded_;
  std::shared_ptr<const Problem> bare_problem_;
  bool bare_ = false;
  Doubles plain_, bare_plain_;  // (T, stride) each
  const double* completion_ = nullptr;
  Potentials potentials_;
  bool tightened_ = false;
  Repair repair_;
  Incumbent incumbent_;
  double bound_ = kForbidden, tolerance_ = 0;
  int64_t states_ = 0;
};

}  // namespace bylaw
