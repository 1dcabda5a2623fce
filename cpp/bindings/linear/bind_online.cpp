#include "bindings/linear/online_arrays.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace lawful {
namespace { using Descent = Online<LinearDescent>; }  // namespace

void bind_linear_online(nb::module_& m) {
  const char* weights = "def weights(self) -> numpy.typing.NDArray[numpy.float64]";
  nb::class_<Descent>(m, "LinearDescent", "Stochastic gradient descent, one epoch per call.")
      .def(nb::init<std::shared_ptr<LinearLayout>, Corpus, Corpus, Ids, const Vector&, double>(), nb::arg("layout"),
           nb::arg("data"), nb::arg("pairs").none(), nb::arg("gold"), nb::arg("weights"), nb::arg("decay"))
      .def(
          "set_first_step", [](Descent& self, double step) { self.trainer().set_first_step(step); }, nb::arg("step"))
      .def(
          "reset", [](Descent& self, const Vector& to) { self.trainer().reset(checked_weights(to, self.layout())); },
          nb::arg("weights"))
      .def("epoch", &Descent::epoch, nb::arg("order"), "The sum of -log p(y | x), each before its own update.")
      .def(
          "loss",
          [](Descent& self, const Order& order) {
            return self.over(
                order, [](LinearDescent& trainer, const int64_t* data, int64_t count) { return trainer.loss(data, count); });
          },
          nb::arg("order"), "The sum of -log p(y | x), without any update.")
      .def_prop_ro("next_step", [](Descent& self) { return self.trainer().next_step(); })
      .def_prop_ro("weights", [](Descent& self) { return owned_array(self.trainer().current()); }, nb::sig(weights));
}

}  // namespace lawful
