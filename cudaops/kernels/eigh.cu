// Eigh: a·v = v·diag(w), for Hermitian a.
#include "jacobi.cuh"

// diagonalise rotates pairs of axes, all pairs of a round at once, until the matrix is diagonal (cyclic Jacobi). The
// rows of axes become the eigenvectors, conjugated. turns has room for the rotations of a round.
template <class T> DEVICE void diagonalise(T* a, i64 n, T* axes, Rotation<T>* turns, char* shared) {
	double size = double_of(largest_extent(a, n * n, shared));
	for (int sweep = 0; sweep < sweeps; sweep++) {
		u64 key = 0;
		FOR_ENTRIES(i, 0, n, j, 0, i) key = Largest::of(key, extent(a[i * n + j]));
		double off = double_of(total<Largest>(key, shared));
		if (off <= 1e-300 || off <= 1e-18 * size) return;
		for (i64 round = 0; round < rounds(n); round++) {
			FOR_THREADS(i, 0, pairs(n)) {
				Pair pair = pair_of(n, round, i);
				turns[i] = {1, entry_of<T>(0)};
				if (!pair.in(n)) continue;
				T c = a[pair.p * n + pair.q];
				if (!is_zero(c)) turns[i] = rotation_of(real_part(a[pair.p * n + pair.p]), real_part(a[pair.q * n + pair.q]), c);
			}
			__syncthreads();
			FOR_ENTRIES(i, 0, pairs(n), j, 0, n) {
				Pair pair = pair_of(n, round, i);
				if (!pair.in(n)) continue;
				turn(a[pair.p * n + j], a[pair.q * n + j], turns[i].cosine, turns[i].sine);
				if (axes) turn(axes[pair.p * n + j], axes[pair.q * n + j], turns[i].cosine, turns[i].sine);
			}
			__syncthreads();
			FOR_ENTRIES(j, 0, n, i, 0, pairs(n)) {
				Pair pair = pair_of(n, round, i);
				if (!pair.in(n)) continue;
				T &x = a[j * n + pair.p], &y = a[j * n + pair.q];
				turn(x, y, turns[i].cosine, conjugate(turns[i].sine));
				if (j == pair.p) {
					x = entry_of<T>(real_part(x));
					y = entry_of<T>(0);
				}
				if (j == pair.q) {
					x = entry_of<T>(0);
					y = entry_of<T>(real_part(y));
				}
			}
			__syncthreads();
		}
	}
}

KERNEL_OF_MATRICES(eigh) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&values = p.loop.at[0], &vectors = p.loop.at[1], &matrices = p.loop.at[2];
	i64 rank = p.loop.rank, n = p.columns();
	bool upper = p.flags & UpperTriangle;
	T *a = (T*)p.own(), *axes = vectors.data ? a + n * n : nullptr;
	Rotation<T>* turns = (Rotation<T>*)(a + 2 * n * n);
	i64* order = (i64*)(turns + pairs(n));
	FOR_MATRICES(b, p.batch) {
		i64 at[3];
		for (int k = 0; k < 3; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		FOR_ENTRIES(i, 0, n, j, 0, n) {
			bool given = i == j || (j > i) == upper;
			T v = given ? load_entry<T>(matrices, rank, at[2], i, j) : conjugate(load_entry<T>(matrices, rank, at[2], j, i));
			a[i * n + j] = i == j ? entry_of<T>(real_part(v)) : v;
			if (axes) axes[i * n + j] = entry_of<T>(i == j);
		}
		__syncthreads();
		u64 key = largest_extent(a, n * n, shared);
		if (key >= finite_keys) {
			refuse(p.info);
			continue;
		}
		double scale = scale_of(key);
		FOR_THREADS(i, 0, n * n) a[i] = a[i] / scale;
		__syncthreads();
		diagonalise(a, n, axes, turns, shared);
		FOR_THREADS(k, 0, n) {
			double value = real_part(a[k * n + k]);
			i64 position = 0;
			for (i64 j = 0; j < n; j++) {
				double other = real_part(a[j * n + j]);
				position += other < value || (other == value && j < k);
			}
			order[position] = k;
			values.store(at[0] + position * values.strides[rank - 2], value * scale);
		}
		__syncthreads();
		if (axes) {
			FOR_ENTRIES(k, 0, n, i, 0, n) store_entry(vectors, rank, at[1], i, k, conjugate(axes[order[k] * n + i]));
		}
		__syncthreads();
	}
}
