#define BYLAW_NAMESPACE v3
#include "core/crf_kernels_inc.hpp"
