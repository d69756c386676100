// Convolve: a thread an element of the result, which goes through the products that belong to it.
#include "product.cuh"
#include "window.cuh"

enum : i64 { Part_output, Part_input, Part_weight };

template <int R> struct ConvolveParams {
	Window window;
	i64 bias;        // is there
	Loop<R, 4> loop; // y, x, w, bias over (n, g, m, o…, c, k…)
};

// Convolution has what is common to the three parts.
template <class T, int R> struct Convolution {
	typedef typename Sum<T>::Number W;
	const ConvolveParams<R>& p;
	int r;
	i64 wide;
	const i64 *shape, *places, *taps;
	i64 channels;
	__device__ Convolution(const ConvolveParams<R>& q, int result) : p(q), r((int)q.window.rank), wide(wide_type(compute_type(q.loop.at[result].type))) {
		shape = p.loop.shape;
		places = shape + 3;
		channels = shape[3 + r];
		taps = shape + 4 + r;
	}
	__device__ W load(int operand, i64 at) const { return p.loop.at[operand].template load<W>(at, wide); }
	__device__ i64 of_y(i64 n, i64 g, i64 m, const i64* o) const {
		const i64* s = p.loop.at[0].strides;
		i64 at = n * s[0] + g * s[1] + m * s[2];
		for (int axis = 0; axis < r; axis++) at += o[axis] * s[3 + axis];
		return at;
	}
	__device__ i64 of_x(i64 n, i64 g, i64 c, const i64* place) const {
		const i64* s = p.loop.at[1].strides;
		i64 at = n * s[0] + g * s[1] + c * s[3 + r];
		for (int axis = 0; axis < r; axis++) at += place[axis] * (s[3 + axis] / p.window.stride[axis]);
		return at;
	}
	__device__ i64 of_w(i64 g, i64 m, i64 c, const i64* k) const {
		const i64* s = p.loop.at[2].strides;
		i64 at = g * s[1] + m * s[2] + c * s[3 + r];
		for (int axis = 0; axis < r; axis++) at += k[axis] * s[4 + r + axis];
		return at;
	}
	// place is where a point of the window at o lies.
	__device__ bool place(const i64* o, const i64* k, i64* at) const {
		bool inside = true;
		for (int axis = 0; axis < r; axis++) {
			at[axis] = p.window.place(axis, o[axis], k[axis]);
			inside = inside && p.window.inside(axis, at[axis]);
		}
		return inside;
	}
	// origin is the window that has its point k at a place.
	__device__ bool origin(const i64* at, const i64* k, i64* o) const {
		bool ok = true;
		for (int axis = 0; axis < r; axis++) {
			i64 from = at[axis] + p.window.before[axis] - k[axis] * p.window.dilation[axis];
			o[axis] = from / p.window.stride[axis];
			ok = ok && from >= 0 && from % p.window.stride[axis] == 0 && o[axis] < places[axis];
		}
		return ok;
	}
};

KERNEL_OF(convolve_output, ConvolveParams) {
	Convolution<T, R> v(p, 0);
	typename Sum<T>::Number zero = Sum<T>::zero();
	i64 windows = product(v.places, v.r), points = product(v.taps, v.r), o[3], k[3], at[3];
	FOR_POINTS(i, v.shape[0] * v.shape[1] * v.shape[2] * windows) {
		i64 m = i / windows % v.shape[2], g = i / windows / v.shape[2] % v.shape[1], n = i / windows / v.shape[2] / v.shape[1];
		unravel(i % windows, v.places, v.r, o);
		typename Sum<T>::Number sum = zero;
		for (i64 c = 0; c < v.channels; c++)
			for (i64 tap = 0; tap < points; tap++) {
				unravel(tap, v.taps, v.r, k);
				bool inside = v.place(o, k, at);
				Sum<T>::add(sum, inside ? v.load(1, v.of_x(n, g, c, at)) : zero, v.load(2, v.of_w(g, m, c, k)));
			}
		if (p.bias) sum = Sum<T>::plus_one(sum, v.load(3, g * p.loop.at[3].strides[1] + m * p.loop.at[3].strides[2]));
		p.loop.at[0].template store<T>(v.of_y(n, g, m, o), narrowed<T>(sum, compute_type(p.loop.at[0].type)));
	}
}

KERNEL_OF(convolve_input, ConvolveParams) {
	Convolution<T, R> v(p, 1);
	i64 places = product(p.window.size, v.r), points = product(v.taps, v.r), o[3], k[3], at[3];
	FOR_POINTS(i, v.shape[0] * v.shape[1] * v.channels * places) {
		i64 c = i / places % v.channels, g = i / places / v.channels % v.shape[1], n = i / places / v.channels / v.shape[1];
		unravel(i % places, p.window.size, v.r, at);
		typename Sum<T>::Number sum = Sum<T>::zero();
		for (i64 m = 0; m < v.shape[2]; m++)
			for (i64 tap = 0; tap < points; tap++) {
				unravel(tap, v.taps, v.r, k);
				if (v.origin(at, k, o)) Sum<T>::add(sum, v.load(0, v.of_y(n, g, m, o)), v.load(2, v.of_w(g, m, c, k)));
			}
		if (p.bias) sum = Sum<T>::plus_one(sum, v.load(3, g * p.loop.at[3].strides[1] + c * p.loop.at[3].strides[3 + v.r]));
		p.loop.at[1].template store<T>(v.of_x(n, g, c, at), narrowed<T>(sum, compute_type(p.loop.at[1].type)));
	}
}

// convolve_weight is a block an element: its threads share the products of a weight, and their sums are added up in a fixed order.
KERNEL_OF(convolve_weight, ConvolveParams) {
	typedef typename Sum<T>::Number W;
	__shared__ W sums[64];
	Convolution<T, R> v(p, 2);
	W zero = Sum<T>::zero();
	i64 windows = product(v.places, v.r), points = product(v.taps, v.r), o[3], k[3], at[3];
	for (i64 i = blockIdx.x; i < v.shape[1] * v.shape[2] * v.channels * points; i += gridDim.x) {
		i64 c = i / points % v.channels, m = i / points / v.channels % v.shape[2], g = i / points / v.channels / v.shape[2];
		unravel(i % points, v.taps, v.r, k);
		W sum = zero;
		for (i64 j = threadIdx.x; j < v.shape[0] * windows; j += 64) {
			unravel(j % windows, v.places, v.r, o);
			bool inside = v.place(o, k, at);
			Sum<T>::add(sum, v.load(0, v.of_y(j / windows, g, m, o)), inside ? v.load(1, v.of_x(j / windows, g, c, at)) : zero);
		}
		sums[threadIdx.x] = sum;
		__syncthreads();
		for (int half = 32; half > 0; half /= 2) {
			if (threadIdx.x < half) sums[threadIdx.x] = Sum<T>::plus_one(sums[threadIdx.x], sums[threadIdx.x + half]);
			__syncthreads();
		}
		if (threadIdx.x == 0) p.loop.at[2].template store<T>(v.of_w(g, m, c, k), narrowed<T>(sums[0], compute_type(p.loop.at[2].type)));
		__syncthreads();
	}
}
