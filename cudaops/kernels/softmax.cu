// Softmax, CrossEntropy and their gradients.
#include "rows.cuh"

template <int R> struct SoftmaxParams {
	i64 blocks, log, ignore;
	Verdict verdict;
	Loop<R, 4> loop;
};

#define LAST p.loop.shape[p.loop.rank - 1]
#define ROWS (p.loop.count / LAST)

KERNEL(softmax, SoftmaxParams) {
	FOR_ROWS(row, ROWS, p.blocks, team) {
		Row y = row_of(p.loop, 0, row), x = row_of(p.loop, 1, row);
		Shifted s = shifted(x, LAST, team);
		for (i64 k = team.lane; k < LAST; k += team.size) y.set(k, p.log ? s.log(x[k]) : s.softmax(x[k]));
	}
}

KERNEL(softmax_grad, SoftmaxParams) {
	FOR_ROWS(row, ROWS, p.blocks, team) {
		Row gx = row_of(p.loop, 0, row), y = row_of(p.loop, 1, row), gy = row_of(p.loop, 2, row);
		double sum = 0;
		for (i64 k = team.lane; k < LAST; k += team.size) sum += p.log ? gy[k] : gy[k] * y[k];
		sum = team.sum(sum);
		for (i64 k = team.lane; k < LAST; k += team.size) gx.set(k, p.log ? gy[k] - scalar::Exp(y[k]) * sum : y[k] * (gy[k] - sum));
	}
}

KERNEL(cross_entropy, SoftmaxParams) {
	if (refused(p.verdict)) return;
	FOR_ROWS(row, ROWS, p.blocks, team) {
		Row y = row_of(p.loop, 0, row), x = row_of(p.loop, 1, row), labels = row_of(p.loop, 2, row);
		i64 label = load<i64>(labels.data, labels.type, Int64);
		double loss = 0;
		if (label != p.ignore) {
			Shifted s = shifted(x, LAST, team);
			loss = -s.log(x[label]);
		}
		if (team.lane == 0) y.set(0, loss);
	}
}

KERNEL(cross_entropy_grad, SoftmaxParams) {
	if (refused(p.verdict)) return;
	FOR_ROWS(row, ROWS, p.blocks, team) {
		Row gx = row_of(p.loop, 0, row), x = row_of(p.loop, 1, row), labels = row_of(p.loop, 2, row), gy = row_of(p.loop, 3, row);
		i64 label = load<i64>(labels.data, labels.type, Int64);
		double g = gy[0];
		Shifted s = shifted(x, LAST, team);
		for (i64 k = team.lane; k < LAST; k += team.size) gx.set(k, label == p.ignore ? 0 : (s.softmax(x[k]) - (k == label)) * g);
	}
}
