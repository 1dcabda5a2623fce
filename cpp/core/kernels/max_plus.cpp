#include "core/kernels/max_plus.hpp"

namespace lawful {

namespace base { const Kernels& table(); }
#if defined(LAWFUL_X86)
namespace v3 { const Kernels& table(); }
namespace v4 { const Kernels& table(); }
#endif

namespace {

const Kernels& pick() {
#if defined(LAWFUL_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return v4::table();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return v3::table();
#endif
  return base::table();
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& best = pick();
  return best;
}

}  // namespace lawful
