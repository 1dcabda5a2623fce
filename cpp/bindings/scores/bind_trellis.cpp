#include <optional>

#include "bindings/bindings.hpp"
#include "core/scores/chain_sampler.hpp"
#include "core/scores/label_probabilities.hpp"
#include "core/scores/trellis.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

void require_legal(const double* scores, std::size_t n) {
  // The caller finds and names the position; here it only has to be fast.
  if (!scores_are_legal(scores, n)) throw nb::value_error("a score is NaN or +inf");
}

std::shared_ptr<const Transitions> make_transitions(const Cube& scores) {
  require_legal(scores.data(), scores.size());
  return Transitions::make(scores.data(), static_cast<int>(scores.shape(0)), static_cast<int>(scores.shape(1)));
}

std::shared_ptr<const Trellis> make_trellis(const Matrix& emissions, std::shared_ptr<const Transitions> transitions,
                                            const std::optional<Vector>& start, const std::optional<Vector>& end,
                                            const std::optional<In<bool, nb::ndim<2>>>& mask) {
  if (start) require_legal(start->data(), start->size());
  if (end) require_legal(end->data(), end->size());
  return Trellis::make(emissions.data(), static_cast<int>(emissions.shape(0)), static_cast<int>(emissions.shape(1)),
                       std::move(transitions), start ? start->data() : nullptr, end ? end->data() : nullptr,
                       mask ? reinterpret_cast<const uint8_t*>(mask->data()) : nullptr);
}

std::shared_ptr<const Reading> make_reading(const In<int32_t, nb::ndim<1>>& label_of, int labels) {
  for (std::size_t i = 0; i < label_of.size(); ++i)
    require(label_of.data()[i] >= 0 && label_of.data()[i] < labels, "a column stands for a label that does not exist");
  return Reading::make(copied(label_of), labels);
}

Doubles boundary_of(const std::optional<Vector>& scores, std::size_t columns) {
  if (!scores) return {};
  require(scores->size() == columns, "first and last must have a score per column");
  require_legal(scores->data(), columns);
  Doubles padded_scores(padded(static_cast<int>(columns)), kForbidden);
  std::copy(scores->data(), scores->data() + columns, padded_scores.begin());
  return padded_scores;
}

std::shared_ptr<Spreading> make_spreading(int tags, const In<int32_t, nb::ndim<1>>& tag_of,
                                          std::shared_ptr<const Transitions> transitions, const std::optional<Vector>& first,
                                          const std::optional<Vector>& last, std::shared_ptr<const Reading> reading) {
  const std::size_t columns = tag_of.size();
  require(static_cast<std::size_t>(reading->columns()) == columns, "every column needs a label");
  require(!transitions || transitions->labels == reading->columns(), "transitions must be between columns");
  for (std::size_t i = 0; i < columns; ++i)
    require(tag_of.data()[i] >= 0 && tag_of.data()[i] < tags, "a column is a tag that does not exist");
  auto result = std::make_shared<Spreading>();
  *result = {
      tags, copied(tag_of), std::move(transitions), boundary_of(first, columns), boundary_of(last, columns), std::move(reading)};
  return result;
}

std::shared_ptr<const Trellis> spread(const Spreading& spreading, const Trellis& tags, const std::optional<Vector>& start,
                                      const std::optional<Vector>& end, const std::optional<In<bool, nb::ndim<2>>>& mask) {
  const auto columns = static_cast<std::size_t>(spreading.columns());
  const auto& steps = spreading.transitions;
  require(tags.labels == spreading.tags, "the trellis has other tags");
  require(tags.length == 1 || !steps || steps->matrices == 1 || steps->matrices == tags.length - 1,
          "the trellis has another number of steps");
  require((!start || start->size() == columns) && (!end || end->size() == columns), "start and end must have a score per column");
  require(!mask || (mask->shape(0) == static_cast<std::size_t>(tags.length) && mask->shape(1) == columns),
          "the mask must have a row per token and a cell per column");
  if (start) require_legal(start->data(), columns);
  if (end) require_legal(end->data(), columns);
  return Trellis::spread(tags, spreading, start ? start->data() : nullptr, end ? end->data() : nullptr,
                         mask ? reinterpret_cast<const uint8_t*>(mask->data()) : nullptr);
}

// A read-only array that keeps its owner alive; rows are `stride` apart.
nb::object view(const double* data, std::initializer_list<std::size_t> shape, std::initializer_list<int64_t> strides,
                nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const double>(data, shape, owner, strides));
}

nb::object sample_array(const ChainSampler& self, const Matrix& uniforms) {
  const std::size_t count = uniforms.shape(0), width = uniforms.shape(1), length = self.length();
  require(width >= length, "a labelling takes a number for each position");
  std::vector<int32_t> labels(count * length);
  {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < count; ++i) self.sample(uniforms.data() + i * width, labels.data() + i * length);
  }
  return owned_array(std::move(labels));
}

}  // namespace

void bind_trellis(nb::module_& m) {
  m.attr("MOST_SCORE") = kMostScore;
  nb::class_<Transitions>(m, "Transitions", "Transition scores, laid out for the kernels; shared by many trellises.")
      .def(nb::new_(&make_transitions), nb::arg("scores"))
      .def_ro("labels", &Transitions::labels)
      .def_ro("matrices", &Transitions::matrices)
      .def_prop_ro(
          "scores",
          [](nb::handle self) {
            const auto& t = nb::cast<const Transitions&>(self);
            const auto k = static_cast<std::size_t>(t.labels);
            return view(t.forward.data(), {static_cast<std::size_t>(t.matrices), k, k},
                        {static_cast<int64_t>(t.matrix_size()), t.stride, 1}, self);
          },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float64]"));
  nb::class_<Reading>(m, "Reading", "What the columns of a trellis are read as: several may stand for one label.")
      .def(nb::new_(&make_reading), nb::arg("label_of"), nb::arg("labels"));
  nb::class_<Trellis>(m, "Trellis", "The scores of one sequence, copied and padded for the kernels.")
      .def(nb::new_(&make_trellis), nb::arg("emissions"), nb::arg("transitions").none(), nb::arg("start").none(),
           nb::arg("end").none(), nb::arg("mask").none())
      .def_ro("length", &Trellis::length)
      .def_ro("magnitude", &Trellis::magnitude, "No path's scores add up to more than this, signs ignored.")
      .def_ro("labels", &Trellis::labels)
      .def_prop_ro(
          "emissions",
          [](nb::handle self) {
            const auto& t = nb::cast<const Trellis&>(self);
            return view(t.emissions.data(), {static_cast<std::size_t>(t.length), static_cast<std::size_t>(t.labels)},
                        {t.stride, 1}, self);
          },
          nb::sig("def emissions(self) -> numpy.typing.NDArray[numpy.float64]"));
  m.def(
      "label_probabilities",
      [](const Trellis& trellis) -> nb::object {
        std::optional<std::vector<double>> found;
        {
          const nb::gil_scoped_release released;
          found = label_probabilities(trellis);
        }
        return found ? owned_array(std::move(*found)) : nb::none();
      },
      nb::arg("trellis"), nb::sig("def label_probabilities(trellis: Trellis) -> numpy.typing.NDArray[numpy.float64] | None"),
      "The probability of each label at each position (T * K); None where scaled sums will not do.");
  nb::class_<ChainSampler>(m, "ChainSampler", "Draws labellings of a trellis, without rules and without a graph.")
      .def_static("of", &ChainSampler::of, nb::arg("trellis"), "None where scaled sums will not do.")
      .def_prop_ro("length", &ChainSampler::length)
      .def_prop_ro("log_partition", &ChainSampler::log_partition)
      .def(
          "log_probability",
          [](const ChainSampler& self, const Trellis& trellis, const In<int32_t, nb::ndim<1>>& labels) {
            require(trellis.length == self.length() && labels.size() == static_cast<std::size_t>(trellis.length),
                    "the trellis or the labels have another length");
            for (std::size_t t = 0; t < labels.size(); ++t)
              require(labels.data()[t] >= 0 && labels.data()[t] < trellis.labels, "there is no such label");
            return path_score(trellis, labels.data()) - self.log_partition();
          },
          nb::arg("trellis"), nb::arg("labels"), "Of a labelling of the trellis that it was made of.")
      .def("sample_array", &sample_array, nb::arg("uniforms"),
           nb::sig("def sample_array(self, uniforms: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int32]"),
           "A labelling for each row of numbers in [0, 1), all of them end to end.");
  nb::class_<Spreading>(m, "Spreading", "Columns to spread trellises over: each is a tag, and is read as a label.")
      .def(nb::new_(&make_spreading), nb::arg("tags"), nb::arg("tag_of"), nb::arg("transitions").none(), nb::arg("first").none(),
           nb::arg("last").none(), nb::arg("reading"))
      .def("__call__", &spread, nb::arg("tags"), nb::arg("start").none() = nb::none(), nb::arg("end").none() = nb::none(),
           nb::arg("mask").none() = nb::none(), "The same emissions in these columns.");
}

}  // namespace lawful
