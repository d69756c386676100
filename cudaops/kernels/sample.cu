// Sample and its gradients.
#include "indices.cuh"

template <int R> struct SampleParams {
	i64 locations, first, bounds; // the number of location operands, the index of the first, and the rule beyond an axis
	i64 x, slope, outer, axes; // the operand whose dtype weights are rounded to; of a gradient by a location: which one, its points and axes
	void* keys;                // of a gradient: numbers of elements of gx, of 8 bytes if wide; after sorting together with the numbers of the contributions
	const u32* numbers;
	double* parts;             // contributions, at most eight per point
	i64 wide, base, none;      // a key is base plus the strided indices; none marks a missing element
	i64 scale;                 // the offset of an element is base plus its scaled key
	IndexAxis ax[6];
	Loop<R, 12> loop;
};

enum { most_corners = 8 };

// Corners are the elements around a point, with their weights.
struct Corners {
	int n;
	bool lost; // a location is NaN
	i64 at[most_corners];
	double weight[most_corners];
};

template <int R> DEVICE bool hollow(const SampleParams<R>& p) {
	for (int j = 0; j < p.locations; j++)
		if (p.ax[j].size == 0) return true;
	return false;
}

template <int R> DEVICE_LARGE Corners corners_of(const SampleParams<R>& p, i64 i, i64 slope) {
	Corners c;
	c.n = 1;
	c.at[0] = 0;
	c.weight[0] = 1;
	c.lost = false;
	bool single = p.loop.at[p.x].type == Float32;
	if (!hollow(p))
		for (int j = 0; j < p.locations; j++) {
			const Operand<R>& o = p.loop.at[p.first + j];
			double v = is_float(o.type) ? o.template load<double>(p.loop.offset((int)p.first + j, i), Float64) : 0;
			c.lost = c.lost || v != v;
		}
	if (c.lost) {
		c.n = 0;
		return c;
	}
	for (int j = 0; j < p.locations; j++) {
		const Operand<R>& o = p.loop.at[p.first + j];
		i64 from = p.loop.offset((int)p.first + j, i), index[2], n = 1;
		double weight[2] = {1, 0};
		if (is_float(o.type)) {
			double v = o.template load<double>(from, Float64), end = (double)p.ax[j].size + 1;
			v = v < -2 ? -2 : v > end ? end : v;
			double down = floor(v), high = v - down, low = 1 - high;
			weight[0] = j == slope ? -1 : single ? (double)(float)low : low;
			weight[1] = j == slope ? 1 : single ? (double)(float)high : high;
			index[0] = v == v ? (i64)down : 0;
			index[1] = index[0] + 1;
			n = 2;
		} else {
			index[0] = o.template load<i64>(from, Int64);
		}
		Corners before = c;
		c.n = 0;
		for (int k = 0; k < n; k++) {
			i64 position;
			if (!in_bounds(index[k], p.ax[j].size, p.bounds, &position) || weight[k] == 0) continue;
			for (int b = 0; b < before.n; b++) {
				c.at[c.n] = before.at[b] + position * p.ax[j].stride;
				c.weight[c.n++] = before.weight[b] * weight[k];
			}
		}
	}
	return c;
}

// sampled returns the weighted sum of the elements at the corners of point i.
template <int R> DEVICE double sampled(const SampleParams<R>& p, i64 i, i64 slope) {
	Corners c = corners_of(p, i, slope);
	double total = c.lost ? math_nan() : 0;
	i64 from = p.loop.offset((int)p.x, i);
	for (int k = 0; k < c.n; k++) total += c.weight[k] * p.loop.at[p.x].template load<double>(from + c.at[k], Float64);
	return total;
}

KERNEL(sample, SampleParams) {
	FOR_POINTS(i, p.loop.count) p.loop.at[0].template store<double>(p.loop.offset(0, i), sampled(p, i, -1));
}

template <int R> DEVICE u64 key_at(const SampleParams<R>& p, i64 k) { return p.wide ? ((const u64*)p.keys)[k] : ((const u32*)p.keys)[k]; }

// sample_parts writes the destinations of each point's gradient, and its weighted parts. Operands: gx, gy, locations.
KERNEL(sample_parts, SampleParams) {
	FOR_POINTS(i, p.loop.count) {
		Corners c = corners_of(p, i, -1);
		double g = p.loop.at[1].template load<double>(p.loop.offset(1, i), Float64);
		i64 to = p.loop.offset(0, i);
		for (int k = 0; k < most_corners; k++) {
			i64 part = i * most_corners + k;
			u64 key = (u64)(k < c.n ? p.base + to + c.at[k] : p.none);
			if (p.wide) ((u64*)p.keys)[part] = key;
			else ((u32*)p.keys)[part] = (u32)key;
			p.parts[part] = k < c.n ? c.weight[k] * g : 0;
		}
	}
}

KERNEL(sample_sums, SampleParams) {
	i64 n = p.loop.count * most_corners;
	FOR_POINTS(k, n) {
		u64 key = key_at(p, k);
		if (key == (u64)p.none || (k > 0 && key_at(p, k - 1) == key)) continue;
		double sum = 0;
		for (i64 next = k; next < n && key_at(p, next) == key; next++) sum += p.parts[p.numbers[next]];
		p.loop.at[0].template store<double>(p.base + (i64)key * p.scale, sum);
	}
}

// sample_slope has one thread per element of the gradient by location number p.slope, which has the outer axes.
// Operands: the gradients, gy, x, locations.
KERNEL(sample_slope, SampleParams) {
	int gy = (int)p.x - 1;
	i64 inner = p.loop.count / p.outer;
	bool nothing = hollow(p);
	FOR_POINTS(o, p.outer) {
		double sum = 0;
		if (!nothing)
			for (i64 k = 0; k < inner; k++)
				sum += sampled(p, o * inner + k, p.slope) * p.loop.at[gy].template load<double>(p.loop.offset(gy, o * inner + k), Float64);
		p.loop.at[p.slope].template store<double>(p.loop.offset((int)p.slope, o, 0, (int)p.axes), sum);
	}
}
