// Normalize and NormalizeGrad: a team a row, which are the points of the last axes. Long rows of which there are few are cut into parts,
// a block each: one launch finds the moments of the parts, a second one joins them and writes.
#include "rows.cuh"

enum Step : i64 { Normalize_whole, Normalize_moments, Normalize_write };

template <int R> struct NormalizeParams {
	i64 outer, inner, axes, lanes; // points of the outer axes and of the last ones, how many outer axes there are, and threads of a team
	i64 step, parts, length;       // one of Step, parts of a row, and points of a part
	double* moments;               // two of each part
	double eps;
	Loop<R, 8> loop;
};

// Section is the part of a row that a team is at: its points are those from begin up to, but not including, end.
struct Section {
	i64 row, number, begin, end;
};
template <int R> DEVICE Section section_of(const NormalizeParams<R>& p, i64 team) {
	if (team >= p.outer * p.parts) return {0, 0, 0, 0};
	const i64 number = team % p.parts, begin = number * p.length, end = begin + p.length;
	return {team / p.parts, number, begin, end < p.inner ? end : p.inner};
}

// Places finds where operands have their elements. Each operand has one: at a row, or at a point of it.
template <int R> DEVICE char* at_row(const NormalizeParams<R>& p, int k, i64 row) {
	const Operand<R>& o = p.loop.at[k];
	return o.data + p.loop.place(k, row, 0, (int)p.axes) * o.size;
}

// Point is how far a point of a row is from the row's begin, for up to four operands.
template <int R, int N> DEVICE void point_of(const NormalizeParams<R>& p, const int (&operands)[N], i64 point, i64 (&at)[N]) {
	for (int k = 0; k < N; k++) at[k] = 0;
	for (int axis = (int)p.loop.rank - 1; axis >= p.axes; axis--) {
		i64 index = point;
		if (axis > p.axes) {
			point = divide(point, p.loop.shape[axis]);
			index -= point * p.loop.shape[axis];
		}
		for (int k = 0; k < N; k++) at[k] += index * p.loop.at[operands[k]].strides[axis];
	}
}

template <class T, int R> DEVICE T at_point(const NormalizeParams<R>& p, int k, const char* row, i64 at) {
	return load_real<T>(row + at * p.loop.at[k].size, p.loop.at[k].type);
}

// FOR_SECTION has a team go through its slice; point is number i of those that a thread holds.
#define FOR_SECTION(from, section, team) for (i64 from = (section).begin; from < (section).end; from += held * (team).size)
#define POINT(from, i, team) ((from) + (team).lane + (i) * (team).size)

// Moments are the number of some values, their mean, and the sum of the squares of their distances from it.
struct Moments {
	double count, mean, squares;
};

// Normalize's operands.
enum { Y, Mean, Variance, X, Gamma, Beta };

// read gets values of x into registers.
template <class T, int R> DEVICE void read_x(const NormalizeParams<R>& p, const char* row, i64 from, const Section& s, const Team& team, T (&v)[held]) {
	const int operands[] = {X};
	FOR_HELD(i) {
		i64 point = POINT(from, i, team), at[1];
		if (point >= s.end) continue;
		point_of(p, operands, point, at);
		v[i] = at_point<T>(p, X, row, at[0]);
	}
}

// moments_of reads a slice, twice if registers do not hold it.
template <class T, int R> DEVICE Moments moments_of(const NormalizeParams<R>& p, const Section& s, const Team& team, T (&v)[held]) {
	const char* row = at_row(p, X, s.row);
	const bool whole = s.end - s.begin <= held * team.size;
	Wide<T> sum = 0, squares = 0;
	FOR_SECTION(from, s, team) {
		read_x(p, row, from, s, team, v);
		FOR_HELD(i) if (POINT(from, i, team) < s.end) sum += (Wide<T>)v[i];
	}
	const double count = (double)(s.end - s.begin), mean = (double)team.sum(sum) / count;
	FOR_SECTION(from, s, team) {
		if (!whole) read_x(p, row, from, s, team, v);
		FOR_HELD(i) if (POINT(from, i, team) < s.end) {
			const Wide<T> distance = (Wide<T>)v[i] - (Wide<T>)mean;
			squares += distance * distance;
		}
	}
	return {count, mean, (double)team.sum(squares)};
}

// joined_moments are those of a row, from those of its parts.
template <int R> DEVICE Moments joined_moments(const NormalizeParams<R>& p, i64 row, const Team& team) {
	const double* parts = p.moments + 2 * row * p.parts;
	double sum = 0, squares = 0;
	for (i64 k = team.lane; k < p.parts; k += team.size) {
		const i64 left = p.inner - k * p.length;
		sum += parts[2 * k] * (double)(left < p.length ? left : p.length);
	}
	const double mean = team.sum(sum) / (double)p.inner;
	for (i64 k = team.lane; k < p.parts; k += team.size) {
		const i64 left = p.inner - k * p.length;
		const double distance = parts[2 * k] - mean;
		squares += parts[2 * k + 1] + distance * distance * (double)(left < p.length ? left : p.length);
	}
	return {(double)p.inner, mean, team.sum(squares)};
}

KERNEL_FLOATS(normalize, NormalizeParams) {
	const int operands[] = {X, Y, Gamma, Beta};
	FOR_ROWS(number, p.outer * p.parts, p.lanes, team) {
		const Section s = section_of(p, number);
		T v[held];
		Moments m;
		if (p.step == Normalize_write) m = joined_moments(p, s.row, team);
		else m = moments_of(p, s, team, v);
		if (p.step == Normalize_moments) {
			if (team.lane == 0) {
				p.moments[2 * number] = m.mean;
				p.moments[2 * number + 1] = m.squares;
			}
			continue;
		}
		const double variance = m.squares / m.count;
		const T rate = (T)(1 / sqrt(variance + p.eps)), near = (T)m.mean, rest = (T)(m.mean - (double)near);
		const bool kept = p.step == Normalize_whole && s.end - s.begin <= held * team.size;
		const char *x = at_row(p, X, s.row), *gamma = at_row(p, Gamma, s.row), *beta = at_row(p, Beta, s.row);
		char* y = at_row(p, Y, s.row);
		FOR_SECTION(from, s, team) FOR_HELD(i) {
			const i64 point = POINT(from, i, team);
			if (point >= s.end) continue;
			i64 at[4];
			point_of(p, operands, point, at);
			T value = ((kept ? v[i] : at_point<T>(p, X, x, at[0])) - near - rest) * rate;
			if (p.loop.at[Gamma].data) value *= at_point<T>(p, Gamma, gamma, at[2]);
			if (p.loop.at[Beta].data) value += at_point<T>(p, Beta, beta, at[3]);
			store_real<T>(y + at[1] * p.loop.at[Y].size, p.loop.at[Y].type, value);
		}
		if (team.lane == 0 && s.number == 0 && number < p.outer * p.parts) {
			store_real<T>(at_row(p, Mean, s.row), p.loop.at[Mean].type, (T)m.mean);
			store_real<T>(at_row(p, Variance, s.row), p.loop.at[Variance].type, (T)variance);
		}
	}
}

// NormalizeGrad's operands: after gx those of which Reduce makes ggamma and gbeta, which are not touched here.
enum { GX, GX_x = 3, GX_gamma, GX_mean, GX_variance, GX_gy };

// Standard is what brings a row to mean 0 and variance 1.
template <class T> struct Standard {
	T mean, rate;
};

// Of a row the gradient needs the sums of weighted = gy·gamma, and of weighted·standardized.
template <class T, int R> DEVICE void read_gradients(const NormalizeParams<R>& p, const Section& s, const Standard<T>& standard, i64 from, const Team& team,
	T (&weighted)[held], T (&standardized)[held]) {
	const int operands[] = {GX_x, GX_gamma, GX_gy};
	const char *x = at_row(p, GX_x, s.row), *gamma = at_row(p, GX_gamma, s.row), *gy = at_row(p, GX_gy, s.row);
	FOR_HELD(i) {
		const i64 point = POINT(from, i, team);
		weighted[i] = standardized[i] = 0;
		if (point >= s.end) continue;
		i64 at[3];
		point_of(p, operands, point, at);
		standardized[i] = (at_point<T>(p, GX_x, x, at[0]) - standard.mean) * standard.rate;
		weighted[i] = at_point<T>(p, GX_gy, gy, at[2]);
		if (p.loop.at[GX_gamma].data) weighted[i] *= at_point<T>(p, GX_gamma, gamma, at[1]);
	}
}

KERNEL_FLOATS(normalize_grad, NormalizeParams) {
	const int operands[] = {GX};
	FOR_ROWS(number, p.outer * p.parts, p.lanes, team) {
		const Section s = section_of(p, number);
		Standard<T> standard = {0, 0};
		if (s.end > s.begin) {
			const double variance = load_real<T>(at_row(p, GX_variance, s.row), p.loop.at[GX_variance].type);
			standard = {load_real<T>(at_row(p, GX_mean, s.row), p.loop.at[GX_mean].type), (T)(1 / sqrt(variance + p.eps))};
		}
		T weighted[held], standardized[held];
		double total = 0, moment = 0;
		if (p.step == Normalize_write) {
			const double* parts = p.moments + 2 * s.row * p.parts;
			for (i64 k = team.lane; k < p.parts; k += team.size) {
				total += parts[2 * k];
				moment += parts[2 * k + 1];
			}
		} else {
			FOR_SECTION(from, s, team) {
				read_gradients(p, s, standard, from, team, weighted, standardized);
				FOR_HELD(i) {
					total += (double)weighted[i];
					moment += (double)weighted[i] * (double)standardized[i];
				}
			}
		}
		total = team.sum(total);
		moment = team.sum(moment);
		if (p.step == Normalize_moments) {
			if (team.lane == 0) {
				p.moments[2 * number] = total;
				p.moments[2 * number + 1] = moment;
			}
			continue;
		}
		const T shift = (T)(total / (double)p.inner), slope = (T)(moment / (double)p.inner);
		const bool kept = p.step == Normalize_whole && s.end - s.begin <= held * team.size;
		char* gx = at_row(p, GX, s.row);
		FOR_SECTION(from, s, team) {
			if (!kept) read_gradients(p, s, standard, from, team, weighted, standardized);
			FOR_HELD(i) {
				const i64 point = POINT(from, i, team);
				if (point >= s.end) continue;
				i64 at[1];
				point_of(p, operands, point, at);
				store_real<T>(gx + at[0] * p.loop.at[GX].size, p.loop.at[GX].type, standard.rate * (weighted[i] - shift - standardized[i] * slope));
			}
		}
	}
}
