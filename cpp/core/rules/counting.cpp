#include "core/rules/counting.hpp"

#include "core/rules/count.hpp"

namespace lawful {

std::vector<int64_t> count_violations(const Binder& binder, const Examples& examples, const Labellings& given, int64_t* counts) {
  std::vector<int64_t> left;
  Binding own(0);
  const int32_t* labels = given.labels;
  for (int64_t n = 0; n < examples.count(); ++n) {
    const int length = examples.length(n);
    auto count = [&](const Part& part, const uint16_t* kinds) {
      if (part.labels <= given.most || part.rule >= given.rules) return false;
      for (int64_t row = 0; row < given.rows[n]; ++row)
        counts[row * given.rules + part.rule] += count_violations(part, kinds, labels + row * length, length);
      return true;
    };
    bool counted = binder.tie(examples, n, own);
    for (std::size_t p = 0; counted && p < binder.common->parts.size(); ++p) counted = count(*binder.common->parts[p], nullptr);
    for (std::size_t p = 0; counted && p < own.parts.size(); ++p) counted = count(*own.parts[p], own.kinds(p));
    if (!counted) left.push_back(n);
    labels += given.rows[n] * length;
    counts += given.rows[n] * given.rules;
  }
  return left;
}

}  // namespace lawful
