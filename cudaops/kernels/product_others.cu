// Products of bools, integers and complex numbers with tiles.
#include "tiles.cuh"

typedef Tile<64, 16, 8, 4, 2> Slim;

TILES(product_slim, b, bool, 4, true, Slim)
TILES(product_slim, i, i64, 4, true, Slim)
TILES(product_slim, u, u64, 4, true, Slim)
TILES(product_slim, c, c64, 4, true, Slim)
TILES(product_slim, z, c128, 4, true, Slim)

ENTRY_OF(product_join, b, bool, ProductParams)
ENTRY_OF(product_join, i, i64, ProductParams)
ENTRY_OF(product_join, u, u64, ProductParams)
ENTRY_OF(product_join, c, c64, ProductParams)
ENTRY_OF(product_join, z, c128, ProductParams)
