// Pool and PoolGrad of bools, integers and complex numbers.
#include "pool.cuh"

ENTRY_OF(pool, b, bool, PoolParams)
ENTRY_OF(pool_grad, b, bool, PoolParams)
ENTRY_OF(pool, i, i64, PoolParams)
ENTRY_OF(pool_grad, i, i64, PoolParams)
ENTRY_OF(pool, u, u64, PoolParams)
ENTRY_OF(pool_grad, u, u64, PoolParams)
ENTRY_OF(pool, c, c64, PoolParams)
ENTRY_OF(pool_grad, c, c64, PoolParams)
ENTRY_OF(pool, z, c128, PoolParams)
ENTRY_OF(pool_grad, z, c128, PoolParams)
