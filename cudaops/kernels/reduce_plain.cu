// Reduce, for programs of arithmetic of real numbers.
#define TIER 0
#include "reduce.cuh"

KERNEL(reduce_plain, ReduceParams) { reduction(p); }
