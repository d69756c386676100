// Cholesky: y·yᵀ = a.
#include "matrices.cuh"

// Each column is finished, and then subtracted from the columns to the right of it.
KERNEL_OF_MATRICES(cholesky) {
	const Operand<R>&lower = p.loop.at[0], &matrices = p.loop.at[1];
	i64 rank = p.loop.rank, n = p.columns();
	T* a = (T*)p.own();
	FOR_MATRICES(b, p.batch) {
		i64 from = p.loop.offset(1, b, 0, (int)rank - 2), to = p.loop.offset(0, b, 0, (int)rank - 2);
		load_matrix(a, n, n, matrices, rank, from);
		__syncthreads();
		bool definite = true;
		for (i64 k = 0; k < n; k++) {
			double rest = real_part(a[k * n + k]);
			if (!(rest > 0)) {
				definite = false;
				break;
			}
			double root = sqrt(rest);
			FOR_THREADS(i, k + 1, n) a[i * n + k] = quotient(a[i * n + k], entry_of<T>(root));
			__syncthreads();
			if (threadIdx.x == 0) a[k * n + k] = entry_of<T>(root);
			FOR_ENTRIES(i, k + 1, n, j, k + 1, i + 1) a[i * n + j] = a[i * n + j] - a[i * n + k] * conjugate(a[j * n + k]);
			__syncthreads();
		}
		if (!definite) {
			refuse(p.info);
		} else {
			FOR_ENTRIES(i, 0, n, j, 0, n) store_entry(lower, rank, to, i, j, j <= i ? a[i * n + j] : entry_of<T>(0));
		}
		__syncthreads();
	}
}
