// The scores of one sequence: emissions, transitions, start and end. Immutable.
#pragma once

#include <memory>

#include "core/kernels/block_lists.hpp"
#include "core/kernels/max_plus.hpp"
#include "core/scores/reading.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

// No sum rounds by more than this share of what it adds up, for each addition.
inline constexpr double kRounding = std::numeric_limits<double>::epsilon();

// What the scores of a path may add up to, signs ignored: a million times less than the largest double, so that no search
// overflows, however it combines scores, bounds and potentials.
inline constexpr double kMostScore = 1e302;

// Transition scores, each matrix twice: rows by source for forward passes, rows by target for backward ones.
struct Transitions : std::enable_shared_from_this<Transitions> {
  int labels = 0, stride = 0;
  int matrices = 0;  // 1: the same at every step; T-1: one per step
  Doubles forward;   // (matrices, K, stride): [source][target]
  Doubles backward;  // (matrices, K, stride): [target][source]
  Doubles diagonal;  // (matrices, stride): the score of staying
  double magnitude = 0;  // the largest finite score, without its sign
  BlockLists backward_blocks;  // where `backward` allows anything, if it is one matrix that forbids nearly everything
  SortedMatrix sorted;         // `backward` with its sources sorted, if only that makes its blocks few
  SparseMatrix sparse;         // the one of these two that there is
  uint64_t serial = 0;   // unique in this process: keys what was made from it

  static std::shared_ptr<const Transitions> make(const double* scores, int matrices, int labels);
  std::size_t matrix_size() const { return static_cast<std::size_t>(labels) * stride; }
  int at(int step) const { return matrices == 1 ? 0 : step; }
  static uint64_t new_serial();
  void look_at_blocks();  // fills `sparse`: a copy must, too
  const double* forward_at(int step) const { return forward.data() + matrix_size() * at(step); }
  const double* backward_at(int step) const { return backward.data() + matrix_size() * at(step); }
  const double* diagonal_at(int step) const { return diagonal.data() + static_cast<std::size_t>(stride) * at(step); }
  // How the scores lead from position `step` to the next.
  Step step_at(int step) const {
    return {forward_at(step), backward_at(step), diagonal_at(step), sparse.blocks.first ? &sparse : nullptr};
  }
};

// Columns to spread trellises over, each of which is one of their labels, the tags: several may be the same tag, and -inf in
// `transitions`, `first` and `last`, which are in columns, says what does not fit together. One serves a whole corpus.
struct Spreading {
  int tags = 0;
  std::vector<int32_t> tag_of;                     // for each column
  std::shared_ptr<const Transitions> transitions;  // null: every step scores 0
  Doubles first, last;                             // (stride) each, or empty for zeros
  std::shared_ptr<const Reading> reading;

  int columns() const { return static_cast<int>(tag_of.size()); }
};

struct Trellis : std::enable_shared_from_this<Trellis> {
  int length = 0, labels = 0, stride = 0;             // T, K, K padded
  Doubles emissions;                                  // (T, stride), padding forbidden
  std::shared_ptr<const Transitions> transitions;     // null: every step scores 0
  Doubles start, end;                                 // (stride) each, or empty for zeros
  double magnitude = 0;  // no path's terms add up to more than this, signs ignored; at most kMostScore
  std::shared_ptr<const Reading> reading;  // null: its labels are those that rules and answers speak of

  // How many labels rules and answers speak of.
  int read_labels() const { return reading ? reading->labels : labels; }
  // `mask` may be null; where it is 0 the label is forbidden. Throws std::invalid_argument if an emission is NaN or +inf, and
  // std::overflow_error if the magnitude is too large.
  static std::shared_ptr<const Trellis> make(const double* emissions, int length, int labels,
                                             std::shared_ptr<const Transitions> transitions, const double* start,
                                             const double* end, const uint8_t* mask);
  // The same in the memory of this trellis, which may have been another before.
  void remake(const double* scores, int positions, int columns, const std::shared_ptr<const Transitions>& steps,
              const double* first, const double* last, const uint8_t* mask);
  // The same scores in other columns. `start` and `end` are in columns and may be null: then only what the spreading says of
  // first and last columns holds; so may `mask` (T, columns), which forbids columns where it is 0.
  static std::shared_ptr<const Trellis> spread(const Trellis& tags, const Spreading& spreading, const double* start,
                                               const double* end, const uint8_t* mask);
  // Asks for what decoding it reads, so that it comes from memory while another one is decoded: itself in step 0, and then what
  // it points to.
  void fetch(int step) const;
  const double* emission(int t) const { return emissions.data() + static_cast<std::size_t>(t) * stride; }
};

// The scores of one labelling, by plain addition: the judge of every answer. Shares nothing with the search.
struct PathSum {
  double score = 0;  // the sum of its terms
  double size = 0;   // the same without their signs
  int length = 0;

  // The terms in any other order add up to the same score, but for this. What a path scores under rules is less than
  // its sum by what they charge, and these charges are terms as well.
  double rounding(double under_rules) const;
};
PathSum sum_path(const Trellis& trellis, const int32_t* labels);
inline double path_score(const Trellis& trellis, const int32_t* labels) { return sum_path(trellis, labels).score; }

// The same scores, 0 where they are finite: what is left is which paths there are.
std::shared_ptr<const Trellis> without_scores(const Trellis& trellis);

// Whether every number is finite or -inf.
bool scores_are_legal(const double* scores, std::size_t n);

}  // namespace lawful
