// TriangularSolve: t·y = b.
#include "matrices.cuh"

// Each row is finished, and then subtracted from the rows that are left.
KERNEL_OF_MATRICES(triangular_solve) {
	const Operand<R>&solutions = p.loop.at[0], &triangles = p.loop.at[1], &right = p.loop.at[2];
	i64 rank = p.loop.rank, m = p.rows(), n = p.columns();
	bool transposed = p.flags & TransposedTriangle, unit = p.flags & UnitTriangle;
	bool given = p.flags & UpperTriangle, upper = given != transposed; // transposing a lower triangle makes it an upper one
	T* x = (T*)p.own();
	FOR_MATRICES(b, p.batch) {
		i64 at[3];
		for (int k = 0; k < 3; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		load_matrix(x, m, n, right, rank, at[2]);
		__syncthreads();
		for (i64 step = 0; step < m; step++) {
			i64 k = upper ? m - 1 - step : step;
			if (!unit) {
				T diagonal = load_entry<T>(triangles, rank, at[1], k, k);
				FOR_THREADS(j, 0, n) x[k * n + j] = quotient(x[k * n + j], diagonal);
				__syncthreads();
			}
			FOR_ENTRIES(i, upper ? 0 : k + 1, upper ? k : m, j, 0, n) {
				T factor = transposed ? load_entry<T>(triangles, rank, at[1], k, i) : load_entry<T>(triangles, rank, at[1], i, k);
				x[i * n + j] = x[i * n + j] - factor * x[k * n + j];
			}
			__syncthreads();
		}
		store_matrix(x, m, n, solutions, rank, at[0]);
		__syncthreads();
	}
}
