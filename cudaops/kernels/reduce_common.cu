// Reduce, for programs of real numbers with common functions.
#define TIER 1
#include "reduce.cuh"

KERNEL(reduce_common, ReduceParams) { reduction(p); }
