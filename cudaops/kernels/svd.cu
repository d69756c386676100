// SVD: a = u·diag(s)·vt.
#include "jacobi.cuh"

// flat is the largest cosine of the angle between two columns that count as orthogonal; it depends on their length.
DEVICE double flat(i64 length) { return 0x1p-52 * fmax(4.0, sqrt((double)length)); }

// Products of two columns.
template <class T> struct Products {
	double a, b;
	T c;
};

// orthogonalise rotates every pair of columns once, and the same columns of turned. The columns are stored one after
// another. It reports whether it rotated any.
template <class T> DEVICE bool orthogonalise(T* columns, i64 count, i64 length, T* turned, char* shared) {
	Products<T>* partial = (Products<T>*)(shared + totals_bytes);
	bool any = false;
	i64 lanes = 32; // threads per pair
	while (lanes > 1 && blockDim.x / lanes < pairs(count)) lanes /= 2;
	i64 lane = threadIdx.x % lanes, at_once = blockDim.x / lanes;
	for (i64 round = 0; round < rounds(count); round++) {
		for (i64 i = threadIdx.x / lanes; i - threadIdx.x / lanes < pairs(count); i += at_once) {
			Pair pair = i < pairs(count) ? pair_of(count, round, i) : Pair{count, count};
			T *x = columns + pair.p * length, *y = columns + pair.q * length;
			Products<T> sum = {0, 0, entry_of<T>(0)};
			if (pair.in(count)) {
				for (i64 k = lane; k < length; k += lanes) {
					sum.a += square(x[k]);
					sum.b += square(y[k]);
					sum.c = sum.c + x[k] * conjugate(y[k]);
				}
			}
			partial[threadIdx.x] = sum;
			__syncthreads();
			if (pair.in(count)) {
				const Products<T>* all = partial + (threadIdx.x - lane);
				sum = all[0];
				for (i64 k = 1; k < lanes; k++) sum = {sum.a + all[k].a, sum.b + all[k].b, sum.c + all[k].c};
				if (magnitude(sum.c) > flat(length) * sqrt(sum.a) * sqrt(sum.b) && !is_zero(sum.c)) {
					any = true;
					Rotation<T> r = rotation_of(sum.a, sum.b, sum.c);
					for (i64 k = lane; k < length; k += lanes) turn(x[k], y[k], r.cosine, r.sine);
					if (turned) {
						for (i64 k = lane; k < count; k += lanes) turn(turned[pair.p * count + k], turned[pair.q * count + k], r.cosine, r.sine);
					}
				}
			}
			__syncthreads();
		}
	}
	return total<Largest>((u64)any, shared) != 0;
}

// length_of is the Euclidean length. It overflows only if the result does.
template <class T> DEVICE double length_of(const T* v, i64 count) {
	u64 key = 0;
	for (i64 i = 0; i < count; i++) key = Largest::of(key, extent(v[i]));
	if (key == 0) return 0;
	double sum = 0, scale = scale_of(key);
	for (i64 i = 0; i < count; i++) sum += square(v[i] / scale);
	return scale * sqrt(sum);
}

// leave subtracts from v its projection on an orthonormal basis (Gram-Schmidt, twice), and returns the length of the
// rest. along has room for a number per basis vector.
template <class T> DEVICE double leave(const T* basis, i64 many, T* v, i64 length, T* along, char* shared) {
	T* partial = (T*)(shared + totals_bytes);
	i64 lane = threadIdx.x % 32, at_once = blockDim.x / 32;
	for (int time = 0; time < 2; time++) {
		for (i64 w = threadIdx.x / 32; w - threadIdx.x / 32 < many; w += at_once) {
			T sum = entry_of<T>(0);
			if (w < many) {
				for (i64 i = lane; i < length; i += 32) sum = sum + v[i] * conjugate(basis[w * length + i]);
			}
			partial[threadIdx.x] = sum;
			__syncthreads();
			if (w < many && lane == 0) {
				for (int k = 1; k < 32; k++) sum = sum + partial[threadIdx.x + k];
				along[w] = sum;
			}
			__syncthreads();
		}
		FOR_THREADS(i, 0, length) {
			T rest = v[i];
			for (i64 w = 0; w < many; w++) rest = rest - along[w] * basis[w * length + i];
			v[i] = rest;
		}
		__syncthreads();
	}
	double sum = 0;
	FOR_THREADS(i, 0, length) sum += square(v[i]);
	return sqrt(total<Sum>(sum, shared));
}

// add appends a vector of length 1 to an orthonormal set. It has the direction of a given vector that is orthogonal to
// the set up to rounding errors. If that vector is null or consists only of rounding errors, add uses the axis that is
// farthest from the set.
template <class T> DEVICE void add(T* basis, i64 many, i64 length, const T* direction, double size, T* along, char* shared) {
	T* v = basis + many * length;
	if (size > 0) {
		FOR_THREADS(i, 0, length) v[i] = direction[i] / size;
		__syncthreads();
		size = leave(basis, many, v, length, along, shared);
	}
	if (!(size > 0.5) || !direction) {
		Candidate best = {0, length};
		FOR_THREADS(i, 0, length) {
			double near = 0;
			for (i64 w = 0; w < many; w++) near += square(basis[w * length + i]);
			best = First::of(best, {key_of(fmax(1 - near, 0.0)), i});
		}
		best = total<First>(best, shared);
		FOR_THREADS(i, 0, length) v[i] = entry_of<T>(i == best.index);
		__syncthreads();
		size = leave(basis, many, v, length, along, shared);
	}
	FOR_THREADS(i, 0, length) v[i] = v[i] / size;
	__syncthreads();
}

// Pairs of columns are rotated in their plane until all are orthogonal (one-sided Jacobi). The singular values are then
// the lengths of the columns. A wide matrix is transposed first.
KERNEL_OF_MATRICES(svd) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&left = p.loop.at[0], &values = p.loop.at[1], &right = p.loop.at[2], &matrices = p.loop.at[3];
	i64 rank = p.loop.rank, m = p.rows(), n = p.columns(), length = larger(m, n), count = smaller(m, n);
	bool tall = m >= n, vectors = left.data || right.data;
	i64 many = p.flags & FullBases ? length : count; // the number of vectors with that length
	double* sizes = (double*)p.own();
	i64* order = (i64*)(sizes + count);
	T* columns = (T*)(order + count); // an even number of 8-byte words comes before, so that it is aligned to 16 bytes
	T *turned = columns + count * length, *basis = turned + count * count, *along = basis + many * length;
	FOR_MATRICES(b, p.batch) {
		i64 at[4];
		for (int k = 0; k < 4; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		FOR_ENTRIES(i, 0, m, j, 0, n) columns[tall ? j * length + i : i * length + j] = load_entry<T>(matrices, rank, at[3], i, j);
		if (vectors) {
			FOR_ENTRIES(i, 0, count, j, 0, count) turned[i * count + j] = entry_of<T>(i == j);
		}
		__syncthreads();
		u64 key = largest_extent(columns, m * n, shared);
		if (key >= finite_keys) {
			refuse(p.info);
			continue;
		}
		double scale = scale_of(key);
		FOR_THREADS(i, 0, m * n) columns[i] = columns[i] / scale;
		__syncthreads();
		for (int sweep = 0; sweep < sweeps && orthogonalise(columns, count, length, vectors ? turned : nullptr, shared); sweep++) {
		}
		FOR_THREADS(k, 0, count) sizes[k] = length_of(columns + k * length, length);
		__syncthreads();
		FOR_THREADS(k, 0, count) {
			i64 position = 0;
			for (i64 j = 0; j < count; j++) position += sizes[j] > sizes[k] || (sizes[j] == sizes[k] && j < k);
			order[position] = k;
		}
		__syncthreads();
		FOR_THREADS(k, 0, count) values.store(at[1] + k * values.strides[rank - 2], sizes[order[k]] * scale);
		if (vectors) {
			for (i64 k = 0; k < many; k++) {
				bool given = k < count;
				add(basis, k, length, given ? columns + order[k] * length : nullptr, given ? sizes[order[k]] : 0, along, shared);
			}
			FOR_ENTRIES(k, 0, many, i, 0, length) {
				T v = basis[k * length + i];
				if (tall) {
					if (left.data) store_entry(left, rank, at[0], i, k, v);
				} else if (right.data) {
					store_entry(right, rank, at[2], k, i, v);
				}
			}
			FOR_ENTRIES(k, 0, count, i, 0, count) {
				T v = conjugate(turned[order[k] * count + i]);
				if (!tall) {
					if (left.data) store_entry(left, rank, at[0], i, k, v);
				} else if (right.data) {
					store_entry(right, rank, at[2], k, i, v);
				}
			}
		}
		__syncthreads();
	}
}
