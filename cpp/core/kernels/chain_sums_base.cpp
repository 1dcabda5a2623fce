#define LAWFUL_NAMESPACE base
#include "core/kernels/chain_sums_inc.hpp"
