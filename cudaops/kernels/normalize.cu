// Normalize and NormalizeGrad. What is normalised together, a block of points, are lines of the last axis: one, or several. A block that
// is one line of reasonable length is the work of a team, in one launch. Other blocks take three: lines, cut into parts where they are long,
// leave sums; these are joined; and the lines are written.
#include "rows.cuh"

enum Step : i64 { Normalize_whole, Normalize_sums, Normalize_join, Normalize_write };

template <int R> struct NormalizeParams {
	i64 step, teams, lanes;        // one of Step, teams that have something to do, and threads of each
	i64 lines, length;             // of a block, and points of a line
	i64 parts, part;               // of a line, and points of a part
	double *sums, *joined;         // two of each part, and of each block
	double eps;
	Loop<R, 8> loop;
};

// Section is the part of a line that a team is at: its points are those from begin up to, but not including, end.
struct Section {
	i64 block, line, begin, end;
};
template <int R> DEVICE Section section_of(const NormalizeParams<R>& p, i64 number) {
	if (number >= p.teams) return {0, 0, 0, 0};
	const i64 line = number / p.parts, begin = (number - line * p.parts) * p.part, end = begin + p.part;
	return {line / p.lines, line, begin, end < p.length ? end : p.length};
}
#define FOR_SECTION(from, s, team) for (i64 from = (s).begin; from < (s).end; from += held * (team).size)

// is_held tells whether the threads of a team hold all of a section at once.
DEVICE bool is_held(const Section& s, const Team& team) { return s.end - s.begin <= held * team.size; }

// beyond tells whether element i of a thread's part is beyond the end of the section.
DEVICE bool beyond(const Section& s, i64 from, int i, const Team& team) { return from + team.lane + i * team.size >= s.end; }

// leave_sums stores what a part has, where others join it.
template <int R> DEVICE void leave_sums(const NormalizeParams<R>& p, i64 number, const Team& team, double a, double b) {
	if (team.lane > 0 || number >= p.teams) return;
	p.sums[2 * number] = a;
	p.sums[2 * number + 1] = b;
}

// Moments are the mean of some values, and the sum of the squares of their distances from it.
struct Moments {
	double mean, squares;
};

// moments_of reads a section, twice if registers do not hold it.
template <class T> DEVICE Moments moments_of(Part<T>& part, const Row& x, const Section& s, const Team& team) {
	Wide<T> sum = 0, squares = 0;
	FOR_SECTION(from, s, team) {
		part.read(x, from, s.end, team, 0);
		FOR_HELD(i) sum += (Wide<T>)part.v[i];
	}
	const Wide<T> mean = team.sum(sum) / (Wide<T>)(s.end - s.begin);
	FOR_SECTION(from, s, team) {
		if (!is_held(s, team)) part.read(x, from, s.end, team, 0);
		FOR_HELD(i) {
			const Wide<T> distance = beyond(s, from, i, team) ? 0 : (Wide<T>)part.v[i] - mean;
			squares += distance * distance;
		}
	}
	return {(double)mean, (double)team.sum(squares)};
}

// joined_moments are those of a block, from those of its parts.
template <int R> DEVICE Moments joined_moments(const NormalizeParams<R>& p, i64 block, const Team& team) {
	const i64 parts = block < p.teams ? p.lines * p.parts : 0;
	const double* of = p.sums + 2 * block * parts;
	const auto count = [&](i64 k) {
		const i64 left = p.length - k % p.parts * p.part;
		return (double)(left < p.part ? left : p.part);
	};
	double sum = 0, squares = 0;
	for (i64 k = team.lane; k < parts; k += team.size) sum += of[2 * k] * count(k);
	const double mean = team.sum(sum) / (double)(p.lines * p.length);
	for (i64 k = team.lane; k < parts; k += team.size) {
		const double distance = of[2 * k] - mean;
		squares += of[2 * k + 1] + distance * distance * count(k);
	}
	return {mean, team.sum(squares)};
}

// Normalize's operands.
enum { Y, Mean, Variance, X, Gamma, Beta };

// store_moments stores the mean and the variance of a block, whose first line is known.
template <class T, int R> DEVICE void store_moments(const NormalizeParams<R>& p, i64 line, double mean, double variance) {
	const Row m = row_of(p.loop, Mean, line), v = row_of(p.loop, Variance, line);
	store_real<T>(m.data, m.type, (T)mean);
	store_real<T>(v.data, v.type, (T)variance);
}

KERNEL_FLOATS(normalize, NormalizeParams) {
	FOR_ROWS(number, p.teams, p.lanes, team) {
		if (p.step == Normalize_join) {
			const Moments m = joined_moments(p, number, team);
			if (team.lane > 0 || number >= p.teams) continue;
			p.joined[2 * number] = m.mean;
			p.joined[2 * number + 1] = m.squares / (double)(p.lines * p.length);
			store_moments<T>(p, number * p.lines, p.joined[2 * number], p.joined[2 * number + 1]);
			continue;
		}
		const Section s = section_of(p, number);
		const Row x = row_of(p.loop, X, s.line);
		Part<T> part, factors;
		double mean, variance;
		if (p.step == Normalize_write) {
			mean = p.joined[2 * s.block];
			variance = p.joined[2 * s.block + 1];
		} else {
			const Moments m = moments_of(part, x, s, team);
			if (p.step == Normalize_sums) {
				leave_sums(p, number, team, m.mean, m.squares);
				continue;
			}
			mean = m.mean;
			variance = m.squares / (double)p.length;
			if (team.lane == 0 && number < p.teams) store_moments<T>(p, s.line, mean, variance);
		}
		// The mean is subtracted in two pieces, so that it may be large.
		const T rate = (T)(1 / sqrt(variance + p.eps)), near = (T)mean, rest = (T)(mean - (double)near);
		const Row y = row_of(p.loop, Y, s.line), gamma = row_of(p.loop, Gamma, s.line), beta = row_of(p.loop, Beta, s.line);
		FOR_SECTION(from, s, team) {
			if (p.step == Normalize_write || !is_held(s, team)) part.read(x, from, s.end, team, 0);
			FOR_HELD(i) part.v[i] = (part.v[i] - near - rest) * rate;
			if (p.loop.at[Gamma].data) {
				factors.read(gamma, from, s.end, team, 0);
				FOR_HELD(i) part.v[i] *= factors.v[i];
			}
			if (p.loop.at[Beta].data) {
				factors.read(beta, from, s.end, team, 0);
				FOR_HELD(i) part.v[i] += factors.v[i];
			}
			part.write(y, from, s.end, team);
		}
	}
}

// NormalizeGrad's operands. Those between gx and x, the gradients of gamma and beta, are made by Reduce.
enum { Grad_gx, Grad_x = 3, Grad_gamma, Grad_mean, Grad_variance, Grad_gy };

// The gradient is rate·(w - mean of w - z·mean of w·z), where z is x, brought to mean 0 and variance 1, and w is gy·gamma. Line has a line's.
template <class T> struct Line {
	Row x, gamma, gy;
	bool weighted;
	T mean, rate;
	Part<T> w, z;
	template <int R> __device__ Line(const NormalizeParams<R>& p, i64 line) {
		x = row_of(p.loop, Grad_x, line);
		gamma = row_of(p.loop, Grad_gamma, line);
		gy = row_of(p.loop, Grad_gy, line);
		weighted = p.loop.at[Grad_gamma].data != nullptr;
		const Row m = row_of(p.loop, Grad_mean, line), v = row_of(p.loop, Grad_variance, line);
		mean = load_real<T>(m.data, m.type);
		rate = (T)(1 / sqrt((double)load_real<T>(v.data, v.type) + p.eps));
	}
	__device__ void read(i64 from, const Section& s, const Team& team) {
		w.read(gy, from, s.end, team, 0);
		if (weighted) {
			z.read(gamma, from, s.end, team, 0);
			FOR_HELD(i) w.v[i] *= z.v[i];
		}
		z.read(x, from, s.end, team, mean);
		FOR_HELD(i) z.v[i] = (z.v[i] - mean) * rate;
	}
};

KERNEL_FLOATS(normalize_grad, NormalizeParams) {
	FOR_ROWS(number, p.teams, p.lanes, team) {
		double total = 0, moment = 0;
		if (p.step == Normalize_join) {
			const i64 parts = number < p.teams ? p.lines * p.parts : 0;
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
		Line<T> line(p, s.line);
		if (p.step == Normalize_write) {
			total = p.joined[2 * s.block];
			moment = p.joined[2 * s.block + 1];
		} else {
			Wide<T> w = 0, wz = 0;
			FOR_SECTION(from, s, team) {
				line.read(from, s, team);
				FOR_HELD(i) {
					w += (Wide<T>)line.w.v[i];
					wz += (Wide<T>)line.w.v[i] * (Wide<T>)line.z.v[i];
				}
			}
			total = (double)team.sum(w);
			moment = (double)team.sum(wz);
			if (p.step == Normalize_sums) {
				leave_sums(p, number, team, total, moment);
				continue;
			}
		}
		const double count = (double)(p.lines * p.length);
		const T shift = (T)(total / count), slope = (T)(moment / count);
		const Row gx = row_of(p.loop, Grad_gx, s.line);
		FOR_SECTION(from, s, team) {
			if (p.step == Normalize_write || !is_held(s, team)) line.read(from, s, team);
			FOR_HELD(i) line.w.v[i] = line.rate * (line.w.v[i] - shift - line.z.v[i] * slope);
			line.w.write(gx, from, s.end, team);
		}
	}
}
