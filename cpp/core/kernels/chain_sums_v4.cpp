#define LAWFUL_NAMESPACE v4
#include "core/kernels/chain_sums_inc.hpp"
