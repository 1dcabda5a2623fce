// Exact decoding by relaxation: a plain pass, a check, and a search under the rules that were broken; again,
// until none is. Rules can only lower scores, so a best path of the relaxed problem that breaks nothing is best.
#pragma once

#include "core/repair.hpp"
#include "core/search.hpp"

namespace bylaw {

enum class Status : uint8_t { optimal, bounded, infeasible, limited, disagreement };

struct Round {
  double score;           // of the relaxed problem's best path
  int64_t states, arcs;   // of its lattice, as far as it was looked at
  int32_t first_entered, entered;  // the parts that entered for it: a range of Engine::entered
};

// One for a thread; its buffers are used again for each sequence.
class Engine {
 public:
  struct Answer {
    Status status = Status::infeasible;
    LimitHit limit = LimitHit::none;
    bool repaired = false;  // the proof is a quick legal path that meets the bound
    int dead_at = -1;
    double score = kForbidden, bound = kForbidden;
    int64_t states = 0, arcs = 0;
    int rounds = 0;
  };

  // Writes labels (T) and the violations of each part. Rounds are appended to `rounds`, `entered`.
  Answer decode(const Problem& problem, const Limits& limits, int32_t* labels, int64_t* violations);

  std::vector<Round> rounds;
  std::vector<int32_t> entered;

 private:
  bool judge(const Problem& problem, const int32_t* labels, int64_t* violations, double& score) const;
  void check(const Problem& problem, const int32_t* path, int64_t* violations);

  Folded folded_;
  Doubles completion_;
  Repair repair_;
  Search search_;
  std::vector<int32_t> path_, best_path_, repaired_;
  std::vector<char> included_;
  std::vector<std::shared_ptr<const Part>> product_parts_;
  std::vector<const uint16_t*> product_kinds_;
};

}  // namespace bylaw
