// QR: q·r = a.
#include "reflection.cuh"

// Each column is made 0 below the diagonal by a reflection, and a rotation of the row makes the diagonal real. Undoing
// all of that on the identity, from the last to the first, gives q.
KERNEL_OF_MATRICES(qr) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&orthonormal = p.loop.at[0], &triangular = p.loop.at[1], &matrices = p.loop.at[2];
	i64 rank = p.loop.rank, m = p.rows(), n = p.columns(), least = smaller(m, n), k = p.flags & FullBases ? m : least;
	T *r = (T*)p.own(), *q = r + m * n, *mirrors = q + m * k, *turns = mirrors + least * m;
	FOR_MATRICES(b, p.batch) {
		i64 at[3];
		for (int i = 0; i < 3; i++) at[i] = p.loop.offset(i, b, 0, (int)rank - 2);
		load_matrix(r, m, n, matrices, rank, at[2]);
		FOR_ENTRIES(i, 0, m, j, 0, k) q[i * k + j] = entry_of<T>(i == j);
		__syncthreads();
		for (i64 j = 0; j < least; j++) {
			T *v = mirrors + j * m, *corner = r + j * n + j;
			Mirror<T> mirror = mirror_of(v, corner, n, m - j, shared);
			if (mirror.any) reflect<false>(v, m - j, corner + 1, n, 1, n - j - 1, shared);
			T image = mirror.image(), turn = entry_of<T>(1);
			if (imaginary_part(image) != 0) {
				double sign = -copysign(1.0, real_part(mirror.first));
				turn = entry_of<T>(sign) * conjugate(phase(image));
				image = entry_of<T>(sign * magnitude(image));
			}
			FOR_THREADS(c, j + 1, n) r[j * n + c] = turn * r[j * n + c];
			FOR_THREADS(i, j, m) r[i * n + j] = i == j ? entry_of<T>(real_part(image)) : entry_of<T>(0);
			if (threadIdx.x == 0) turns[j] = turn;
			if (!mirror.any) {
				FOR_THREADS(i, 0, m - j) v[i] = entry_of<T>(0);
			}
			__syncthreads();
		}
		for (i64 j = least - 1; j >= 0; j--) {
			FOR_THREADS(c, j, k) q[j * k + c] = conjugate(turns[j]) * q[j * k + c];
			__syncthreads();
			reflect<false>(mirrors + j * m, m - j, q + j * k + j, k, 1, k - j, shared);
		}
		store_matrix(q, m, k, orthonormal, rank, at[0]);
		store_matrix(r, k, n, triangular, rank, at[1]);
		__syncthreads();
	}
}
