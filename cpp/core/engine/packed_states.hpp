// The states of all searched parts of a sequence, packed into a few words.
//
// Between two labels few parts have anything to do: a rule about one label sleeps while others are read. For each pair of
// labels there is a list of those that may move or charge, so that a step costs what it changes.
#pragma once

#include <vector>

#include "core/rules/problem.hpp"
#include "core/support/budget.hpp"

namespace lawful {

class PackedStates {
 public:
  static constexpr int kMostWords = 4;

  // Lays out fields for the searched parts of a problem; false if they need more than kMostWords.
  bool begin(const Problem& problem, Budget& budget);

  int words() const { return words_; }
  // Moves `key` over `label` at position t > 0, after `before`, or from the start (all 0) at t = 0. Gives what the parts
  // add, 0 or less; kForbidden if one of them dies.
  double read(uint64_t* key, int t, int before, int label) const;
  double at_end(const uint64_t* key) const;  // what the parts add at the end, 0 or less
  // The most that the parts may still charge more from `a` than from `b`, whatever follows, as far as that is at most `most`.
  double arrears(const uint64_t* a, const uint64_t* b, double most) const;
  // The field of a part, by its index in the problem; and a part's state in a key.
  int field_of(int32_t part) const { return field_of_[part]; }
  int32_t state(const uint64_t* key, int field) const {
    const Field& f = fields_[field];
    return static_cast<int32_t>(key[f.word] >> f.shift & f.mask);
  }

  std::size_t bytes() const;

 private:
  struct Field {
    const Part* part;
    const uint16_t* kinds;  // (T), or null
    int word, shift;
    uint64_t mask;          // before it is shifted
    const uint16_t* table;  // the part's own, at hand
    const int32_t* delta;
    const double* cost;
    int classes;
  };

  bool read_with(const Field& field, uint64_t* key, int t, int label, double& worth) const;
  void list_movers(Budget& budget);
  void list_awake(int length, Budget& budget);

  int labels_ = 0, words_ = 0;
  std::size_t kindless_ = 0;             // so many fields, the first ones, are of parts that do not look at tokens
  std::vector<Field> fields_;
  std::vector<int> field_of_;            // (parts of the problem)
  std::vector<uint8_t> field_of_bit_;    // (words, 64)
  std::vector<uint64_t> listed_;         // the serials of the kindless parts that movers_ is for
  std::vector<int32_t> first_mover_;     // (K * K + 1): [before * K + label], into movers_
  std::vector<uint8_t> movers_;          // fields
  std::vector<int32_t> first_awake_;     // (T + 1), into awake_
  std::vector<uint8_t> awake_;           // fields of parts that look at tokens and may do something at a position
};

}  // namespace lawful
