// Reduce, for programs of real numbers with common functions.
#define TIER 1
#include "terms.cuh"

REDUCTION(reduce_common, 2)
