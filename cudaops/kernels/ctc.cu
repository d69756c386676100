// CTC and CTCGrad: one thread per sequence.
#include "rows.cuh"

template <int R> struct CTCParams {
	Verdict verdict;
	i64 batches, times, classes, blank, labels, stride; // labels: the length of their axis, whose stride is the next number
	double* room;    // for each sequence: log-softmax (times, classes), scores of paths to states (times, states), scores of the rest (2, states), occupancy (classes)
	i64* states;     // for each sequence: the classes of its states
	i64 gradient;
	Loop<R, 6> loop; // y or gx, x, labels, lengths, counts, gy over (batch…, t, c)
};

template <int R> DEVICE i64 count_of(const CTCParams<R>& p, int k, i64 batch) {
	return p.loop.at[k].template load<i64>(p.loop.offset(k, batch, 0, (int)p.loop.rank - 2), Int64);
}
template <int R> DEVICE i64 label_of(const CTCParams<R>& p, i64 batch, i64 j) {
	return p.loop.at[2].template load<i64>(p.loop.offset(2, batch, 0, (int)p.loop.rank - 2) + j * p.stride, Int64);
}

// ctc_check finds, in one thread, the first length, count or label that is out of range.
KERNEL(ctc_check, CTCParams) {
	Found* found = (Found*)p.verdict.found;
	for (i64 batch = 0; batch < p.batches; batch++) {
		i64 n[2] = {count_of(p, 3, batch), count_of(p, 4, batch)}, size[2] = {p.times + 1, p.labels + 1};
		for (int k = 0; k < 2; k++)
			if (n[k] < 0 || n[k] >= size[k]) {
				*found = {0, n[k], size[k]};
				return;
			}
		for (i64 j = 0; j < n[1]; j++) {
			i64 label = label_of(p, batch, j);
			if (label < 0 || label >= p.classes) {
				*found = {0, label, p.classes};
				return;
			}
		}
	}
}

DEVICE double log_sum(const double* x, i64 n) {
	double most = math_inf(-1), sum = 0;
	for (i64 k = 0; k < n; k++) most = scalar::Max<double>(most, x[k]);
	if (math_isinf(most, -1)) return most;
	for (i64 k = 0; k < n; k++) sum += scalar::Exp(x[k] - most);
	return most + scalar::Log(sum);
}

// Alignment is the graph of the states of a sequence: blanks, and the labels between them.
struct Alignment {
	double *x, *before, *behind, *occupancy;
	i64* classes;
	i64 n, times, width; // the number of states, of times, and of classes per time
	__device__ bool skips(i64 state) const { return state > 1 && state % 2 == 1 && classes[state] != classes[state - 2]; }
	__device__ bool possible(i64 t, i64 state) const { return state < 2 * (t + 1) && state >= n - 2 * (times - t); }
	__device__ double forward() const {
		i64 least = n / 2;
		for (i64 state = 3; state < n; state += 2) least += !skips(state);
		if (times < least) return math_inf(-1);
		if (times == 0) return 0;
		for (i64 t = 0; t < times; t++)
			for (i64 state = 0; state < n; state++) {
				double& now = before[t * n + state];
				now = math_inf(-1);
				if (!possible(t, state)) continue;
				double own = x[t * width + classes[state]];
				if (t == 0) {
					now = own;
					continue;
				}
				i64 from = skips(state) ? state - 2 : state > 0 ? state - 1 : 0;
				now = log_sum(before + (t - 1) * n + from, state + 1 - from) + own;
			}
		i64 from = n > 2 ? n - 2 : 0;
		return log_sum(before + (times - 1) * n + from, n - from);
	}
};

KERNEL(ctc, CTCParams) {
	if (refused(p.verdict)) return;
	i64 most = 2 * p.labels + 1, room = p.times * p.classes + p.times * most + 2 * most + p.classes;
	FOR_POINTS(batch, p.batches) {
		Alignment a;
		a.x = p.room + batch * room;
		a.before = a.x + p.times * p.classes;
		a.behind = a.before + p.times * most;
		a.occupancy = a.behind + 2 * most;
		a.classes = p.states + batch * most;
		a.times = count_of(p, 3, batch);
		a.n = 2 * count_of(p, 4, batch) + 1;
		a.width = p.classes;
		for (i64 s = 0; s < a.n; s++) a.classes[s] = s % 2 ? label_of(p, batch, s / 2) : p.blank;
		for (i64 t = 0; t < a.times; t++) {
			const Row x = row_of(p.loop, 1, batch * p.times + t);
			double* logs = a.x + t * p.classes;
			for (i64 c = 0; c < p.classes; c++) logs[c] = x[c];
			const double sum = log_sum(logs, p.classes);
			for (i64 c = 0; c < p.classes; c++) logs[c] -= sum;
		}
		double total = a.forward();
		if (!p.gradient) {
			p.loop.at[0].template store<double>(p.loop.offset(0, batch, 0, (int)p.loop.rank - 2), -total);
			continue;
		}
		i64 rows = math_isinf(total, -1) ? 0 : a.times;
		double g = p.loop.at[5].template load<double>(p.loop.offset(5, batch, 0, (int)p.loop.rank - 2), Float64);
		double *behind = a.behind, *now = a.behind + most;
		for (i64 t = p.times - 1; t >= 0; t--) {
			Row gx = row_of(p.loop, 0, batch * p.times + t);
			if (t >= rows) {
				for (i64 c = 0; c < p.classes; c++) gx.set(c, 0);
				continue;
			}
			for (i64 c = 0; c < p.classes; c++) a.occupancy[c] = 0;
			for (i64 state = 0; state < a.n; state++) {
				now[state] = 0;
				if (t < rows - 1) {
					double ways[4] = {math_inf(-1)};
					i64 n = 1;
					for (i64 next = state; next < a.n && next < state + 3; next++)
						if (next < state + 2 || a.skips(next)) ways[n++] = behind[next] + a.x[(t + 1) * p.classes + a.classes[next]];
					now[state] = log_sum(ways, n);
				} else if (state < a.n - 2) {
					now[state] = math_inf(-1);
				}
				if (a.possible(t, state)) a.occupancy[a.classes[state]] += scalar::Exp(a.before[t * a.n + state] + now[state] - total);
			}
			for (i64 c = 0; c < p.classes; c++) gx.set(c, (scalar::Exp(a.x[t * p.classes + c]) - a.occupancy[c]) * g);
			double* last = behind;
			behind = now;
			now = last;
		}
	}
}
