// Engines that wait between calls, with their buffers and the products that they have built.
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

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace lawful
