// The first steps of dual decomposition: prices that are the same at all tokens that a part reads alike.
//
// A rule that counts does not care where: what it lacks of a label, it lacks everywhere. A step for each token on its own
// prices the few at which the trellis and the part happen to differ, and takes hundreds of iterations to price the others.
#pragma once

#include <vector>

#include "core/rules/problem.hpp"

namespace lawful {

class CommonPrices {
 public:
  void begin(const Problem& problem, int labels, int stride);
  // Takes aim, given the paths (parts, T) of the parts and that of the trellis. False if each part reads every class as often
  // on the one as on the other: then common prices have nothing left to say.
  bool aim(const Problem& problem, const int32_t* paths, const int32_t* trellis_path);
  // Goes there by Polyak's step for such a gap: u (parts, T, stride) are the prices, and `largest` (parts) their bounds.
  void step(const Problem& problem, double gap, double* u, double* largest) const;

 private:
  template <typename Visit>
  void each_part(const Problem& problem, Visit visit) const;

  int length_ = 0, labels_ = 0, stride_ = 0;
  std::vector<double> tokens_;  // (parts, kinds, classes): how many tokens are of that kind
  std::vector<double> wanted_;  // the same: how many more of a class the part wants, for each of those tokens
  double squares_ = 0;          // of the gradient
};

}  // namespace lawful
