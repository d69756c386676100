// LU: P·a = L·U.
#include "matrices.cuh"

// Gaussian elimination. The pivot is the element of the column with the largest |Re| + |Im|, or the first NaN in it.
KERNEL_OF_MATRICES(lu) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&factors = p.loop.at[0], &pivots = p.loop.at[1], &order = p.loop.at[2], &matrices = p.loop.at[3];
	i64 rank = p.loop.rank, m = p.rows(), n = p.columns();
	T* a = (T*)p.own();
	i64* row_of = (i64*)(a + m * n); // for each row its row in the matrix
	FOR_MATRICES(b, p.batch) {
		i64 at[4];
		for (int k = 0; k < 4; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		load_matrix(a, m, n, matrices, rank, at[3]);
		FOR_THREADS(i, 0, m) row_of[i] = i;
		__syncthreads();
		for (i64 k = 0; k < m && k < n; k++) {
			Candidate best = {0, k};
			FOR_THREADS(i, k, m) {
				T v = a[i * n + k];
				best = First::of(best, {key_of(fabs(real_part(v)) + fabs(imaginary_part(v))), i});
			}
			i64 pivot = total<First>(best, shared).index;
			if (pivot != k) {
				FOR_THREADS(j, 0, n) {
					T v = a[k * n + j];
					a[k * n + j] = a[pivot * n + j];
					a[pivot * n + j] = v;
				}
			}
			if (threadIdx.x == 0) {
				i64 row = row_of[k];
				row_of[k] = row_of[pivot];
				row_of[pivot] = row;
				pivots.store(at[1] + k * pivots.strides[rank - 2], pivot);
			}
			__syncthreads();
			T diagonal = a[k * n + k];
			if (is_zero(diagonal)) continue;
			FOR_THREADS(i, k + 1, m) a[i * n + k] = quotient(a[i * n + k], diagonal);
			__syncthreads();
			FOR_ENTRIES(i, k + 1, m, j, k + 1, n) a[i * n + j] = a[i * n + j] - a[i * n + k] * a[k * n + j];
			__syncthreads();
		}
		store_matrix(a, m, n, factors, rank, at[0]);
		if (order.data) {
			FOR_THREADS(i, 0, m) order.store(at[2] + i * order.strides[rank - 2], row_of[i]);
		}
		__syncthreads();
	}
}
