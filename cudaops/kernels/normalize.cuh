// Normalize and NormalizeGrad. The points of the last axes, which are normalised together, form a block. A team
// processes a block in one launch. If blocks are long and few, there are three launches: teams store the sums of parts,
// these are combined, and the parts are written. How a block is split depends only on the number of its points. Blocks
// that are rows have their own file: they need fewer registers, and are common.
#pragma once
#include "rows.cuh"

enum Step : i64 { Normalize_whole, Normalize_sums, Normalize_join, Normalize_write };

template <int R> struct NormalizeParams {
	i64 step, teams, lanes; // one of Step, the teams with work, and the threads of each
	i64 axes, inner;        // the axes along which blocks are counted, and the points of a block
	i64 parts, part;        // of a block, and points of a part
	double *sums, *joined;  // two for each part, and for each block
	double* rates;          // of each block, or null: an output of NormalizeGrad
	double eps;
	Loop<R, 8> loop;
};

// Section is the part of a block that a team processes: the points from begin up to, but not including, end.
struct Section {
	i64 block, begin, end;
};
template <int R> DEVICE Section section_of(const NormalizeParams<R>& p, i64 number) {
	if (number >= p.teams) return {0, 0, 0};
	const i64 block = number / p.parts, begin = (number - block * p.parts) * p.part, end = begin + p.part;
	return {block, begin, end < p.inner ? end : p.inner};
}
#define FOR_SECTION(from, s, team) for (i64 from = (s).begin; from < (s).end; from += held * (team).size)

// Steps visits the points first, first + size and so on of a block with several axes, without a division for each.
template <int R> struct Steps {
	const NormalizeParams<R>& p;
	const Operand<R>& operand;
	i64 length, rest, line, more_rest, more_lines; // of the last axis; a point's index in it, and in the other axes
	__device__ Steps(const NormalizeParams<R>& p, const Operand<R>& operand, i64 first, i64 size) : p(p), operand(operand) {
		length = p.loop.shape[p.loop.rank - 1];
		line = divide(first, length);
		rest = first - line * length;
		more_lines = divide(size, length);
		more_rest = size - more_lines * length;
	}
	// next returns the distance of the next point from the block's first point, in bytes.
	__device__ i64 next() {
		i64 at = rest * operand.strides[p.loop.rank - 1], index = line;
		for (int axis = (int)p.loop.rank - 2; axis > p.axes; axis--) {
			const i64 outer = divide(index, p.loop.shape[axis]);
			at += (index - outer * p.loop.shape[axis]) * operand.strides[axis];
			index = outer;
		}
		at += index * operand.strides[p.axes];
		line += more_lines;
		rest += more_rest;
		if (rest >= length) {
			rest -= length;
			line++;
		}
		return at * operand.size;
	}
};

template <class T, int R>
DEVICE_LARGE Part<T> read_scattered(const NormalizeParams<R>& p, const Operand<R>& operand, const char* data, i64 first, int left, int size, T beyond) {
	Steps<R> steps(p, operand, first, size);
	i64 at[held];
	Part<T> part;
	FOR_HELD(i) at[i] = steps.next();
	if (operand.type == Native<T>::type) {
		FOR_HELD(i) part.v[i] = i * size < left ? *(const T*)(data + at[i]) : beyond;
	} else {
		FOR_HELD(i) part.v[i] = i * size < left ? load_converted<T>(data + at[i], operand.type, Native<T>::type) : beyond;
	}
	return part;
}
template <class T, int R>
DEVICE_LARGE void write_scattered(Part<T> part, const NormalizeParams<R>& p, const Operand<R>& operand, char* data, i64 first, int left, int size) {
	Steps<R> steps(p, operand, first, size);
	FOR_HELD(i) {
		const i64 at = steps.next();
		if (i * size < left) store<T>(data + at, operand.type, part.v[i]);
	}
}

// Block holds the points of a block in an operand: a row, or the points of several axes.
template <int R> struct Block {
	const NormalizeParams<R>& p;
	const Operand<R>& operand;
	Row row;
	__device__ Block(const NormalizeParams<R>& p, int k, i64 number) : p(p), operand(p.loop.at[k]) {
		row.data = operand.data + p.loop.offset(k, number, 0, (int)p.axes) * operand.size;
		row.type = operand.type;
		row.step = operand.strides[p.loop.rank - 1] * operand.size;
	}
	template <class T> __device__ void read(Part<T>& part, i64 from, const Section& s, const Team& team, T beyond) const {
		if constexpr (BLOCKS_ARE_ROWS) part.read(row, from, s.end, team, beyond);
		else part = read_scattered<T>(p, operand, row.data, from + team.lane, Part<T>::elements_left(from, s.end, team), team.size, beyond);
	}
	template <class T> __device__ void write(const Part<T>& part, i64 from, const Section& s, const Team& team) const {
		if constexpr (BLOCKS_ARE_ROWS) part.write(row, from, s.end, team);
		else write_scattered<T>(part, p, operand, row.data, from + team.lane, Part<T>::elements_left(from, s.end, team), team.size);
	}
};

// is_held reports whether the threads of a team hold a whole section at once.
DEVICE bool is_held(const Section& s, const Team& team) { return s.end - s.begin <= held * team.size; }

// beyond reports whether element i of a thread's part is beyond the end of the section.
DEVICE bool beyond(const Section& s, i64 from, int i, const Team& team) { return from + team.lane + i * team.size >= s.end; }

// leave_sums stores the sums of a part for the launch that combines them.
template <int R> DEVICE void leave_sums(const NormalizeParams<R>& p, i64 number, const Team& team, double a, double b) {
	if (team.lane > 0 || number >= p.teams) return;
	p.sums[2 * number] = a;
	p.sums[2 * number + 1] = b;
}

// Moments are the mean of some values, and the root of the sum of their squared distances from it, which is in the
// range if the values are.
struct Moments {
	double mean, root;
	__device__ double variance(double n) const {
		const double squares = root * root, deviation = root / sqrt(n);
		return squares - squares == 0 ? squares / n : deviation * deviation;
	}
	// rate returns 1/sqrt(variance + eps).
	__device__ double rate(double n, double eps) const {
		const double v = variance(n);
		return v - v == 0 ? 1 / sqrt(v + eps) : sqrt(n) / root;
	}
};

// careful_moments computes moments from the values times a power of two, with the rounding error of the mean removed.
template <class T, int R> DEVICE_LARGE Moments careful_moments(const Block<R>& x, const Section& s, const Team& team, double scale) {
	Part<T> part;
	const double n = (double)(s.end - s.begin);
	double mean = 0, squares = 0;
	for (int pass = 0; pass < 3; pass++) {
		double rest = 0;
		squares = 0;
		FOR_SECTION(from, s, team) {
			x.read(part, from, s, team, (T)0);
			FOR_HELD(i) {
				const double distance = beyond(s, from, i, team) ? 0 : (double)part.v[i] * scale - mean;
				rest += distance;
				squares += distance * distance;
			}
		}
		rest = team.sum(rest);
		if (pass < 2) mean += rest / n;
	}
	return {mean / scale, sqrt(team.sum(squares)) / scale};
}

// shrinking is a power of two by which the distances of values from a mean are multiplied if their squares leave the range.
#define shrinking 0x1p-600

// moments_of reads a section, twice if registers cannot hold it. It computes the moments again if they may consist of
// the rounding error of the mean, or if squares left the range. The teams of a warp do that together, because all
// threads take part in sums.
template <class T, int R> DEVICE Moments moments_of(Part<T>& part, const Block<R>& x, const Section& s, const Team& team) {
	Wide<T> sum = 0, squares = 0;
	FOR_SECTION(from, s, team) {
		x.read(part, from, s, team, (T)0);
		FOR_HELD(i) sum += (Wide<T>)part.v[i];
	}
	const double n = (double)(s.end - s.begin);
	const Wide<T> mean = team.sum(sum) / (Wide<T>)(s.end - s.begin);
	FOR_SECTION(from, s, team) {
		if (!is_held(s, team)) x.read(part, from, s, team, (T)0);
		FOR_HELD(i) {
			const Wide<T> distance = beyond(s, from, i, team) ? 0 : (Wide<T>)part.v[i] - mean;
			squares += distance * distance;
		}
	}
	const double total = (double)team.sum(squares), variance = total / n, error = (double)mean * 0x1p-44;
	const bool finite = total - total == 0, rough = s.end > s.begin && (!finite || (variance <= error * error && mean != 0));
	Moments m = {(double)mean, sqrt(total)};
	if (__any_sync(~0u, rough)) {
		const Moments again = careful_moments<T>(x, s, team, finite ? 1 : shrinking);
		if (rough) m = again;
	}
	return m;
}

// joined_moments returns the moments of a block, computed from those of its parts.
template <int R> DEVICE Moments joined_moments(const NormalizeParams<R>& p, i64 block, const Team& team) {
	const i64 parts = block < p.teams ? p.parts : 0;
	const double* of = p.sums + 2 * block * parts;
	const auto count = [&](i64 k) {
		const i64 left = p.inner - k * p.part;
		return (double)(left < p.part ? left : p.part);
	};
	double mean = 0, largest = 0, squares = 0;
	for (int pass = 0; pass < 2; pass++) { // the second adds the rounding error of the first
		double rest = 0;
		for (i64 k = team.lane; k < parts; k += team.size) rest += (of[2 * k] - mean) * (count(k) / (double)p.inner);
		mean += team.sum(rest);
	}
	for (i64 k = team.lane; k < parts; k += team.size) {
		largest = scalar::Max<double>(largest, scalar::Max<double>(fabs(of[2 * k] - mean), of[2 * k + 1]));
	}
	const double unit = team.max(largest) > 0x1p400 ? shrinking : 1;
	for (i64 k = team.lane; k < parts; k += team.size) {
		const double distance = (of[2 * k] - mean) * unit, root = of[2 * k + 1] * unit;
		squares += root * root + distance * distance * count(k);
	}
	return {mean, sqrt(team.sum(squares)) / unit};
}

// Normalize's operands.
enum { Y, Mean, Variance, X, Gamma, Beta };

template <class T, int R> DEVICE void store_moments(const NormalizeParams<R>& p, i64 block, double mean, double variance) {
	const Row m = Block<R>(p, Mean, block).row, v = Block<R>(p, Variance, block).row;
	store<T>(m.data, m.type, (T)mean);
	store<T>(v.data, v.type, (T)variance);
}

template <class T, int R> DEVICE void normalize(const NormalizeParams<R>& p) {
	FOR_ROWS(number, p.teams, p.lanes, team) {
		if (p.step == Normalize_join) {
			const Moments m = joined_moments(p, number, team);
			if (team.lane > 0 || number >= p.teams) continue;
			p.joined[2 * number] = m.mean;
			p.joined[2 * number + 1] = m.rate((double)p.inner, p.eps);
			store_moments<T>(p, number, m.mean, m.variance((double)p.inner));
			continue;
		}
		const Section s = section_of(p, number);
		Part<T> part, factors;
		double mean, exact;
		if (p.step == Normalize_write) {
			mean = p.joined[2 * s.block];
			exact = p.joined[2 * s.block + 1];
		} else {
			const Moments m = moments_of(part, Block<R>(p, X, s.block), s, team);
			if (p.step == Normalize_sums) {
				leave_sums(p, number, team, m.mean, m.root);
				continue;
			}
			mean = m.mean;
			exact = m.rate((double)p.inner, p.eps);
			if (team.lane == 0 && number < p.teams) store_moments<T>(p, s.block, mean, m.variance((double)p.inner));
		}
		// The mean is subtracted in two pieces, because it may be large.
		const T rate = (T)exact, near = (T)mean, rest = (T)(mean - (double)near);
		FOR_SECTION(from, s, team) {
			if (p.step == Normalize_write || !is_held(s, team)) Block<R>(p, X, s.block).read(part, from, s, team, (T)0);
			FOR_HELD(i) part.v[i] = (part.v[i] - near - rest) * rate;
			if (p.loop.at[Gamma].data) {
				Block<R>(p, Gamma, s.block).read(factors, from, s, team, (T)0);
				FOR_HELD(i) part.v[i] *= factors.v[i];
			}
			if (p.loop.at[Beta].data) {
				Block<R>(p, Beta, s.block).read(factors, from, s, team, (T)0);
				FOR_HELD(i) part.v[i] += factors.v[i];
			}
			Block<R>(p, Y, s.block).write(part, from, s, team);
		}
	}
}

// The operands of NormalizeGrad. Reduce computes those between gx and x, the gradients of gamma and beta.
enum { Grad_gx, Grad_x = 3, Grad_gamma, Grad_mean, Grad_variance, Grad_gy };

// The gradient is rate·(w - mean of w - z·mean of w·z), where z is x normalised to mean 0 and variance 1, and w is
// gy·gamma.
template <class T, int R> struct Gradient {
	const NormalizeParams<R>& p;
	T mean, rate;
	Part<T> w, z;
	// All teams of a warp make theirs together: a variance that is infinite is computed again, from the whole block.
	__device__ Gradient(const NormalizeParams<R>& p, const Section& s, const Team& team) : p(p) {
		const Row m = Block<R>(p, Grad_mean, s.block).row, v = Block<R>(p, Grad_variance, s.block).row;
		mean = load<T>(m.data, m.type, Native<T>::type);
		const double variance = (double)load<T>(v.data, v.type, Native<T>::type);
		double exact = 1 / sqrt(variance + p.eps);
		const bool own = s.end > s.begin, again = own && variance == math_inf(1);
		if (__any_sync(~0u, again)) {
			const Moments moments = careful_moments<T>(Block<R>(p, Grad_x, s.block), {s.block, 0, own ? p.inner : 0}, team, shrinking);
			if (again) exact = moments.rate((double)p.inner, p.eps);
		}
		rate = (T)exact;
		if (p.rates && own && s.begin == 0 && team.lane == 0) p.rates[s.block] = exact;
	}
	__device__ void read(i64 from, const Section& s, const Team& team) {
		Block<R>(p, Grad_gy, s.block).read(w, from, s, team, (T)0);
		if (p.loop.at[Grad_gamma].data) {
			Block<R>(p, Grad_gamma, s.block).read(z, from, s, team, (T)0);
			FOR_HELD(i) w.v[i] *= z.v[i];
		}
		Block<R>(p, Grad_x, s.block).read(z, from, s, team, mean);
		FOR_HELD(i) z.v[i] = (z.v[i] - mean) * rate;
	}
};

template <class T, int R> DEVICE void normalize_grad(const NormalizeParams<R>& p) {
	FOR_ROWS(number, p.teams, p.lanes, team) {
		double total = 0, moment = 0;
		if (p.step == Normalize_join) {
			const i64 parts = number < p.teams ? p.parts : 0;
			for (i64 k = number * parts + team.lane; k < (number + 1) * parts; k += team.size) {
				total += p.sums[2 * k];
				moment += p.sums[2 * k + 1];
			}
			total = team.sum(total);
			moment = team.sum(moment);
			if (team.lane > 0 || number >= p.teams) continue;
			p.joined[2 * number] = total;
			p.joined[2 * number + 1] = moment;
			continue;
		}
		const Section s = section_of(p, number);
		Gradient<T, R> g(p, s, team);
		if (p.step == Normalize_write) {
			total = p.joined[2 * s.block];
			moment = p.joined[2 * s.block + 1];
		} else {
			Wide<T> w = 0, wz = 0;
			FOR_SECTION(from, s, team) {
				g.read(from, s, team);
				FOR_HELD(i) {
					w += (Wide<T>)g.w.v[i];
					wz += (Wide<T>)g.w.v[i] * (Wide<T>)g.z.v[i];
				}
			}
			total = (double)team.sum(w);
			moment = (double)team.sum(wz);
			if (p.step == Normalize_sums) {
				leave_sums(p, number, team, total, moment);
				continue;
			}
		}
		const double count = (double)p.inner;
		const T shift = (T)(total / count), slope = (T)(moment / count);
		FOR_SECTION(from, s, team) {
			if (p.step == Normalize_write || !is_held(s, team)) g.read(from, s, team);
			FOR_HELD(i) g.w.v[i] = g.rate * (g.w.v[i] - shift - g.z.v[i] * slope);
			Block<R>(p, Grad_gx, s.block).write(g.w, from, s, team);
		}
	}
}
