#define LAWFUL_NAMESPACE v3
#include "core/kernels/chain_sums_inc.hpp"
