// What the binding files share. They check and convert; the kernels do the work.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

namespace nb = nanobind;

namespace lawful {

template <typename T, typename Shape>
using In = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;

using Vector = In<double, nb::ndim<1>>;
using Matrix = In<double, nb::ndim<2>>;
using Cube = In<double, nb::ndim<3>>;

inline void require(bool condition, const char* message) {
  if (!condition) throw nb::value_error(message);
}

template <typename T, typename Shape>
std::vector<T> copied(const In<T, Shape>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// A numpy array that owns a vector.
template <typename T, typename Allocator>
nb::object owned_array(std::vector<T, Allocator> values) {
  auto* owned = new std::vector<T, Allocator>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T, Allocator>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// The same, read-only in Python.
template <typename T>
nb::object frozen_array(std::vector<T> values) {
  auto* owned = new std::vector<T>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

void bind_limits(nb::module_& m);
void bind_part(nb::module_& m);
void bind_trellis(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_binding(nb::module_& m);
void bind_binder(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_sums(nb::module_& m);
void bind_solvers(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_features(nb::module_& m);
void bind_feature_templates(nb::module_& m);
void bind_token_rows(nb::module_& m);
void bind_linear(nb::module_& m);
void bind_linear_training(nb::module_& m);
void bind_linear_online(nb::module_& m);
void bind_linear_tagging(nb::module_& m);
void bind_perceptron(nb::module_& m);
void bind_local_learning(nb::module_& m);
void bind_semi_crf(nb::module_& m);
void bind_segment_scores(nb::module_& m);
void bind_string_parser(nb::module_& m);
void bind_label_numbers(nb::module_& m);
void bind_resampling(nb::module_& m);

}  // namespace lawful
