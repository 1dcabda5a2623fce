#define BYLAW_NAMESPACE base
#include "core/crf_kernels_inc.hpp"
