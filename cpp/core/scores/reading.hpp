// What the columns of a trellis are read as: several tags may stand for one label. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace lawful {

struct Reading : std::enable_shared_from_this<Reading> {
  int labels = 0;                  // that rules and answers speak of
  std::vector<int32_t> label_of;   // for each column of the trellis, its label
  std::vector<int32_t> by_label;   // the columns in the order of their labels
  uint64_t serial = 0;             // unique in this process: keys what was read through it

  static std::shared_ptr<const Reading> make(std::vector<int32_t> label_of, int labels);
  int columns() const { return static_cast<int>(label_of.size()); }
};

// Copies of something immutable, one for each reading that it was met with. Few at a time: the oldest leaves.
template <typename T>
class ReadCopies {
 public:
  ReadCopies() = default;
  ReadCopies(const ReadCopies&) {}  // what is copied may be changed, so the copy starts without any
  ReadCopies& operator=(const ReadCopies&) = delete;

  template <typename Make>
  std::shared_ptr<const T> get(const Reading& reading, Make make) {
    {
      const std::lock_guard lock(mutex_);
      for (const Entry& entry : entries_)
        if (entry.reading == reading.serial) return entry.copy;
    }
    std::shared_ptr<const T> copy = make();  // without the lock: it takes a while, and twice does no harm
    const std::lock_guard lock(mutex_);
    if (entries_.size() == kMost) entries_.erase(entries_.begin());
    entries_.push_back({reading.serial, copy});
    return copy;
  }

 private:
  struct Entry {
    uint64_t reading;
    std::shared_ptr<const T> copy;
  };
  static constexpr std::size_t kMost = 4;
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace lawful
