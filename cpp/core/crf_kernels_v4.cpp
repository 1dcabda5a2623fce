#define BYLAW_NAMESPACE v4
#include "core/crf_kernels_inc.hpp"
