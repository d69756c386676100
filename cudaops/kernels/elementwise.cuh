// Elementwise: a program at each point of the loop. All inputs of a point are read before its outputs are written.
#pragma once
#include "machine.cuh"

template <int R> DEVICE void at_each_point(const ElementwiseParams<R>& p) {
	Value slot[slots];
	FOR_POINTS(i, p.loop.count) {
		if (p.where && !p.loop.at[p.where].template load<bool>(p.loop.offset((int)p.where, i), Bool)) continue;
		run(
			p.code, p.scalars, i, p.loop.count, slot,
			[&](i64 k, i64 type) { return element(p.loop.at[p.outputs + k], p.loop.offset((int)(p.outputs + k), i), type); },
			[&](i64 k, i64 index, i64 type) { return raw_element(p.loop.at[p.outputs + k], index, type); },
			[&](i64 k, Value v, i64 type) {
				const Operand<R>& y = p.loop.at[k];
				store_value(y.data + p.loop.offset((int)k, i) * y.size, y.type, v, type);
			});
	}
}
