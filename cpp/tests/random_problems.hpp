// Random trellises, machines and problems, and their best answers by looking at every labelling.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/rules/part_set.hpp"
#include "core/rules/problem.hpp"

namespace lawful {

class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  int below(int n) { return static_cast<int>(bits_() % static_cast<uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(double share) { return static_cast<double>(bits_() >> 11) * 0x1p-53 < share; }
  // Between -4 and 4. Whole numbers make ties.
  double score(bool whole) { return whole ? between(-2, 2) : static_cast<double>(bits_() >> 11) * 0x1p-50 - 4.0; }

 private:
  std::mt19937_64 bits_;
};

// A rule as it counts: violations of each step and of the end.
struct Machine {
  int labels = 0, kinds = 1, classes = 0, states = 0;
  std::vector<uint16_t> table;  // (U, K)
  std::vector<int32_t> delta, violations, final;
};

enum class Memory { none, last_class, any };

Machine random_machine(Random& random, int labels, int kinds, Memory memory);

// The part of a machine under a price; states from which a hard rule cannot be kept are left in.
std::shared_ptr<const Part> make_part(const Machine& machine, Mode mode, double price, int rule = 0);

struct TrellisOptions {
  bool transitions = true, a_matrix_a_step = false, boundaries = false, mask = false, whole = false;
  double forbidden = 0.0;  // the share of -inf
};

TrellisOptions random_options(Random& random);
std::shared_ptr<const Trellis> random_trellis(Random& random, int length, int labels, const TrellisOptions& options);

// A trellis, common parts, and parts of its own that look at tokens.
std::shared_ptr<const Problem> random_problem(Random& random, int length, int labels, int parts);

// A trellis in which three labels must occur a number of times that the plain answer misses by far.
std::shared_ptr<const Problem> counting_problem(Random& random, int length, int labels);

// What a labelling scores with everything that it pays; kForbidden if it breaks a hard part.
double total_score(const Problem& problem, const int32_t* labels);

// The best of all K^T labellings; kForbidden if none is legal.
double best_by_enumeration(const Problem& problem);

// The same for longer sequences: keeps the best score of every combination of states and last label, and cuts nothing.
double best_by_dynamic_programming(const Problem& problem);

// Whether two scores differ by no more than rounding does.
bool close(double a, double b);

}  // namespace lawful
