// Elementwise, for programs of real numbers with common functions.
#define TIER 1
#include "elementwise.cuh"

KERNEL(elementwise_common, ElementwiseParams) { at_each_point(p); }
