// Reflections I - 2·v·vᴴ (Householder), by all threads of a block.
#pragma once
#include "matrices.cuh"

// Mirror describes the effect of a reflection on the vector for which it was made: all elements except the first become
// 0.
template <class T> struct Mirror {
	bool any; // false if they already were 0: then nothing is to be done
	T first;  // the element before
	double length;
	// image returns the new first element.
	__device__ T image() const { return any ? entry_of<T>(-length) * phase(first) : first; }
};

// mirror_of stores in v, count numbers, the vector of length 1 whose reflection makes all elements of x except the
// first zero. The elements of x are step apart.
template <class T> DEVICE Mirror<T> mirror_of(T* v, const T* x, i64 step, i64 count, char* shared) {
	Mirror<T> mirror = {false, x[0], 0};
	u64 mine = 0;
	FOR_THREADS(i, 1, count) mine = Largest::of(mine, key_of(magnitude(x[i * step])));
	u64 rest = total<Largest>(mine, shared);
	mirror.any = rest != 0;
	if (!mirror.any) return mirror;
	double first = magnitude(mirror.first), largest = double_of(Largest::of(rest, key_of(first)));
	double part = 0;
	FOR_THREADS(i, 0, count) part += square(x[i * step] / largest);
	mirror.length = largest * sqrt(total<Sum>(part, shared));
	double length = sqrt(2.0) * sqrt(mirror.length) * sqrt(mirror.length + first); // of x with its first element enlarged
	FOR_THREADS(i, 0, count) v[i] = (i ? x[i * step] : phase(mirror.first) * entry_of<T>(mirror.length + first)) / length;
	__syncthreads();
	return mirror;
}

// side_by_side returns the number of columns that threads process at once: a power of two. Each column has as many
// threads as there is room for.
DEVICE i64 side_by_side(i64 many) {
	i64 width = 1;
	while (width < many && width < blockDim.x) width *= 2;
	return width;
}

// reflect replaces a by (I - 2·v·vᴴ)·a. a has many columns, which are across apart; the count elements of a column are
// step apart. If Conjugated, v counts as conjugated, as a reflection from the right needs.
template <bool Conjugated, class T> DEVICE void reflect(const T* v, i64 count, T* a, i64 step, i64 across, i64 many, char* shared) {
	T* partial = (T*)(shared + totals_bytes);
	i64 width = side_by_side(many), lanes = blockDim.x / width, lane = threadIdx.x / width, column = threadIdx.x % width;
	for (i64 j = column; j - column < many; j += width) {
		T sum = entry_of<T>(0);
		if (j < many) {
			for (i64 i = lane; i < count; i += lanes) sum = sum + (Conjugated ? v[i] : conjugate(v[i])) * a[i * step + j * across];
		}
		partial[threadIdx.x] = sum;
		__syncthreads();
		if (j < many) {
			sum = partial[column];
			for (i64 k = 1; k < lanes; k++) sum = sum + partial[k * width + column];
			sum = entry_of<T>(2) * sum;
			for (i64 i = lane; i < count; i += lanes) {
				T& y = a[i * step + j * across];
				y = y - sum * (Conjugated ? conjugate(v[i]) : v[i]);
			}
		}
		__syncthreads();
	}
}
