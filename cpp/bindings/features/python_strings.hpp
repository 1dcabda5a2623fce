// How the feature bindings read Python's strings and items, and give arrays back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/bindings.hpp"
#include "core/features/rows.hpp"

#include <nanobind/stl/optional.h>

namespace lawful {

// The UTF-8 of a Python string; lone surrogates keep their three bytes, so that no string is refused. The view
// points into the string or into `scratch`. Unlike PyUnicode_AsUTF8, it leaves no copy behind in the string.
std::string_view utf8_of(PyObject* text, std::string& scratch);

nb::str to_python(std::string_view utf8);

// How many strings the arrays hold: string i is bytes[offsets[i]:offsets[i + 1]]. Raises ValueError unless offsets ascend
// through all the bytes and every string is UTF-8 (lone surrogates pass).
int32_t checked_strings(const In<uint8_t, nb::ndim<1>>& bytes, const In<int64_t, nb::ndim<1>>& offsets);

// A sequence that nobody else can change while it is read. Raises ValueError for what is none.
nb::tuple tuple_of(PyObject* sequence, std::size_t number, const char* of_what);

// One position's attributes as CRFsuite's users write them: a list of names, or a dict from names to values.
class ItemReader {
 public:
  struct Attribute {
    int64_t start, end;  // in bytes
    double value;
  };
  void read(PyObject* item);  // raises ValueError saying what is wrong with it
  std::size_t size() const { return attributes_.size(); }
  std::string_view name(std::size_t i) const {
    return {bytes_.data() + attributes_[i].start, static_cast<std::size_t>(attributes_[i].end - attributes_[i].start)};
  }
  double value(std::size_t i) const { return attributes_[i].value; }

 private:
  void read_names(PyObject* names, std::string& prefix);
  void read_mapping(PyObject* mapping, std::string& prefix, int depth);
  void read_value(PyObject* value, std::string& prefix, int depth);
  void append_text(PyObject* text, std::string& into, const char* role);
  void keep(std::string_view name, double value);

  std::string bytes_, scratch_, prefix_;
  std::vector<Attribute> attributes_;
};

using RowArrays =
    nb::typed<nb::tuple, nb::ndarray<nb::numpy, const int64_t, nb::ndim<1>>, nb::ndarray<nb::numpy, const int64_t, nb::ndim<1>>,
              nb::ndarray<nb::numpy, const int32_t, nb::ndim<1>>,
              std::optional<nb::ndarray<nb::numpy, const double, nb::ndim<1>>>>;

RowArrays arrays_of(Rows&& rows);

}  // namespace lawful
