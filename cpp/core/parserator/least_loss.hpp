// What it costs at least to obey: the package raises no error only if some token near a repeated field has another label.
#pragma once

#include <vector>

#include "core/parserator/field_names.hpp"

namespace lawful {

// A field that fills two runs of tokens has a token in the first, one between and one in the second. Labels that obey take the
// field from the first or from the last, or give it to the one between, or switch to a level on which the labels mean something
// else. Each of these costs what the best labels through it cost, whatever the others do.
class LeastLoss {
 public:
  explicit LeastLoss(const FieldNames& names);

  // Whether anything can be told: fields that interrupt others, or whose level depends on what was filled, are too hard.
  bool can_tell() const { return can_tell_; }

  // A number that no labels that obey fall short of, as loss against the best ones, which are `labels`.
  // through: (length, stride), the score of the best labels that have a label at a position.
  double of(const double* through, int length, int stride, const int32_t* labels);

 private:
  struct Stretch {
    int first, last;   // positions that the field is looked at in: [first, last)
    std::size_t level;
    bool anywhere;     // the field is filled by the same labels on every level
  };
  double of_field(int32_t field, const Stretch& stretch, int length);
  bool same_on_all_levels(int32_t field) const;
  template <typename Has>
  double without(int t, const Has& has) const;  // the loss of all labels for which has(label) does not hold at t
  int32_t field_of(std::size_t level, std::size_t label) const { return names_.fields[level * labels_ + label]; }

  const FieldNames& names_;
  std::size_t labels_, levels_;
  bool can_tell_;
  FieldReader reader_;
  const double* through_ = nullptr;
  int stride_ = 0;
  double best_ = 0;
  std::vector<double> taken_, before_, switched_;
  std::vector<char> asked_;  // by field
};

}  // namespace lawful
