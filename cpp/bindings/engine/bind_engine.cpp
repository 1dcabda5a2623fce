#include <algorithm>
#include <memory>

#include "bindings/bindings.hpp"
#include "bindings/rules/python_examples.hpp"
#include "core/engine/batch.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

// The same Python objects as without `typed`; the stub says what they hold.
using Integers = nb::typed<nb::list, int64_t>;
using Entered = nb::typed<nb::tuple, int64_t, nb::ellipsis>;
using Rounds = nb::typed<nb::list, nb::typed<nb::tuple, Entered, double, int64_t, int64_t>>;

std::shared_ptr<const PartSet> make_part_set(const nb::typed<nb::sequence, Part>& parts) {
  std::vector<std::shared_ptr<const Part>> common;
  for (const nb::handle part : parts) {
    common.push_back(nb::cast<std::shared_ptr<const Part>>(part));
    if (common.back()->kinds != 1) throw nb::value_error("a part that looks at tokens cannot be common to all sequences");
    if (common.back()->labels != common.front()->labels) throw nb::value_error("the parts read different numbers of labels");
  }
  return PartSet::make(std::move(common));
}

std::shared_ptr<const Problem> make_problem(std::shared_ptr<const Trellis> trellis, std::shared_ptr<const PartSet> common,
                                            std::shared_ptr<const Binding> own) {
  auto fits = [&](const Part& part) {
    if (part.labels != trellis->read_labels())
      throw nb::value_error("a part reads another number of labels than the trellis has");
  };
  if (!common->parts.empty()) fits(*common->parts.front());
  for (const Part* part : own->parts) fits(*part);
  if (own->length != trellis->length) throw nb::value_error("the binding is for a sequence of another length");
  return Problem::read(std::move(trellis), std::move(common), std::move(own));
}

const std::shared_ptr<const Problem>& problem_at(const Problems& self, int64_t i) {
  if (i < 0 || i >= static_cast<int64_t>(self.items.size())) throw nb::index_error();
  return self.items[i];
}

void require_trellises(const PythonExamples& examples) {
  require(static_cast<int64_t>(examples.trellises.size()) == examples.examples.count() && examples.complete(),
          "the examples are not complete");
}

Integers extend_problems(Problems& self, const PythonExamples& examples, int threads) {
  require_trellises(examples);
  const std::size_t before = self.items.size();
  {
    const nb::gil_scoped_release released;
    make_problems(examples.trellises, examples.binder, examples.examples, threads, self);
  }
  Integers missing;
  for (std::size_t i = before; i < self.items.size(); ++i)
    if (!self.items[i]) missing.append(i);
  return missing;
}

std::shared_ptr<const Problem> problem_in(const PythonExamples& examples, int64_t i) {
  require_trellises(examples);
  if (i < 0 || i >= examples.examples.count()) throw nb::index_error();
  return problem_of(examples.trellises, examples.binder, examples.examples, i);
}

std::shared_ptr<Answers> decode_problems(const Problems& problems, const Limits& limits, int threads) {
  const nb::gil_scoped_release released;
  return std::make_shared<Answers>(decode_all(problems, limits, threads));
}

std::shared_ptr<Answers> decode_lattices(PythonExamples& examples, const Limits& limits, int threads) {
  require_trellises(examples);
  const nb::gil_scoped_release released;
  return std::make_shared<Answers>(decode_trellises(examples.trellises, *examples.binder, examples.examples, limits, threads));
}

std::shared_ptr<Answers> decode_arrays(PythonExamples& examples, const Matrix& emissions,
                                       std::shared_ptr<const Transitions> transitions, const std::optional<Vector>& start,
                                       const std::optional<Vector>& end, const Limits& limits, int threads) {
  const std::size_t labels = emissions.shape(1);
  require(static_cast<int64_t>(emissions.shape(0)) == examples.examples.offsets.back(), "emissions must have one row per token");
  require(!transitions || (static_cast<std::size_t>(transitions->labels) == labels && transitions->matrices == 1),
          "transitions must be one matrix for these labels");
  require((!start || start->size() == labels) && (!end || end->size() == labels), "start and end must have a score per label");
  require(examples.complete(), "the examples are not complete");
  const auto& offsets = examples.examples.offsets;
  require(std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end(), "a sequence must have a token");
  const FlatScores scores{emissions.data(), static_cast<int>(labels), std::move(transitions), start ? start->data() : nullptr,
                          end ? end->data() : nullptr};
  const nb::gil_scoped_release released;
  return std::make_shared<Answers>(decode_flat(scores, *examples.binder, examples.examples, limits, threads));
}

std::shared_ptr<Answers> decode_problem(const Problem& problem, const Limits& limits) {
  const nb::gil_scoped_release released;
  Problems alone;
  alone.append(problem.shared_from_this());
  return std::make_shared<Answers>(decode_all(alone, limits, 1));
}

const Engine::Answer& answer_at(const Answers& self, int64_t i) {
  if (i < 0 || i >= static_cast<int64_t>(self.answers.size())) throw nb::index_error();
  return self.answers[i];
}

// The labels of all sequences by name; no sequence may be without an answer.
nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::ellipsis>> name_labels(
    const Answers& self, const nb::typed<nb::tuple, nb::str, nb::ellipsis>& names) {
  for (const int32_t label : self.labels)
    if (label < 0 || label >= static_cast<int64_t>(names.size())) throw nb::value_error("a label has no name");
  nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::ellipsis>> result;
  for (std::size_t i = 0; i < self.answers.size(); ++i) {
    const int64_t from = self.label_offsets[i], count = self.label_offsets[i + 1] - from;
    const nb::object named = nb::steal(PyTuple_New(count));
    if (!named.is_valid()) throw nb::python_error();
    for (int64_t t = 0; t < count; ++t) {
      PyObject* name = PyTuple_GET_ITEM(names.ptr(), self.labels[from + t]);
      PyTuple_SET_ITEM(named.ptr(), t, nb::handle(name).inc_ref().ptr());
    }
    result.append(named);
  }
  return result;
}

nb::object array_of(const Answers& self, double Engine::Answer::* number) {
  std::vector<double> numbers;
  numbers.reserve(self.answers.size());
  for (const auto& answer : self.answers) numbers.push_back(answer.*number);
  return frozen_array(std::move(numbers));
}

Rounds rounds_at(const Answers& self, int64_t i) {
  Rounds result;
  answer_at(self, i);
  for (const Round& round : self.rounds(i)) {
    nb::list entered;
    for (const int32_t rule : self.entered(i, round)) entered.append(rule);
    result.append(nb::make_tuple(nb::tuple(entered), round.score, round.states, round.arcs));
  }
  return result;
}

}  // namespace

void bind_engine(nb::module_& m) {
  nb::class_<PartSet>(m, "PartSet", "The parts that bind every sequence alike.").def(nb::new_(&make_part_set), nb::arg("parts"));

  nb::class_<Problem>(m, "Problem", "One sequence to label: its scores, the common parts, and its own.")
      .def(nb::new_(&make_problem), nb::arg("trellis"), nb::arg("common"), nb::arg("own"))
      .def_prop_ro("own", [](const Problem& self) { return std::const_pointer_cast<Binding>(self.own()); });

  nb::class_<Problems>(m, "Problems", "The problems of many sequences; None for one that is not for the engine.")
      .def(nb::init<>())
      .def("__len__", [](const Problems& self) { return self.items.size(); })
      .def("__getitem__", &problem_at, nb::arg("sequence"))
      .def(
          "append",
          [](Problems& self, std::optional<std::shared_ptr<const Problem>> problem) {
            self.append(problem ? std::move(*problem) : nullptr);
          },
          nb::arg("problem").none())
      .def(
          "put",
          [](Problems& self, int64_t sequence, std::shared_ptr<const Problem> problem) {
            problem_at(self, sequence);
            self.put(sequence, std::move(problem));
          },
          nb::arg("sequence"), nb::arg("problem"))
      .def("extend", &extend_problems, nb::arg("examples"), nb::arg("threads"),
           "One more for each sequence; gives the indices of those that are None, since the rules cannot be tied to them here.")
      .def_prop_ro(
          "missing",
          [](const Problems& self) {
            Integers missing;
            for (std::size_t i = 0; i < self.items.size(); ++i)
              if (!self.items[i]) missing.append(i);
            return missing;
          },
          "The sequences for which it is None.");

  nb::class_<Answers>(m, "Answers", "What decoding found, for one sequence or many.")
      .def("__len__", [](const Answers& self) { return self.answers.size(); })
      .def(
          "labels",
          [](const Answers& self, int64_t i) {
            answer_at(self, i);
            Integers labels;
            for (int64_t at = self.label_offsets[i]; at < self.label_offsets[i + 1]; ++at) labels.append(self.labels[at]);
            return labels;
          },
          nb::arg("sequence"))
      .def_prop_ro(
          "all_labels",
          [](nb::handle self) {
            const auto& labels = nb::cast<const Answers&>(self).labels;
            return nb::cast(nb::ndarray<nb::numpy, const int32_t>(labels.data(), {labels.size()}, self));
          },
          nb::sig("def all_labels(self) -> numpy.typing.NDArray[numpy.int32]"), "The labels of all sequences, end to end.")
      .def_prop_ro(
          "not_optimal",
          [](const Answers& self) {
            Integers others;
            for (std::size_t i = 0; i < self.answers.size(); ++i)
              if (self.answers[i].status != Status::optimal) others.append(i);
            return others;
          },
          "The sequences that have no answer, or none that is proved best.")
      .def("name_labels", &name_labels, nb::arg("names"), "The labels of all sequences, by name; each must have an answer.")
      .def("rounds", &rounds_at, nb::arg("sequence"), "(rules that entered, score, states, arcs) of each round.")
      .def(
          "score", [](const Answers& self, int64_t i) { return answer_at(self, i).score; }, nb::arg("sequence"))
      .def(
          "bound", [](const Answers& self, int64_t i) { return answer_at(self, i).bound; }, nb::arg("sequence"))
      .def(
          "status", [](const Answers& self, int64_t i) { return name_of(answer_at(self, i).status); }, nb::arg("sequence"))
      .def(
          "limit", [](const Answers& self, int64_t i) { return name_of(answer_at(self, i).limit); }, nb::arg("sequence"))
      .def(
          "repaired", [](const Answers& self, int64_t i) { return answer_at(self, i).repaired; }, nb::arg("sequence"))
      .def(
          "states", [](const Answers& self, int64_t i) { return answer_at(self, i).states; }, nb::arg("sequence"))
      .def_prop_ro(
          "scores", [](const Answers& self) { return array_of(self, &Engine::Answer::score); },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro(
          "bounds", [](const Answers& self) { return array_of(self, &Engine::Answer::bound); },
          nb::sig("def bounds(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro("all_optimal", [](const Answers& self) {
        for (const auto& answer : self.answers)
          if (answer.status != Status::optimal) return false;
        return true;
      });

  m.def("problem_of", &problem_in, nb::arg("examples"), nb::arg("sequence"),
        nb::sig("def problem_of(examples: Examples, sequence: int) -> Problem | None"),
        "One sequence of the examples; None if the rules cannot be tied to it here.");
  m.def("decode", &decode_problem, nb::arg("problem"), nb::arg("limits"));
  m.def("decode_batch", &decode_problems, nb::arg("problems"), nb::arg("limits"), nb::arg("threads"));
  m.def("decode_lattices", &decode_lattices, nb::arg("examples"), nb::arg("limits"), nb::arg("threads"),
        "The sequences of the examples. Those that end up in `examples.apart` have no answer.");
  m.def("decode_arrays", &decode_arrays, nb::arg("examples"), nb::arg("emissions"), nb::arg("transitions").none(),
        nb::arg("start").none(), nb::arg("end").none(), nb::arg("limits"), nb::arg("threads"),
        "Scores and what the rules see of many sequences, end to end. Those that end up in `examples.apart` have no answer.");
  m.def("kernel_name", [] { return kernels().name; }, "Which generation of processors the kernels in use are compiled for.");
}

}  // namespace lawful
