// Softmax, CrossEntropy and their gradients.
#include "rows.cuh"

template <int R> struct SoftmaxParams {
	i64 rows, length, lanes, log, ignore;
	Verdict verdict;
	Loop<R, 4> loop;
};

KERNEL_FLOATS(softmax, SoftmaxParams) {
	FOR_ROWS(row, p.rows, p.lanes, team) {
		const i64 n = row < p.rows ? p.length : 0;
		const bool whole = n <= held * team.size;
		const Row y = row_of(p.loop, 0, row), x = row_of(p.loop, 1, row);
		Part<T> part;
		const auto read = [&](i64 from) { part.read(x, from, n, team, (T)math_inf(-1)); };
		const Shifted<T> s = shifted(part, n, team, read, !p.log);
		FOR_PARTS(from, n, team) {
			if (!whole) read(from);
			if (!whole && !p.log) s.exponentials(part);
			FOR_HELD(i) part.v[i] = p.log ? part.v[i] - s.largest - s.logarithm : part.v[i] * s.inverse;
			part.write(y, from, n, team);
		}
	}
}

KERNEL_FLOATS(softmax_grad, SoftmaxParams) {
	FOR_ROWS(row, p.rows, p.lanes, team) {
		const i64 n = row < p.rows ? p.length : 0;
		const bool whole = n <= held * team.size;
		const Row gx = row_of(p.loop, 0, row), y = row_of(p.loop, 1, row), gy = row_of(p.loop, 2, row);
		Part<T> ys, gs;
		Wide<T> sum = 0;
		FOR_PARTS(from, n, team) {
			ys.read(y, from, n, team, 0);
			gs.read(gy, from, n, team, 0);
			FOR_HELD(i) sum += p.log ? (Wide<T>)gs.v[i] : (Wide<T>)gs.v[i] * (Wide<T>)ys.v[i];
		}
		const T total = (T)team.sum(sum);
		FOR_PARTS(from, n, team) {
			if (!whole) {
				ys.read(y, from, n, team, 0);
				gs.read(gy, from, n, team, 0);
			}
			FOR_HELD(i) gs.v[i] = p.log ? gs.v[i] - exponential(ys.v[i]) * total : ys.v[i] * (gs.v[i] - total);
			gs.write(gx, from, n, team);
		}
	}
}

// label_of returns the class of a row, and p.ignore beyond the last row.
template <int R> DEVICE i64 label_of(const SoftmaxParams<R>& p, i64 row) {
	if (row >= p.rows) return p.ignore;
	const Row labels = row_of(p.loop, 2, row);
	return load<i64>(labels.data, labels.type, Int64);
}

KERNEL_FLOATS(cross_entropy, SoftmaxParams) {
	if (refused(p.verdict)) return;
	FOR_ROWS(row, p.rows, p.lanes, team) {
		const i64 n = row < p.rows ? p.length : 0, label = label_of(p, row);
		const Row x = row_of(p.loop, 1, row);
		Part<T> part;
		const auto read = [&](i64 from) { part.read(x, from, n, team, (T)math_inf(-1)); };
		const Shifted<T> s = shifted(part, n, team, read, false);
		if (team.lane > 0 || row >= p.rows) continue;
		const Row y = row_of(p.loop, 0, row);
		T loss = 0;
		if (label != p.ignore) loss = s.logarithm - (load<T>(x.data + label * x.step, x.type, Native<T>::type) - s.largest);
		store<T>(y.data, y.type, loss);
	}
}

KERNEL_FLOATS(cross_entropy_grad, SoftmaxParams) {
	if (refused(p.verdict)) return;
	FOR_ROWS(row, p.rows, p.lanes, team) {
		const i64 n = row < p.rows ? p.length : 0, label = label_of(p, row);
		const bool whole = n <= held * team.size;
		const Row gx = row_of(p.loop, 0, row), x = row_of(p.loop, 1, row), gy = row_of(p.loop, 3, row);
		Part<T> part;
		const auto read = [&](i64 from) { part.read(x, from, n, team, (T)math_inf(-1)); };
		const Shifted<T> s = shifted(part, n, team, read, true);
		const T g = n > 0 ? load<T>(gy.data, gy.type, Native<T>::type) : 0;
		FOR_PARTS(from, n, team) {
			if (!whole) read(from), s.exponentials(part);
			FOR_HELD(i) {
				const T own = from + team.lane + i * team.size == label ? 1 : 0;
				part.v[i] = label == p.ignore ? 0 : (part.v[i] * s.inverse - own) * g;
			}
			part.write(gx, from, n, team);
		}
	}
}
