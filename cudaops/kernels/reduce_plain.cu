// Reduce, for programs of arithmetic of real numbers.
#define TIER 0
#include "terms.cuh"

KERNEL(reduce_plain, ReduceParams) { interpreted_reduction(p); }
