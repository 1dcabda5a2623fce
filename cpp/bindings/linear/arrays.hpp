// What the CRF bindings share: arrays of a corpus that stay alive with the object that reads them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bindings/bindings.hpp"
#include "core/linear/layout.hpp"

namespace lawful {

using Ids = In<int32_t, nb::ndim<1>>;
using Offsets = In<int64_t, nb::ndim<1>>;

struct CrfSequences {
  Offsets sequence_offsets, item_offsets;
  Ids attributes;
  std::optional<Vector> values;
  int64_t size;
  Sequences view;

  CrfSequences(Offsets sequence_offsets, Offsets item_offsets, Ids attributes, std::optional<Vector> values, int64_t size);
};

using Corpus = std::shared_ptr<CrfSequences>;

inline void require(bool condition, const char* message) {
  if (!condition) throw nb::value_error(message);
}

// A numpy array that owns a vector.
template <typename T, typename Allocator>
nb::object owned_array(std::vector<T, Allocator> values) {
  auto* owned = new std::vector<T, Allocator>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T, Allocator>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// The same with a shape of its own.
template <typename T>
nb::object table_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}

template <typename T, typename Shape>
std::vector<T> copied(const In<T, Shape>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// One label a position, each below K; returns the data.
const int32_t* checked_labels(const Ids& labels, const CrfSequences& data, int count);
const Sequences* checked_pairs(const Corpus& pairs, const CrfSequences& data);
const double* checked_weights(const Vector& weights, const CrfLayout& layout);

}  // namespace lawful
