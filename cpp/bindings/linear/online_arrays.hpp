// What the bindings of online trainers share: a trainer and all that it reads.
#pragma once

#include "bindings/linear/arrays.hpp"
#include "core/linear/online.hpp"

namespace lawful {

using Order = In<int64_t, nb::ndim<1>>;

// An online trainer with all that it reads.
template <typename Trainer>
class Online {
 public:
  template <typename... More>
  Online(std::shared_ptr<LinearLayout> layout, Corpus data, Corpus pairs, Ids gold, const Vector& weights, More... more)
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
  const LinearSequences& data() const { return *data_; }
  const LinearSequences* pairs() const { return pairs_.get(); }
  const LinearLayout& layout() const { return *layout_; }

 private:
  std::shared_ptr<LinearLayout> layout_;
  Corpus data_, pairs_;
  Ids gold_;
  Trainer trainer_;
};

}  // namespace lawful
