// The parts that bind every sequence of a corpus alike, and a quick way to see that a labelling breaks none of them.
#pragma once

#include <memory>
#include <vector>

#include "core/rules/part.hpp"

namespace lawful {

// A product of several counting machines, read in one walk. It only tells whether anything is broken; by what,
// the parts' own machines say.
struct Bundle {
  std::vector<int32_t> parts;  // members, by their index in the set
  int labels = 0;
  std::vector<uint32_t> next;  // (S, K): where the next state's row begins; kBroken if a member counts a violation
  std::vector<uint8_t> broken_at_end;  // (S)

  static constexpr uint32_t kBroken = 0x8000'0000;
  bool obeyed(const int32_t* path, int length) const;
};

struct PartSet : std::enable_shared_from_this<PartSet> {
  std::vector<std::shared_ptr<const Part>> parts;  // each with one kind of token
  std::vector<Bundle> bundles;                     // of the parts that are not local
  std::vector<BoundPart> bound;                    // the parts as those of a problem
  std::vector<int32_t> searched, folded;           // indices of the parts that are not local, and of those that are

  // No sequence of that many tokens is charged more.
  double most_charge(int64_t length) const { return charge_at_step_ * static_cast<double>(length) + charge_in_all_; }

  static std::shared_ptr<const PartSet> make(std::vector<std::shared_ptr<const Part>> parts);

  // The same rules for a trellis whose columns are read as labels; made once.
  std::shared_ptr<const PartSet> read_through(const Reading& reading) const;

 private:
  double charge_at_step_ = 0, charge_in_all_ = 0;
  mutable ReadCopies<PartSet> read_;
};

}  // namespace lawful
