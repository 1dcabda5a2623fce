#include <cstdio>
#include <cstring>

#include "tests/check.hpp"

// Runs every test, or those whose names contain the argument.
int main(int argc, char** argv) {
  constexpr std::size_t kMostShown = 5;
  int run = 0, failed = 0;
  for (const check::Test& test : check::tests()) {
    if (argc > 1 && !std::strstr(test.name, argv[1])) continue;
    check::failures().clear();
    try {
      test.body();
    } catch (const std::exception& error) {
      check::fail(test.name, 0, std::string("threw ") + error.what());
    }
    ++run;
    const auto& failures = check::failures();
    if (failures.empty()) continue;
    ++failed;
    std::printf("FAILED %s (%zu checks)\n", test.name, failures.size());
    for (std::size_t i = 0; i < failures.size() && i < kMostShown; ++i) std::printf("  %s\n", failures[i].c_str());
  }
  std::printf("%d tests, %d failed\n", run, failed);
  return failed || !run ? 1 : 0;
}
