#include "bindings/linear/arrays.hpp"
#include "core/linear/feature_choice.hpp"
#include "core/linear/objective.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

namespace lawful {

LinearSequences::LinearSequences(Offsets sequence_offsets, Offsets item_offsets, Ids attributes, std::optional<Vector> values,
                                 int64_t size)
    : sequence_offsets(std::move(sequence_offsets)), item_offsets(std::move(item_offsets)), attributes(std::move(attributes)),
      values(std::move(values)), size(size) {
  require(this->sequence_offsets.size() > 0 && this->item_offsets.size() > 0, "offsets start with 0");
  require(!this->values || this->values->size() == this->attributes.size(), "there must be one value per attribute");
  view.sequences = static_cast<int64_t>(this->sequence_offsets.size()) - 1;
  view.sequence_offsets = this->sequence_offsets.data();
  view.item_offsets = this->item_offsets.data();
  view.attributes = this->attributes.data();
  view.values = this->values ? this->values->data() : nullptr;
  view.check(static_cast<int64_t>(this->attributes.size()), static_cast<int64_t>(this->item_offsets.size()) - 1, size);
}

const int32_t* checked_labels(const Ids& labels, const LinearSequences& data, int count) {
  require(static_cast<int64_t>(labels.size()) == data.view.positions(), "there must be one label per position");
  for (std::size_t i = 0; i < labels.size(); ++i)
    require(labels.data()[i] >= 0 && labels.data()[i] < count, "a label does not exist");
  return labels.data();
}

const Sequences* checked_pairs(const Corpus& pairs, const LinearSequences& data) {
  if (!pairs) return nullptr;
  const Sequences &tokens = data.view, &steps = pairs->view;
  require(tokens.sequences == steps.sequences &&
              std::equal(tokens.sequence_offsets, tokens.sequence_offsets + tokens.sequences + 1, steps.sequence_offsets),
          "pair attributes must be of the same sequences");
  return &pairs->view;
}

const double* checked_weights(const Vector& weights, const LinearLayout& layout) {
  require(static_cast<int64_t>(weights.size()) == layout.size(), "there must be one weight per feature");
  return weights.data();
}

namespace {

using LayoutPointer = std::shared_ptr<LinearLayout>;

Ragged ragged(const Offsets& first, const Ids& items) { return {copied(first), copied(items)}; }

LayoutPointer make_layout(int labels, const Offsets& output_offsets, const Ids& output_labels, const Offsets& state_offsets,
                          const Ids& state_outputs, const Ids& edge_sources, const Ids& edge_targets, const Ids& first_outputs,
                          const Ids& last_outputs, const Offsets& pair_offsets, const Ids& pair_sources,
                          const Ids& pair_targets) {
  auto layout = std::make_shared<LinearLayout>();
  layout->outputs = Outputs(labels, ragged(output_offsets, output_labels));
  layout->state = ragged(state_offsets, state_outputs);
  layout->edge_source = copied(edge_sources);
  layout->edge_target = copied(edge_targets);
  layout->first_output = copied(first_outputs);
  layout->last_output = copied(last_outputs);
  layout->pair_first = copied(pair_offsets);
  layout->pair_source = copied(pair_sources);
  layout->pair_target = copied(pair_targets);
  layout->check();
  return layout;
}

// The same features, where only some labels may stand side by side.
LayoutPointer with_steps(const LinearLayout& layout, const Ids& sources, const Ids& targets) {
  require(!layout.has_pairs(), "features of label pairs that look at tokens cannot be combined with allowed steps");
  auto restricted = std::make_shared<LinearLayout>(layout);
  restricted->allow(copied(sources), copied(targets));
  return restricted;
}

nb::object generate(int labels, const Offsets& output_offsets, const Ids& output_labels, const Corpus& data, const Ids& gold,
                    const Corpus& pairs, bool all_states, bool all_edges, double min_count, bool first, bool last,
                    const std::optional<In<uint8_t, nb::ndim<1>>>& scopes, int label_outputs) {
  const int32_t* gold_labels = checked_labels(gold, *data, labels);
  const Sequences* pair_view = checked_pairs(pairs, *data);
  require(!scopes || static_cast<int64_t>(scopes->size()) == data->size, "there must be one scope per attribute");
  const Outputs outputs(labels, ragged(output_offsets, output_labels));
  const FeatureChoiceOptions options{all_states,   all_edges, min_count, first, last, scopes ? scopes->data() : nullptr,
                                     label_outputs};
  ChosenFeatures chosen;
  {
    nb::gil_scoped_release release;
    chosen = choose_features(outputs, data->view, data->size, gold_labels, pair_view, pairs ? pairs->size : 0, options);
  }
  auto layout = std::make_shared<LinearLayout>(std::move(chosen.layout));
  return nb::make_tuple(layout, owned_array(std::move(chosen.observed)));
}

nb::object count(const LinearLayout& layout, const Corpus& data, const Ids& gold, const Corpus& pairs) {
  const int32_t* gold_labels = checked_labels(gold, *data, layout.outputs.labels);
  const Sequences* pair_view = checked_pairs(pairs, *data);
  std::vector<double> observed;
  {
    nb::gil_scoped_release release;
    observed = count_features(layout, data->view, gold_labels, pair_view);
  }
  return owned_array(std::move(observed));
}

nb::object evaluate(const LayoutPointer& layout, const Corpus& data, const Corpus& pairs, const Vector& observed,
                    const Vector& weights, int threads) {
  const double *observed_counts = checked_weights(observed, *layout), *weight_data = checked_weights(weights, *layout);
  const Sequences* pair_view = checked_pairs(pairs, *data);
  std::vector<double> gradient(layout->size());
  double value;
  {
    nb::gil_scoped_release release;
    LinearObjective objective(*layout, data->view, pair_view, observed_counts, threads);
    Doubles in_plan_order(layout->size()), plan_gradient(layout->size());
    objective.import_weights(weight_data, in_plan_order.data());
    value = objective.evaluate(in_plan_order.data(), plan_gradient.data());
    objective.export_weights(plan_gradient.data(), gradient.data());
  }
  return nb::make_tuple(value, owned_array(std::move(gradient)));
}

template <typename T>
auto array_of(std::vector<T> LinearLayout::* member) {
  return [member](const LinearLayout& layout) { return owned_array(layout.*member); };
}

}  // namespace

void bind_linear(nb::module_& m) {
  nb::class_<LinearSequences>(m, "LinearSequences", "The attributes of a corpus; keeps the arrays that it was given.")
      .def(nb::init<Offsets, Offsets, Ids, std::optional<Vector>, int64_t>(), nb::arg("sequence_offsets"),
           nb::arg("item_offsets"), nb::arg("attributes"), nb::arg("values").none(), nb::arg("size"))
      .def_ro("size", &LinearSequences::size, "The number of attribute ids.");

#define LAWFUL_IDS(name) nb::sig("def " name "(self) -> numpy.typing.NDArray[numpy.int32]")
#define LAWFUL_OFFSETS(name) nb::sig("def " name "(self) -> numpy.typing.NDArray[numpy.int64]")
  nb::class_<LinearLayout>(m, "LinearLayout", "Which features a linear model has, and the index of the weight of each one.")
      .def(nb::new_(&make_layout), nb::arg("labels"), nb::arg("output_offsets"), nb::arg("output_labels"),
           nb::arg("state_offsets"), nb::arg("state_outputs"), nb::arg("edge_sources"), nb::arg("edge_targets"),
           nb::arg("first_outputs"), nb::arg("last_outputs"), nb::arg("pair_offsets"), nb::arg("pair_sources"),
           nb::arg("pair_targets"))
      .def("with_steps", &with_steps, nb::arg("sources"), nb::arg("targets"),
           nb::sig("def with_steps(self, sources: numpy.typing.NDArray[numpy.int32], targets: "
                   "numpy.typing.NDArray[numpy.int32]) -> LinearLayout"),
           "The same features, where only these labels may stand side by side; steps must ascend.")
      .def_prop_ro("size", &LinearLayout::size, "The number of weights.")
      .def_prop_ro("attributes", &LinearLayout::attributes)
      .def_prop_ro("labels", [](const LinearLayout& layout) { return layout.outputs.labels; })
      .def_prop_ro(
          "output_offsets", [](const LinearLayout& l) { return owned_array(l.outputs.members.first); },
          LAWFUL_OFFSETS("output_offsets"))
      .def_prop_ro(
          "output_labels", [](const LinearLayout& l) { return owned_array(l.outputs.members.items); },
          LAWFUL_IDS("output_labels"))
      .def_prop_ro(
          "state_offsets", [](const LinearLayout& l) { return owned_array(l.state.first); }, LAWFUL_OFFSETS("state_offsets"))
      .def_prop_ro(
          "state_outputs", [](const LinearLayout& l) { return owned_array(l.state.items); }, LAWFUL_IDS("state_outputs"))
      .def_prop_ro("edge_sources", array_of(&LinearLayout::edge_source), LAWFUL_IDS("edge_sources"))
      .def_prop_ro("edge_targets", array_of(&LinearLayout::edge_target), LAWFUL_IDS("edge_targets"))
      .def_prop_ro("first_outputs", array_of(&LinearLayout::first_output), LAWFUL_IDS("first_outputs"))
      .def_prop_ro("last_outputs", array_of(&LinearLayout::last_output), LAWFUL_IDS("last_outputs"))
      .def_prop_ro("pair_offsets", array_of(&LinearLayout::pair_first), LAWFUL_OFFSETS("pair_offsets"))
      .def_prop_ro("pair_sources", array_of(&LinearLayout::pair_source), LAWFUL_IDS("pair_sources"))
      .def_prop_ro("pair_targets", array_of(&LinearLayout::pair_target), LAWFUL_IDS("pair_targets"));
#undef LAWFUL_IDS
#undef LAWFUL_OFFSETS

  m.def(
      "linear_features", &generate, nb::arg("labels"), nb::arg("output_offsets"), nb::arg("output_labels"), nb::arg("data"),
      nb::arg("gold"), nb::arg("pairs").none(), nb::kw_only(), nb::arg("all_states"), nb::arg("all_edges"), nb::arg("min_count"),
      nb::arg("first"), nb::arg("last"), nb::arg("scopes").none(), nb::arg("label_outputs"),
      nb::sig("def linear_features(labels: int, output_offsets: numpy.typing.NDArray[numpy.int64], output_labels: "
              "numpy.typing.NDArray[numpy.int32], data: LinearSequences, gold: numpy.typing.NDArray[numpy.int32], pairs: "
              "LinearSequences | None, *, all_states: bool, all_edges: bool, min_count: float, first: bool, last: bool, scopes: "
              "numpy.typing.NDArray[numpy.uint8] | None, label_outputs: int) -> tuple[LinearLayout, "
              "numpy.typing.NDArray[numpy.float64]]"),
      "The features that a labelled corpus asks for, and how often each was seen.");
  m.def("linear_counts", &count, nb::arg("layout"), nb::arg("data"), nb::arg("gold"), nb::arg("pairs").none(),
        nb::sig("def linear_counts(layout: LinearLayout, data: LinearSequences, gold: numpy.typing.NDArray[numpy.int32], pairs: "
                "LinearSequences | None) -> numpy.typing.NDArray[numpy.float64]"),
        "How often each feature of a layout was seen.");
  m.def("linear_objective", &evaluate, nb::arg("layout"), nb::arg("data"), nb::arg("pairs").none(), nb::arg("observed"),
        nb::arg("weights"), nb::kw_only(), nb::arg("threads"),
        nb::sig("def linear_objective(layout: LinearLayout, data: LinearSequences, pairs: LinearSequences | None, observed: "
                "numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], *, threads: int) -> "
                "tuple[float, numpy.typing.NDArray[numpy.float64]]"),
        "The sum of -log p(y | x) and its gradient, without any penalty.");
}

}  // namespace lawful
