#include "core/rules/binder.hpp"

namespace lawful {

bool Binder::tie(const Examples& examples, int64_t n, Binding& binding) const {
  if (examples.apart[n]) return false;
  binding.restart(examples.length(n));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Source& source = sources[s];
    const Examples::Column& column = examples.columns[s];
    if (source.wants == Wants::part) {
      binding.add(column.parts[n]);
      continue;
    }
    const int64_t from = column.starts[n], to = column.starts[n + 1];
    if (source.wants == Wants::spans) {
      const std::size_t layers = binding.add_spans(source.part.get(), column.spans.data() + from, to - from);
      if (source.once && layers > 1) return false;
    } else {
      uint16_t* kinds = binding.add_with_kinds(source.part.get());
      for (int64_t i = from; i < to; ++i) kinds[column.positions[i]] = 1;
    }
  }
  if (!columns.empty()) binding.add(columns, examples.rows.data() + examples.offsets[n]);
  return true;
}

std::shared_ptr<const Binding> Binder::tied(const std::shared_ptr<const Binder>& binder, const Examples& examples, int64_t n) {
  auto binding = std::make_shared<Binding>(0);
  if (!binder->tie(examples, n, *binding)) return nullptr;
  binding->keep(binder);
  for (std::size_t s = 0; s < binder->sources.size(); ++s)
    if (binder->sources[s].wants == Wants::part) binding->keep(examples.columns[s].parts[n]->shared_from_this());
  return binding;
}

}  // namespace lawful
