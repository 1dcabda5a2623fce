#define LAWFUL_NAMESPACE v4
#define LAWFUL_NAME "avx512"
#include "core/kernels/max_plus_inc.hpp"
