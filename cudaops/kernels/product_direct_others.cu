// Products of bools, integers and complex numbers without tiles.
#include "direct.cuh"

ENTRY_OF(product_each, b, bool, ProductParams)
ENTRY_OF(product_shared, b, bool, ProductParams)
ENTRY_OF(product_each, i, i64, ProductParams)
ENTRY_OF(product_shared, i, i64, ProductParams)
ENTRY_OF(product_each, u, u64, ProductParams)
ENTRY_OF(product_shared, u, u64, ProductParams)
ENTRY_OF(product_each, c, c64, ProductParams)
ENTRY_OF(product_shared, c, c64, ProductParams)
ENTRY_OF(product_each, z, c128, ProductParams)
ENTRY_OF(product_shared, z, c128, ProductParams)
