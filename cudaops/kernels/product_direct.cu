// Products of floats without tiles.
#include "direct.cuh"

ENTRY_OF(product_each, f, float, ProductParams)
ENTRY_OF(product_shared, f, float, ProductParams)
ENTRY_OF(product_each, d, double, ProductParams)
ENTRY_OF(product_shared, d, double, ProductParams)
