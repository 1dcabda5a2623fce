#include "bindings/crf_arrays.hpp"
#include "core/crf_online.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace bylaw {
namespace {

using Order = In<int64_t, nb::ndim<1>>;

// An online trainer with all that it reads.
template <typename Trainer>
class Online {
 public:
  template <typename... More>
  Online(std::shared_ptr<CrfLayout> layout, Corpus data, Corpus pairs, Ids gold, const Vector& weights, More... more)
      : layout_(std::move(layout)), data_(std::move(data)), pairs_(std::move(pairs)), gold_(std::move(gold)),
        trainer_({*layout_, data_->view, checked_pairs(pairs_, *data_), checked_labels(gold_, *data_, layout_->outputs.labels)},
                 checked_weights(weights, *layout_), more...) {}

  template <typename Work>
  double over(const Order& order, const Work& work) {
    for (std::size_t i = 0; i < order.size(); ++i)
      require(order.data()[i] >= 0 && order.data()[i] < data_->view.sequences, "the order names a sequence that does not exist");
    nb::gil_scoped_release release;
    return work(trainer_, order.data(), static_cast<int64_t>(order.size()));
  }

  double epoch(const Order& order) {
    return over(order, [](Trainer& trainer, const int64_t* data, int64_t count) { return trainer.epoch(data, count); });
  }

  Trainer& trainer() { return trainer_; }
  const CrfLayout& layout() const { return *layout_; }

 private:
  std::shared_ptr<CrfLayout> layout_;
  Corpus data_, pairs_;
  Ids gold_;
  Trainer trainer_;
};

using Perceptron = Online<CrfPerceptron>;
using Descent = Online<CrfDescent>;

}  // namespace

void bind_crf_online(nb::module_& m) {
  const char* weights = "def weights(self) -> numpy.typing.NDArray[numpy.float64]";
  nb::class_<Perceptron>(m, "CrfPerceptron", "The averaged perceptron, an epoch a call.")
      .def(nb::init<std::shared_ptr<CrfLayout>, Corpus, Corpus, Ids, const Vector&>(), nb::arg("layout"), nb::arg("data"),
           nb::arg("pairs").none(), nb::arg("gold"), nb::arg("weights"))
      .def("epoch", &Perceptron::epoch, nb::arg("order"), "The mean share of wrong labels.")
      .def_prop_ro("weights", [](Perceptron& self) { return owned_array(self.trainer().averaged()); }, nb::sig(weights))
      .def_prop_ro("current", [](Perceptron& self) { return owned_array(self.trainer().current()); },
                   nb::sig("def current(self) -> numpy.typing.NDArray[numpy.float64]"), "The weights, not averaged.");

  nb::class_<Descent>(m, "CrfDescent", "Stochastic gradient descent, an epoch a call.")
      .def(nb::init<std::shared_ptr<CrfLayout>, Corpus, Corpus, Ids, const Vector&, double>(), nb::arg("layout"),
           nb::arg("data"), nb::arg("pairs").none(), nb::arg("gold"), nb::arg("weights"), nb::arg("decay"))
      .def("set_first_step", [](Descent& self, double step) { self.trainer().set_first_step(step); }, nb::arg("step"))
      .def("reset", [](Descent& self, const Vector& to) { self.trainer().reset(checked_weights(to, self.layout())); },
           nb::arg("weights"))
      .def("epoch", &Descent::epoch, nb::arg("order"), "The sum of -log p(y | x), each before its own update.")
      .def("loss", [](Descent& self, const Order& order) {
        return self.over(order, [](CrfDescent& trainer, const int64_t* data, int64_t count) { return trainer.loss(data, count); });
      }, nb::arg("order"), "The sum of -log p(y | x), without any update.")
      .def_prop_ro("next_step", [](Descent& self) { return self.trainer().next_step(); })
      .def_prop_ro("weights", [](Descent& self) { return owned_array(self.trainer().current()); }, nb::sig(weights));
}

}  // namespace bylaw
