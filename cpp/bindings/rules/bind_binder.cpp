#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "bindings/bindings.hpp"
#include "bindings/features/token_rows.hpp"
#include "bindings/rules/python_examples.hpp"
#include "core/rules/counting.hpp"
#include "core/scores/trellis.hpp"
#include "core/support/ask_for.hpp"

#include <nanobind/stl/optional.h>
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
using Codes = nb::typed<nb::tuple, TokenTable, KnownCodes, AskForCode, TextKeys>;

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
    if (!is_plain(pair) || size_of(pair) != 2 || !read_int(item_of(pair, 0), span.start) ||
        !read_int(item_of(pair, 1), span.end) || span.start < 0 || span.start >= span.end || span.end > length)
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
  require(source < self.binder->sources.size() && self.binder->sources[source].wants == wants, "the binder has no such source");
  return self.examples.columns[source];
}

void require_count(const PythonExamples& self, std::size_t values) {
  require(values == static_cast<std::size_t>(self.examples.count()), "there must be one value per sequence");
}

// The parts under values that were met before, by what their items are: two lists of the same names are the same value. Strings
// are mostly shared, and then nothing needs to be hashed or compared.
class RecentParts {
 public:
  const Part* find(nb::handle plain) const {
    for (const Entry& entry : entries_) {
      bool same = size_of(plain) == size_of(entry.value);
      for (Py_ssize_t i = 0; same && i < size_of(plain); ++i) same = item_of(plain, i).is(item_of(entry.value, i));
      if (same) return entry.part;
    }
    return nullptr;
  }
  void add(nb::object tuple, const Part* part) {
    if (entries_.size() < kMost) entries_.push_back({std::move(tuple), part});
  }

 private:
  struct Entry {
    nb::object value;  // a tuple, which keeps its items
    const Part* part;
  };
  static constexpr std::size_t kMost = 8;
  std::vector<Entry> entries_;
};

// Reads what one source wants to know of one sequence after the other.
class SourceReader {
 public:
  SourceReader(PythonExamples& self, std::size_t source, std::optional<KnownParts> known, std::optional<AskForPart> ask)
      : examples_(&self.examples), known_(std::move(known)), ask_(std::move(ask)) {
    require(source < self.binder->sources.size(), "the binder has no such source");
    wants_ = self.binder->sources[source].wants;
    require(wants_ != Binder::Wants::part || (known_ && ask_), "parts that sequences bring have to be known");
    column_ = &self.examples.columns[source];
    *column_ = {};
    if (wants_ == Binder::Wants::part) {
      column_->parts.reserve(examples_->count());
    } else {
      column_->starts.reserve(examples_->count() + 1);
      column_->starts.push_back(0);
    }
  }

  void read(int64_t n, nb::handle value) {
    bool plain = false;
    switch (wants_) {
      case Binder::Wants::spans: plain = read_into(column_->spans, n, value, read_spans); break;
      case Binder::Wants::positions: plain = read_into(column_->positions, n, value, read_positions); break;
      case Binder::Wants::part: plain = (column_->parts.emplace_back(part_of(value))) != nullptr; break;
    }
    if (!plain) examples_->apart[n] = 1;
  }

 private:
  template <typename Numbers, typename Read>
  bool read_into(Numbers& numbers, int64_t n, nb::handle value, const Read& read) {
    const bool plain = read(value, examples_->length(n), numbers);
    if (!plain) numbers.resize(column_->starts.back());
    column_->starts.push_back(static_cast<int64_t>(numbers.size()));
    return plain;
  }

  const Part* part_of(nb::handle value) {
    if (!is_plain(value)) return nullptr;
    if (const Part* recent = recent_.find(value)) return recent;
    nb::object tuple = nb::borrow(value);
    if (PyList_CheckExact(value.ptr())) tuple = nb::steal(PyList_AsTuple(value.ptr()));
    const nb::object found = look_up(*known_, tuple, *ask_, -1);
    std::shared_ptr<const Part> part;
    if (!found.is_valid() || !nb::try_cast(found, part) || part->kinds != 1) return nullptr;
    recent_.add(std::move(tuple), part.get());
    column_->kept.push_back(std::move(part));
    return column_->kept.back().get();
  }

  Examples* examples_;
  Binder::Wants wants_;
  Examples::Column* column_;
  std::optional<KnownParts> known_;
  std::optional<AskForPart> ask_;
  RecentParts recent_;
};

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

// Finds the rows of the tokens of one sequence after the other.
class TokenReader {
 public:
  TokenReader(PythonExamples& self, const Codes& codes)
      : examples_(&self.examples), cells_(&nb::cast<const TokenTable&>(item_of(codes, 0))),
        seen_(nb::cast<KnownCodes>(item_of(codes, 1))), ask_(nb::cast<AskForCode>(item_of(codes, 2))),
        text_keys_(nb::cast<TextKeys>(item_of(codes, 3))) {
    start_rows(self, nb::borrow(item_of(codes, 0)), *cells_);
  }

  void read(int64_t n, nb::handle tokens) {
    if (examples_->apart[n]) return;
    const TokenRows* rows = as_token_rows(tokens);
    const bool found = rows ? found_all(n, *rows) : is_plain(tokens) && found_all(n, tokens);
    if (!found) examples_->apart[n] = 1;
  }

 private:
  bool found_all(int64_t n, nb::handle tokens) {
    if (size_of(tokens) != examples_->length(n)) return false;
    for (int t = 0; t < examples_->length(n); ++t) {
      if (t >= size_of(tokens)) return false;  // a test may do anything, even that
      if (!found(n, t, nb::borrow(text_in(item_of(tokens, t), text_keys_)))) return false;
    }
    return true;
  }

  bool found_all(int64_t n, const TokenRows& rows) {
    if (rows.length() != examples_->length(n)) return false;
    PyObject* texts = nullptr;
    for (Py_ssize_t i = 0; !texts && i < size_of(text_keys_); ++i) texts = rows.column(item_of(text_keys_, i));
    for (int t = 0; t < examples_->length(n); ++t) {
      PyObject* const text = texts ? PyTuple_GET_ITEM(texts, t) : nullptr;
      if (!found(n, t, nb::borrow(text && PyUnicode_CheckExact(text) ? nb::handle(text) : rows.row(t)))) return false;
    }
    return true;
  }

  bool found(int64_t n, int t, const nb::object& token) {
    const nb::object code = look_up(seen_, token, ask_, t);
    int32_t number;
    if (!code.is_valid() || !read_int(code, number) || number < 0 || static_cast<std::size_t>(number) >= cells_->rows.size())
      return false;
    examples_->rows[examples_->offsets[n] + t] = cells_->rows[number].get();
    return true;
  }

  Examples* examples_;
  const TokenTable* cells_;
  KnownCodes seen_;
  AskForCode ask_;
  TextKeys text_keys_;
};

void read_column(PythonExamples& self, std::size_t source, const Values& values, std::optional<KnownParts> known,
                 std::optional<AskForPart> ask) {
  require_count(self, values.size());
  SourceReader reader(self, source, std::move(known), std::move(ask));
  constexpr std::size_t kAhead = 8;  // values that are asked for before they are read: first themselves, then their items
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (n + 2 * kAhead < values.size()) ask_for(item_of(values, n + 2 * kAhead).ptr(), sizeof(PyListObject));
    if (n + kAhead < values.size() && PyList_CheckExact(item_of(values, n + kAhead).ptr()))
      ask_for(reinterpret_cast<PyListObject*>(item_of(values, n + kAhead).ptr())->ob_item, sizeof(void*));
    reader.read(static_cast<int64_t>(n), nb::object(values[n]));
  }
}

void read_tokens(PythonExamples& self, const Codes& codes, const Values& tokens) {
  require_count(self, tokens.size());
  TokenReader reader(self, codes);
  for (std::size_t n = 0; n < tokens.size(); ++n) reader.read(static_cast<int64_t>(n), nb::object(tokens[n]));
}

// What holds for all sequences, or what a context has under a name; a name that it lacks counts as the other value.
struct Wanted {
  nb::object name, otherwise;
  nb::object of(nb::handle context) const {
    if (name.is_none()) return otherwise;
    if (PyObject* found = PyDict_GetItemWithError(context.ptr(), name.ptr())) return nb::borrow(found);
    if (PyErr_Occurred()) throw nb::python_error();
    return otherwise;
  }
};

using Question = nb::typed<nb::tuple, std::optional<nb::str>, nb::any, std::optional<KnownParts>, std::optional<AskForPart>>;
using Seen = nb::typed<nb::tuple, Trellis, nb::any, nb::typed<nb::dict, nb::str, nb::any>>;

// One look at each sequence: whatever is read of it then comes from memory once.
std::shared_ptr<PythonExamples> examples_of(std::shared_ptr<const Binder> binder, const nb::typed<nb::iterable, Seen>& sequences,
                                            const nb::typed<nb::list, Question>& questions, const std::optional<Codes>& codes) {
  std::vector<nb::object> given;
  std::vector<int64_t> offsets{0};
  std::vector<std::shared_ptr<const Trellis>> trellises;
  for (const nb::handle sequence : sequences) {
    require(PyTuple_CheckExact(sequence.ptr()) && size_of(sequence) == 3 && PyDict_CheckExact(item_of(sequence, 2).ptr()),
            "a sequence is a trellis, its tokens and its context");
    trellises.push_back(nb::cast<std::shared_ptr<const Trellis>>(item_of(sequence, 0)));
    require(!trellises.back()->reading, "the trellis has columns that are read as other labels");
    offsets.push_back(offsets.back() + trellises.back()->length);
    given.push_back(nb::borrow(sequence));
  }
  auto self = std::make_shared<PythonExamples>(std::move(binder), std::move(offsets));
  self->trellises = std::move(trellises);
  require(questions.size() == self->binder->sources.size(), "there must be a question for each source");
  std::vector<std::pair<Wanted, SourceReader>> readers;
  for (std::size_t s = 0; s < questions.size(); ++s) {
    const nb::object asked = questions[s];
    require(PyTuple_CheckExact(asked.ptr()) && size_of(asked) == 4,
            "a question is a name, another value, known parts and a function");
    readers.emplace_back(Wanted{nb::borrow(item_of(asked, 0)), nb::borrow(item_of(asked, 1))},
                         SourceReader(*self, s, nb::cast<std::optional<KnownParts>>(item_of(asked, 2)),
                                      nb::cast<std::optional<AskForPart>>(item_of(asked, 3))));
  }
  std::optional<TokenReader> tokens;
  if (codes) tokens.emplace(*self, *codes);
  for (int64_t n = 0; n < self->examples.count(); ++n) {
    for (auto& [wanted, reader] : readers) reader.read(n, wanted.of(item_of(given[n], 2)));
    if (tokens) tokens->read(n, item_of(given[n], 1));
  }
  return self;
}

void set_codes(PythonExamples& self, const nb::typed<nb::object, TokenTable>& table, const In<uint32_t, nb::ndim<1>>& codes,
               const std::optional<In<int64_t, nb::ndim<1>>>& words) {
  const auto& cells = nb::cast<const TokenTable&>(table);
  start_rows(self, table, cells);
  std::vector<const TokenTable::Row*> of_codes(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    require(codes.data()[i] < cells.rows.size(), "codes holds a code that the table does not know");
    of_codes[i] = cells.rows[codes.data()[i]].get();
  }
  auto& rows = self.examples.rows;
  require((words ? words->size() : codes.size()) == rows.size(), "there must be one number per token");
  if (!words) {
    rows = std::move(of_codes);
    return;
  }
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto word = static_cast<uint64_t>(words->data()[t]);  // one below 0 is then beyond all
    require(word < of_codes.size(), "a token is no word of the vocabulary");
    rows[t] = of_codes[word];
  }
}

// Spans as rows (sequence, start, end), by sequence.
void set_spans(PythonExamples& self, std::size_t source, const In<int64_t, nb::ndim<2>>& given) {
  auto& [starts, spans, positions, parts, kept] = column_of(self, source, Binder::Wants::spans);
  Examples& examples = self.examples;
  require(given.shape(1) == 3, "spans must have rows of sequence, start and end");
  const int64_t* row = given.data();
  const int64_t* const last = row + given.size();
  starts.assign(1, 0);
  starts.reserve(examples.count() + 1);
  spans.clear();
  spans.reserve(given.shape(0));
  for (int64_t n = 0; n < examples.count(); ++n) {
    const std::size_t before = spans.size();
    for (; row != last && row[0] == n; row += 3) {
      if (row[1] < 0 || row[1] >= row[2] || row[2] > examples.length(n)) examples.apart[n] = 1;
      spans.push_back({static_cast<int32_t>(row[1]), static_cast<int32_t>(row[2])});
    }
    if (!std::is_sorted(spans.begin() + before, spans.end())) std::sort(spans.begin() + before, spans.end());
    starts.push_back(static_cast<int64_t>(spans.size()));
  }
  require(row == last, "the spans are not ordered by sequence, or name one that does not exist");
}

void set_positions(PythonExamples& self, std::size_t source, const In<int64_t, nb::ndim<1>>& given) {
  auto& column = column_of(self, source, Binder::Wants::positions);
  Examples& examples = self.examples;
  require_count(self, given.size());
  column.starts.assign(1, 0);
  column.starts.reserve(given.size() + 1);
  column.positions.clear();
  column.positions.reserve(given.size());
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
          nb::arg("part"), nb::kw_only(), nb::arg("once"),
          "A part that reads spans; `once`: all its layers together are paid once.")
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
      .def_static(
          "of", &examples_of, nb::arg("binder"), nb::arg("sequences"), nb::arg("questions"), nb::arg("codes").none(),
          "Those of (trellis, tokens, context). A question, for each source: the name of what it wants, or None; what it "
          "takes where there is no such name; and for parts the known ones and what else to ask. Codes: as `read_tokens`.")
      .def("read", &read_column, nb::arg("source"), nb::arg("values"), nb::arg("known").none() = nb::none(),
           nb::arg("ask").none() = nb::none(),
           "For each sequence a list of (start, end), or a position or a list of them, or what `known` has a part under, or else "
           "`ask(value)` gives one for.")
      .def("read_tokens", &read_tokens, nb::arg("codes"), nb::arg("tokens"),
           "The tokens of each sequence, by a table, the codes of tokens that were seen, what gives that of another (token, "
           "position), and keys: of a dict that has one of them, the text under the first is all that counts.")
      .def("set_codes", &set_codes, nb::arg("table"), nb::arg("codes"), nb::arg("words").none() = nb::none(),
           "The codes of all tokens; or those of the words of a vocabulary, and the numbers of the tokens in it.")
      .def("set_spans", &set_spans, nb::arg("source"), nb::arg("spans"), "Rows (sequence, start, end), by sequence.")
      .def("set_positions", &set_positions, nb::arg("source"), nb::arg("positions"), "One position for each sequence.")
      .def("count", &count_examples, nb::arg("labels"), nb::arg("rows"), nb::arg("rules"),
           nb::sig("def count(self, labels: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int64], rules: "
                   "int) -> "
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
