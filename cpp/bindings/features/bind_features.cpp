#include <cstring>
#include <memory>

#include "bindings/bindings.hpp"
#include "bindings/features/python_strings.hpp"
#include "core/features/strings.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

using Table = std::shared_ptr<const StringTable>;
using Fitted = nb::typed<nb::tuple, StringTable, RowArrays>;
using Sequences = nb::typed<nb::list, nb::object>;

Table make_table(const In<uint8_t, nb::ndim<1>>& bytes, const In<int64_t, nb::ndim<1>>& offsets) {
  const int32_t count = checked_strings(bytes, offsets);
  auto table = std::make_shared<StringTable>();
  table->reserve(count, bytes.size());
  const char* text = reinterpret_cast<const char*>(bytes.data());
  for (int32_t i = 0; i < count; ++i) {
    const int64_t start = offsets.data()[i], end = offsets.data()[i + 1];
    if (table->add({text + start, static_cast<std::size_t>(end - start)}) != i)
      throw nb::value_error(("string " + std::to_string(i) + " stands there twice").c_str());
  }
  return table;
}

Table make_table_of_strings(const nb::typed<nb::list, nb::str>& strings) {
  auto table = std::make_shared<StringTable>();
  std::string scratch;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    PyObject* text = PyList_GET_ITEM(strings.ptr(), static_cast<Py_ssize_t>(i));
    if (!PyUnicode_Check(text)) throw nb::type_error(("string " + std::to_string(i) + " is no string").c_str());
    if (table->add(utf8_of(text, scratch)) != static_cast<int32_t>(i))
      throw nb::value_error(("string " + std::to_string(i) + " stands there twice").c_str());
  }
  return table;
}

// Calls visit(item reader) for each position. X is a list of sequences, each a list or tuple of items.
template <typename Visit>
void read_items(const Sequences& sequences, Rows& rows, Visit visit) {
  ItemReader reader;
  for (std::size_t n = 0; n < sequences.size(); ++n) {
    const nb::tuple items = tuple_of(PyList_GET_ITEM(sequences.ptr(), static_cast<Py_ssize_t>(n)), n, "items");
    for (Py_ssize_t t = 0; t < PyTuple_GET_SIZE(items.ptr()); ++t) {
      try {
        reader.read(PyTuple_GET_ITEM(items.ptr(), t));
      } catch (const nb::builtin_exception& error) {
        throw nb::value_error(
            ("sequence " + std::to_string(n + 1) + ", position " + std::to_string(t) + ": " + error.what()).c_str());
      }
      for (std::size_t i = 0; i < reader.size(); ++i) visit(reader.name(i), reader.value(i));
      rows.end_position();
    }
    rows.end_sequence();
  }
}

Fitted fit_items(const Sequences& sequences, int64_t min_count) {
  Rows rows;
  auto table = std::make_shared<StringTable>();
  read_items(sequences, rows, [&](std::string_view name, double value) { rows.add(table->add(name), value); });
  if (min_count > 1) {
    const std::vector<int32_t> renamed = drop_rare(rows, table->size(), min_count);
    auto kept = std::make_shared<StringTable>();
    for (int32_t id = 0; id < table->size(); ++id)
      if (renamed[id] >= 0) kept->add((*table)[id]);
    table = std::move(kept);
  }
  return Fitted(nb::make_tuple(Table(std::move(table)), arrays_of(std::move(rows))));
}

RowArrays extract_items(const Sequences& sequences, const Table& table) {
  Rows rows;
  read_items(sequences, rows, [&](std::string_view name, double value) {
    if (const int32_t id = table->find(name); id >= 0) rows.add(id, value);
  });
  return arrays_of(std::move(rows));
}

nb::typed<nb::list, nb::str> strings_of(const StringTable& table) {
  nb::list strings;
  for (int32_t id = 0; id < table.size(); ++id) strings.append(to_python(table[id]));
  return nb::typed<nb::list, nb::str>(strings);
}

}  // namespace

void bind_features(nb::module_& m) {
  nb::class_<StringTable>(m, "StringTable", "Different strings and their ids, 0 to n - 1. Never changes.")
      .def(nb::new_(&make_table), nb::arg("bytes"), nb::arg("offsets"))
      .def_static("of", &make_table_of_strings, nb::arg("strings"))
      .def("__len__", &StringTable::size)
      .def(
          "find",
          [](const StringTable& table, nb::str text) {
            std::string scratch;
            return table.find(utf8_of(text.ptr(), scratch));
          },
          nb::arg("text"), "The id of a string, or -1.")
      .def(
          "string",
          [](const StringTable& table, int64_t id) {
            if (id < 0 || id >= table.size()) throw nb::index_error("no string has this id");
            return to_python(table[static_cast<int32_t>(id)]);
          },
          nb::arg("id"))
      .def("strings", &strings_of, "All of them, by id.")
      .def_prop_ro(
          "bytes",
          [](nb::handle self) {
            const auto& bytes = nb::cast<const StringTable&>(self).bytes();
            return nb::cast(nb::ndarray<nb::numpy, const uint8_t>(bytes.data(), {bytes.size()}, self));
          },
          nb::sig("def bytes(self) -> numpy.typing.NDArray[numpy.uint8]"), "(B,): their UTF-8, one after another.")
      .def_prop_ro(
          "offsets",
          [](nb::handle self) {
            const auto& offsets = nb::cast<const StringTable&>(self).offsets();
            return nb::cast(nb::ndarray<nb::numpy, const int64_t>(offsets.data(), {offsets.size()}, self));
          },
          nb::sig("def offsets(self) -> numpy.typing.NDArray[numpy.int64]"),
          "(n + 1,): string i is bytes[offsets[i]:offsets[i + 1]].");
  m.def("fit_items", &fit_items, nb::arg("sequences"), nb::arg("min_count"),
        "The attributes of CRFsuite-style items, and what they are with those ids.");
  m.def("extract_items", &extract_items, nb::arg("sequences"), nb::arg("table"), "The same with known attributes only.");
}

}  // namespace lawful
