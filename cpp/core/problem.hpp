// One sequence to label: its scores and the parts that bind it.
#pragma once

#include <memory>
#include <vector>

#include "core/part.hpp"
#include "core/trellis.hpp"

namespace bylaw {

struct Problem {
  std::shared_ptr<const Trellis> trellis;
  std::vector<std::shared_ptr<const Part>> parts;
  std::vector<std::vector<uint16_t>> kinds;  // a part each; empty: every token is of kind 0

  const uint16_t* kinds_of(std::size_t part) const { return kinds[part].empty() ? nullptr : kinds[part].data(); }
  int kind_at(std::size_t part, int t) const { return kinds[part].empty() ? 0 : kinds[part][t]; }
};

}  // namespace bylaw
