// Solve: a·y = b, and determinants.
#include "eliminate.cuh"

// b, or the identity, lies beside a. Elimination leaves the right side of an upper triangle.
KERNEL_OF_MATRICES(solve) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&solutions = p.loop.at[0], &determinants = p.loop.at[1], &right = p.loop.at[2], &matrices = p.loop.at[3];
	i64 rank = p.loop.rank, m = p.rows(), n = solutions.data ? p.columns() : 0, width = m + n;
	T* a = (T*)p.own();
	i64* pivots = (i64*)(a + m * width);
	FOR_MATRICES(b, p.batch) {
		i64 at[4];
		for (int k = 0; k < 4; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		FOR_ENTRIES(i, 0, m, j, 0, width) {
			if (j < m) {
				a[i * width + j] = load_entry<T>(matrices, rank, at[3], i, j);
			} else if (right.data) {
				a[i * width + j] = load_entry<T>(right, rank, at[2], i, j - m);
			} else {
				a[i * width + j] = entry_of<T>(j - m == i ? 1 : 0);
			}
		}
		__syncthreads();
		eliminate(a, m, width, m, pivots, shared);
		if (threadIdx.x == 0) {
			T product = entry_of<T>(1);
			bool singular = false;
			for (i64 k = 0; k < m; k++) {
				T pivot = a[k * width + k];
				product = product * pivot;
				if (pivots[k] != k) product = -1.0 * product;
				singular = singular || is_zero(pivot);
			}
			if (determinants.data) determinants.store(at[1], product);
			if (singular && solutions.data) refuse(p.info);
		}
		for (i64 k = m - 1; k >= 0 && n > 0; k--) {
			T pivot = a[k * width + k];
			FOR_THREADS(j, m, width) a[k * width + j] = quotient(a[k * width + j], pivot);
			__syncthreads();
			FOR_ENTRIES(i, 0, k, j, m, width) a[i * width + j] = a[i * width + j] - a[i * width + k] * a[k * width + j];
			__syncthreads();
		}
		FOR_ENTRIES(i, 0, m, j, 0, n) store_entry(solutions, rank, at[0], i, j, a[i * width + m + j]);
		__syncthreads();
	}
}
