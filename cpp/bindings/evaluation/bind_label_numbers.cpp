#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "bindings/bindings.hpp"

namespace lawful {
namespace {

using Numbers = nb::typed<nb::dict, nb::str, int>;
using Labellings = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::ellipsis>>;

// The number of a label; none if it has none, or is a string of another type.
std::optional<int64_t> look_up(const Numbers& numbers, PyObject* label) {
  if (!PyUnicode_CheckExact(label)) return std::nullopt;
  PyObject* const number = PyDict_GetItemWithError(numbers.ptr(), label);
  if (!number) return std::nullopt;
  const int64_t found = PyLong_AsLongLong(number);
  if (PyErr_Occurred()) throw nb::python_error();
  return found;
}

// A corpus has few labels, and most of them as one string each, if not the one in the dictionary: a string that was looked up is
// known by its address.
nb::object number_labels(const Numbers& numbers, const Labellings& labellings) {
  struct Known {
    PyObject* label = nullptr;
    int64_t number = 0;
  };
  std::array<Known, 256> latest{};
  std::vector<int64_t> found;
  for (const nb::handle labelling : labellings) {
    if (!PyTuple_CheckExact(labelling.ptr())) return nb::none();
    const Py_ssize_t length = PyTuple_GET_SIZE(labelling.ptr());
    for (Py_ssize_t t = 0; t < length; ++t) {
      PyObject* const label = PyTuple_GET_ITEM(labelling.ptr(), t);
      Known& known = latest[(reinterpret_cast<std::uintptr_t>(label) / alignof(std::max_align_t)) % latest.size()];
      if (known.label != label) {
        const auto number = look_up(numbers, label);
        if (!number) return nb::none();
        known = {label, *number};
      }
      found.push_back(known.number);
    }
  }
  return owned_array(std::move(found));
}

}  // namespace

void bind_label_numbers(nb::module_& m) {
  m.def("number_labels", &number_labels, nb::arg("numbers"), nb::arg("labellings"),
        nb::sig("def number_labels(numbers: dict[str, int], labellings: list[tuple[str, ...]]) -> "
                "numpy.typing.NDArray[numpy.int64] | None"),
        "The numbers of the labels of many sequences, end to end; None if one is not known, or not plain.");
}

}  // namespace lawful
