// LU: P·a = L·U.
#include "eliminate.cuh"

KERNEL_OF_MATRICES(lu) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&factors = p.loop.at[0], &pivots = p.loop.at[1], &order = p.loop.at[2], &matrices = p.loop.at[3];
	i64 rank = p.loop.rank, m = p.rows(), n = p.columns(), count = smaller(m, n);
	T* a = (T*)p.own();
	i64 *exchanges = (i64*)(a + m * n), *row_of = exchanges + count; // for each row its row in the matrix
	FOR_MATRICES(b, p.batch) {
		i64 at[4];
		for (int k = 0; k < 4; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		load_matrix(a, m, n, matrices, rank, at[3]);
		__syncthreads();
		eliminate(a, m, n, count, exchanges, shared);
		store_matrix(a, m, n, factors, rank, at[0]);
		FOR_THREADS(k, 0, count) pivots.store(at[1] + k * pivots.strides[rank - 2], exchanges[k]);
		if (order.data) {
			FOR_THREADS(i, 0, m) row_of[i] = i;
			__syncthreads();
			if (threadIdx.x == 0) {
				for (i64 k = 0; k < count; k++) {
					i64 row = row_of[k];
					row_of[k] = row_of[exchanges[k]];
					row_of[exchanges[k]] = row;
				}
			}
			__syncthreads();
			FOR_THREADS(i, 0, m) order.store(at[2] + i * order.strides[rank - 2], row_of[i]);
		}
		__syncthreads();
	}
}
