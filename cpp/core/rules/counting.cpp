#include "core/rules/counting.hpp"

#include <algorithm>

#include "core/rules/count.hpp"

namespace lawful {

std::vector<int64_t> count_violations(const Binder& binder, const Examples& examples, const Labellings& given, int64_t* counts) {
  std::vector<int64_t> left;
  const PartSet& common = *binder.common;
  Binding own(0);
  const int32_t* labels = given.labels;
  for (int64_t n = 0; n < examples.count(); ++n) {
    if (given.rows[n] == 0) continue;  // then the rules need not be tied
    const int length = examples.length(n);
    auto can_count = [&](const auto& part) {
      return given.most < part->labels && part->rule < given.rules;
    };
    if (!binder.tie(examples, n, own) || !std::all_of(common.parts.begin(), common.parts.end(), can_count) ||
        !std::all_of(own.parts.begin(), own.parts.end(), can_count))
      left.push_back(n);
    else
      for (int64_t row = 0; row < given.rows[n]; ++row) {
        const int32_t* path = labels + row * length;
        auto count = [&](const Part& part, const uint16_t* kinds) {
          counts[row * given.rules + part.rule] += count_violations(part, kinds, path, length);
        };
        common.count(path, length, [&](int32_t p, int64_t violations) {
          counts[row * given.rules + common.parts[p]->rule] += violations;
        });
        for (const int32_t p : common.unbundled) count(*common.parts[p], nullptr);
        for (const int32_t p : common.folded) count(*common.parts[p], nullptr);
        for (std::size_t p = 0; p < own.parts.size(); ++p) count(*own.parts[p], own.kinds(p));
      }
    labels += given.rows[n] * length;
    counts += given.rows[n] * given.rules;
  }
  return left;
}

}  // namespace lawful
