// Pool and PoolGrad of floats.
#include "pool.cuh"

ENTRY_OF(pool, f, float, PoolParams)
ENTRY_OF(pool_grad, f, float, PoolParams)
ENTRY_OF(pool, d, double, PoolParams)
ENTRY_OF(pool_grad, d, double, PoolParams)
