// Products of float64 with tiles.
#include "tiles.cuh"

typedef Tile<64, 64, 8, 4, 4> Middle;
typedef Tile<64, 16, 16, 4, 2> Slim;

TILES(product_middle, d, double, 2, false, Middle)
TILES(product_slim, d, double, 4, true, Slim)
ENTRY_OF(product_join, d, double, ProductParams)
