#define BYLAW_NAMESPACE v3
#define BYLAW_NAME "avx2"
#include "core/kernels_inc.hpp"
