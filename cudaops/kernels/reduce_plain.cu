// Reduce, for programs of arithmetic of real numbers.
#define TIER 0
#include "terms.cuh"

REDUCTION(reduce_plain, 2)
