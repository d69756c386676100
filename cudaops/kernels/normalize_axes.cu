// Normalize and NormalizeGrad, for blocks of several axes.
#define BLOCKS_ARE_ROWS false
#include "normalize.cuh"

KERNEL_FLOATS(normalize_axes, NormalizeParams) { normalize<T>(p); }
KERNEL_FLOATS(normalize_axes_grad, NormalizeParams) { normalize_grad<T>(p); }
