#include "bindings/linear/arrays.hpp"
#include "core/learning/lbfgs.hpp"
#include "core/linear/objective.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace {

// The batch trainer with all that it reads.
class LinearBatch {
 public:
  LinearBatch(std::shared_ptr<LinearLayout> layout, Corpus data, Corpus pairs, const Vector& observed, const Vector& weights,
              double c1, double c2, int memory, int most_trials, int threads)
      : layout_(std::move(layout)), data_(std::move(data)), pairs_(std::move(pairs)) {
    const double *observed_counts = checked_weights(observed, *layout_), *start_weights = checked_weights(weights, *layout_);
    const Sequences* pair_view = checked_pairs(pairs_, *data_);
    nb::gil_scoped_release release;
    objective_ = std::make_unique<LinearObjective>(*layout_, data_->view, pair_view, observed_counts, threads);
    if (!pair_view) data_.reset();  // the objective has a copy of its own, in its own order
    lbfgs_ = std::make_unique<Lbfgs>(
        layout_->size(), [this](const double* x, double* gradient) { return objective_->evaluate(x, gradient); },
        Lbfgs::Options{c1, c2, memory, most_trials, threads});
    Doubles in_plan_order(layout_->size());
    objective_->import_weights(start_weights, in_plan_order.data());
    started_ = lbfgs_->start(in_plan_order.data());
  }

  Lbfgs::Report step() { return lbfgs_->step(); }
  const Lbfgs::Report& started() const { return started_; }

  nb::object weights() const { return exported(lbfgs_->x()); }
  nb::object gradient() const { return exported(lbfgs_->gradient()); }

 private:
  nb::object exported(const Doubles& in_plan_order) const {
    std::vector<double> in_layout_order(layout_->size());
    objective_->export_weights(in_plan_order.data(), in_layout_order.data());
    return owned_array(std::move(in_layout_order));
  }

  std::shared_ptr<LinearLayout> layout_;
  Corpus data_, pairs_;
  std::unique_ptr<LinearObjective> objective_;
  std::unique_ptr<Lbfgs> lbfgs_;
  Lbfgs::Report started_;
};

}  // namespace

void bind_linear_training(nb::module_& m) {
  nb::class_<Lbfgs::Report>(m, "LbfgsStep", "What one iteration came to.")
      .def_ro("objective", &Lbfgs::Report::objective)
      .def_ro("gradient_norm", &Lbfgs::Report::gradient_norm)
      .def_ro("weight_norm", &Lbfgs::Report::weight_norm)
      .def_ro("step", &Lbfgs::Report::step)
      .def_ro("trials", &Lbfgs::Report::trials, "Passes over the corpus.")
      .def_ro("improved", &Lbfgs::Report::improved);

  nb::class_<LinearBatch>(m, "LinearBatch", "Maximum likelihood by L-BFGS, or OWL-QN if c1 > 0; one iteration per call.")
      .def(nb::init<std::shared_ptr<LinearLayout>, Corpus, Corpus, const Vector&, const Vector&, double, double, int, int, int>(),
           nb::arg("layout"), nb::arg("data"), nb::arg("pairs").none(), nb::arg("observed"), nb::arg("weights"), nb::kw_only(),
           nb::arg("c1"), nb::arg("c2"), nb::arg("memory"), nb::arg("most_trials"), nb::arg("threads"))
      .def_prop_ro("started", &LinearBatch::started, "The report of where it started.")
      .def("step", &LinearBatch::step, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("weights", &LinearBatch::weights, nb::sig("def weights(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro("gradient", &LinearBatch::gradient, nb::sig("def gradient(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Of the likelihood and the squared penalty.");
}

}  // namespace lawful
