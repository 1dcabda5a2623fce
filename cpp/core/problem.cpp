#include "core/problem.hpp"

namespace bylaw {

std::shared_ptr<const Problem> Problem::make(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::vector<std::shared_ptr<const Part>> own,
                                             const std::vector<const uint16_t*>& kinds) {
  auto problem = std::make_shared<Problem>();
  const auto length = static_cast<std::size_t>(trellis->length);
  problem->trellis = std::move(trellis);
  problem->common = std::move(common);
  problem->own_ = std::move(own);
  problem->parts.reserve(problem->common->parts.size() + problem->own_.size());
  problem->kinds_.reserve(length * problem->own_.size());  // never grows again, so that pointers into it hold
  for (const auto& part : problem->common->parts) problem->parts.push_back({part.get(), nullptr});
  for (std::size_t p = 0; p < problem->own_.size(); ++p) {
    const uint16_t* copy = nullptr;
    if (kinds[p]) {
      copy = problem->kinds_.data() + problem->kinds_.size();
      problem->kinds_.insert(problem->kinds_.end(), kinds[p], kinds[p] + length);
    }
    problem->parts.push_back({problem->own_[p].get(), copy});
  }
  for (std::size_t p = 0; p < problem->parts.size(); ++p) {
    if (problem->parts[p].part->local) continue;
    problem->searched.push_back(static_cast<int32_t>(p));
    if (p >= problem->common->parts.size()) problem->unbundled.push_back(static_cast<int32_t>(p));
  }
  problem->fold();
  return problem;
}

void Problem::fold() {
  const int length = trellis->length, stride = trellis->stride;
  for (const BoundPart& bound : parts) {
    const Part& part = *bound.part;
    if (!part.local) continue;
    const int first = bound.kind(0), last = bound.kind(length - 1);
    if (part.touches_first[first]) additions.push_back({0, part.first.data() + static_cast<std::size_t>(first) * stride});
    if (part.touches_last) additions.push_back({length - 1, part.last.data() + static_cast<std::size_t>(last) * stride});
    for (int t = 1; t < length; ++t) {
      const Part::Effect& effect = part.effects[bound.kind(t - 1) * part.kinds + bound.kind(t)];
      switch (effect.type) {
        case Part::Effect::nothing: break;
        case Part::Effect::per_target: additions.push_back({t, effect.forward.data()}); break;
        case Part::Effect::stay:
          stays.resize(length, 0);
          stays[t] = 1;
          break;
        case Part::Effect::matrix:
          effects.resize(length);
          effects[t].push_back(&effect);
          break;
      }
    }
  }
}

}  // namespace bylaw
