// MatMul: blocks of 16 by 16 elements of c, whose rows and columns pass through shared memory.
#include "product.cuh"

enum { tile = 16 };

template <int R> struct MatMulParams {
	i64 batches, m, n, k, added; // added: d is there
	Loop<R, 4> loop;             // c, a, b, d over (batch…, m, n, k)
};

KERNEL_OF(matmul, MatMulParams) {
	typedef typename Sum<T>::Number W;
	__shared__ W as[tile][tile + 1], bs[tile][tile + 1];
	const Operand<R>&c = p.loop.at[0], &a = p.loop.at[1], &b = p.loop.at[2], &d = p.loop.at[3];
	i64 type = compute_type(c.type), wide = wide_type(type);
	int axes = (int)p.loop.rank - 3, x = threadIdx.x % tile, y = threadIdx.x / tile;
	i64 across = (p.n + tile - 1) / tile, down = (p.m + tile - 1) / tile;
	for (i64 block = blockIdx.x; block < p.batches * across * down; block += gridDim.x) {
		i64 batch = block / (across * down), row = block / across % down * tile + y, column = block % across * tile + x;
		i64 of_a = p.loop.place(1, batch, 0, axes), of_b = p.loop.place(2, batch, 0, axes);
		W sum = Sum<T>::zero();
		for (i64 k = 0; k < p.k; k += tile) {
			as[y][x] = row < p.m && k + x < p.k ? a.template load<W>(of_a + row * a.strides[axes] + (k + x) * a.strides[axes + 2], wide) : Sum<T>::zero();
			bs[y][x] = column < p.n && k + y < p.k ? b.template load<W>(of_b + column * b.strides[axes + 1] + (k + y) * b.strides[axes + 2], wide) : Sum<T>::zero();
			__syncthreads();
			i64 end = p.k - k < tile ? p.k - k : tile;
			if (row < p.m && column < p.n)
				for (int i = 0; i < end; i++) Sum<T>::add(sum, as[y][i], bs[i][x]);
			__syncthreads();
		}
		if (row >= p.m || column >= p.n) continue;
		if (p.added) sum = Sum<T>::plus_one(sum, d.template load<W>(p.loop.place(3, batch, 0, axes) + row * d.strides[axes] + column * d.strides[axes + 1], wide));
		c.template store<T>(p.loop.place(0, batch, 0, axes) + row * c.strides[axes] + column * c.strides[axes + 1], narrowed<T>(sum, type));
	}
}
