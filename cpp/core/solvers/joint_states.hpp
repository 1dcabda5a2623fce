// The states of several parts' machines taken together, numbered as a search meets them.
//
// Unlike `LazyProduct` it computes one step at a time and keeps no rows: for searches that visit few of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/potentials.hpp"
#include "core/rules/problem.hpp"
#include "core/support/key_numbers.hpp"

namespace lawful {

class JointStates {
 public:
  struct Reading {
    int32_t states = kDead;  // where reading a label leads; kDead if a rule forbids it, or what must come after it
    double worth = 0;        // what the parts add for it, 0 or less
    double owed = 0;         // what they will still charge at least, whatever follows, or pay; 0 without `look_ahead`
  };

  // Forgets everything; state 0 is the start. `potentials`, if given, belong to the same parts in the same order.
  void begin(std::vector<BoundPart> parts, const Potentials* potentials = nullptr);
  // Finds for each part alone what it will charge at least from each state at each position. Where a completion score
  // (T, stride) is kForbidden, the label cannot come. prices: (parts, T, stride), which the machines pay besides; or null.
  void look_ahead(const double* completion, const double* prices, int length, int stride, Budget& budget);

  Reading read(int32_t from, int t, int label);  // as token t
  double at_end(int32_t states) const;           // what the parts add at the end, 0 or less
  // What the potentials of these states add to completion scores.
  double correction(int32_t states) const { return potentials_ ? corrections_[states] : 0.0; }

  std::size_t bytes() const;
  // What `bytes` may be while one more is numbered.
  std::size_t bytes_to_grow() const;
  int64_t units_to_read() const { return 10 + 4 * static_cast<int64_t>(parts_.size()); }  // of work

 private:
  int32_t number_of_next();

  std::vector<BoundPart> parts_;
  const Potentials* potentials_ = nullptr;
  std::vector<std::vector<double>> owed_;  // for each part (T, S): after token t; empty: not looked ahead
  std::vector<int32_t> states_;      // (numbered, parts)
  std::vector<double> corrections_;  // (numbered), with potentials
  std::vector<int32_t> slots_;       // hashed; a number or -1
  std::vector<int32_t> next_;        // (parts): where a step leads
  std::size_t owed_bytes_ = 0;
  int32_t count_ = 0;
};

}  // namespace lawful
