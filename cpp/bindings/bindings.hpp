// What the binding files share. They check and convert; the kernels do the work.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

namespace nb = nanobind;

namespace lawful {

template <typename T, typename Shape>
using In = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;

using Vector = In<double, nb::ndim<1>>;
using Matrix = In<double, nb::ndim<2>>;
using Cube = In<double, nb::ndim<3>>;

void bind_part(nb::module_& m);
void bind_trellis(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_binding(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_sums(nb::module_& m);
void bind_search(nb::module_& m);
void bind_columns(nb::module_& m);
void bind_features(nb::module_& m);
void bind_feature_templates(nb::module_& m);
void bind_crf(nb::module_& m);
void bind_crf_training(nb::module_& m);
void bind_crf_online(nb::module_& m);
void bind_crf_tagging(nb::module_& m);
void bind_perceptron(nb::module_& m);
void bind_local_learning(nb::module_& m);
void bind_semi_crf(nb::module_& m);

}  // namespace lawful
