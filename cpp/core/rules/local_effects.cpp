#include "core/rules/local_effects.hpp"

#include <algorithm>

#include "core/rules/marked_tokens.hpp"

namespace lawful {

void LocalEffects::clear() {
  additions.clear();
  stays.clear();
  effects.clear();
}

void LocalEffects::sort() {
  auto earlier = [](const StepEffect& a, const StepEffect& b) { return a.t < b.t; };
  if (!std::is_sorted(effects.begin(), effects.end(), earlier)) std::stable_sort(effects.begin(), effects.end(), earlier);
}

[[gnu::always_inline]] inline void LocalEffects::add_step(const Part& part, int t, int before, int now, int length) {
  const int at = before * part.kinds + now;
  switch (part.effect_types[at]) {
    case Part::Effect::nothing: break;
    case Part::Effect::per_target: additions.push_back({t, t + 1, part.effects[at].forward.data()}); break;
    case Part::Effect::stay:
      stays.resize(length, 0);
      stays[t] = 1;
      break;
    case Part::Effect::matrix: effects.push_back({t, &part.effects[at]}); break;
  }
}

void LocalEffects::add(const BoundPart& bound, int length, int stride) {
  const Part& part = *bound.part;
  const uint16_t* kinds = bound.kinds;
  const int first = bound.kind(0), last = bound.kind(length - 1);
  if (part.touches_first[first]) additions.push_back({0, 1, part.first.data() + static_cast<std::size_t>(first) * stride});
  if (part.touches_last)
    additions.push_back({length - 1, length, part.last.data() + static_cast<std::size_t>(last) * stride});
  const Part::Effect::Type usual = part.effect_types[0];
  if (!kinds) {
    if (usual == Part::Effect::nothing) return;
    if (usual == Part::Effect::per_target) {
      if (length > 1) additions.push_back({1, length, part.effects[0].forward.data()});
    } else {
      for (int t = 1; t < length; ++t) add_step(part, t, 0, 0, length);
    }
  } else if (part.only_stays) {  // no branch: where a span begins cannot be guessed
    stays.resize(length, 0);
    const uint64_t pairs = part.staying_pairs;
    const int count = part.kinds;
    uint8_t* const stay = stays.data();
    for (int t = 1, before = kinds[0]; t < length; ++t) {
      const int now = kinds[t];
      stay[t] |= static_cast<uint8_t>(pairs >> (before * count + now) & 1);
      before = now;
    }
  } else if (usual == Part::Effect::nothing) {
    int done = 0;  // the last step that was looked at
    for_each_marked(kinds, length, [&](int t) {
      if (t > done) add_step(part, t, kinds[t - 1], kinds[t], length);
      done = std::min(t + 1, length - 1);
      if (t + 1 < length) add_step(part, t + 1, kinds[t], kinds[t + 1], length);
    });
  } else {
    for (int t = 1; t < length; ++t) add_step(part, t, kinds[t - 1], kinds[t], length);
  }
}

}  // namespace lawful
