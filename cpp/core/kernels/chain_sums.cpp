#include "core/kernels/chain_sums.hpp"

namespace lawful {

namespace base { const ChainKernels& chain_table(); }
#if defined(LAWFUL_X86)
namespace v3 { const ChainKernels& chain_table(); }
namespace v4 { const ChainKernels& chain_table(); }
#endif

namespace {

const ChainKernels& pick() {
#if defined(LAWFUL_X86)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return v4::chain_table();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return v3::chain_table();
#endif
  return base::chain_table();
}

}  // namespace

const ChainKernels& chain_kernels() {
  static const ChainKernels& best = pick();
  return best;
}

}  // namespace lawful
