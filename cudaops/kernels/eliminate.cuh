// Gaussian elimination, which LU and Solve share.
#pragma once
#include "matrices.cuh"

// eliminate eliminates the first columns, count many, of a matrix of m rows and n columns. The pivot is the element of the
// column with the largest |Re| + |Im|, or the first NaN in it. pivots says with which row each row was exchanged.
template <class T> DEVICE void eliminate(T* a, i64 m, i64 n, i64 count, i64* pivots, char* shared) {
	for (i64 k = 0; k < count; k++) {
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
		if (threadIdx.x == 0) pivots[k] = pivot;
		__syncthreads();
		T diagonal = a[k * n + k];
		if (is_zero(diagonal)) continue;
		FOR_THREADS(i, k + 1, m) a[i * n + k] = quotient(a[i * n + k], diagonal);
		__syncthreads();
		FOR_ENTRIES(i, k + 1, m, j, k + 1, n) a[i * n + j] = a[i * n + j] - a[i * n + k] * a[k * n + j];
		__syncthreads();
	}
}
