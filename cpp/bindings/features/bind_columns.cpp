// Columns of text as tuples of strings, equal strings shared: what Python would do in many passes over every string.
#include <string>
#include <string_view>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/features/python_strings.hpp"
#include "core/features/strings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

constexpr int32_t most_strings = 1 << 18;

using Runs = nb::typed<nb::list, nb::typed<nb::tuple, nb::typed<nb::tuple, nb::str, nb::ellipsis>, nb::ellipsis>>;

class ColumnCutter {
 public:
  explicit ColumnCutter(char separator) : separator_(separator) {}

  // The columns of each run of rows. Nothing if a row does not have `width` fields, or if a field is empty that must not be.
  std::optional<Runs> cut(const nb::str& source, int width, const std::vector<int>& rows, const std::vector<bool>& filled) {
    std::string scratch;
    const std::string_view text = utf8_of(source.ptr(), scratch);
    const char *at = text.data(), *const end = at + text.size();
    Runs runs;
    if (width < 1 || filled.size() != static_cast<std::size_t>(width)) throw nb::value_error("one of `filled` a column");
    if (known_.size() > most_strings) {
      known_ = StringTable();
      strings_.clear();
    }
    for (const int count : rows) {
      while (at < end && *at == '\n') ++at;
      const nb::object run = nb::steal(PyTuple_New(width));
      for (int column = 0; column < width; ++column) {
        PyObject* values = PyTuple_New(count);
        if (!values) throw nb::python_error();
        PyTuple_SET_ITEM(run.ptr(), column, values);
      }
      for (int row = 0; row < count; ++row, ++at) {
        if (at > end) return {};
        for (int column = 0; column < width; ++column) {
          if (column) ++at;  // the separator
          const char* const start = at;
          while (at < end && *at != separator_ && *at != '\n') ++at;
          const bool last = at == end || *at == '\n';
          if (last != (column + 1 == width) || (at == start && filled[column])) return {};
          PyTuple_SET_ITEM(PyTuple_GET_ITEM(run.ptr(), column), row, shared({start, static_cast<std::size_t>(at - start)}));
        }
      }
      runs.append(run);
    }
    return runs;
  }

 private:
  PyObject* shared(std::string_view text) {
    if (text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80) {  // "_" and digits: Python shares these itself
      PyObject* string = PyUnicode_FromOrdinal(text[0]);
      if (!string) throw nb::python_error();
      return string;
    }
    const int32_t id = known_.add(text);
    if (id == static_cast<int32_t>(strings_.size())) {
      PyObject* string = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
      if (!string) throw nb::python_error();
      strings_.push_back(nb::steal(string));
    }
    return Py_NewRef(strings_[id].ptr());
  }

  char separator_;
  StringTable known_;
  std::vector<nb::object> strings_;  // by their ids
};

}  // namespace

void bind_columns(nb::module_& m) {
  nb::class_<ColumnCutter>(m, "ColumnCutter")
      .def(nb::init<char>(), nb::arg("separator"))
      .def("cut", &ColumnCutter::cut, nb::arg("text"), nb::arg("width"), nb::arg("rows"), nb::arg("filled"),
           "The columns of each run of rows, as tuples; None if a row does not have `width` fields, or if a field is empty that "
           "must not be.");
}

}  // namespace lawful
