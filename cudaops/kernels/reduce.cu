// Reduce, for all programs.
#include "reduce.cuh"

KERNEL(reduce, ReduceParams) { reduction(p); }
