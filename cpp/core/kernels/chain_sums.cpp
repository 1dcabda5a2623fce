#include "core/kernels/chain_sums.hpp"

namespace lawful {

namespace base { const CrfKernels& crf_table(); }
#if defined(LAWFUL_X86)
namespace v3 { const CrfKernels& crf_table(); }
namespace v4 { const CrfKernels& crf_table(); }
#endif

namespace {

const CrfKernels& pick() {
#if defined(LAWFUL_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return v4::crf_table();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return v3::crf_table();
#endif
  return base::crf_table();
}

}  // namespace

const CrfKernels& crf_kernels() {
  static const CrfKernels& best = pick();
  return best;
}

}  // namespace lawful
