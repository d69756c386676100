// Reduce, for all programs.
#include "terms.cuh"

REDUCTION(reduce, 1)
