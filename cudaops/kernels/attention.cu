// Attention between its two products: the softmax of scores. After them: the results that hidden values have made NaN.
#include "rows.cuh"

template <int R> struct AttentionParams {
	i64 rows, m, n, lanes; // rows of n keys: m of each batch, from query number first on
	i64 first, causal;
	double scale;
	Loop<R, 4> loop; // weights for the product, weights, scores, mask over (batch…, m, n); the second and the last may be missing
};

KERNEL_FLOATS(attention_weights, AttentionParams) {
	FOR_ROWS(row, p.rows, p.lanes, team) {
		const i64 n = row < p.rows ? p.n : 0, query = p.first + row % p.m;
		const i64 seen = p.causal && query + 1 < n ? query + 1 : n;
		const bool whole = seen <= held * team.size, masked = p.loop.at[3].data != nullptr;
		const Row scores = row_of(p.loop, 2, row), mask = row_of(p.loop, 3, row);
		Part<T> part, added;
		const auto read = [&](i64 from) {
			part.read(scores, from, seen, team, (T)math_inf(-1));
			if (masked) added.read(mask, from, seen, team, 0);
			FOR_HELD(i) {
				if (from + team.lane + i * team.size >= seen) continue;
				part.v[i] *= (T)p.scale;
				if (!masked) continue;
				part.v[i] = added.v[i] == (T)math_inf(-1) ? added.v[i] : part.v[i] + added.v[i]; // hidden, whatever the key is
			}
		};
		const Shifted<T> s = shifted(part, seen, team, read, true);
		FOR_PARTS(from, n, team) {
			if (from < seen && !whole) read(from), s.exponentials(part);
			FOR_HELD(i) {
				const bool hidden = from + team.lane + i * team.size >= seen || masked && added.v[i] == (T)math_inf(-1);
				part.v[i] = hidden || s.largest == (T)math_inf(-1) ? 0 : part.v[i] * s.inverse;
			}
			for (int k = 0; k < 2; k++) {
				if (p.loop.at[k].data) part.write(row_of(p.loop, k, row), from, n, team);
			}
		}
	}
}

template <int R> struct AttentionSumsParams {
	i64 count, m, e, n; // count results: e of each of m queries of each batch, from query number first on
	i64 first, causal;
	Loop<R, 4> loop; // results, weights, values, mask over (batch…, m, e, n); the last may be missing
};

// attention_sums computes the results that are NaN again, without the values of hidden keys: 0·NaN is NaN.
KERNEL_FLOATS(attention_sums, AttentionSumsParams) {
	FOR_POINTS(i, p.count) {
		const Row result = row_of(p.loop, 0, i), weights = row_of(p.loop, 1, i), values = row_of(p.loop, 2, i), mask = row_of(p.loop, 3, i);
		if (!math_isnan(result[0])) continue;
		const i64 query = p.first + i / p.e % p.m;
		const i64 seen = p.causal && query + 1 < p.n ? query + 1 : p.n;
		T sum = 0;
		for (i64 k = 0; k < seen; k++) {
			if (mask.data && mask[k] == math_inf(-1)) continue;
			sum += (T)weights[k] * (T)values[k];
		}
		result.set(0, sum);
	}
}
