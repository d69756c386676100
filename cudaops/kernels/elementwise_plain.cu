// Elementwise, for programs of arithmetic of real numbers.
#define TIER 0
#include "elementwise.cuh"

KERNEL(elementwise_plain, ElementwiseParams) { at_each_point(p); }
