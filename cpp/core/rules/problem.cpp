#include "core/rules/problem.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/rules/marked_tokens.hpp"
#include "core/support/ask_for.hpp"

namespace lawful {

std::shared_ptr<const Problem> Problem::make(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own) {
  auto problem = std::make_shared<Problem>();
  problem->remake(trellis, common, own);
  return problem;
}

void Problem::remake(const std::shared_ptr<const Trellis>& scores, const std::shared_ptr<const PartSet>& common_parts,
                     const std::shared_ptr<const Binding>& own) {
  // Most of it is that of the problem before, and pointers that threads share are not touched without need.
  if (trellis != scores) trellis = scores;
  if (own_ != own) own_ = own;
  if (common != common_parts) {
    common = common_parts;
    parts = common->bound;
    searched = common->searched;
  }
  parts.resize(common->bound.size());
  searched.resize(common->searched.size());
  unbundled.clear();
  additions.clear();
  stays.clear();
  effects.clear();
  for (const int32_t p : common->folded) fold(parts[p]);
  double charges = common->most_charge(trellis->length);
  const auto& own_parts = own_->parts;
  parts.reserve(parts.size() + own_parts.size());
  for (std::size_t p = 0; p < own_parts.size(); ++p) {
    const auto index = static_cast<int32_t>(parts.size());
    parts.push_back({own_parts[p], own_->kinds(p)});
    charges += own_parts[p]->most_charge(trellis->length);
    if (own_parts[p]->local) {
      fold(parts.back());
    } else {
      searched.push_back(index);
      unbundled.push_back(index);
    }
  }
  if (!(charges <= kMostScore)) throw std::overflow_error("the prices that a path pays could add up to more than 1e302");
  auto earlier = [](const StepEffect& a, const StepEffect& b) { return a.t < b.t; };
  if (!std::is_sorted(effects.begin(), effects.end(), earlier)) std::stable_sort(effects.begin(), effects.end(), earlier);
}

std::shared_ptr<const Problem> Problem::read(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own) {
  if (trellis->reading) {
    common = common->read_through(*trellis->reading);
    if (!own->parts.empty()) own = own->read_through(*trellis->reading);
  }
  return make(std::move(trellis), std::move(common), std::move(own));
}

void Problem::fetch(int step) const {
  auto all_of = [](const auto& values) { ask_for(values.data(), values.size() * sizeof values[0]); };
  if (step == 0) ask_for(this, sizeof *this);
  if (step == 1) {
    trellis->fetch(0);
    all_of(parts);
    all_of(searched);
    all_of(unbundled);
    all_of(additions);
    all_of(stays);
    all_of(effects);
  }
  if (step == 2) {
    trellis->fetch(1);
    if (!parts.empty() && parts.back().kinds) ask_for(parts.back().kinds, trellis->length * sizeof(uint16_t));
  }
}

void Problem::read_path(int32_t* path) const {
  if (!trellis->reading) return;
  for (int t = 0; t < trellis->length; ++t) path[t] = trellis->reading->label_of[path[t]];
}

[[gnu::always_inline]] inline void Problem::fold_step(const Part& part, int t, int before, int now) {
  const int at = before * part.kinds + now;
  switch (part.effect_types[at]) {
    case Part::Effect::nothing: break;
    case Part::Effect::per_target: additions.push_back({t, part.effects[at].forward.data()}); break;
    case Part::Effect::stay:
      stays.resize(trellis->length, 0);
      stays[t] = 1;
      break;
    case Part::Effect::matrix: effects.push_back({t, &part.effects[at]}); break;
  }
}

void Problem::fold(const BoundPart& bound) {
  const Part& part = *bound.part;
  const uint16_t* kinds = bound.kinds;
  const int length = trellis->length, stride = trellis->stride;
  const int first = bound.kind(0), last = bound.kind(length - 1);
  if (part.touches_first[first]) additions.push_back({0, part.first.data() + static_cast<std::size_t>(first) * stride});
  if (part.touches_last) additions.push_back({length - 1, part.last.data() + static_cast<std::size_t>(last) * stride});
  const Part::Effect::Type usual = part.effect_types[0];
  if (!kinds) {
    if (usual == Part::Effect::nothing) return;
    if (usual == Part::Effect::per_target) {
      const double* row = part.effects[0].forward.data();
      additions.reserve(additions.size() + length);
      for (int t = 1; t < length; ++t) additions.push_back({t, row});
    } else {
      for (int t = 1; t < length; ++t) fold_step(part, t, 0, 0);
    }
  } else if (part.only_stays) {  // no branch: where a span begins cannot be guessed
    stays.resize(length, 0);
    const Part::Effect::Type* const types = part.effect_types.data();
    const int count = part.kinds;
    uint8_t* const stay = stays.data();
    for (int t = 1, before = kinds[0]; t < length; ++t) {
      const int now = kinds[t];
      stay[t] |= static_cast<uint8_t>(types[before * count + now] == Part::Effect::stay);
      before = now;
    }
  } else if (usual == Part::Effect::nothing) {
    int done = 0;  // the last step that was looked at
    for_each_marked(kinds, length, [&](int t) {
      if (t > done) fold_step(part, t, kinds[t - 1], kinds[t]);
      done = std::min(t + 1, length - 1);
      if (t + 1 < length) fold_step(part, t + 1, kinds[t], kinds[t + 1]);
    });
  } else {
    for (int t = 1; t < length; ++t) fold_step(part, t, kinds[t - 1], kinds[t]);
  }
}

}  // namespace lawful
