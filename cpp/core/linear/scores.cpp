#include "core/linear/scores.hpp"

#include <algorithm>

namespace lawful {

void outputs_to_labels(const Outputs& outputs, const double* of_outputs, double* of_labels) {
  for (int label = 0; label < outputs.labels; ++label) {
    double sum = 0;
    for (const auto* o = outputs.of_label.begin(label); o != outputs.of_label.end(label); ++o) sum += of_outputs[*o];
    of_labels[label] = sum;
  }
}

void labels_to_outputs(const Outputs& outputs, const double* of_labels, double* of_outputs) {
  for (int output = 0; output < outputs.count(); ++output) {
    double sum = 0;
    for (const auto* k = outputs.members.begin(output); k != outputs.members.end(output); ++k) sum += of_labels[*k];
    of_outputs[output] = sum;
  }
}

void state_scores(const LinearLayout& layout, const double* weights, const Sequences& data, int64_t s, double scale, double* rows,
                  int stride) {
  const Outputs& outputs = layout.outputs;
  thread_local Doubles of_outputs;
  if (!outputs.plain) of_outputs.resize(outputs.count());
  for (int64_t p = data.sequence_offsets[s]; p < data.sequence_offsets[s + 1]; ++p, rows += stride) {
    std::fill(rows, rows + stride, 0.0);
    double* into = rows;
    if (!outputs.plain) {
      into = of_outputs.data();
      std::fill(of_outputs.begin(), of_outputs.end(), 0.0);
    }
    for (int64_t i = data.item_offsets[p]; i < data.item_offsets[p + 1]; ++i) {
      const int32_t attribute = data.attributes[i];
      if (attribute < 0 || attribute >= layout.attributes()) continue;
      const double value = data.values ? data.values[i] * scale : scale;
      for (int64_t f = layout.state.first[attribute]; f < layout.state.first[attribute + 1]; ++f)
        into[layout.state.items[f]] += value * weights[f];
    }
    if (!outputs.plain) outputs_to_labels(outputs, of_outputs.data(), rows);
  }
}

void pair_scores(const LinearLayout& layout, const double* weights, const Sequences& pairs, int64_t s, double scale,
                 double* matrices, int stride) {
  const Ragged& members = layout.outputs.members;
  const double* weight = weights + layout.pairs_at();
  for (int64_t p = pairs.sequence_offsets[s] + 1; p < pairs.sequence_offsets[s + 1]; ++p) {
    for (int64_t i = pairs.item_offsets[p]; i < pairs.item_offsets[p + 1]; ++i) {
      const int32_t attribute = pairs.attributes[i];
      if (attribute < 0 || attribute >= layout.pair_attributes()) continue;
      const double value = pairs.values ? pairs.values[i] * scale : scale;
      for (int64_t f = layout.pair_first[attribute]; f < layout.pair_first[attribute + 1]; ++f) {
        const int32_t source = layout.pair_source[f], target = layout.pair_target[f];
        for (const auto* j = members.begin(source); j != members.end(source); ++j)
          for (const auto* k = members.begin(target); k != members.end(target); ++k)
            matrices[static_cast<int64_t>(*j) * stride + *k] += value * weight[f];
      }
    }
    matrices += static_cast<int64_t>(layout.outputs.labels) * stride;
  }
}

}  // namespace lawful
