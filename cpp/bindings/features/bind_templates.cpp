#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>

#include "bindings/bindings.hpp"
#include "bindings/features/python_strings.hpp"
#include "bindings/features/token_rows.hpp"
#include "core/features/extract.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

using Sequences = nb::typed<nb::list, nb::object>;
using Callables = nb::typed<nb::list, nb::object>;  // None for leaves that need none
using Columns = nb::typed<nb::list, nb::object>;     // None for the text
using Program = std::shared_ptr<const FeatureProgram>;
using LeafData = std::tuple<std::string, int, int>;                                // operation, source, number
using SlotData = std::tuple<nb::str, std::vector<std::tuple<int, int, bool>>>;    // name, (leaf, offset, pad) ...
using Fitted = nb::typed<nb::tuple, StringTable, RowArrays>;

// What Python's own tables say; they are constants, so no lock is needed.
uint8_t classify(uint32_t c) {
  const auto point = static_cast<Py_UCS4>(c);
  return static_cast<uint8_t>(
      (Py_UNICODE_ISUPPER(point) ? Character::upper : 0) | (Py_UNICODE_ISLOWER(point) ? Character::lower : 0) |
      (Py_UNICODE_ISDECIMAL(point) ? Character::digit : 0) | (Py_UNICODE_ISALPHA(point) ? Character::letter : 0) |
      (Py_UNICODE_ISALNUM(point) ? Character::alphanumeric : 0) | (Py_UNICODE_ISSPACE(point) ? Character::space : 0));
}

Operation operation_of(const std::string& name) {
  // clang-format off: one entry per line would fill a screen
  static const std::unordered_map<std::string, Operation> known{
      {"word", Operation::word}, {"folded", Operation::folded}, {"shape", Operation::shape},
      {"short_shape", Operation::short_shape}, {"prefix", Operation::prefix}, {"suffix", Operation::suffix},
      {"length", Operation::length}, {"has_upper", Operation::has_upper}, {"has_lower", Operation::has_lower},
      {"has_digit", Operation::has_digit}, {"has_hyphen", Operation::has_hyphen},
      {"has_punctuation", Operation::has_punctuation}, {"starts_upper", Operation::starts_upper},
      {"starts_digit", Operation::starts_digit}, {"all_caps", Operation::all_caps}, {"all_lower", Operation::all_lower},
      {"initial_cap", Operation::initial_cap}, {"inner_cap", Operation::inner_cap}, {"is_initial", Operation::is_initial},
      {"is_alphabetic", Operation::is_alphabetic}, {"is_alphanumeric", Operation::is_alphanumeric},
      {"is_digits", Operation::is_digits}, {"is_number", Operation::is_number},
      {"is_punctuation", Operation::is_punctuation}, {"is_roman", Operation::is_roman}, {"is_dna", Operation::is_dna},
      {"is_rna", Operation::is_rna}, {"lower", Operation::supplied}, {"test", Operation::supplied},
      {"function", Operation::function}, {"first", Operation::first}, {"last", Operation::last}, {"bias", Operation::bias}};
  // clang-format on
  const auto entry = known.find(name);
  if (entry == known.end()) throw nb::value_error(("there is no operation " + name).c_str());
  return entry->second;
}

Program make_program(int sources, const std::vector<LeafData>& leaves, const std::vector<SlotData>& slots) {
  static std::atomic<uint64_t> serial{0};
  auto program = std::make_shared<FeatureProgram>();
  program->serial = ++serial;
  program->sources = sources;
  program->classify = &classify;
  for (const auto& [operation, source, number] : leaves) {
    program->leaves.push_back({operation_of(operation), source, number});
    const bool reads_text = program->leaves.back().operation < Operation::function;
    require(reads_text ? source >= 0 && source < sources : source == -1, "a leaf reads a source that does not exist");
    require(number >= 0, "a leaf's number must be 0 or more");
  }
  std::string scratch;
  for (const auto& [name, parts] : slots) {
    std::vector<FeatureTerm> terms;
    require(!parts.empty() && parts.size() <= 16, "a slot must have 1 to 16 parts");
    for (const auto& [leaf, offset, pad] : parts) {
      require(leaf >= 0 && leaf < static_cast<int>(leaves.size()), "a slot reads a leaf that does not exist");
      require(offset >= -1000 && offset <= 1000, "offsets go from -1000 to 1000");
      terms.push_back({leaf, offset, pad});
    }
    program->add_slot(std::string(utf8_of(name.ptr(), scratch)) + "=", std::move(terms));
  }
  return program;
}

// Reads texts and columns of tokens. Whatever is not a plain case is left to Python's source_text, which may raise.
class SourceReader {
 public:
  SourceReader(nb::object column, nb::object source_text) : column_(std::move(column)), source_text_(std::move(source_text)) {
    if (PyLong_Check(column_.ptr())) index_ = nb::cast<Py_ssize_t>(column_);
    for (const char* key : {"text", "word", "token"}) text_keys_.push_back(nb::str(key));
  }

  int32_t read(PyObject* token, StringTable& strings) {  // the id of its text; -1 for none
    return read(quick(token), token, strings);
  }

  // The same for all tokens of a sentence with columns.
  void read_all(const TokenRows& rows, StringTable& strings, std::vector<int32_t>& ids) {
    PyObject* const column = column_in(rows);
    for (Py_ssize_t t = 0; t < rows.length(); ++t) {
      PyObject* const text = column ? PyTuple_GET_ITEM(column, t) : nullptr;
      const bool plain = text != nullptr && (PyUnicode_Check(text) || (text == Py_None && !column_.is_none()));
      ids.push_back(read(text, plain ? nullptr : rows.row(t).ptr(), strings));
    }
  }

 private:
  int32_t read(PyObject* text, PyObject* token, StringTable& strings) {
    if (text != nullptr && PyUnicode_Check(text)) return strings.add(utf8_of(text, scratch_));
    if (text == Py_None && !column_.is_none()) return -1;
    const nb::object answer = source_text_(nb::handle(token), column_);
    return answer.is_none() ? -1 : strings.add(utf8_of(answer.ptr(), scratch_));
  }

  PyObject* column_in(const TokenRows& rows) const {  // borrowed; null if there is none
    if (!column_.is_none()) return rows.column(column_);
    for (const nb::str& key : text_keys_)
      if (PyObject* text = rows.column(key)) return text;
    return nullptr;
  }

  PyObject* quick(PyObject* token) const {  // borrowed
    if (column_.is_none()) {
      if (PyUnicode_Check(token)) return token;
      if (PyDict_CheckExact(token)) {
        for (const nb::str& key : text_keys_)
          if (PyObject* text = PyDict_GetItem(token, key.ptr())) return text;
        return nullptr;
      }
      return item(token, 0);
    }
    if (PyDict_CheckExact(token)) return PyDict_GetItem(token, column_.ptr());
    return PyLong_Check(column_.ptr()) ? item(token, index_) : nullptr;
  }

  static PyObject* item(PyObject* token, Py_ssize_t index) {
    if (!PyTuple_Check(token) && !PyList_Check(token)) return nullptr;
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(token);
    if (index < 0) index += size;
    return index >= 0 && index < size ? PySequence_Fast_GET_ITEM(token, index) : nullptr;
  }

  nb::object column_, source_text_;
  Py_ssize_t index_ = 0;
  std::vector<nb::str> text_keys_;
  std::string scratch_;
};

// The values of a leaf that Python evaluates, once per distinct text. Lower case is str.lower's, which knows all languages.
void evaluate_texts(const StringTable& texts, nb::handle call, Corpus::LeafValues& supplied) {
  std::string scratch, value;
  for (int32_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i];
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
    value.clear();
    if (call.is_none() && ascii) {
      append_escaped(text, value);
      for (char& c : value)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    } else {
      const nb::str plain = to_python(text);
      const nb::object answer = call.is_none() ? plain.attr("lower")() : call(plain);
      if (answer.is_none()) {
        supplied.ids.push_back(-1);
        continue;
      }
      append_escaped(utf8_of(answer.ptr(), scratch), value);
    }
    supplied.ids.push_back(supplied.strings.add(value));
  }
}

std::shared_ptr<const Corpus> read_corpus(const FeatureProgram& program, const Sequences& sequences, const Columns& columns,
                                          const Callables& calls, nb::object source_text) {
  if (static_cast<int>(columns.size()) != program.sources || calls.size() != program.leaves.size())
    throw nb::value_error("expected a column per source, and a callable or None per leaf");
  auto corpus = std::make_shared<Corpus>();
  corpus->program = program.serial;
  corpus->sources.resize(program.sources);
  corpus->leaf_values.resize(program.leaves.size());
  std::vector<SourceReader> readers;
  for (const nb::handle column : columns) readers.emplace_back(nb::borrow(column), source_text);
  std::vector<std::size_t> functions;
  for (std::size_t l = 0; l < program.leaves.size(); ++l) {
    if (program.leaves[l].operation != Operation::function) continue;
    functions.push_back(l);
    corpus->leaf_values[l].offsets.push_back(0);
  }
  ItemReader items;
  std::string value;
  for (std::size_t n = 0; n < sequences.size(); ++n) {
    const nb::object sequence = nb::borrow(PyList_GET_ITEM(sequences.ptr(), static_cast<Py_ssize_t>(n)));
    Py_ssize_t length = 0;
    if (const TokenRows* rows = as_token_rows(sequence)) {
      length = rows->length();
      for (int s = 0; s < program.sources; ++s) readers[s].read_all(*rows, corpus->sources[s].strings, corpus->sources[s].ids);
    } else {
      const nb::tuple tokens = tuple_of(sequence.ptr(), n, "tokens");
      length = PyTuple_GET_SIZE(tokens.ptr());
      for (Py_ssize_t t = 0; t < length; ++t) {
        for (int s = 0; s < program.sources; ++s) {
          Corpus::Source& source = corpus->sources[s];
          source.ids.push_back(readers[s].read(PyTuple_GET_ITEM(tokens.ptr(), t), source.strings));
        }
      }
    }
    for (const std::size_t l : functions) {
      Corpus::LeafValues& values = corpus->leaf_values[l];
      for (Py_ssize_t t = 0; t < length; ++t) {
        const nb::object answer = nb::borrow(calls[l])(sequence, t);
        items.read(answer.ptr());
        for (std::size_t i = 0; i < items.size(); ++i) {
          value.clear();
          append_escaped(items.name(i), value);
          values.ids.push_back(values.strings.add(value));
          values.weights.push_back(items.value(i));
        }
        values.offsets.push_back(static_cast<int64_t>(values.ids.size()));
      }
    }
    corpus->sequence_offsets.push_back(corpus->sequence_offsets.back() + length);
  }
  for (std::size_t l = 0; l < program.leaves.size(); ++l) {
    const FeatureLeaf& leaf = program.leaves[l];
    if (leaf.operation == Operation::supplied)
      evaluate_texts(corpus->sources[leaf.source].strings, nb::borrow(calls[l]), corpus->leaf_values[l]);
  }
  return corpus;
}

void check_same(const FeatureProgram& program, uint64_t other) {
  if (program.serial != other) throw nb::value_error("this was made for another program");
}

Fitted fit(const FeatureProgram& program, const Corpus& corpus, int64_t min_count) {
  check_same(program, corpus.program);
  Rows rows;
  auto table = std::make_shared<StringTable>();
  {
    const nb::gil_scoped_release released;
    FeatureTables tables(program);
    rows = fit_features(program, corpus, tables);
    const std::vector<int32_t> renamed = min_count > 1 ? drop_rare(rows, tables.size(), min_count) : std::vector<int32_t>();
    *table = attribute_strings(program, tables, renamed);
  }
  return Fitted(nb::make_tuple(std::shared_ptr<const StringTable>(std::move(table)), arrays_of(std::move(rows))));
}

// Tables with the program that they are for: what is needed to tell their attributes' names.
struct NamedTables {
  Program program;
  mutable FeatureTables tables;  // `named` changes what only names need, with the GIL held

  const FeatureTables& named() const {
    if (!tables.complete()) throw nb::value_error("the index holds attributes that the program does not make");
    tables.prepare_strings(*program);
    return tables;
  }
};
using Named = std::shared_ptr<const NamedTables>;

Named make_tables(const Program& program, const StringTable& index) {
  const nb::gil_scoped_release released;
  return std::make_shared<const NamedTables>(
      NamedTables{program, FeatureTables(*program, index.bytes().data(), index.offsets().data(), index.size())});
}

// The same from a file's arrays, unless they hold a string that the program does not make.
std::optional<Named> read_tables(const Program& program, const In<uint8_t, nb::ndim<1>>& bytes,
                                 const In<int64_t, nb::ndim<1>>& offsets) {
  const int32_t count = checked_strings(bytes, offsets);
  FeatureTables tables(*program, reinterpret_cast<const char*>(bytes.data()), offsets.data(), count);
  if (!tables.complete()) return std::nullopt;
  return std::make_shared<const NamedTables>(NamedTables{program, std::move(tables)});
}

nb::str name_of(const NamedTables& index, int64_t id) {
  if (id < 0 || id >= index.tables.size()) throw nb::index_error("no string has this id");
  std::string text;
  index.named().append_string(*index.program, static_cast<int32_t>(id), text);
  return to_python(text);
}

}  // namespace

void bind_feature_templates(nb::module_& m) {
  nb::class_<FeatureProgram>(m, "FeatureProgram", "Declared templates, as the core runs them.")
      .def(nb::new_(&make_program), nb::arg("sources"), nb::arg("leaves"), nb::arg("slots"))
      .def("read", &read_corpus, nb::arg("sequences"), nb::arg("columns"), nb::arg("calls"), nb::arg("source_text"),
           "What the leaves need to know of the tokens.")
      .def("fit", &fit, nb::arg("corpus"), nb::arg("min_count"), "The attributes of a corpus, and the corpus in their ids.")
      .def("tables", &make_tables, nb::arg("index"), "Known attributes, ready for extraction.")
      .def("read_tables", &read_tables, nb::arg("bytes"), nb::arg("offsets"),
           "The same from arrays; None if they hold an attribute that the program does not make.")
      .def(
          "extract",
          [](const FeatureProgram& program, const Corpus& corpus, const NamedTables& index, int threads) {
            const FeatureTables& tables = index.tables;
            check_same(program, corpus.program);
            check_same(program, tables.program());
            Rows rows;
            {
              const nb::gil_scoped_release released;
              rows = extract_features(program, corpus, tables, threads);
            }
            return arrays_of(std::move(rows));
          },
          nb::arg("corpus"), nb::arg("tables"), nb::arg("threads"), "A corpus in the ids of known attributes.")
      .def(
          "hash",
          [](const FeatureProgram& program, const Corpus& corpus, int bits, bool signs) {
            check_same(program, corpus.program);
            if (bits < 1 || bits > 30) throw nb::value_error("bits must be 1 to 30");
            Rows rows;
            {
              const nb::gil_scoped_release released;
              rows = hash_features(program, corpus, bits, signs);
            }
            return arrays_of(std::move(rows));
          },
          nb::arg("corpus"), nb::arg("bits"), nb::arg("signs"), "A corpus in hashed ids.");
  nb::class_<Corpus>(m, "FeatureCorpus", "Tokens, as a program reads them.");
  nb::class_<NamedTables>(m, "FeatureTables", "Known attributes, by the values that make them.")
      .def("__len__", [](const NamedTables& index) { return index.tables.size(); })
      .def(
          "find",
          [](const NamedTables& index, nb::str text) {
            std::string scratch;
            return index.tables.find_string(*index.program, utf8_of(text.ptr(), scratch));
          },
          nb::arg("text"), "The id of an attribute, or -1.")
      .def("string", &name_of, nb::arg("id"))
      .def(
          "strings",
          [](const NamedTables& index) {
            return std::make_shared<const StringTable>(attribute_strings(*index.program, index.named(), {}));
          },
          "All attributes, by id. Raises ValueError unless the program makes all of them.");
}

}  // namespace lawful
