// FFT: y[k] = scale·Σ x[j]·exp(∓2πi·jk/n) along the last axis, in c128. If x or y is real, the other has only the elements
// from 0 to n/2 along this axis.
//
// All transforms here are forward transforms. An inverse transform is the conjugate of the transform of the conjugated
// numbers.
#include "matrices.cuh"

DEVICE c128 conjugate_if(bool yes, c128 z) { return yes ? conjugate(z) : z; }

// cosine and sine are for angles up to a quarter of π, with as many terms of the Taylor series as a float64 can
// resolve.
DEVICE double cosine(double x) {
	double s = x * x, y = -1.0 / 6402373705728000;
	y = fma(y, s, 1.0 / 20922789888000);
	y = fma(y, s, -1.0 / 87178291200);
	y = fma(y, s, 1.0 / 479001600);
	y = fma(y, s, -1.0 / 3628800);
	y = fma(y, s, 1.0 / 40320);
	y = fma(y, s, -1.0 / 720);
	y = fma(y, s, 1.0 / 24);
	return fma(s * s, y, fma(-0.5, s, 1.0));
}
DEVICE double sine(double x) {
	double s = x * x, y = 1.0 / 355687428096000;
	y = fma(y, s, -1.0 / 1307674368000);
	y = fma(y, s, 1.0 / 6227020800);
	y = fma(y, s, -1.0 / 39916800);
	y = fma(y, s, 1.0 / 362880);
	y = fma(y, s, -1.0 / 5040);
	y = fma(y, s, 1.0 / 120);
	y = fma(y, s, -1.0 / 6);
	return fma(x * s, y, x);
}

// root_of_unity returns exp(-2πi·k/n), for k below n. It subtracts the nearest number of quarter turns from the angle,
// which is exact, and computes with the rest.
DEVICE c128 root_of_unity(i64 k, i64 n) {
	i64 quarters = divide(8 * k + n, 2 * n), rest = 4 * k - quarters * n;
	double angle = 1.5707963267948966 * (double)rest / (double)n, c = cosine(angle), s = sine(angle);
	switch (quarters % 4) {
	case 1: return {-s, -c};
	case 2: return {-c, s};
	case 3: return {s, c};
	}
	return {c, -s};
}

// chirp returns exp(-πi·j²/n).
DEVICE c128 chirp(i64 j, i64 n) { return root_of_unity((i64)((u64)j * (u64)j % (u64)(2 * n)), 2 * n); }

// number loads x[j] of a row that begins at element at. Elements that x does not have are conjugates.
template <int R> DEVICE c128 number(const Operand<R>& x, i64 at, i64 step, i64 j, i64 n, i64 read) {
	if (j < read) return x.template load<c128>(at + j * step, Complex128);
	return conjugate(x.template load<c128>(at + (n - j) * step, Complex128));
}

// A transform of n numbers is combined from ever longer ones (Stockham). In each stage there are n/length transforms of
// length numbers. Transform s is that of x[s], x[s+n/length] and so on, and is stored at s·length. The next stage
// combines radix of them into one. roots has exp(-2πi·k/n) at k.

// combine_many computes number i after a stage, for any radix.
DEVICE c128 combine_many(const c128* x, i64 n, i64 length, i64 radix, i64 i, const c128* roots) {
	i64 longer = length * radix, s = divide(i, longer), rest = i - s * longer, part = divide(n, radix), unit = divide(n, longer);
	x += s * length + rest - divide(rest, length) * length;
	c128 sum = x[0];
	for (i64 p = 1, turn = 0; p < radix; p++) {
		turn += rest;
		if (turn >= longer) turn -= longer;
		sum = sum + x[p * part] * roots[turn * unit];
	}
	return sum;
}

// combine_two and combine_four compute all numbers that depend on number b of each part of x.
DEVICE void combine_two(c128* y, const c128* x, i64 n, i64 length, i64 b, const c128* roots) {
	i64 s = divide(b, length), k = b - s * length, part = n / 2, unit = divide(part, length);
	c128 first = x[b], second = x[b + part] * roots[k * unit];
	y += 2 * s * length + k;
	y[0] = first + second;
	y[length] = first - second;
}
DEVICE void combine_four(c128* y, const c128* x, i64 n, i64 length, i64 b, const c128* roots) {
	i64 s = divide(b, length), k = b - s * length, part = n / 4, turn = k * divide(part, length);
	c128 first = x[b], second = x[b + part] * roots[turn];
	c128 third = x[b + 2 * part] * roots[2 * turn], fourth = x[b + 3 * part] * roots[3 * turn];
	c128 even = first + third, other = first - third, odd = second + fourth, across = second - fourth;
	y += 4 * s * length + k;
	y[0] = even + odd;
	y[length] = {other.re + across.im, other.im - across.re};
	y[2 * length] = even - odd;
	y[3 * length] = {other.re - across.im, other.im + across.re};
}

// steps returns the number of calls that a stage needs for n numbers.
DEVICE i64 steps(i64 n, i64 radix) { return radix == 4 ? n / 4 : radix == 2 ? n / 2 : n; }

DEVICE void step(c128* y, const c128* x, i64 n, i64 length, i64 radix, i64 i, const c128* roots) {
	switch (radix) {
	case 2: combine_two(y, x, n, length, i, roots); return;
	case 4: combine_four(y, x, n, length, i, roots); return;
	}
	y[i] = combine_many(x, n, length, radix, i, roots);
}

template <int R> struct FFTRowsParams {
	Loop<R, 2> loop;
	i64 rows, inverse;
	i64 read, written; // elements of a row of x and of y
	double scale;
	i64 stages;
	i64 radices[16];
};

// fft_rows lets a block transform one row at a time in shared memory.
KERNEL(fft_rows, FFTRowsParams) {
	DYNAMIC_SHARED(c128, roots);
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	int last = (int)p.loop.rank - 1;
	i64 n = p.loop.shape[last];
	c128 *from = roots + n, *to = from + n;
	for (i64 k = threadIdx.x; k < n; k += blockDim.x) roots[k] = root_of_unity(k, n);
	for (i64 row = blockIdx.x; row < p.rows; row += gridDim.x) {
		i64 at = p.loop.offset(1, row, 0, last);
		for (i64 j = threadIdx.x; j < n; j += blockDim.x) {
			from[j] = conjugate_if(p.inverse, number(x, at, x.strides[last], j, n, p.read));
		}
		__syncthreads();
		for (i64 stage = 0, length = 1; stage < p.stages; stage++) {
			i64 radix = p.radices[stage];
			for (i64 i = threadIdx.x; i < steps(n, radix); i += blockDim.x) step(to, from, n, length, radix, i, roots);
			__syncthreads();
			c128* other = from;
			from = to;
			to = other;
			length *= radix;
		}
		at = p.loop.offset(0, row, 0, last);
		for (i64 j = threadIdx.x; j < p.written; j += blockDim.x) {
			y.store(at + j * y.strides[last], conjugate_if(p.inverse, p.scale * from[j]));
		}
		__syncthreads();
	}
}

// The following kernels transform rows in global memory, with one launch per stage. A row whose length n has a large
// prime factor uses transforms of another length, m (Bluestein): y[k] = c[k]·Σ x[j]·c[j]·c̄[k-j], with c = chirp, is a
// convolution, which is a product of transforms.
template <int R> struct FFTParams {
	Loop<R, 2> loop;
	i64 first, rows, inverse; // the rows of the loop that are transformed
	i64 read, written;        // elements of a row of x and of y
	double scale;
	i64 m;                    // the length of the transforms; if it is n, the rows are transformed directly
	c128 *to, *from, *roots;
	i64 length, radix; // of a stage
	i64 transforms;    // rows, and one for c̄
};

KERNEL(fft_roots, FFTParams) {
	FOR_POINTS(k, p.m) p.roots[k] = root_of_unity(k, p.m);
}

// fft_load stores the numbers of the rows, or x·c padded with zeros, and c̄.
KERNEL(fft_load, FFTParams) {
	const Operand<R>& x = p.loop.at[1];
	int last = (int)p.loop.rank - 1;
	i64 n = p.loop.shape[last];
	FOR_POINTS(i, p.transforms * p.m) {
		i64 row = divide(i, p.m), j = i - row * p.m;
		c128 z = {0, 0};
		if (row == p.rows) {
			i64 distance = j < n ? j : p.m - j;
			if (distance < n) z = conjugate(chirp(distance, n));
		} else if (j < n) {
			z = number(x, p.loop.offset(1, p.first + row, 0, last), x.strides[last], j, n, p.read);
			z = conjugate_if(p.inverse, z);
			if (p.m != n) z = z * chirp(j, n);
		}
		p.to[i] = z;
	}
}

KERNEL(fft_stage, FFTParams) {
	i64 count = steps(p.m, p.radix);
	FOR_POINTS(i, p.transforms * count) {
		i64 row = divide(i, count);
		step(p.to + row * p.m, p.from + row * p.m, p.m, p.length, p.radix, i - row * count, p.roots);
	}
}

// fft_multiply multiplies each transform by the last one and stores the conjugated products.
KERNEL(fft_multiply, FFTParams) {
	FOR_POINTS(i, p.rows * p.m) {
		p.to[i] = conjugate(p.from[i] * p.from[p.rows * p.m + i - divide(i, p.m) * p.m]);
	}
}

KERNEL(fft_store, FFTParams) {
	const Operand<R>& y = p.loop.at[0];
	int last = (int)p.loop.rank - 1;
	i64 n = p.loop.shape[last];
	FOR_POINTS(i, p.rows * p.written) {
		i64 row = divide(i, p.written), k = i - row * p.written;
		c128 z = p.from[row * p.m + k];
		if (p.m != n) {
			z = conjugate(z) * chirp(k, n) / (double)p.m;
		}
		z = p.scale * z;
		y.store(p.loop.offset(0, p.first + row, 0, last) + k * y.strides[last], conjugate_if(p.inverse, z));
	}
}
