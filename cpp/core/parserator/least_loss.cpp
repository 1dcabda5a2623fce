#include "core/parserator/least_loss.hpp"

#include <algorithm>
#include <limits>

namespace lawful {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

LeastLoss::LeastLoss(const FieldNames& names)
    : names_(names), labels_(names.level.size()), levels_(labels_ ? names.fields.size() / labels_ : 0), reader_(names) {
  can_tell_ = !names.only_repeated && std::find(names.interrupts.begin(), names.interrupts.end(), 1) == names.interrupts.end();
}

double LeastLoss::of(const double* through, int length, int stride, const int32_t* labels) {
  through_ = through;
  stride_ = stride;
  best_ = *std::max_element(through, through + labels_);
  asked_.assign(names_.interrupts.size(), 0);
  reader_.start();
  double least = 0;
  std::size_t level = 0;
  int since = 0;  // where this level began
  for (int t = 0; t < length; ++t) {
    if (names_.level[labels[t]] > level) {
      level = names_.level[labels[t]];
      since = t;
    }
    const Field read = reader_.read(labels[t]);
    if (!read.raises || asked_[read.field]) continue;
    asked_[read.field] = 1;
    Stretch stretch{0, length, level, same_on_all_levels(read.field)};
    if (!stretch.anywhere) {
      stretch.first = since;
      stretch.last = t + 1;
      while (stretch.last < length && names_.level[labels[stretch.last]] <= level) ++stretch.last;
    }
    least = std::max(least, of_field(read.field, stretch, length));
  }
  return least;
}

double LeastLoss::of_field(int32_t field, const Stretch& stretch, int length) {
  const auto fills = [&](std::size_t label) { return field_of(stretch.level, label) == field; };
  const auto other = [&](std::size_t label) { return !fills(label); };
  const auto lower = [&](std::size_t label) { return names_.level[label] <= stretch.level; };
  // taken_[t]: the loss of another field at t; before_[t]: the most of these up to t.
  taken_.assign(length, 0.0);
  before_.assign(length, 0.0);
  switched_.assign(length, kInfinity);  // the loss of a higher level up to t
  for (int t = 0; t < stretch.last && !stretch.anywhere; ++t)
    switched_[t] = std::min(t ? switched_[t - 1] : kInfinity, without(t, lower));
  for (int t = stretch.first; t < stretch.last; ++t) {
    taken_[t] = without(t, fills);
    before_[t] = t > stretch.first ? std::max(before_[t - 1], taken_[t]) : taken_[t];
  }
  double least = 0, after = 0;  // after: the most behind the token between
  for (int t = stretch.last - 1; t > stretch.first; --t) {
    if (std::min(before_[t - 1], after) > least) least = std::max(least, std::min({before_[t - 1], after, without(t, other)}));
    after = std::max(after, std::min(taken_[t], switched_[t]));
  }
  if (!stretch.anywhere && stretch.level > 0)
    least = std::min(least, without(stretch.first, [&](std::size_t label) { return names_.level[label] >= stretch.level; }));
  return least;
}

bool LeastLoss::same_on_all_levels(int32_t field) const {
  for (std::size_t level = 1; level < levels_; ++level)
    for (std::size_t label = 0; label < labels_; ++label)
      if ((field_of(level, label) == field) != (field_of(0, label) == field)) return false;
  return true;
}

template <typename Has>
double LeastLoss::without(int t, const Has& has) const {
  const double* row = through_ + static_cast<int64_t>(t) * stride_;
  double score = -kInfinity;
  for (std::size_t label = 0; label < labels_; ++label)
    if (!has(label)) score = std::max(score, row[label]);
  return best_ - score;
}

}  // namespace lawful
