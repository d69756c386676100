// Products of bools, integers and complex numbers by tiles.
#include "tiles.cuh"

typedef Tile<64, 16, 8, 4, 2> Slim;

TILES(product_slim, b, bool, 4, true, Slim)
TILES(product_slim, i, i64, 4, true, Slim)
TILES(product_slim, u, u64, 4, true, Slim)
TILES(product_slim, c, c64, 4, true, Slim)
TILES(product_slim, z, c128, 4, true, Slim)
