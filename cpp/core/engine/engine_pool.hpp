// Engines that wait between calls, with their buffers and the products that they have built. All engines of the
// process together keep no more than a fixed number of bytes from one sequence to the next.
#pragma once

#include <memory>

#include "core/engine/engine.hpp"

namespace lawful {

// An engine for as long as this lives; then it waits for the next caller, of whatever thread.
class BorrowedEngine {
 public:
  BorrowedEngine();
  ~BorrowedEngine();
  BorrowedEngine(const BorrowedEngine&) = delete;
  BorrowedEngine& operator=(const BorrowedEngine&) = delete;

  Engine& operator*() const { return *engine_; }
  // To be called between two sequences: what the engine keeps is counted, or forgotten if that is too much. `wanted`:
  // the bytes that the next call may hold, if that is less.
  void tidy(std::size_t wanted);

 private:
  std::size_t counted_ = 0;
  std::unique_ptr<Engine> engine_;
};

}  // namespace lawful
