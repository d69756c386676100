// Reduce, for all programs.
#include "terms.cuh"

KERNEL(reduce, ReduceParams) { interpreted_reduction(p); }
