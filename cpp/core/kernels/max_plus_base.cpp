#define LAWFUL_NAMESPACE base
#define LAWFUL_NAME "baseline"
#include "core/kernels/max_plus_inc.hpp"
