#include "core/scores/reading.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace lawful {

std::shared_ptr<const Reading> Reading::make(std::vector<int32_t> label_of, int labels) {
  static std::atomic<uint64_t> serial{0};
  auto reading = std::make_shared<Reading>();
  reading->labels = labels;
  reading->label_of = std::move(label_of);
  reading->by_label.resize(reading->label_of.size());
  std::iota(reading->by_label.begin(), reading->by_label.end(), 0);
  std::stable_sort(reading->by_label.begin(), reading->by_label.end(),
                   [&](int32_t a, int32_t b) { return reading->label_of[a] < reading->label_of[b]; });
  reading->serial = ++serial;
  return reading;
}

}  // namespace lawful
