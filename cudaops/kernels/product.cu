// Products of float32 with tiles: large ones, medium ones, and those with few columns.
#include "tiles.cuh"

typedef Tile<128, 128, 8, 8, 8> Large;
typedef Tile<64, 64, 16, 4, 4> Middle;
typedef Tile<64, 16, 16, 4, 2> Slim;

TILES(product_large, f, float, 2, false, Large)
TILES(product_middle, f, float, 3, false, Middle)
TILES(product_slim, f, float, 4, true, Slim)
ENTRY_OF(product_join, f, float, ProductParams)
