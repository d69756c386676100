// Products without tiles: those with few columns in many indices of the batch, such as depthwise convolutions.
#pragma once
#include "product.cuh"

// Walk computes the products of an element of C. Elements of A that are missing count as 0, or their products are left
// out.
template <class W, int R> struct Walk {
	const ProductParams<R>& p;
	const Section& s;
	const char *a, *b; // for k = 0, like at
	i64 at[3];
	__device__ Walk(const ProductParams<R>& q, const Section& section, const i64* index, i64 j)
		: p(q), s(section), a(q.a.data + section.a + along(index, q.a.i) * q.a.size), b(q.b.data + section.b + j * q.b.j * q.b.size) {
		for (int axis = 0; axis < 3; axis++) at[axis] = s.start[axis] + index[1 + axis] * p.step_i[axis];
	}
	__device__ bool is_inside(int axis, i64 tap) const { return (u64)(at[axis] + tap * p.step_k[axis]) < (u64)p.limit[axis]; }
	template <class T> __device__ void add(W& sum, const char* of_a, const char* of_b, bool there) const {
		if (!there && p.omits) return;
		W x = W();
		if (there) x = p.a.template read<W, true>(of_a, p.summed_as);
		Sum<T>::add(sum, x, p.b.template read<W, true>(of_b, p.summed_as));
	}
};

// product_each has one thread per element.
template <class T, int R> DEVICE void product_each(const ProductParams<R>& p) {
	typedef typename Sum<T>::Number W;
	i64 index[4];
	FOR_POINTS(e, p.batches * p.phases * p.columns * p.rows) {
		i64 rest = divide(e, p.rows), i = e - rest * p.rows, number = divide(rest, p.columns), j = rest - number * p.columns;
		Section s;
		find_section(p, number, s);
		if (i >= s.rows) continue;
		split(i, s.positions, index);
		Walk<W, R> w(p, s, index, j);
		W sum = W();
		i64 step_a = p.a.k[3] * p.a.size, step_b = p.b.k[3] * p.b.size;
		for (i64 k = 0; k < p.outer_k; k++) {
			W part = W();
			for (i64 x = 0; x < s.taps[0]; x++)
				for (i64 y = 0; y < s.taps[1]; y++) {
					bool there = w.is_inside(0, x) && w.is_inside(1, y);
					const char* a = w.a + (k * p.a.k[0] + x * p.a.k[1] + y * p.a.k[2]) * p.a.size;
					const char* b = w.b + (k * p.b.k[0] + x * p.b.k[1] + y * p.b.k[2]) * p.b.size;
					for (i64 z = 0; z < s.taps[2]; z++, a += step_a, b += step_b) w.template add<T>(part, a, b, there && w.is_inside(2, z));
				}
			sum = Sum<T>::plus_one(sum, part);
		}
		put_sum<T>(p, s, index, j, sum);
	}
}

// product_shared has one block per element. Its threads share the products, and their sums are added in a fixed order.
template <class T, int R> DEVICE void product_shared(const ProductParams<R>& p) {
	typedef typename Sum<T>::Number W;
	enum { threads = 256 };
	__shared__ W sums[threads];
	i64 index[4], k[4], step[4];
	for (i64 e = blockIdx.x; e < p.batches * p.phases * p.columns * p.rows; e += gridDim.x) {
		i64 rest = divide(e, p.rows), i = e - rest * p.rows, number = divide(rest, p.columns), j = rest - number * p.columns;
		Section s;
		find_section(p, number, s);
		if (i >= s.rows) continue;
		split(i, s.positions, index);
		Walk<W, R> w(p, s, index, j);
		W sum = W();
		// From one k of a thread to its next one, each axis advances by its step, and by one more if the axis after
		// it wraps around.
		if (s.depth > 0) {
			split(threadIdx.x, s.taps, k);
			split(threads, s.taps, step);
		}
		for (i64 done = threadIdx.x; done < s.depth; done += threads) {
			bool there = w.is_inside(0, k[1]) && w.is_inside(1, k[2]) && w.is_inside(2, k[3]);
			w.template add<T>(sum, w.a + along(k, p.a.k) * p.a.size, w.b + along(k, p.b.k) * p.b.size, there);
			for (int axis = 3; axis >= 0; axis--) k[axis] += step[axis];
			for (int axis = 3; axis > 0; axis--)
				if (k[axis] >= s.taps[axis - 1]) {
					k[axis] -= s.taps[axis - 1];
					k[axis - 1]++;
				}
		}
		sums[threadIdx.x] = sum;
		__syncthreads();
		for (int half = threads / 2; half > 0; half /= 2) {
			if (threadIdx.x < half) sums[threadIdx.x] = Sum<T>::plus_one(sums[threadIdx.x], sums[threadIdx.x + half]);
			__syncthreads();
		}
		if (threadIdx.x == 0) put_sum<T>(p, s, index, j, sums[0]);
		__syncthreads();
	}
}
