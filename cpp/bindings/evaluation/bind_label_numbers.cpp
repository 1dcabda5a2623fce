#include "bindings/bindings.hpp"

namespace lawful {
namespace {

using Numbers = nb::typed<nb::dict, nb::str, int>;
using Labellings = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::ellipsis>>;

// Most labels are the very strings of the dictionary, so that looking one up compares nothing.
nb::object number_labels(const Numbers& numbers, const Labellings& labellings) {
  std::vector<int64_t> found;
  for (const nb::handle labelling : labellings) {
    if (!PyTuple_CheckExact(labelling.ptr())) return nb::none();
    const Py_ssize_t length = PyTuple_GET_SIZE(labelling.ptr());
    for (Py_ssize_t t = 0; t < length; ++t) {
      PyObject* const label = PyTuple_GET_ITEM(labelling.ptr(), t);
      if (!PyUnicode_CheckExact(label)) return nb::none();
      PyObject* const number = PyDict_GetItemWithError(numbers.ptr(), label);
      if (!number) return nb::none();
      found.push_back(PyLong_AsLongLong(number));
      if (PyErr_Occurred()) throw nb::python_error();
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
