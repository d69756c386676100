// Attention between its two products: the softmax of scores.
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
				if (masked) part.v[i] += added.v[i];
			}
		};
		const Shifted<T> s = shifted(part, seen, team, read, true);
		FOR_PARTS(from, n, team) {
			if (from < seen && !whole) read(from), s.exponentials(part);
			FOR_HELD(i) part.v[i] = from + team.lane + i * team.size < seen ? part.v[i] * s.inverse : 0;
			for (int k = 0; k < 2; k++) {
				if (p.loop.at[k].data) part.write(row_of(p.loop, k, row), from, n, team);
			}
		}
	}
}
