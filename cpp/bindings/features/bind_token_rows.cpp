#include "bindings/features/token_rows.hpp"

namespace lawful {

TokenRows::TokenRows(nb::tuple names, nb::tuple columns) : names_(std::move(names)), columns_(std::move(columns)) {
  require(names_.size() > 0 && names_.size() == columns_.size(), "there must be a name for each column");
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const nb::handle column = PyTuple_GET_ITEM(columns_.ptr(), static_cast<Py_ssize_t>(c));
    require(PyTuple_CheckExact(column.ptr()), "a column must be a tuple");
    require(c == 0 || PyTuple_GET_SIZE(column.ptr()) == length_, "columns must be equally long");
    length_ = PyTuple_GET_SIZE(column.ptr());
  }
}

const nb::list& TokenRows::rows() const {
  if (!rows_.is_valid()) {
    nb::list all;
    for (Py_ssize_t t = 0; t < length_; ++t) {
      nb::dict row;
      for (Py_ssize_t c = 0; c < PyTuple_GET_SIZE(names_.ptr()); ++c) {
        PyObject* const value = PyTuple_GET_ITEM(PyTuple_GET_ITEM(columns_.ptr(), c), t);
        if (PyDict_SetItem(row.ptr(), PyTuple_GET_ITEM(names_.ptr(), c), value) != 0) throw nb::python_error();
      }
      all.append(row);
    }
    rows_ = std::move(all);
  }
  return rows_;
}

PyObject* TokenRows::column(nb::handle name) const {
  for (Py_ssize_t c = 0; c < PyTuple_GET_SIZE(names_.ptr()); ++c) {
    PyObject* const known = PyTuple_GET_ITEM(names_.ptr(), c);
    const int same = known == name.ptr() ? 1 : PyObject_RichCompareBool(known, name.ptr(), Py_EQ);
    if (same < 0) throw nb::python_error();
    if (same) return PyTuple_GET_ITEM(columns_.ptr(), c);
  }
  return nullptr;
}

namespace {

nb::object item_of(const TokenRows& self, nb::handle index) {
  PyObject* const item = PyObject_GetItem(self.rows().ptr(), index.ptr());  // of a slice a list
  if (!item) throw nb::python_error();
  return nb::steal(item);
}

}  // namespace

void bind_token_rows(nb::module_& m) {
  nb::class_<TokenRows>(m, "TokenRows", "The tokens of a sentence as dicts from columns to values, made when one is looked at.")
      .def(nb::init<nb::tuple, nb::tuple>(), nb::arg("names"), nb::arg("columns"),
           nb::sig("def __init__(self, names: tuple[str, ...], columns: tuple[tuple[Any, ...], ...]) -> None"))
      .def("__len__", &TokenRows::length)
      .def("__getitem__", &item_of, nb::arg("index"), nb::sig("def __getitem__(self, index: int | slice, /) -> Any"))
      .def(
          "__iter__", [](const TokenRows& self) { return nb::iter(self.rows()); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[dict[str, Any]]"))
      .def(
          "__eq__",
          [](const TokenRows& self, nb::handle other) -> nb::object {
            const TokenRows* rows = as_token_rows(other);
            if (!rows && !PyList_Check(other.ptr())) return nb::borrow(Py_NotImplemented);
            return nb::cast(self.rows().equal(rows ? nb::handle(rows->rows()) : other));
          },
          nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", [](const TokenRows& self) { return nb::repr(self.rows()); })
      .def(
          "__reduce__",
          [](nb::handle self) {
            const TokenRows& rows = *nb::inst_ptr<TokenRows>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(rows.names(), rows.columns()));
          },
          nb::sig("def __reduce__(self) -> tuple[Any, ...]"));
}

}  // namespace lawful
