// Minimises f(x) + c2 |x|^2 + c1 |x|_1 for a smooth f, one iteration per call: L-BFGS (Liu & Nocedal 1989) with a
// bracketing line search, or OWL-QN (Andrew & Gao 2007) if c1 > 0.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/support/aligned.hpp"
#include "core/support/blocked.hpp"

namespace lawful {

class Lbfgs {
 public:
  using Function = std::function<double(const double* x, double* gradient)>;

  struct Options {
    double c1 = 0, c2 = 0;
    int memory = 6, most_trials = 20, threads = 1;
  };

  struct Report {
    double objective = 0;
    double gradient_norm = 0, weight_norm = 0;  // Euclidean; of the pseudo-gradient if c1 > 0
    double step = 0;
    int trials = 0;         // evaluations of f in this iteration
    bool improved = true;   // false: no step leads further down, the point stays as it was
  };

  Lbfgs(int64_t size, Function function, const Options& options);
  Report start(const double* x);  // evaluates at x
  Report step();
  const Doubles& x() const { return x_; }
  const Doubles& gradient() const { return gradient_; }  // of the smooth part, penalty included

 private:
  double evaluate(const double* x, double* gradient);  // the smooth part
  double absolute_sum(const double* x);
  void set_descent();
  void set_direction();
  void move(double step);
  bool search(Report& report);
  bool search_orthant(Report& report);
  void remember();
  Report finish(Report report);

  int64_t size_;
  Function function_;
  Options options_;
  Blocked blocked_;
  double value_ = 0;  // the whole objective at x_
  Doubles x_, gradient_, next_x_, next_gradient_, direction_;
  Doubles descent_;  // the pseudo-gradient; unused if c1 is 0
  double slope_ = 0;
  struct Pair {
    Doubles change;  // of x in one step
    Doubles bend;    // of the gradient in the same step
    double product;  // of the two
    double bend_square;
  };
  std::vector<Pair> pairs_;
  std::size_t newest_ = 0;
  double next_value_ = 0;
};

}  // namespace lawful
