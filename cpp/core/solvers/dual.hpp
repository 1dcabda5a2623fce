// Dual decomposition: the trellis and each rule's machine solve their own problem, and multipliers on labels at
// positions bring them to agree (Rush & Collins 2012; for automata, Paul & Eisner 2012).
//
// For any multipliers the sum of the separate best values bounds every legal path. A subgradient moves the multipliers
// where trellis and machine disagree. Where they never come to agree, a position of disagreement is branched on.
#pragma once

#include <memory>
#include <queue>

#include "core/solvers/a_star.hpp"
#include "core/solvers/common_prices.hpp"
#include "core/solvers/dual_part.hpp"
#include "core/solvers/outcome.hpp"

namespace lawful {

class Dual {
 public:
  struct Options {
    int iterations = 200;
    bool search = false;  // best first under the multipliers that were found, before branching
    bool finish = true;   // by branching, until the answer is proved
    std::vector<int32_t> known;  // a legal path, to begin with; or nothing
  };
  Outcome run(const Problem& problem, const Options& options, const Limits& limits);

 private:
  struct Decision {
    int32_t t, label;
    bool taken;  // the label at t is this one, or any other
  };
  // Those that wait need no alignment; glibc (until 2.38) rarely gives aligned memory of a size out again once it is freed.
  using Multipliers = std::vector<double>;
  struct Branch {
    double bound;
    int64_t order;
    std::vector<Decision> decisions;
    std::shared_ptr<const Multipliers> multipliers;  // to start from
    bool operator<(const Branch& other) const { return bound != other.bound ? bound < other.bound : order > other.order; }
  };

  void begin(const Problem& problem, const Limits& limits, Budget& budget);
  void enter(const Branch& branch);
  void set_multipliers(const Multipliers* values);
  Limits rest_of(const Limits& limits, const Budget& budget) const;
  Status find_legal(const Problem& problem, const Options& options, const Limits& limits, Budget& budget);
  double solve(const Problem& problem, Budget& budget, double& trellis_bound);
  double rounding_of_multipliers() const;
  double solve_part(const Problem& problem, std::size_t part, Budget& budget);
  void offer(const Problem& problem, const int32_t* path);
  bool move(const Problem& problem, double bound, const Multipliers& lowest);
  void move_apart(const Problem& problem, double size);
  void find_marginals(Budget& budget);
  bool obeys(const BoundPart& bound, const int32_t* path) const;
  void repair_by_losses(const Problem& problem, Budget& budget);
  void fix(const Problem& problem, double bound, double trellis_bound, Budget& budget);
  void descend(const Problem& problem, const Options& options, const Limits& limits, Budget& budget, Branch& branch);
  void repair(const Problem& problem, Budget& budget);
  bool search(const Problem& problem, const Limits& limits, const Budget& budget, Branch& branch);
  void split(const Branch& branch);
  void require_rest(const Limits& limits, Budget& budget) const;

  double* multipliers(std::size_t part) { return multipliers_.data() + part * size_; }
  bool idle(std::size_t part) const { return largest_[part] == 0; }
  int32_t* path_of(std::size_t part) { return paths_.data() + part * length_; }

  int length_ = 0, labels_ = 0, stride_ = 0;
  std::size_t size_ = 0;             // T * stride
  std::vector<int32_t> searched_;    // the parts that have a machine of their own
  Folded folded_;
  Doubles multipliers_;              // (parts, T, stride)
  std::vector<double> largest_;      // (parts): none of its multipliers is larger, or ever was since they were set
  Doubles mask_, emissions_, completion_;  // (T, stride) each
  Doubles fixed_;                    // (T, stride): 0, or kForbidden for labels that are on no path as good as the best known
  Doubles marginals_, allowed_;  // (T, stride) each: what `find_marginals` found; a mask of the labels that a repair may take
  Doubles reached_, before_;         // (stride) each
  std::vector<const double*> rows_;  // (T), of emissions_
  std::vector<int32_t> trellis_path_, paths_;  // (T), (parts, T)
  CommonPrices common_prices_;       // for the first steps
  PartPath part_path_;
  Repair repair_;
  std::vector<int32_t> repaired_;
  std::vector<int64_t> disagreement_counts_;  // (T): how often trellis and parts disagreed there, in this branch
  std::vector<int32_t> lowest_path_;          // (T): the trellis's labels when the bound was lowest
  Incumbent best_;
  bool legality_only_ = false;  // whether any legal path will do; then all of them score 0
  double tie_ = 0, slack_ = 0;  // in roundings, and in scores a step: labels within that are equally good to a part
  double step_scale_ = 1;       // of Polyak's steps
  int together_ = 0;            // how often steps of common prices may still fail,
  bool aimed_ = false;          // whether they have an aim, from where the bound was lowest,
  bool overshot_ = false;       // and whether the last step, of whatever kind, did not lower the bound
  double plain_bound_ = 0;      // what the trellis alone says
  double most_gap_ = 0;         // to close in one of them
  double blind_gap_ = 1;        // to assume while no legal path is known, in terms of the trellis's path,
  double mean_term_ = 0;        // which have this size on average
  std::priority_queue<Branch> open_;
  std::size_t sets_ = 0;  // of multipliers that open branches hold: one for both children of a branch, while either waits
  int64_t order_ = 0;
  Outcome outcome_;
};

}  // namespace lawful
