// One sequence to label: its scores, the parts that bind it, and what the local ones among them do to the scores.
#pragma once

#include <memory>
#include <vector>

#include "core/rules/binding.hpp"
#include "core/rules/local_effects.hpp"
#include "core/rules/part_set.hpp"
#include "core/scores/trellis.hpp"

namespace lawful {

struct Problem : std::enable_shared_from_this<Problem> {
  std::shared_ptr<const Trellis> trellis;
  std::vector<BoundPart> parts;     // all: those of `common` first, then this sequence's own
  std::shared_ptr<const PartSet> common;
  std::vector<int32_t> searched;    // indices of the parts that are not local
  std::vector<int32_t> unbundled;   // those of them that no bundle of `common` covers

  LocalEffects local;

  // The parts are for the columns of the trellis. Throws std::overflow_error if what a path pays could add up to too much.
  static std::shared_ptr<const Problem> make(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own);

  // The same in the memory of this problem, which may have been another before.
  void remake(const std::shared_ptr<const Trellis>& trellis, const std::shared_ptr<const PartSet>& common,
              const std::shared_ptr<const Binding>& own);

  // The same as `make` with parts for the labels that the columns of the trellis are read as.
  static std::shared_ptr<const Problem> read(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own);

  const std::shared_ptr<const Binding>& own() const { return own_; }  // the parts of this sequence alone

  // Asks for what decoding it reads, so that it comes from memory while another one is decoded. Step 0 before step 1 before
  // step 2, each some time after the last: what one asks for says where the next finds the rest.
  void fetch(int step) const;

  // From columns to the labels that they are read as, in place.
  void read_path(int32_t* path) const;

 private:
  std::shared_ptr<const Binding> own_;
};

}  // namespace lawful
