#define BYLAW_NAMESPACE base
#define BYLAW_NAME "baseline"
#include "core/kernels_inc.hpp"
