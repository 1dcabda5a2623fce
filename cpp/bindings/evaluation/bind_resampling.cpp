#include <limits>

#include "bindings/bindings.hpp"
#include "core/evaluation/resampling.hpp"

namespace lawful {
namespace {

nb::object resample(const In<uint64_t, nb::ndim<2>>& numbers, int64_t rounds, uint64_t seed) {
  require(numbers.shape(0) <= std::numeric_limits<uint32_t>::max(), "more than 2^32 sequences");
  require(rounds >= 0, "rounds must be 0 or more");
  std::vector<uint64_t> sums;
  {
    const nb::gil_scoped_release released;
    sums =
        resampled_sums(numbers.data(), static_cast<uint32_t>(numbers.shape(0)), static_cast<int>(numbers.shape(1)), rounds, seed);
  }
  return owned_array(std::move(sums));
}

}  // namespace

void bind_resampling(nb::module_& m) {
  m.def("resampled_sums", &resample, nb::arg("numbers"), nb::arg("rounds"), nb::arg("seed"),
        nb::sig("def resampled_sums(numbers: numpy.typing.NDArray[numpy.uint64], rounds: int, seed: int) -> "
                "numpy.typing.NDArray[numpy.uint64]"),
        "Sums, modulo 2^64, over as many rows as there are, drawn with replacement in every round: (rounds * columns).");
}

}  // namespace lawful
