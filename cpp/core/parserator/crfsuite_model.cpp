#include "core/parserator/crfsuite_model.hpp"

#include <algorithm>

#include "core/kernels/max_plus.hpp"

namespace lawful {
namespace {

constexpr int64_t kFew = 6;  // weights that are added one by one; more go as a row

}  // namespace

CrfsuiteModel::CrfsuiteModel(const std::vector<std::string_view>& names, int labels, const Arrays& arrays)
    : labels_(labels), stride_(padded(labels)) {
  constexpr std::string_view kPrefixes[] = {"", "previous:", "next:"};
  for (std::size_t attribute = 0; attribute < names.size(); ++attribute) {
    std::string_view name = names[attribute];
    const Face face = name.starts_with(kPrefixes[kPrevious]) ? kPrevious : name.starts_with(kPrefixes[kNext]) ? kNext : kOwn;
    name.remove_prefix(kPrefixes[face].size());
    const int32_t id = names_.add(name);
    if (rows_.size() < static_cast<std::size_t>(id + 1) * kFaces) rows_.resize(static_cast<std::size_t>(id + 1) * kFaces);
    Row& row = rows_[static_cast<std::size_t>(id) * kFaces + face];
    const int64_t start = arrays.row_starts[attribute], count = arrays.row_starts[attribute + 1] - start;
    row.count = static_cast<int32_t>(count);
    row.whole = count > kFew;
    if (row.whole) {
      row.start = static_cast<int32_t>(whole_rows_.size());
      whole_rows_.resize(whole_rows_.size() + stride_, 0.0);
      for (int64_t f = start; f < start + count; ++f) whole_rows_[row.start + arrays.targets[f]] = arrays.weights[f];
    } else {
      row.start = static_cast<int32_t>(weights_.size());
      for (int64_t f = start; f < start + count; ++f) {
        targets_.push_back(static_cast<int32_t>(arrays.targets[f]));
        weights_.push_back(arrays.weights[f]);
      }
    }
  }
  from_.assign(static_cast<std::size_t>(labels) * stride_, kForbidden);
  into_ = from_;
  for (int i = 0; i < labels; ++i)
    for (int j = 0; j < labels; ++j) {
      from_[i * stride_ + j] = arrays.transitions[i * labels + j];
      into_[j * stride_ + i] = arrays.transitions[i * labels + j];
    }
}

void CrfsuiteModel::add(Face face, const Shown& shown, double* row) const {
  const Row& of = rows_[static_cast<std::size_t>(shown.name) * kFaces + face];
  if (of.whole) {  // zeros change nothing
    const double* whole = whole_rows_.data() + of.start;
    const double value = shown.value;
    for (int k = 0; k < stride_; ++k) row[k] += whole[k] * value;
  } else {
    for (int32_t f = of.start; f < of.start + of.count; ++f) row[targets_[f]] += weights_[f] * shown.value;
  }
}

void CrfsuiteModel::tag(const double* emissions, int length, Room& room, int32_t* labels) const {
  // CRFsuite goes forward and follows pointers back: our kernels with time reversed, and so with sources for targets.
  Step step{into_.data(), from_.data(), nullptr};
  std::vector<Step> steps(length, step);
  room.rows.resize(length);
  room.reach.resize(static_cast<std::size_t>(length) * stride_);
  room.path.resize(length);
  for (int t = 0; t < length; ++t) room.rows[length - 1 - t] = emissions + static_cast<int64_t>(t) * stride_;
  kernels().complete(room.rows.data(), steps.data(), room.reach.data(), nullptr, length, labels_, stride_);
  kernels().follow(steps.data(), room.reach.data(), nullptr, room.path.data(), length, stride_);
  std::reverse_copy(room.path.begin(), room.path.end(), labels);
}

void CrfsuiteModel::best_through(const double* emissions, int length, Room& room, Doubles& through) const {
  const auto size = static_cast<std::size_t>(length) * stride_;
  const std::vector<Step> onward(length, Step{from_.data(), into_.data(), nullptr}),
      back(length, Step{into_.data(), from_.data(), nullptr});
  room.rows.resize(length);
  room.reach.resize(size);
  through.resize(size);
  for (int t = 0; t < length; ++t) room.rows[t] = emissions + static_cast<int64_t>(t) * stride_;
  kernels().complete(room.rows.data(), onward.data(), through.data(), nullptr, length, labels_, stride_);
  std::reverse(room.rows.begin(), room.rows.end());
  kernels().complete(room.rows.data(), back.data(), room.reach.data(), nullptr, length, labels_, stride_);
  for (int t = 0; t < length; ++t) {
    double* row = through.data() + static_cast<std::size_t>(t) * stride_;
    const double* so_far = room.reach.data() + static_cast<std::size_t>(length - 1 - t) * stride_;
    const double* here = emissions + static_cast<std::size_t>(t) * stride_;
    for (int k = 0; k < labels_; ++k) row[k] += so_far[k] - here[k];  // counted on both ways
  }
}

}  // namespace lawful
