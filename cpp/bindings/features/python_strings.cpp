#include "bindings/features/python_strings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lawful {
namespace {

constexpr int kDeepest = 32;

template <typename Char>
void append_utf8(const Char* text, Py_ssize_t length, std::string& into) {
  for (Py_ssize_t i = 0; i < length; ++i) {
    const auto c = static_cast<uint32_t>(text[i]);
    if (c < 0x80) {
      into += static_cast<char>(c);
    } else if (c < 0x800) {
      into += static_cast<char>(0xc0 | c >> 6);
      into += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
      into += static_cast<char>(0xe0 | c >> 12);
      into += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      into += static_cast<char>(0x80 | (c & 0x3f));
    } else {
      into += static_cast<char>(0xf0 | c >> 18);
      into += static_cast<char>(0x80 | (c >> 12 & 0x3f));
      into += static_cast<char>(0x80 | (c >> 6 & 0x3f));
      into += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
}

std::string shown(PyObject* object) {
  constexpr std::size_t kMost = 120;
  std::string text = nb::repr(object).c_str();
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "...";
}

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

bool is_names(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object); }

}  // namespace

std::string_view utf8_of(PyObject* text, std::string& scratch) {
  const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
  if (PyUnicode_IS_ASCII(text))
    return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(text)), static_cast<std::size_t>(length)};
  scratch.clear();
  switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND: append_utf8(PyUnicode_1BYTE_DATA(text), length, scratch); break;
    case PyUnicode_2BYTE_KIND: append_utf8(PyUnicode_2BYTE_DATA(text), length, scratch); break;
    default: append_utf8(PyUnicode_4BYTE_DATA(text), length, scratch);
  }
  return scratch;
}

nb::str to_python(std::string_view utf8) {
  PyObject* text = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass");
  if (text == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

int32_t checked_strings(const In<uint8_t, nb::ndim<1>>& bytes, const In<int64_t, nb::ndim<1>>& offsets) {
  const std::size_t n = offsets.size();
  if (n == 0 || offsets.data()[0] != 0 || offsets.data()[n - 1] != static_cast<int64_t>(bytes.size()))
    throw nb::value_error("offsets must start at 0 and end at the number of bytes");
  if (n > static_cast<std::size_t>(std::numeric_limits<int32_t>::max())) throw nb::value_error("more than 2^31 strings");
  for (std::size_t i = 1; i < n; ++i)
    if (offsets.data()[i] < offsets.data()[i - 1]) throw nb::value_error("offsets must not fall");
  const char* text = reinterpret_cast<const char*>(bytes.data());
  for (std::size_t i = 1; i < n; ++i) {
    const int64_t start = offsets.data()[i - 1], end = offsets.data()[i];
    if (!std::all_of(text + start, text + end, [](char c) { return static_cast<uint8_t>(c) < 0x80; }))
      to_python({text + start, static_cast<std::size_t>(end - start)});  // raises UnicodeDecodeError
  }
  return static_cast<int32_t>(n - 1);
}

nb::tuple tuple_of(PyObject* sequence, std::size_t number, const char* of_what) {
  PyObject* tuple = PyUnicode_Check(sequence) || PyDict_Check(sequence) ? nullptr : PySequence_Tuple(sequence);
  if (tuple != nullptr) return nb::steal<nb::tuple>(tuple);
  PyErr_Clear();
  refuse("sequence " + std::to_string(number + 1) + ": expected a list of " + of_what + ", got " + shown(sequence));
}

void ItemReader::read(PyObject* item) {
  bytes_.clear();
  attributes_.clear();
  prefix_.clear();
  if (PyDict_Check(item)) {
    read_mapping(item, prefix_, 0);
  } else if (is_names(item)) {
    read_names(item, prefix_);
  } else {
    const char* hint = PyUnicode_Check(item) ? "; to make attributes from words, give the model features=" : "";
    refuse("expected a list of attribute names or a dict from names to values, got " + shown(item) + hint);
  }
}

void ItemReader::append_text(PyObject* text, std::string& into, const char* role) {
  if (PyUnicode_Check(text)) {
    into += utf8_of(text, scratch_);
  } else if (PyBytes_Check(text)) {
    nb::object decoded = nb::steal(PyUnicode_FromEncodedObject(text, "utf-8", "strict"));
    if (!decoded.is_valid()) {
      PyErr_Clear();
      refuse(std::string(role) + " " + shown(text) + " is not UTF-8");
    }
    into += utf8_of(decoded.ptr(), scratch_);
  } else {
    refuse(std::string(role) + " must be a string, got " + shown(text));
  }
}

void ItemReader::keep(std::string_view name, double value) {
  const auto start = static_cast<int64_t>(bytes_.size());
  bytes_ += name;
  attributes_.push_back({start, static_cast<int64_t>(bytes_.size()), value});
}

void ItemReader::read_names(PyObject* names, std::string& prefix) {
  nb::object sorted;
  if (PyAnySet_Check(names)) {  // in an order that does not change from run to run
    sorted = nb::steal(PySequence_List(names));
    if (!sorted.is_valid() || PyList_Sort(sorted.ptr()) != 0) {
      PyErr_Clear();
      refuse("the names of a set must be strings, got " + shown(names));
    }
    names = sorted.ptr();
  }
  const std::size_t length = prefix.size();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(names); ++i) {
    append_text(PySequence_Fast_GET_ITEM(names, i), prefix, "an attribute's name");
    keep(prefix, 1.0);
    prefix.resize(length);
  }
}

void ItemReader::read_mapping(PyObject* mapping, std::string& prefix, int depth) {
  if (depth > kDeepest) refuse("dicts are nested more than 32 deep");
  const std::size_t length = prefix.size();
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(mapping, &at, &key, &value) != 0;) {
    const nb::object keep_alive = nb::borrow(value);  // a value's own __float__ may do anything, even to its dict
    append_text(key, prefix, "an attribute's name");
    read_value(value, prefix, depth);
    prefix.resize(length);
  }
}

void ItemReader::read_value(PyObject* value, std::string& prefix, int depth) {
  if (PyFloat_CheckExact(value) || PyBool_Check(value) || PyLong_CheckExact(value)) {
    // falls through to the number below
  } else if (PyUnicode_Check(value) || PyBytes_Check(value)) {
    prefix += ':';
    append_text(value, prefix, "an attribute's value");
    return keep(prefix, 1.0);
  } else if (PyDict_Check(value)) {
    prefix += ':';
    return read_mapping(value, prefix, depth + 1);
  } else if (is_names(value)) {
    prefix += ':';
    return read_names(value, prefix);
  }
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse("attribute " + shown(to_python(prefix).ptr()) + " has the value " + shown(value) +
           ": expected a number, a string, a bool, or a list or dict of those");
  }
  if (!std::isfinite(number))
    refuse("attribute " + shown(to_python(prefix).ptr()) + " has the value " + shown(value) + ": expected a finite number");
  keep(prefix, number);
}

RowArrays arrays_of(Rows&& rows) {
  nb::object values = nb::none();
  if (rows.weighted) values = frozen_array(std::move(rows.values));
  return RowArrays(nb::make_tuple(frozen_array(std::move(rows.sequence_offsets)), frozen_array(std::move(rows.item_offsets)),
                                  frozen_array(std::move(rows.attributes)), values));
}

}  // namespace lawful
