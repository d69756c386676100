// Reduce, for programs of real numbers with common functions.
#define TIER 1
#include "terms.cuh"

KERNEL(reduce_common, ReduceParams) { interpreted_reduction(p); }
