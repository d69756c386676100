// Nonzero and Compress: each thread counts some points, one adds up, and each writes from where those before it end.
#include "opcodes.cuh"

template <int R> struct CompressParams {
	i64 chunk, chunks; // points that a thread goes through, and how many such
	i64 mask;          // the operand that says which points count
	i64* counts;       // of the chunks, and after them the total
	Loop<R, 3> loop;
};

template <int R> DEVICE bool counts(const CompressParams<R>& p, i64 i) {
	return p.loop.at[p.mask].template load<bool>(p.loop.place((int)p.mask, i), Bool);
}

KERNEL(count_chunks, CompressParams) {
	FOR_POINTS(c, p.chunks) {
		i64 n = 0;
		for (i64 i = c * p.chunk; i < (c + 1) * p.chunk && i < p.loop.count; i++) n += counts(p, i);
		p.counts[c] = n;
	}
}

KERNEL(add_chunks, CompressParams) {
	i64 sum = 0;
	for (i64 c = 0; c < p.chunks; c++) {
		i64 n = p.counts[c];
		p.counts[c] = sum;
		sum += n;
	}
	p.counts[p.chunks] = sum;
}

KERNEL(write_nonzero, CompressParams) {
	FOR_POINTS(c, p.chunks) {
		i64 to = p.counts[c];
		for (i64 i = c * p.chunk; i < (c + 1) * p.chunk && i < p.loop.count; i++)
			if (counts(p, i)) p.loop.at[0].template store<i64>(to++, i);
	}
}

KERNEL(write_compressed, CompressParams) {
	const Operand<R>&y = p.loop.at[0], &x = p.loop.at[1];
	i64 type = compute_type(x.type);
	FOR_POINTS(c, p.chunks) {
		i64 to = p.counts[c];
		for (i64 i = c * p.chunk; i < (c + 1) * p.chunk && i < p.loop.count; i++) {
			if (!counts(p, i)) continue;
			char* target = y.data + to++ * y.size;
			const char* source = x.data + p.loop.place(1, i) * x.size;
			if (y.type == x.type)
				for (int k = 0; k < y.size; k++) target[k] = source[k];
			else store_value(target, y.type, load_value(source, x.type, type), type);
		}
	}
}
