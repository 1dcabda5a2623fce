// What the paths from a state to an end can add up to: the best score, the log of a sum, or how many they are.
//
// A semiring has a Value; `ending` is that of stopping with a weight, `through` that of a value seen through an arc,
// and a Sum adds up what the arcs of a state offer.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/support/aligned.hpp"

namespace lawful {

struct MaxPlus {
  using Value = double;
  static constexpr std::size_t bytes(double) { return 0; }   // besides the value itself
  static constexpr int64_t units(double) { return 2; }       // of work, to add one
  static double ending(double weight) { return weight; }
  static double through(double weight, double value) { return weight + value; }

  struct Sum {
    double best = kForbidden;
    void add(double value) {
      if (value > best) best = value;
    }
    double value() const { return best; }
  };
};

struct LogSum {
  using Value = double;
  static constexpr std::size_t bytes(double) { return 0; }
  static constexpr int64_t units(double) { return 15; }
  static double ending(double weight) { return weight; }
  static double through(double weight, double value) { return weight + value; }

  // One exponential a term; the largest term so far is the unit, so nothing overflows.
  struct Sum {
    double most = kForbidden, units = 0;
    void add(double value) {
      if (value <= most) {
        units += value == kForbidden ? 0 : std::exp(value - most);
      } else {
        units = 1 + units * std::exp(most - value);
        most = value;
      }
    }
    double value() const { return units > 0 ? most + std::log(units) : kForbidden; }
  };
};

// A whole number of any size; counting paths takes additions only.
struct Natural {
  std::vector<uint64_t> limbs;  // the lowest first, no zeros on top

  Natural() = default;
  explicit Natural(uint64_t value) {
    if (value) limbs.push_back(value);
  }

  Natural& operator+=(const Natural& other) {
    if (limbs.size() < other.limbs.size()) limbs.resize(other.limbs.size(), 0);
    uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs.size() && (carry || i < other.limbs.size()); ++i) {
      const uint64_t addend = i < other.limbs.size() ? other.limbs[i] : 0;
      limbs[i] += carry;
      carry = limbs[i] < carry;
      limbs[i] += addend;
      carry += limbs[i] < addend;
    }
    if (carry) limbs.push_back(carry);
    return *this;
  }
};

struct Counting {
  using Value = Natural;
  static std::size_t bytes(const Natural& value) { return value.limbs.capacity() * sizeof(uint64_t) + 16; }
  static int64_t units(const Natural& value) { return 10 + 2 * static_cast<int64_t>(value.limbs.size()); }
  static Natural ending(double) { return Natural(1); }
  static const Natural& through(double, const Natural& value) { return value; }

  struct Sum {
    Natural total;
    void add(const Natural& value) { total += value; }
    Natural value() { return std::move(total); }
  };
};

}  // namespace lawful
