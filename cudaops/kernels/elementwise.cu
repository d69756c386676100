// Elementwise, for all programs.
#include "elementwise.cuh"

KERNEL(elementwise, ElementwiseParams) { at_each_point(p); }
