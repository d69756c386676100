// Attention: scores, softmax of each query's, and the sums that they weigh.
#include "rows.cuh"

template <int R> struct AttentionParams {
	i64 blocks, batches, m, n, d, e, causal, masked;
	double scale;
	double* scores;  // (batches, m, n)
	Loop<R, 6> loop; // y, weights, q, k, v, mask over (batch…, m, n, d, e)
};

template <int R> DEVICE i64 place_of(const AttentionParams<R>& p, int operand, i64 batch, i64 m, i64 n, i64 d, i64 e) {
	int axes = (int)p.loop.rank - 4;
	const i64* s = p.loop.at[operand].strides + axes;
	return p.loop.place(operand, batch, 0, axes) + m * s[0] + n * s[1] + d * s[2] + e * s[3];
}

KERNEL(attention_scores, AttentionParams) {
	FOR_POINTS(i, p.batches * p.m * p.n) {
		i64 n = i % p.n, m = i / p.n % p.m, batch = i / p.n / p.m;
		i64 q = place_of(p, 2, batch, m, n, 0, 0), k = place_of(p, 3, batch, m, n, 0, 0);
		i64 step_q = p.loop.at[2].strides[p.loop.rank - 2], step_k = p.loop.at[3].strides[p.loop.rank - 2];
		double sum = 0;
		for (i64 d = 0; d < p.d; d++) sum += p.loop.at[2].template load<double>(q + d * step_q, Float64) * p.loop.at[3].template load<double>(k + d * step_k, Float64);
		sum *= p.scale;
		if (p.masked) sum += p.loop.at[5].template load<double>(place_of(p, 5, batch, m, n, 0, 0), Float64);
		p.scores[i] = sum;
	}
}

KERNEL(attention_weights, AttentionParams) {
	FOR_ROWS(row, p.batches * p.m, p.blocks, team) {
		double* scores = p.scores + row * p.n;
		i64 m = row % p.m, batch = row / p.m, seen = p.causal && m + 1 < p.n ? m + 1 : p.n;
		Shifted s = shifted(scores, seen, team);
		for (i64 n = team.lane; n < p.n; n += team.size) {
			double weight = n < seen ? s.softmax(scores[n]) : 0;
			scores[n] = weight;
			if (p.loop.at[1].data) p.loop.at[1].template store<double>(place_of(p, 1, batch, m, n, 0, 0), weight);
		}
	}
}

KERNEL(attention_values, AttentionParams) {
	FOR_POINTS(i, p.batches * p.m * p.e) {
		i64 e = i % p.e, m = i / p.e % p.m, batch = i / p.e / p.m;
		i64 seen = p.causal && m + 1 < p.n ? m + 1 : p.n;
		double sum = 0;
		for (i64 n = 0; n < seen; n++)
			sum += p.scores[(batch * p.m + m) * p.n + n] * p.loop.at[4].template load<double>(place_of(p, 4, batch, m, n, 0, e), Float64);
		p.loop.at[0].template store<double>(place_of(p, 0, batch, m, 0, 0, e), sum);
	}
}
