#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

#include "bindings/bindings.hpp"
#include "core/rules/binding.hpp"
#include "core/rules/span_layers.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

using Kinds = In<uint16_t, nb::ndim<1>>;
using Parts = nb::typed<nb::sequence, Part>;
using KindsOfParts = nb::typed<nb::sequence, std::optional<std::variant<nb::typed<nb::list, int>, Kinds>>>;

// Kinds come as a list from rules, and as an array from those who have them from another binding.
void read_kinds(nb::handle kinds, int length, uint16_t* into) {
  if (nb::isinstance<nb::list>(kinds)) {
    const auto list = nb::borrow<nb::list>(kinds);
    require(static_cast<int>(list.size()) == length, "kinds must have one number per token");
    for (int t = 0; t < length; ++t) into[t] = nb::cast<uint16_t>(nb::handle(PyList_GET_ITEM(list.ptr(), t)));
    return;
  }
  const auto array = nb::cast<Kinds>(kinds);
  require(static_cast<int>(array.size()) == length, "kinds must have one number per token");
  std::copy(array.data(), array.data() + length, into);
}

std::shared_ptr<Binding> make_binding(int length, const Parts& parts, const KindsOfParts& kinds, const TokenTable* table,
                                      const std::vector<uint32_t>& codes) {
  const std::size_t count = nb::len(parts);
  require(nb::len(kinds) == count, "kinds must have one entry per part");
  auto binding = std::make_shared<Binding>(length);
  binding->reserve(count);
  for (std::size_t p = 0; p < count; ++p) {
    auto part = nb::cast<std::shared_ptr<const Part>>(parts[p]);
    const nb::object part_kinds = kinds[p];
    if (part_kinds.is_none()) {
      binding->add(std::move(part));
      continue;
    }
    const int kind_count = part->kinds;
    uint16_t* copy = binding->add_with_kinds(std::move(part));
    read_kinds(part_kinds, length, copy);
    for (int t = 0; t < length; ++t) require(copy[t] < kind_count, "kinds holds a kind that the part does not know");
  }
  if (table) {
    require(static_cast<int>(codes.size()) == length, "codes must have one number per token");
    std::vector<const TokenTable::Row*> rows;
    rows.reserve(codes.size());
    for (const uint32_t code : codes) {
      require(code < table->rows.size(), "codes holds a code that the table does not know");
      rows.push_back(table->rows[code].get());
    }
    binding->add(table->columns, rows.data());
    for (std::size_t p = count; p < binding->parts.size(); ++p) binding->keep(binding->parts[p]->shared_from_this());
  }
  return binding;
}

nb::object kinds_of(nb::handle self, std::size_t part) {
  const auto& binding = nb::cast<const Binding&>(self);
  const uint16_t* kinds = binding.kinds(part);
  if (!kinds) return nb::none();
  return nb::cast(nb::ndarray<nb::numpy, const uint16_t>(kinds, {static_cast<std::size_t>(binding.length)}, self));
}

uint32_t add_row(TokenTable& table, const std::vector<uint16_t>& kinds) {
  require(kinds.size() == table.columns.size(), "a row must have one kind per part");
  TokenTable::Row row;
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    require(kinds[c] < table.columns[c].part->kinds, "a row holds a kind that the part does not know");
    if (kinds[c]) row.push_back({static_cast<int32_t>(c), kinds[c]});
  }
  table.rows.push_back(std::make_unique<const TokenTable::Row>(std::move(row)));
  return static_cast<uint32_t>(table.rows.size() - 1);
}

}  // namespace

void bind_binding(nb::module_& m) {
  nb::class_<TokenTable>(m, "TokenTable", "The kinds of tokens for all rules that look at single tokens, by code.")
      .def(nb::init<>())
      .def(
          "add_part",
          [](TokenTable& self, std::shared_ptr<const Part> part, bool idle, bool previous) {
            require(self.rows.empty(), "parts come before rows");
            require(!previous || part->kinds > 1, "a part that reads the previous token must know kind 1");
            self.columns.push_back({std::move(part), idle, previous});
          },
          nb::arg("part"), nb::kw_only(), nb::arg("idle"), nb::arg("previous"),
          "`idle`: it stays out where all tokens are of kind 0. `previous`: it reads the kind of the token before.")
      .def("add_row", &add_row, nb::arg("kinds"), "The code of tokens that are of these kinds, one per part.");

  nb::class_<Binding>(m, "Binding", "What one sequence must obey besides the common parts.")
      .def(nb::new_(&make_binding), nb::arg("length"), nb::arg("parts"), nb::arg("kinds"), nb::arg("table").none() = nb::none(),
           nb::arg("codes") = std::vector<uint32_t>())
      .def_prop_ro("parts",
                   [](const Binding& self) {
                     nb::list parts;
                     for (const Part* part : self.parts) parts.append(nb::cast(part->shared_from_this()));
                     return nb::typed<nb::tuple, Part, nb::ellipsis>(nb::tuple(parts));
                   })
      .def_prop_ro(
          "kinds",
          [](nb::handle self) {
            nb::list kinds;
            for (std::size_t p = 0; p < nb::cast<const Binding&>(self).parts.size(); ++p) kinds.append(kinds_of(self, p));
            return nb::tuple(kinds);
          },
          nb::sig("def kinds(self) -> tuple[numpy.typing.NDArray[numpy.uint16] | None, ...]"),
          "For each part the kinds (T,) of the tokens; None if all are of kind 0.");

  m.def(
      "lay_spans",
      [](const std::vector<std::pair<int, int>>& given, int length) {
        std::vector<Span> spans;
        for (const auto& [start, end] : given) {
          require(0 <= start && start < end && end <= length, "a span lies outside the sequence");
          spans.push_back({start, end});
        }
        std::sort(spans.begin(), spans.end());
        std::vector<std::vector<uint16_t>> layers;
        lay_spans(spans.data(), spans.size(), [&](std::size_t layer) {
          if (layer == layers.size()) layers.emplace_back(length, outside);
          return layers[layer].data();
        });
        return layers;
      },
      nb::arg("spans").noconvert(), nb::arg("length"),
      "Layers of disjoint spans as kinds of tokens: 0 outside, 1 the first of a span, 2 inside. Takes ints only, and no "
      "number that merely could be one.");
}

}  // namespace lawful
