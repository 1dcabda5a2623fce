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
  // A dict. What repeats a field is merged into it; or kept apart under the field's name and a number.
  nb::object write(PyObject* tokens, const int32_t* labels, bool merge = true);

 private:
  struct Group {
    int32_t field, time;  // time: 1 for the first run of a field
    bool operator==(const Group&) const = default;
  };
  nb::object join(PyObject* tokens, std::size_t group);
  nb::object name_of(const Group& group) const;
  FieldReader reader_;
  const nb::tuple& strings_;
  std::vector<int32_t> times_;   // by field
  std::vector<Group> groups_;    // in the order in which they were first filled
  std::vector<int32_t> group_;   // by token
  std::vector<uint32_t> buffer_;
};

}  // namespace lawful
