#define BYLAW_NAMESPACE v4
#define BYLAW_NAME "avx512"
#include "core/kernels_inc.hpp"
