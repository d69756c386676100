// Pool and PoolGrad: one thread per element of the result. A window has three axes, of which the first may have only
// one point.
#pragma once
#include "combine.cuh"
#include "walk.cuh"

// load_real and store_real are load and store, but convert 16-bit floats without a call.
template <class T> DEVICE T load_real(const char* p, i64 type, i64 to) {
	if constexpr (Native<T>::type == Float32) {
		if (type == Float16) return half_to_float(*(const unsigned short*)p);
		if (type == BFloat16) return brain_to_float(*(const unsigned short*)p);
	}
	return load<T>(p, type, to);
}
template <class T> DEVICE void store_real(char* p, i64 type, T v) {
	if constexpr (Native<T>::type == Float32) {
		if (type == Float16 || type == BFloat16) {
			*(unsigned short*)p = type == Float16 ? float_to_half(v) : float_to_brain(v);
			return;
		}
	}
	store<T>(p, type, v);
}

// PoolAxis is an axis of the window, with the distances between elements along it in bytes.
struct PoolAxis {
	i64 windows, taps, size; // the number of windows, the points of each, and the elements under them
	i64 stride, dilation, before;
	i64 every, back; // of the windows that reach over a point, one in `every` contains it, at a tap lower by `back` each time
	i64 x, y, positions;
	Divisor elements, strides; // the number of elements of the result; stride
};

// PoolOperand is an operand, with the distances in bytes between elements of the batch and of the channels.
struct PoolOperand {
	char* data;
	i64 type, batch, channel;
};

template <int R> struct PoolParams {
	i64 how, has_positions; // positions: of the windows' extremes
	i64 count, last;        // of the result's elements; whether the channels are the last, the fastest, axis
	i64 channels;
	Divisor channel;
	PoolAxis axes[3];
	PoolOperand x, y, positions; // or gx, gy, positions
};

// split removes the index along an axis of n elements from a number, and returns it.
DEVICE i64 split(i64& number, i64 n, const Divisor& by) {
	const i64 rest = (number | n) >> 31 ? number / n : by.quotient((u32)number), index = number - rest * n;
	number = rest;
	return index;
}

// Point is an element of the result.
struct Point {
	i64 batch, channel, at[3];
	template <int R, class Sizes> __device__ Point(const PoolParams<R>& p, i64 number, Sizes size) {
		if (p.last) channel = split(number, p.channels, p.channel);
#pragma unroll
		for (int axis = 2; axis >= 0; axis--) at[axis] = split(number, size(p.axes[axis]), p.axes[axis].elements);
		if (!p.last) channel = split(number, p.channels, p.channel);
		batch = number;
	}
	__device__ char* of(const PoolOperand& o) const { return o.data + batch * o.batch + channel * o.channel; }
};

template <class F> DEVICE Complex<F> plus(Complex<F> a, Complex<F> b) { return a + b; }

// beyond reports whether v is larger than the largest so far, or the first NaN.
template <class T> DEVICE bool beyond(T v, T largest) {
	const auto a = real_part(v), b = real_part(largest);
	return a > b || (a != a && b == b);
}

// lowest is a value that no number of a type is below.
template <class T> DEVICE T lowest(i64 type) { return (T)least(type).i; }
template <> DEVICE_SPECIAL float lowest<float>(i64) { return (float)math_inf(-1); }
template <> DEVICE_SPECIAL double lowest<double>(i64) { return math_inf(-1); }
template <> DEVICE_SPECIAL c64 lowest<c64>(i64) { return {(float)math_inf(-1), (float)math_inf(-1)}; }
template <> DEVICE_SPECIAL c128 lowest<c128>(i64) { return {math_inf(-1), math_inf(-1)}; }

// register_type is the type of numbers of class T that become elements of a type.
template <class T> DEVICE i64 register_type(i64 type) { return type <= Uint64 ? type : (i64)Native<T>::type; }

// Taps are the taps of a window that lie in x. at is the element of x at the first of them.
struct Taps {
	const char* at;
	i64 first[3], end[3];
	// visit calls take(element, tap) for each, in row-major order.
	template <int R, class Take> __device__ void visit(const PoolParams<R>& p, Take take) const {
		const i64 step0 = p.axes[0].dilation * p.axes[0].x, step1 = p.axes[1].dilation * p.axes[1].x, step2 = p.axes[2].dilation * p.axes[2].x;
		const char* space = at;
		for (i64 a = first[0]; a < end[0]; a++, space += step0) {
			const char* plane = space;
			for (i64 b = first[1]; b < end[1]; b++, plane += step1) {
				const char* row = plane;
				const i64 tap = (a * p.axes[1].taps + b) * p.axes[2].taps;
				for (i64 c = first[2]; c < end[2]; c++, row += step2) take(row, tap + c);
			}
		}
	}
};

// pool is for numbers of class T, the type of all elements of x and y.
template <class T, int R> DEVICE void pool(const PoolParams<R>& p) {
	const i64 to = register_type<T>(p.y.type);
	const T none = lowest<T>(p.y.type);
	FOR_POINTS(i, p.count) {
		const Point point(p, i, [](const PoolAxis& axis) { return axis.windows; });
		char *y = point.of(p.y), *positions = point.of(p.positions);
		Taps taps;
		taps.at = point.of(p.x);
#pragma unroll
		for (int k = 0; k < 3; k++) {
			const PoolAxis& axis = p.axes[k];
			const i64 o = point.at[k], from = o * axis.stride - axis.before, over = from + (axis.taps - 1) * axis.dilation - axis.size;
			taps.first[k] = from < 0 ? divide(axis.dilation - 1 - from, axis.dilation) : 0;
			taps.end[k] = axis.taps - (over >= 0 ? divide(over, axis.dilation) + 1 : 0);
			taps.at += (from + taps.first[k] * axis.dilation) * axis.x;
			y += o * axis.y;
			positions += o * axis.positions;
		}
		if (p.how == Combine_max) {
			T largest = none;
			i64 index = -1;
			taps.visit(p, [&](const char* x, i64 tap) {
				const T v = load_real<T>(x, p.x.type, to);
				if (!beyond(v, largest) && index >= 0) return;
				largest = v;
				index = tap;
			});
			store_real<T>(y, p.y.type, largest);
			if (!p.has_positions) continue;
			if (index < 0) index = 0;
			if (p.positions.type == Uint8) *positions = (char)index;
			else store<i64>(positions, p.positions.type, index);
		} else {
			Wide<T> sum = Wide<T>();
			taps.visit(p, [&](const char* x, i64) { sum = plus(sum, convert<Wide<T>>(load_real<T>(x, p.x.type, to), to)); });
			store_real<T>(y, p.y.type, convert<T>(sum, to));
		}
	}
}

// pool_grad visits the windows that contain an element, in order: the tap decreases.
template <class T, int R> DEVICE void pool_grad(const PoolParams<R>& p) {
	const i64 to = register_type<T>(p.x.type);
	FOR_POINTS(i, p.count) {
		const Point point(p, i, [](const PoolAxis& axis) { return axis.size; });
		char* x = point.of(p.x);
		const char *y = point.of(p.y), *positions = point.of(p.positions);
		i64 first[3], end[3], tap[3]; // windows, and the tap of the first one
#pragma unroll
		for (int k = 0; k < 3; k++) {
			const PoolAxis& axis = p.axes[k];
			i64 last = point.at[k] + axis.before, from = last - (axis.taps - 1) * axis.dilation + axis.stride - 1;
			x += point.at[k] * axis.x;
			tap[k] = last;
			split(last, axis.stride, axis.strides);
			if (from < 0) from = 0;
			split(from, axis.stride, axis.strides);
			first[k] = from;
			end[k] = tap[k] < 0 ? 0 : last < axis.windows ? last + 1 : axis.windows;
			tap[k] -= from * axis.stride;
			if (axis.dilation > 1) {
				while (first[k] < end[k] && tap[k] % axis.dilation != 0) first[k]++, tap[k] -= axis.stride;
				tap[k] /= axis.dilation;
			}
			y += first[k] * axis.y;
			positions += first[k] * axis.positions;
		}
		const PoolAxis &planes = p.axes[0], &rows = p.axes[1], &columns = p.axes[2];
		const i64 y0 = planes.every * planes.y, y1 = rows.every * rows.y, y2 = columns.every * columns.y;
		const i64 positions0 = planes.every * planes.positions, positions1 = rows.every * rows.positions, positions2 = columns.every * columns.positions;
		Wide<T> sum = Wide<T>();
		for (i64 a = first[0]; a < end[0]; a += planes.every, tap[0] -= planes.back, y += y0, positions += positions0) {
			const char *y_row = y, *positions_row = positions;
			i64 tap_row = tap[1];
			for (i64 b = first[1]; b < end[1]; b += rows.every, tap_row -= rows.back, y_row += y1, positions_row += positions1) {
				const char *at = y_row, *position = positions_row;
				i64 own = (tap[0] * rows.taps + tap_row) * columns.taps + tap[2];
				for (i64 c = first[2]; c < end[2]; c += columns.every, own -= columns.back, at += y2, position += positions2) {
					if (p.has_positions) {
						const i64 index = p.positions.type == Uint8 ? *(const unsigned char*)position : load<i64>(position, p.positions.type, Int64);
						if (index != own) continue;
					}
					sum = plus(sum, convert<Wide<T>>(load_real<T>(at, p.y.type, to), to));
				}
			}
		}
		store_real<T>(x, p.x.type, convert<T>(sum, to));
	}
}
