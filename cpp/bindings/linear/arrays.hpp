// What the bindings of linear models share: arrays of a corpus that stay alive with the object that reads them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bindings/bindings.hpp"
#include "core/linear/layout.hpp"

namespace lawful {

using Ids = In<int32_t, nb::ndim<1>>;
using Offsets = In<int64_t, nb::ndim<1>>;

struct LinearSequences {
  Offsets sequence_offsets, item_offsets;
  Ids attributes;
  std::optional<Vector> values;
  int64_t size;
  Sequences view;

  LinearSequences(Offsets sequence_offsets, Offsets item_offsets, Ids attributes, std::optional<Vector> values, int64_t size);
};

using Corpus = std::shared_ptr<LinearSequences>;

// A numpy array of this shape that owns a vector.
template <typename T>
nb::object table_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}

// One label a position, each below K; returns the data.
const int32_t* checked_labels(const Ids& labels, const LinearSequences& data, int count);
const Sequences* checked_pairs(const Corpus& pairs, const LinearSequences& data);
const double* checked_weights(const Vector& weights, const LinearLayout& layout);

}  // namespace lawful
