// A test framework in one page: TEST registers a test, CHECK reports where and what failed, main.cpp runs them all.
#pragma once

#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char* name;
  std::function<void()> body;
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline std::vector<std::string>& failures() {
  static std::vector<std::string> all;
  return all;
}

struct Register {
  Register(const char* name, std::function<void()> body) { tests().push_back({name, std::move(body)}); }
};

inline void fail(const char* file, int line, const std::string& message) {
  failures().push_back(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

template <typename A, typename B>
void equal(const A& a, const B& b, const char* what, const char* file, int line) {
  if (a == b) return;
  std::ostringstream message;
  message.precision(17);
  message << what << ": " << a << " is not " << b;
  fail(file, line, message.str());
}

}  // namespace check

#define CHECK_JOINED(a, b) a##b
#define CHECK_NAMED(line) CHECK_JOINED(registered_at_, line)
#define TEST(name)                                                  \
  static void name();                                               \
  static const check::Register CHECK_NAMED(__LINE__)(#name, &name); \
  static void name()
#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) check::fail(__FILE__, __LINE__, #condition); \
  } while (false)
#define CHECK_EQUAL(a, b) check::equal(a, b, #a, __FILE__, __LINE__)
