// What the parsers found, as Python objects.
#pragma once

#include <vector>

#include "bindings/bindings.hpp"
#include "core/parserator/field_names.hpp"
#include "core/parserator/text.hpp"

namespace lawful {

// Throws the Python error if there is one.
nb::object checked(PyObject* made);

nb::object tokens_of(PyObject* text, const TokenSpan* tokens, int64_t count);                 // a tuple of strings
nb::object names_of(const nb::tuple& names, const int32_t* numbers, int64_t count);           // a tuple of those names

// The text of each field by name: its tokens joined by blanks, without blanks, commas and semicolons around them.
class FieldWriter {
 public:
  FieldWriter(const FieldNames& names, const nb::tuple& strings) : reader_(names), strings_(strings) {}
  nb::object write(PyObject* tokens, const int32_t* labels);  // a dict

 private:
  nb::object join(PyObject* tokens, std::size_t group);
  FieldReader reader_;
  const nb::tuple& strings_;
  std::vector<int32_t> groups_;  // the field of each, in the order in which they were first filled
  std::vector<int32_t> group_;   // by token
  std::vector<uint32_t> buffer_;
};

}  // namespace lawful
