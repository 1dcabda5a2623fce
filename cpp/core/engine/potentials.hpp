// Tighter completion scores for searches under many rules.
//
// Give every state s of a part's machine a potential. Charging potential(s) - potential(s') for a step from s to s'
// changes no path's score but for a constant. Now forget the states: let every pair of neighbouring labels take the
// best step that any state allows. What is left is a plain trellis whose best path bounds the true one from above,
// for any potentials; and completion scores on it, corrected by a state's potential, bound the completions from that
// state. Where the path of this trellis steps out of another state than the one it came to, the potentials of the
// two are moved apart: a subgradient step, as in Lagrangian relaxation, at the cost of one plain pass.
#pragma once

#include <span>
#include <vector>

#include "core/rules/fold.hpp"
#include "core/rules/problem.hpp"
#include "core/support/budget.hpp"

namespace lawful {

class Potentials {
 public:
  // Starts with all potentials zero, for the parts of the problem with these indices; or goes on with those of the parts
  // that were there before, for the same sequence.
  void begin(const Problem& problem, const Folded& folded, const std::vector<int32_t>& parts, bool go_on = false);

  // One pass under the present potentials; gives the upper bound.
  double pass(Budget& budget);
  // The same without the work, where the path and its score are known: the best one without any parts, while potentials are
  // zero, or that of the last pass, when parts have come that were not there then. False if it is not possible under them,
  // so that a pass would find another.
  bool adopt(const std::vector<int32_t>& path, double score, Budget& budget);
  // Moves potentials as far as it seems to cost to go round the conflicts on the path: often at once to where they prove a
  // path best. False, and nothing is moved, if that cannot lower the bound. For parts of which `leaps` says that they are
  // worth it. (leap.cpp)
  bool leap(double best, Budget& budget);
  // A part must be hard, and small.
  static bool leaps(const Part& part) { return part.mode == Mode::hard && part.states <= kMostLeaping; }
  // Whether the pass's path takes every part through one consistent run of states: then it is the best path under
  // these parts, and the bound is its score.
  bool consistent() const { return consistent_; }
  double consistent_score() const;  // of that path, summed without potentials
  // Moves the potentials, given the score of the best legal path so far; false if no move lowers the bound.
  bool move(double best);
  // Remembers the present potentials and completion scores as the ones to search with; `completion` is gone then.
  void keep();
  const double* kept_completion() const { return kept_completion_.data(); }
  // How far the present potentials, or those that are kept, may have put bounds wrong: they cancel along a path, but
  // for the rounding of their sums.
  double rounding() const { return rounding_with(potential_); }
  // Whether that is far more than the rounding of the best legal path's own score: such potentials prove nothing.
  bool hide(double rounding_of_best) const { return rounding_of_best > 0 && rounding() > kMostRounding * rounding_of_best; }
  double kept_rounding() const { return kept_rounding_; }
  double kept_potential(std::size_t part, int32_t state) const { return kept_potential_[offset_[part] + state]; }

  const double* completion() const { return completion_.data(); }
  const double* first() const { return first_.data(); }  // (stride): what the first step adds
  const Step* steps() const { return laid_out_ ? steps_.data() : folded_->steps.data(); }
  const std::vector<int32_t>& path() const { return path_; }
  const std::vector<int32_t>& parts() const { return parts_; }
  // (S, C): what a step adds, its cost and the change of potential; kForbidden where it is not allowed.
  const double* step_values(std::size_t part) const { return values_[part].data(); }

  std::size_t bytes() const;

 private:
  static constexpr double kMostRounding = 1e6;
  static constexpr int kMostLeaping = 24;  // states

  struct Sheet {
    const double* base;        // the matrix or diagonal it was made from
    std::vector<int> kinds;    // of the token it leads to, a part each
    bool full;
    Doubles forward, backward, diagonal;
  };

  // Where the best step leaves another state than the one that the path had come to.
  struct Conflict {
    std::size_t part;
    int32_t t;                // of the step; the length: the end
    int32_t reached, chosen;  // states
    int32_t left;             // the last position at which the path took the part out of `chosen`, or -1
  };

  // The states of a part that can follow a label.
  std::span<const int32_t> states_after(std::size_t part, int label) const {
    const std::size_t at = part * folded_->labels + label;
    const int32_t begin = at ? states_after_end_[at - 1] : 0;
    return std::span(states_after_).subspan(begin, states_after_end_[at] - begin);
  }
  const double* const* emissions() const { return laid_out_ ? emissions_.data() : folded_->emissions.data(); }
  double worth_of_path(Budget& budget) const;
  double detour(std::size_t part, int32_t state, int t, Budget& budget);
  void follow(int label);
  void lay_out(Budget& budget);
  Step sheet_for(const Step& base, int t, Budget& budget);
  void collapse(std::size_t part, Budget& budget);
  void collapse_all(Budget& budget);
  bool find_gradient(Budget& budget);
  double rounding_with(const std::vector<double>& potentials) const;

  const Problem* problem_ = nullptr;
  const Folded* folded_ = nullptr;
  std::vector<int32_t> parts_;
  std::vector<int> offset_;            // of each part's states in potential_
  std::vector<double> potential_, kept_potential_, gradient_;
  std::vector<int32_t> states_after_;      // the states that can follow each label, part by part,
  std::vector<int32_t> states_after_end_;  // [part * K + label]: and where those of a label end
  std::vector<Sheet> sheets_;
  std::size_t sheets_used_ = 0;
  // What a pass reads. Long arrays, of which only a pass makes copies: until then, those of folded_ hold.
  bool laid_out_ = false;
  std::vector<const double*> emissions_;  // (T)
  std::vector<Step> steps_;               // (T)
  Doubles last_, first_, completion_, kept_completion_;
  std::vector<int32_t> path_, run_end_;  // (T): the best path, and where its label changes next
  std::vector<std::vector<double>> values_;     // a part each: (S, C)
  std::vector<std::vector<double>> collapsed_;  // a part each: (K, C), the best value of any state after a label
  std::vector<int> kinds_;
  std::size_t sheet_bytes_ = 0, table_bytes_ = 0;  // of sheets_; of states_after_, values_ and collapsed_
  double bound_ = 0, lowest_ = 0;
  double step_scale_ = 1;  // of the subgradient steps; shrinks when one overshoots
  double kept_rounding_ = 0;
  double paid_ = 0;        // what the parts charge on the path, if it is consistent
  bool consistent_ = false;
  std::vector<Conflict> conflicts_;  // of the last pass, part by part
  std::vector<int32_t> left_;        // (states of a part): when the path left it last
  std::vector<double> raised_;       // (states): by how much a leap moved it last
  Doubles stay_, way_, next_way_;    // (stride): what `detour` works with
  std::vector<uint64_t> open_;       // (words)
  std::vector<double> costs_;
};

}  // namespace lawful
