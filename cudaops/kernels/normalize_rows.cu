// Normalize and NormalizeGrad, for blocks that are rows.
#define BLOCKS_ARE_ROWS true
#include "normalize.cuh"

KERNEL_FLOATS(normalize_rows, NormalizeParams) { normalize<T>(p); }
KERNEL_FLOATS(normalize_rows_grad, NormalizeParams) { normalize_grad<T>(p); }
