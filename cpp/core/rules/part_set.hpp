// The parts that bind every sequence of a corpus alike, and a quick way to count how a labelling breaks them.
#pragma once

#include <memory>
#include <vector>

#include "core/rules/part.hpp"

namespace lawful {

// A product of several counting machines, read in one walk.
struct Bundle {
  std::vector<int32_t> parts;  // members, by their index in the set
  int labels = 0;
  std::vector<uint32_t> next;     // (S, K): where the next state's row begins; with kCounts if a member counts a violation there
  std::vector<int32_t> states;    // (S, members): the state of each
  std::vector<uint8_t> ends_counting;  // (S): whether a member counts some at the end

  static constexpr uint32_t kCounts = 0x8000'0000;
};

struct PartSet : std::enable_shared_from_this<PartSet> {
  std::vector<std::shared_ptr<const Part>> parts;  // each with one kind of token
  std::vector<Bundle> bundles;                     // of the parts that are not local,
  std::vector<int32_t> unbundled;                  // but for those that are too large for one
  std::vector<BoundPart> bound;                    // the parts as those of a problem
  std::vector<int32_t> searched, folded;           // indices of the parts that are not local, and of those that are

  // Calls add(part, violations) wherever a path makes a part that is in a bundle count some.
  template <typename Add>
  void count(const int32_t* path, int length, Add add) const {
    for (const Bundle& bundle : bundles) {
      uint32_t row = 0;
      for (int t = 0; t < length; ++t) {
        const uint32_t before = row;
        row = bundle.next[row + path[t]];
        if (!(row & Bundle::kCounts)) continue;
        row &= ~Bundle::kCounts;
        each_member(bundle, before, [&](int32_t p, const Part& part, int32_t state) {
          if (const int32_t count = part.count_violations[state * part.classes + part.class_at(0, path[t])]) add(p, count);
        });
      }
      if (bundle.ends_counting[row / static_cast<uint32_t>(bundle.labels)])
        each_member(bundle, row, [&](int32_t p, const Part& part, int32_t state) {
          if (const int32_t count = part.count_final[state]) add(p, count);
        });
    }
  }

  // No sequence of that many tokens is charged more.
  double most_charge(int64_t length) const { return charge_at_step_ * static_cast<double>(length) + charge_in_all_; }

  static std::shared_ptr<const PartSet> make(std::vector<std::shared_ptr<const Part>> parts);

  // The same rules for a trellis whose columns are read as labels; made once.
  std::shared_ptr<const PartSet> read_through(const Reading& reading) const;

 private:
  void bundle(int32_t index);
  template <typename Visit>
  void each_member(const Bundle& bundle, uint32_t row, Visit visit) const {
    const int32_t* states = bundle.states.data() + row / static_cast<uint32_t>(bundle.labels) * bundle.parts.size();
    for (const int32_t p : bundle.parts) visit(p, *parts[p], *states++);
  }

  double charge_at_step_ = 0, charge_in_all_ = 0;
  mutable ReadCopies<PartSet> read_;
};

}  // namespace lawful
