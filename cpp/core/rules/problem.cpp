#include "core/rules/problem.hpp"

#include <algorithm>
#include <stdexcept>

namespace lawful {

std::shared_ptr<const Problem> Problem::make(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                             std::shared_ptr<const Binding> own) {
  auto problem = std::make_shared<Problem>();
  problem->remake(std::move(trellis), std::move(common), std::move(own));
  return problem;
}

void Problem::remake(std::shared_ptr<const Trellis> scores, std::shared_ptr<const PartSet> common_parts,
                     std::shared_ptr<const Binding> own) {
  trellis = std::move(scores);
  common = std::move(common_parts);
  own_ = std::move(own);
  parts.clear();
  searched.clear();
  unbundled.clear();
  additions.clear();
  stays.clear();
  effects.clear();
  const auto& own_parts = own_->parts;
  parts.reserve(common->parts.size() + own_parts.size());
  for (const auto& part : common->parts) parts.push_back({part.get(), nullptr});
  for (std::size_t p = 0; p < own_parts.size(); ++p) parts.push_back({own_parts[p].get(), own_->kinds(p)});
  double charges = 0;
  for (const BoundPart& bound : parts) charges += bound.part->most_charge(trellis->length);
  if (!(charges <= kMostScore)) throw std::overflow_error("the prices that a path pays could add up to more than 1e302");
  searched.reserve(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].part->local) continue;
    searched.push_back(static_cast<int32_t>(p));
    if (p >= common->parts.size()) unbundled.push_back(static_cast<int32_t>(p));
  }
  fold();
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
  static constexpr std::size_t kLine = 64, kMost = 4096;  // bytes: of longer sequences the processor itself asks ahead
  auto ask = [](const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < std::min(bytes, kMost); at += kLine) __builtin_prefetch(static_cast<const char*>(from) + at);
  };
  auto ask_for = [&](const auto& values) { ask(values.data(), values.size() * sizeof values[0]); };
  if (step == 0) ask(this, sizeof *this);
  if (step == 1) {
    ask(trellis.get(), sizeof *trellis);
    ask_for(parts);
    ask_for(searched);
    ask_for(unbundled);
    ask_for(additions);
    ask_for(stays);
    ask_for(effects);
  }
  if (step == 2) {
    // Passes begin at the end.
    const std::size_t size = trellis->emissions.size(), last = std::min(size, kMost / sizeof(double));
    ask(trellis->emissions.data() + size - last, last * sizeof(double));
    if (!parts.empty() && parts.back().kinds) ask(parts.back().kinds, trellis->length * sizeof(uint16_t));
  }
}

void Problem::read_path(int32_t* path) const {
  if (!trellis->reading) return;
  for (int t = 0; t < trellis->length; ++t) path[t] = trellis->reading->label_of[path[t]];
}

void Problem::fold() {
  const int length = trellis->length, stride = trellis->stride;
  for (const BoundPart& bound : parts) {
    const Part& part = *bound.part;
    if (!part.local) continue;
    const int first = bound.kind(0), last = bound.kind(length - 1);
    if (part.touches_first[first]) additions.push_back({0, part.first.data() + static_cast<std::size_t>(first) * stride});
    if (part.touches_last) additions.push_back({length - 1, part.last.data() + static_cast<std::size_t>(last) * stride});
    if (!bound.kinds && part.effect_types[0] == Part::Effect::nothing) continue;
    for (int t = 1; t < length; ++t) {
      const int at = bound.kind(t - 1) * part.kinds + bound.kind(t);
      switch (part.effect_types[at]) {
        case Part::Effect::nothing: break;
        case Part::Effect::per_target: additions.push_back({t, part.effects[at].forward.data()}); break;
        case Part::Effect::stay:
          stays.resize(length, 0);
          stays[t] = 1;
          break;
        case Part::Effect::matrix: effects.push_back({t, &part.effects[at]}); break;
      }
    }
  }
  auto earlier = [](const StepEffect& a, const StepEffect& b) { return a.t < b.t; };
  if (!std::is_sorted(effects.begin(), effects.end(), earlier)) std::stable_sort(effects.begin(), effects.end(), earlier);
}

}  // namespace lawful
