// Normalize and NormalizeGrad.
#include "rows.cuh"

template <int R> struct NormalizeParams {
	i64 blocks, outer, inner, axes; // points of the outer axes and of the last ones, and how many outer axes there are
	double eps;
	Loop<R, 8> loop;
};

template <int R> DEVICE double at_point(const NormalizeParams<R>& p, int k, i64 i) { return p.loop.at[k].template load<double>(p.loop.place(k, i), Float64); }

// normalize: y, mean, variance, x, gamma, beta.
KERNEL(normalize, NormalizeParams) {
	FOR_ROWS(o, p.outer, p.blocks, team) {
		double mean = 0, variance = 0;
		for (i64 k = team.lane; k < p.inner; k += team.size) mean += at_point(p, 3, o * p.inner + k);
		mean = team.sum(mean) / (double)p.inner;
		for (i64 k = team.lane; k < p.inner; k += team.size) {
			double distance = at_point(p, 3, o * p.inner + k) - mean;
			variance += distance * distance;
		}
		variance = team.sum(variance) / (double)p.inner;
		if (team.lane == 0) {
			p.loop.at[1].template store<double>(p.loop.place(1, o, 0, (int)p.axes), mean);
			p.loop.at[2].template store<double>(p.loop.place(2, o, 0, (int)p.axes), variance);
		}
		double root = sqrt(variance + p.eps);
		for (i64 k = team.lane; k < p.inner; k += team.size) {
			i64 i = o * p.inner + k;
			double v = (at_point(p, 3, i) - mean) / root;
			if (p.loop.at[4].data) v *= at_point(p, 4, i);
			if (p.loop.at[5].data) v += at_point(p, 5, i);
			p.loop.at[0].template store<double>(p.loop.place(0, i), v);
		}
	}
}

// Of the gradients the operands are gx, ggamma, gbeta, x, gamma, mean, variance, gy.
template <int R> DEVICE double standardized(const NormalizeParams<R>& p, i64 i) {
	return (at_point(p, 3, i) - at_point(p, 5, i)) * (1 / sqrt(at_point(p, 6, i) + p.eps));
}
template <int R> DEVICE double weighted(const NormalizeParams<R>& p, i64 i) {
	double g = at_point(p, 7, i);
	return p.loop.at[4].data ? g * at_point(p, 4, i) : g;
}

KERNEL(normalize_grad, NormalizeParams) {
	FOR_ROWS(o, p.outer, p.blocks, team) {
		double total = 0, moment = 0;
		for (i64 k = team.lane; k < p.inner; k += team.size) {
			i64 i = o * p.inner + k;
			total += weighted(p, i);
			moment += weighted(p, i) * standardized(p, i);
		}
		total = team.sum(total) / (double)p.inner;
		moment = team.sum(moment);
		for (i64 k = team.lane; k < p.inner; k += team.size) {
			i64 i = o * p.inner + k;
			double rate = 1 / sqrt(at_point(p, 6, i) + p.eps);
			p.loop.at[0].template store<double>(p.loop.place(0, i), rate * (weighted(p, i) - total - standardized(p, i) * moment / (double)p.inner));
		}
	}
}

// normalize_scale adds up ggamma, normalize_shift gbeta: the outer axes are those that they have.
KERNEL(normalize_scale, NormalizeParams) {
	FOR_ROWS(o, p.outer, p.blocks, team) {
		double sum = 0;
		for (i64 k = team.lane; k < p.inner; k += team.size) sum += at_point(p, 7, o * p.inner + k) * standardized(p, o * p.inner + k);
		sum = team.sum(sum);
		if (team.lane == 0) p.loop.at[1].template store<double>(p.loop.place(1, o, 0, (int)p.axes), sum);
	}
}
KERNEL(normalize_shift, NormalizeParams) {
	FOR_ROWS(o, p.outer, p.blocks, team) {
		double sum = 0;
		for (i64 k = team.lane; k < p.inner; k += team.size) sum += at_point(p, 7, o * p.inner + k);
		sum = team.sum(sum);
		if (team.lane == 0) p.loop.at[2].template store<double>(p.loop.place(2, o, 0, (int)p.axes), sum);
	}
}
