// The tokens of a sentence with columns, whose rows are dicts that are made when somebody first looks at one. What only wants a
// column reads it as it is.
#pragma once

#include "bindings/bindings.hpp"

namespace lawful {

class TokenRows {
 public:
  TokenRows(nb::tuple names, nb::tuple columns);

  Py_ssize_t length() const { return length_; }
  const nb::list& rows() const;
  nb::handle row(Py_ssize_t t) const { return PyList_GET_ITEM(rows().ptr(), t); }
  const nb::tuple& names() const { return names_; }
  const nb::tuple& columns() const { return columns_; }

  // The tuple under a name; null if there is none.
  PyObject* column(nb::handle name) const;

 private:
  nb::tuple names_, columns_;
  Py_ssize_t length_ = 0;
  mutable nb::list rows_ = nb::steal<nb::list>(nb::handle());  // null until somebody looks at one: most only give columns
};

// Null if the object is something else.
inline const TokenRows* as_token_rows(nb::handle object) {
  return nb::isinstance<TokenRows>(object) ? nb::inst_ptr<TokenRows>(object) : nullptr;
}

}  // namespace lawful
