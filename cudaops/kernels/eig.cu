// Eig: a·v = v·diag(w).
#include "reflection.cuh"

DEVICE c128 square_root(c128 z) {
	if (is_zero(z)) return z;
	double half = sqrt((magnitude(z) + fabs(z.re)) / 2), other = fabs(z.im) / (2 * half);
	if (z.re >= 0) return {half, copysign(other, z.im)};
	return {other, copysign(half, z.im)};
}

// balance replaces a by D⁻¹·a·D, where D is diagonal, with powers of two, so that each row and its column have roughly
// the same length (Parlett and Reinsch). Small eigenvalues are then precise even beside large ones.
template <class T> DEVICE void balance(T* a, i64 n, double* scales, char* shared) {
	FOR_THREADS(i, 0, n) scales[i] = 1;
	__syncthreads();
	bool changed = true;
	for (int sweep = 0; sweep < 20 && changed; sweep++) {
		changed = false;
		for (i64 k = 0; k < n; k++) {
			c128 sizes = {0, 0}; // of column and row
			FOR_THREADS(i, 0, n) {
				if (i != k) sizes = sizes + c128{magnitude(a[i * n + k]), magnitude(a[k * n + i])};
			}
			sizes = total<Sum>(sizes, shared);
			if (sizes.re == 0 || sizes.im == 0) continue;
			double factor = 1, scale = scales[k];
			while (sizes.re * factor < sizes.im / factor / 2 && factor * scale < 0x1p300) factor *= 2;
			while (sizes.re * factor / 2 > sizes.im / factor && factor * scale > 0x1p-300) factor /= 2;
			if (!(sizes.re * factor + sizes.im / factor < 0.95 * (sizes.re + sizes.im))) continue;
			changed = true;
			__syncthreads();
			FOR_THREADS(i, 0, n) {
				if (i == k) continue;
				a[i * n + k] = entry_of<T>(factor) * a[i * n + k];
				a[k * n + i] = a[k * n + i] / factor;
			}
			if (threadIdx.x == 0) scales[k] = scale * factor;
			__syncthreads();
		}
	}
}

// to_hessenberg replaces a by Q·a·Qᴴ, which is 0 below the first subdiagonal, and axes, unless it is null, by Q·axes. v
// has room for a column.
template <class T> DEVICE void to_hessenberg(T* a, i64 n, T* axes, T* v, char* shared) {
	for (i64 j = 0; j + 2 < n; j++) {
		i64 next = j + 1, rest = n - next;
		Mirror<T> mirror = mirror_of(v, a + next * n + j, n, rest, shared);
		if (!mirror.any) continue;
		reflect<false>(v, rest, a + next * n + next, n, 1, rest, shared);
		FOR_THREADS(i, next, n) a[i * n + j] = i == next ? mirror.image() : entry_of<T>(0);
		reflect<true>(v, rest, a + next, 1, n, n, shared);
		if (axes) reflect<false>(v, rest, axes + next * n, n, 1, n, shared);
	}
}

// Bulge is the reflection of two or three rows or columns. Every thread has its own copy.
template <class T> struct Bulge {
	T v[3];
	double twice; // 2/|v|²
	int count;
	Mirror<T> mirror;
	__device__ void make(const T* x, i64 rows) {
		count = rows < 3 ? 2 : 3;
		T third = count == 3 ? x[2] : entry_of<T>(0);
		double first = magnitude(x[0]), rest = fmax(magnitude(x[1]), magnitude(third)), largest = fmax(rest, first);
		mirror = {rest != 0, x[0], 0};
		if (!mirror.any) return;
		mirror.length = largest * sqrt(square(x[0] / largest) + square(x[1] / largest) + square(third / largest));
		double length = sqrt(2.0) * sqrt(mirror.length) * sqrt(mirror.length + first); // of x with its first element enlarged
		v[0] = phase(x[0]) * entry_of<T>(mirror.length + first) / length;
		v[1] = x[1] / length;
		v[2] = third / length;
		twice = 2 / (square(v[0]) + square(v[1]) + square(v[2]));
	}
	// from_left reflects the elements of one column, from_right those of one row.
	__device__ void from_left(T* x, i64 step) const {
		T sum = conjugate(v[0]) * x[0] + conjugate(v[1]) * x[step];
		if (count == 3) sum = sum + conjugate(v[2]) * x[2 * step];
		sum = entry_of<T>(twice) * sum;
		x[0] = x[0] - sum * v[0];
		x[step] = x[step] - sum * v[1];
		if (count == 3) x[2 * step] = x[2 * step] - sum * v[2];
	}
	__device__ void from_right(T* x) const {
		T sum = v[0] * x[0] + v[1] * x[1];
		if (count == 3) sum = sum + v[2] * x[2];
		sum = entry_of<T>(twice) * sum;
		x[0] = x[0] - sum * conjugate(v[0]);
		x[1] = x[1] - sum * conjugate(v[1]);
		if (count == 3) x[2] = x[2] - sum * conjugate(v[2]);
	}
};

// triangularise_blocks replaces a by Q·a·Qᴴ, which is 0 below the diagonal except for single elements next to it, and
// axes by Q·axes. It uses the QR algorithm with double shifts (Francis), and reports whether that converged.
template <class T> DEVICE bool triangularise_blocks(T* a, i64 n, T* axes, T* v, char* shared) {
	to_hessenberg(a, n, axes, v, shared);
	for (i64 end = n, steps = 1; end > 2; steps++) {
		i64 start = end - 1;
		while (start > 0 && magnitude(a[start * n + start - 1]) > 0x1p-53 * (magnitude(a[start * n + start]) + magnitude(a[(start - 1) * n + start - 1]))) {
			start--;
		}
		__syncthreads();
		if (start > 0 && threadIdx.x == 0) a[start * n + start - 1] = entry_of<T>(0);
		__syncthreads();
		if (end - start <= 2) {
			end = start;
			steps = 0;
			continue;
		}
		if (steps > 30 * n) return false;
		// The first column of a² - trace·a + determinant, whose roots are the eigenvalues of the last two rows and
		// columns.
		const T *last = a + (end - 2) * n + end - 2, *corner = a + start * n + start;
		T trace = last[0] + last[n + 1], determinant = last[0] * last[n + 1] - last[1] * last[n];
		if (steps % 10 == 0) { // the iteration does not progress: use an exceptional shift
			double around = magnitude(last[n]) + magnitude(last[-1]);
			trace = entry_of<T>(1.5 * around);
			determinant = entry_of<T>(around * around);
		}
		T x[3] = {
			corner[0] * corner[0] + corner[1] * corner[n] - trace * corner[0] + determinant,
			corner[n] * (corner[0] + corner[n + 1] - trace),
			corner[n] * corner[2 * n + 1],
		};
		__syncthreads();
		for (i64 k = start; k < end - 1; k++) {
			Bulge<T> bulge;
			if (k > start) {
				for (i64 i = 0; i < 3 && k + i < end; i++) x[i] = a[(k + i) * n + k - 1];
			}
			bulge.make(x, end - k);
			if (!bulge.mirror.any) continue;
			FOR_THREADS(j, k, n) bulge.from_left(a + k * n + j, n);
			if (axes) {
				FOR_THREADS(j, 0, n) bulge.from_left(axes + k * n + j, n);
			}
			__syncthreads();
			FOR_THREADS(i, 0, smaller(k + 4, end)) bulge.from_right(a + i * n + k);
			if (k > start && threadIdx.x == 0) {
				for (i64 i = 0; i < bulge.count; i++) a[(k + i) * n + k - 1] = i ? entry_of<T>(0) : bulge.mirror.image();
			}
			__syncthreads();
		}
	}
	return true;
}

// split_block makes the block of rows and columns k and k+1 of t triangular, and rotates the same rows of z, if there
// is any. If the block is real, a complex pair of eigenvalues is exactly conjugate.
DEVICE void split_block(c128* t, i64 n, c128* z, i64 k) {
	c128 *corner = t + k * n + k, a = corner[0], b = corner[1], c = corner[n], d = corner[n + 1];
	__syncthreads();
	if (is_zero(c)) return;
	c128 half = (a - d) / 2, root = square_root(half * half + b * c), far = half + root, other = half - root;
	if (magnitude(other) > magnitude(far)) far = other;
	c128 first = d + far, second = d;
	if (!is_zero(far)) second = d - quotient(b * c, far);
	if (a.im == 0 && b.im == 0 && c.im == 0 && d.im == 0 && root.im != 0) second = conjugate(first);
	double length = hypot(magnitude(first - d), magnitude(c));
	c128 v = (first - d) / length, w = c / length; // the first eigenvector
	FOR_THREADS(j, 0, n) {
		c128 x = t[k * n + j], y = t[(k + 1) * n + j];
		t[k * n + j] = conjugate(v) * x + conjugate(w) * y;
		t[(k + 1) * n + j] = v * y - w * x;
		if (z) {
			x = z[k * n + j];
			y = z[(k + 1) * n + j];
			z[k * n + j] = conjugate(v) * x + conjugate(w) * y;
			z[(k + 1) * n + j] = v * y - w * x;
		}
	}
	__syncthreads();
	FOR_THREADS(i, 0, n) {
		c128 x = t[i * n + k], y = t[i * n + k + 1];
		t[i * n + k] = i == k ? first : i == k + 1 ? c128{0, 0} : v * x + w * y;
		t[i * n + k + 1] = i == k + 1 ? second : conjugate(v) * y - conjugate(w) * x;
	}
	__syncthreads();
}

// substitute stores in x the eigenvectors of a triangle t, as columns, with one thread per column.
DEVICE void substitute(const c128* t, i64 n, c128* x, double least) {
	FOR_THREADS(k, 0, n) {
		for (i64 i = 0; i < n; i++) x[i * n + k] = c128{i == k ? 1.0 : 0.0, 0};
		for (i64 i = k - 1; i >= 0; i--) {
			c128 rest = {0, 0};
			for (i64 j = i + 1; j <= k; j++) rest = rest - t[i * n + j] * x[j * n + k];
			c128 gap = t[i * n + i] - t[k * n + k];
			if (magnitude(gap) < least) gap = {least, 0};
			rest = quotient(rest, gap);
			x[i * n + k] = rest;
			if (magnitude(rest) > 1e100) {
				for (i64 j = i; j <= k; j++) x[j * n + k] = x[j * n + k] / 1e100;
			}
		}
	}
}

// normalise scales the columns of y to length 1, and makes the largest number of each real, with one thread per column.
DEVICE void normalise(c128* y, i64 n) {
	FOR_THREADS(k, 0, n) {
		i64 largest = 0;
		for (i64 i = 1; i < n; i++) {
			if (magnitude(y[i * n + k]) > magnitude(y[largest * n + k])) largest = i;
		}
		c128 top = y[largest * n + k], turned = conjugate(phase(top));
		double size = magnitude(top), sum = 0;
		for (i64 i = 0; i < n; i++) sum += square(y[i * n + k] / size);
		double length = sqrt(sum);
		for (i64 i = 0; i < n; i++) y[i * n + k] = y[i * n + k] / size / length * turned;
		y[largest * n + k].im = 0;
	}
}

// The axes are rotated until the matrix is triangular except for blocks of two on the diagonal, then these blocks, in
// complex numbers. The eigenvectors follow by substitution.
KERNEL_OF_MATRICES(eig) {
	DYNAMIC_SHARED(char, shared);
	const Operand<R>&values = p.loop.at[0], &vectors = p.loop.at[1], &matrices = p.loop.at[2];
	i64 rank = p.loop.rank, n = p.columns();
	T *a = (T*)p.own(), *axes = vectors.data ? a + n * n : nullptr, *v = a + 2 * n * n;
	c128 *t = (c128*)(v + n), *z = axes ? t + n * n : nullptr, *x = t + 2 * n * n;
	double* scales = (double*)(x + n * n);
	FOR_MATRICES(b, p.batch) {
		i64 at[3];
		for (int k = 0; k < 3; k++) at[k] = p.loop.offset(k, b, 0, (int)rank - 2);
		load_matrix(a, n, n, matrices, rank, at[2]);
		if (axes) {
			FOR_ENTRIES(i, 0, n, j, 0, n) axes[i * n + j] = entry_of<T>(i == j);
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
		balance(a, n, scales, shared);
		if (!triangularise_blocks(a, n, axes, v, shared)) {
			refuse(p.info);
			continue;
		}
		FOR_THREADS(i, 0, n * n) {
			t[i] = convert<c128>(a[i], Complex128);
			if (z) z[i] = convert<c128>(axes[i], Complex128);
		}
		__syncthreads();
		for (i64 k = 0; k + 1 < n; k++) split_block(t, n, z, k);
		FOR_THREADS(k, 0, n) values.store(at[0] + k * values.strides[rank - 2], scale * t[k * n + k]);
		if (z) {
			double least = fmax(0x1p-52 * double_of(largest_extent(t, n * n, shared)), 0x1p-1000); // the distance that equal eigenvalues are assumed to have
			substitute(t, n, x, least);
			__syncthreads();
			FOR_ENTRIES(i, 0, n, k, 0, n) {
				c128 sum = {0, 0};
				for (i64 j = 0; j <= k; j++) sum = sum + conjugate(z[j * n + i]) * x[j * n + k];
				t[i * n + k] = scales[i] * sum;
			}
			__syncthreads();
			normalise(t, n);
			__syncthreads();
			store_matrix(t, n, n, vectors, rank, at[1]);
		}
		__syncthreads();
	}
}
