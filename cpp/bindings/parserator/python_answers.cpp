#include "bindings/parserator/python_answers.hpp"

#include <algorithm>

namespace lawful {
namespace {

bool is_edge(uint32_t point) { return point == ' ' || point == ',' || point == ';'; }

}  // namespace

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

namespace {

// A tuple of strings is in no cycle: the garbage collector need not visit it, and there are millions of them.
nb::object tuple_for(int64_t count) {
  nb::object made = checked(PyTuple_New(count));
  if (count > 0) PyObject_GC_UnTrack(made.ptr());
  return made;
}

}  // namespace

nb::object tokens_of(PyObject* text, const TokenSpan* tokens, int64_t count) {
  nb::object result = tuple_for(count);
  for (int64_t t = 0; t < count; ++t)
    PyTuple_SET_ITEM(result.ptr(), t, checked(PyUnicode_Substring(text, tokens[t].start, tokens[t].end)).release().ptr());
  return result;
}

nb::object names_of(const nb::tuple& names, const int32_t* numbers, int64_t count) {
  nb::object result = tuple_for(count);
  for (int64_t t = 0; t < count; ++t) PyTuple_SET_ITEM(result.ptr(), t, Py_NewRef(PyTuple_GET_ITEM(names.ptr(), numbers[t])));
  return result;
}

nb::object FieldWriter::join(PyObject* tokens, std::size_t group) {
  buffer_.clear();
  for (std::size_t t = 0; t < group_.size(); ++t) {
    if (group_[t] != static_cast<int32_t>(group)) continue;
    PyObject* token = PyTuple_GET_ITEM(tokens, t);
    if (!buffer_.empty()) buffer_.push_back(' ');
    const int kind = PyUnicode_KIND(token);
    const void* data = PyUnicode_DATA(token);
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(token); ++i) buffer_.push_back(PyUnicode_READ(kind, data, i));
  }
  auto from = std::find_if_not(buffer_.begin(), buffer_.end(), is_edge);
  auto to = std::find_if_not(buffer_.rbegin(), std::make_reverse_iterator(from), is_edge).base();
  const uint32_t largest = from == to ? 0 : *std::max_element(from, to);
  if (largest >= 0x80) return checked(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, &*from, to - from));
  nb::object made = checked(PyUnicode_New(to - from, 0x7f));
  std::copy(from, to, PyUnicode_1BYTE_DATA(made.ptr()));
  return made;
}

nb::object FieldWriter::name_of(const Group& group) const {
  nb::object name = nb::borrow(PyTuple_GET_ITEM(strings_.ptr(), group.field));
  return group.time == 1 ? name : checked(PyUnicode_FromFormat("%U (%d)", name.ptr(), group.time));
}

nb::object FieldWriter::write(PyObject* tokens, const int32_t* labels, bool merge) {
  const Py_ssize_t count = PyTuple_GET_SIZE(tokens);
  groups_.clear();
  group_.clear();
  times_.assign(strings_.size(), 1);
  reader_.start();
  for (Py_ssize_t t = 0; t < count; ++t) {
    const Field read = reader_.read(labels[t]);
    times_[read.field] += read.raises && !merge;
    const Group group{read.field, times_[read.field]};
    const auto known = std::find(groups_.begin(), groups_.end(), group);
    group_.push_back(static_cast<int32_t>(known - groups_.begin()));
    if (known == groups_.end()) groups_.push_back(group);
  }
  nb::object fields = checked(PyDict_New());
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const nb::object text = join(tokens, group);
    if (PyDict_SetItem(fields.ptr(), name_of(groups_[group]).ptr(), text.ptr()) != 0) throw nb::python_error();
  }
  return fields;
}

}  // namespace lawful
