// What rules see of many sequences, with the Python objects that it points into.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/rules/binder.hpp"
#include "core/scores/trellis.hpp"

namespace lawful {

struct PythonExamples {
  PythonExamples(std::shared_ptr<const Binder> of, std::vector<int64_t> offsets)
      : binder(std::move(of)), examples(std::move(offsets), binder->sources.size()) {}

  std::shared_ptr<const Binder> binder;
  Examples examples;
  nanobind::object table;  // the rows of the tokens are its own
  std::vector<std::shared_ptr<const Trellis>> trellises;  // of the sequences, if it was made from them

  // Whether every source has its column, and every token its row.
  bool complete() const {
    for (std::size_t s = 0; s < binder->sources.size(); ++s)
      if ((binder->sources[s].wants == Binder::Wants::part ? examples.columns[s].parts.size() : examples.columns[s].starts.size()) <
          examples.apart.size())
        return false;
    return binder->columns.empty() || static_cast<int64_t>(examples.rows.size()) == examples.offsets.back();
  }
};

}  // namespace lawful
