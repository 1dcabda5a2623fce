#define LAWFUL_NAMESPACE v3
#define LAWFUL_NAME "avx2"
#include "core/kernels/max_plus_inc.hpp"
