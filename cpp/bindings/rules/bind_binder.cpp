#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "bindings/bindings.hpp"
#include "bindings/rules/python_examples.hpp"
#include "core/rules/counting.hpp"
#include "core/scores/trellis.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

using Values = nb::typed<nb::list, nb::any>;
using KnownParts = nb::typed<nb::dict, nb::any, Part>;
using KnownCodes = nb::typed<nb::dict, nb::any, int>;
using AskForPart = nb::typed<nb::callable, Part(nb::any)>;
using AskForCode = nb::typed<nb::callable, int(nb::any, int)>;
using TextKeys = nb::typed<nb::tuple, nb::str, nb::ellipsis>;

// Reading is quick for plain lists, tuples and ints. Everything else (a number that merely could be an int, a value that is
// missing or wrong) sets its sequence apart: the caller ties that one by the rules' own Python, which also names what is wrong.

bool is_plain(nb::handle value) { return PyList_CheckExact(value.ptr()) || PyTuple_CheckExact(value.ptr()); }
Py_ssize_t size_of(nb::handle plain) { return PySequence_Fast_GET_SIZE(plain.ptr()); }
nb::handle item_of(nb::handle plain, Py_ssize_t i) { return PySequence_Fast_GET_ITEM(plain.ptr(), i); }

bool read_int(nb::handle value, int32_t& number) {
  if (!PyLong_CheckExact(value.ptr())) return false;
  int overflow = 0;
  const long wide = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
  number = static_cast<int32_t>(wide);
  return !overflow && number == wide;
}

bool read_spans(nb::handle value, int length, std::vector<Span>& spans) {
  if (!is_plain(value)) return false;
  const std::size_t before = spans.size();
  for (Py_ssize_t i = 0; i < size_of(value); ++i) {
    const nb::handle pair = item_of(value, i);
    Span span;
    if (!is_plain(pair) || size_of(pair) != 2 || !read_int(item_of(pair, 0), span.start) || !read_int(item_of(pair, 1), span.end) ||
        span.start < 0 || span.start >= span.end || span.end > length)
      return false;
    spans.push_back(span);
  }
  if (!std::is_sorted(spans.begin() + before, spans.end())) std::sort(spans.begin() + before, spans.end());
  return true;
}

bool read_position(nb::handle value, int length, std::vector<int32_t>& positions) {
  int32_t position;
  if (!read_int(value, position) || position < -length || position >= length) return false;
  positions.push_back(position < 0 ? position + length : position);
  return true;
}

bool read_positions(nb::handle value, int length, std::vector<int32_t>& positions) {
  if (!is_plain(value)) return read_position(value, length, positions);
  for (Py_ssize_t i = 0; i < size_of(value); ++i)
    if (!read_position(item_of(value, i), length, positions)) return false;
  return true;
}

// What a dictionary has under a key, or else what `ask` answers; null if neither does.
nb::object look_up(nb::handle seen, nb::handle key, const nb::callable& ask, Py_ssize_t position) {
  if (PyObject* known = PyDict_GetItemWithError(seen.ptr(), key.ptr())) return nb::borrow(known);
  if (PyErr_Occurred()) {  // not hashable
    PyErr_Clear();
    return {};
  }
  try {
    return position < 0 ? ask(key) : ask(key, position);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C; whatever else it is, the caller finds it again
    return {};
  }
}

Examples::Column& column_of(PythonExamples& self, std::size_t source, Binder::Wants wants) {
  require(source < self.binder->sources.size() && self.binder->sources[source].wants == wants,
          "the binder has no such source");
  return self.examples.columns[source];
}

void require_count(const PythonExamples& self, std::size_t values) {
  require(values == static_cast<std::size_t>(self.examples.count()), "there must be one value per sequence");
}

// Reads a value per sequence into a column; `read(value, length)` says whether it was plain.
template <typename Numbers, typename Read>
void read_values(Examples& examples, std::vector<int64_t>& starts, Numbers& numbers, const nb::list& values, const Read& read) {
  const int64_t count = examples.count();
  starts.assign(1, 0);
  starts.reserve(count + 1);
  for (int64_t n = 0; n < count; ++n) {
    if (!examples.apart[n] && !read(nb::handle(PyList_GET_ITEM(values.ptr(), n)), examples.length(n))) {
      examples.apart[n] = 1;
      numbers.resize(starts.back());
    }
    starts.push_back(static_cast<int64_t>(numbers.size()));
  }
}

void read_parts(PythonExamples& self, std::size_t source, const Values& values, const KnownParts& known,
                const AskForPart& ask) {
  auto& parts = column_of(self, source, Binder::Wants::part).parts;
  require_count(self, values.size());
  parts.assign(values.size(), nullptr);
  const auto count = static_cast<int64_t>(values.size());
  for (int64_t n = 0; n < count; ++n) {
    nb::object value = nb::borrow(PyList_GET_ITEM(values.ptr(), n));
    if (PyList_CheckExact(value.ptr())) value = nb::steal(PyList_AsTuple(value.ptr()));
    const nb::object part = PyTuple_CheckExact(value.ptr()) ? look_up(known, value, ask, -1) : nb::object();
    if (!part.is_valid() || !nb::try_cast(part, parts[n]) || parts[n]->kinds != 1) self.examples.apart[n] = 1;
  }
}

void start_rows(PythonExamples& self, const nb::object& table, const TokenTable& cells) {
  require(cells.columns.size() == self.binder->columns.size(), "the table is for other parts than the binder");
  self.table = table;
  self.examples.rows.assign(self.examples.offsets.back(), nullptr);
}

// The text of a token with columns, where `keys` say in which of them it may stand; any other token as it is.
nb::handle text_in(nb::handle token, nb::handle keys) {
  if (!PyDict_CheckExact(token.ptr())) return token;
  for (Py_ssize_t i = 0; i < size_of(keys); ++i) {
    PyObject* text = PyDict_GetItemWithError(token.ptr(), item_of(keys, i).ptr());
    if (text) return PyUnicode_CheckExact(text) ? nb::handle(text) : token;
  }
  return token;
}

void read_tokens(PythonExamples& self, const nb::typed<nb::object, TokenTable>& table, const Values& tokens,
                 const KnownCodes& seen, const AskForCode& ask, const TextKeys& text_keys) {
  const auto& cells = nb::cast<const TokenTable&>(table);
  start_rows(self, table, cells);
  Examples& examples = self.examples;
  require_count(self, tokens.size());
  auto read = [&](nb::handle of_sequence, int64_t n) {
    if (!is_plain(of_sequence) || size_of(of_sequence) != examples.length(n)) return false;
    for (int t = 0; t < examples.length(n); ++t) {
      if (t >= size_of(of_sequence)) return false;  // a test may do anything, even that
      const nb::object code = look_up(seen, nb::borrow(text_in(item_of(of_sequence, t), text_keys)), ask, t);
      int32_t number;
      if (!code.is_valid() || !read_int(code, number) || number < 0 || static_cast<std::size_t>(number) >= cells.rows.size())
        return false;
      examples.rows[examples.offsets[n] + t] = cells.rows[number].get();
    }
    return true;
  };
  for (int64_t n = 0; n < examples.count(); ++n)
    if (!examples.apart[n] && !read(nb::borrow(PyList_GET_ITEM(tokens.ptr(), n)), n)) examples.apart[n] = 1;
}

void set_codes(PythonExamples& self, const nb::typed<nb::object, TokenTable>& table, const In<uint32_t, nb::ndim<1>>& codes) {
  const auto& cells = nb::cast<const TokenTable&>(table);
  start_rows(self, table, cells);
  auto& rows = self.examples.rows;
  require(codes.size() == rows.size(), "codes must have one number per token");
  for (std::size_t t = 0; t < rows.size(); ++t) {
    require(codes.data()[t] < cells.rows.size(), "codes holds a code that the table does not know");
    rows[t] = cells.rows[codes.data()[t]].get();
  }
}

// Spans as rows (sequence, start, end), by sequence.
void set_spans(PythonExamples& self, std::size_t source, const In<int64_t, nb::ndim<2>>& given) {
  auto& [starts, spans, positions, parts] = column_of(self, source, Binder::Wants::spans);
  Examples& examples = self.examples;
  require(given.shape(1) == 3, "spans must have rows of sequence, start and end");
  const int64_t* row = given.data();
  const int64_t* const last = row + given.size();
  starts.assign(1, 0);
  spans.clear();
  for (int64_t n = 0; n < examples.count(); ++n) {
    const std::size_t before = spans.size();
    for (; row != last && row[0] == n; row += 3) {
      if (row[1] < 0 || row[1] >= row[2] || row[2] > examples.length(n)) examples.apart[n] = 1;
      spans.push_back({static_cast<int32_t>(row[1]), static_cast<int32_t>(row[2])});
    }
    std::sort(spans.begin() + before, spans.end());
    starts.push_back(static_cast<int64_t>(spans.size()));
  }
  require(row == last, "the spans are not ordered by sequence, or name one that does not exist");
}

void set_positions(PythonExamples& self, std::size_t source, const In<int64_t, nb::ndim<1>>& given) {
  auto& column = column_of(self, source, Binder::Wants::positions);
  Examples& examples = self.examples;
  require_count(self, given.size());
  column.starts.assign(1, 0);
  column.positions.clear();
  for (int64_t n = 0; n < examples.count(); ++n) {
    const int64_t position = given.data()[n], length = examples.length(n);
    if (position < -length || position >= length) examples.apart[n] = 1;
    column.positions.push_back(static_cast<int32_t>(position < 0 ? position + length : position));
    column.starts.push_back(n + 1);
  }
}

std::shared_ptr<PythonExamples> make_examples(std::shared_ptr<const Binder> binder, const In<int64_t, nb::ndim<1>>& lengths) {
  std::vector<int64_t> offsets{0};
  offsets.reserve(lengths.size() + 1);
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    require(lengths.data()[n] >= 0 && lengths.data()[n] <= std::numeric_limits<int32_t>::max(), "there is no such length");
    offsets.push_back(offsets.back() + lengths.data()[n]);
  }
  return std::make_shared<PythonExamples>(std::move(binder), std::move(offsets));
}

// The violations of `rows[n]` labellings of each sequence n, given end to end; and the sequences that could not be tied here.
nb::tuple count_examples(const PythonExamples& self, const In<int32_t, nb::ndim<1>>& labels, const In<int64_t, nb::ndim<1>>& rows,
                         int rules) {
  const Examples& examples = self.examples;
  require_count(self, rows.size());
  require(self.complete(), "the examples are not complete");
  int64_t needed = 0, labellings = 0;
  for (int64_t n = 0; n < examples.count(); ++n) {
    require(rows.data()[n] >= 0, "there is no such number of labellings");
    needed += rows.data()[n] * examples.length(n);
    labellings += rows.data()[n];
  }
  require(static_cast<int64_t>(labels.size()) == needed, "there must be a label for each token of each labelling");
  const int32_t *const first = labels.data(), *const last = first + labels.size();
  require(first == last || *std::min_element(first, last) >= 0, "a label does not exist");
  const int32_t most = first == last ? -1 : *std::max_element(first, last);
  std::vector<int64_t> counts(labellings * rules), left;
  {
    const nb::gil_scoped_release released;
    left = count_violations(*self.binder, examples, {first, most, rows.data(), rules}, counts.data());
  }
  return nb::make_tuple(owned_array(std::move(counts)), owned_array(std::move(left)));
}

std::shared_ptr<PythonExamples> examples_of(std::shared_ptr<const Binder> binder, const nb::typed<nb::list, Trellis>& trellises) {
  std::vector<int64_t> offsets{0};
  offsets.reserve(trellises.size() + 1);
  for (const nb::handle trellis : trellises) offsets.push_back(offsets.back() + nb::cast<const Trellis&>(trellis).length);
  return std::make_shared<PythonExamples>(std::move(binder), std::move(offsets));
}

}  // namespace

void bind_binder(nb::module_& m) {
  nb::class_<Binder>(m, "Binder", "What ties rules to many sequences at once: the parts, and what each wants to know.")
      .def(nb::new_([](std::shared_ptr<const PartSet> common) {
             auto binder = std::make_shared<Binder>();
             binder->common = std::move(common);
             return binder;
           }),
           nb::arg("common"))
      .def(
          "add_spans",
          [](Binder& self, std::shared_ptr<const Part> part, bool once) {
            require(part->kinds == 3, "a part that reads spans must know three kinds");
            self.sources.push_back({Binder::Wants::spans, std::move(part), once});
          },
          nb::arg("part"), nb::kw_only(), nb::arg("once"), "A part that reads spans; `once`: all its layers together are paid once.")
      .def(
          "add_positions",
          [](Binder& self, std::shared_ptr<const Part> part) {
            require(part->kinds == 2, "a part that reads positions must know two kinds");
            self.sources.push_back({Binder::Wants::positions, std::move(part), false});
          },
          nb::arg("part"), "A part for which some positions are of kind 1.")
      .def(
          "add_chosen", [](Binder& self) { self.sources.push_back({Binder::Wants::part, nullptr, false}); },
          "A part that each sequence brings.")
      .def(
          "add_token_part",
          [](Binder& self, std::shared_ptr<const Part> part, bool idle, bool previous) {
            self.columns.push_back({std::move(part), idle, previous});
          },
          nb::arg("part"), nb::kw_only(), nb::arg("idle"), nb::arg("previous"), "As `TokenTable.add_part`.");

  nb::class_<PythonExamples>(m, "Examples", "What the rules see of many sequences, end to end.")
      .def(nb::new_(&make_examples), nb::arg("binder"), nb::arg("lengths"))
      .def_static("of", &examples_of, nb::arg("binder"), nb::arg("trellises"), "Those of the trellises, which have their lengths.")
      .def(
          "read_spans",
          [](PythonExamples& self, std::size_t source, const Values& values) {
            auto& column = column_of(self, source, Binder::Wants::spans);
            require_count(self, values.size());
            read_values(self.examples, column.starts, column.spans, values,
                        [&](nb::handle value, int length) { return read_spans(value, length, column.spans); });
          },
          nb::arg("source"), nb::arg("values"), "For each sequence, a list of (start, end).")
      .def(
          "read_positions",
          [](PythonExamples& self, std::size_t source, const Values& values) {
            auto& column = column_of(self, source, Binder::Wants::positions);
            require_count(self, values.size());
            read_values(self.examples, column.starts, column.positions, values,
                        [&](nb::handle value, int length) { return read_positions(value, length, column.positions); });
          },
          nb::arg("source"), nb::arg("values"), "For each sequence, a position or a list of them.")
      .def("read_parts", &read_parts, nb::arg("source"), nb::arg("values"), nb::arg("known"), nb::arg("ask"),
           "For each sequence the part that `known` has under its value, or that `ask(value)` gives.")
      .def("read_tokens", &read_tokens, nb::arg("table"), nb::arg("tokens"), nb::arg("seen"), nb::arg("ask"),
           nb::arg("text_keys"),
           "The tokens of each sequence: their codes are in `seen`, or are what `ask(token, position)` gives. Of a dict that has one "
           "of the `text_keys`, the text under the first of them is all that counts.")
      .def("set_codes", &set_codes, nb::arg("table"), nb::arg("codes"), "The codes of all tokens.")
      .def("set_spans", &set_spans, nb::arg("source"), nb::arg("spans"), "Rows (sequence, start, end), by sequence.")
      .def("set_positions", &set_positions, nb::arg("source"), nb::arg("positions"), "One position for each sequence.")
      .def("count", &count_examples, nb::arg("labels"), nb::arg("rows"), nb::arg("rules"),
           nb::sig("def count(self, labels: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int64], rules: int) -> "
                   "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
           "The violations of each rule by `rows[n]` labellings of each sequence n, end to end; and the sequences for which they "
           "have to be counted in Python.")
      .def_prop_ro(
          "apart",
          [](const PythonExamples& self) {
            nb::typed<nb::list, int64_t> apart;
            for (int64_t n = 0; n < self.examples.count(); ++n)
              if (self.examples.apart[n]) apart.append(n);
            return apart;
          },
          "The sequences with something that only the rules' own Python can treat, or name as wrong.");
}

}  // namespace lawful
