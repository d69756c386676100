// Programs as lists of instructions, one after the other for each point.
#pragma once
#include "opcodes.cuh"

// Instruction is as cudaops/program.go encodes it. Values lie in slots, which serve again when nobody reads them any more.
struct Instruction {
	i64 op, type, of; // of: the type of the arguments
	i64 a, b, c, to;  // slots
	i64 index;        // of an input, a scalar or an output
	Value value;      // of a constant
};

// Store_result stands for the end of a program: the value in slot a is result index.
enum : i64 { Store_result = 255 };

// Code is a program in the device's memory.
struct Code {
	const Instruction* list;
	i64 length;
};

enum { slots = 256 };

// execute runs an instruction that needs nothing but the slots.
DEVICE_LARGE void execute(const Instruction& in, Value* slot) {
	switch (in.op) {
	case Op_const: slot[in.to] = in.value; return;
	case Op_cast: slot[in.to] = cast(slot[in.a], in.of, in.type); return;
	case Op_select: slot[in.to] = slot[in.a].i ? slot[in.b] : slot[in.c]; return;
	}
	slot[in.to] = apply(in.op, in.of, slot[in.a], slot[in.b]);
}

// run executes a program at a point: number position of size, where input k is what input(k, type) returns, the element at a place of
// a raw one what raw(k, place, type) returns, and a result is handed to result(k, value, type).
template <class Input, class Raw, class Result>
DEVICE void run(Code code, const Value* scalars, i64 position, i64 size, Value* slot, Input input, Raw raw, Result result) {
	for (i64 k = 0; k < code.length; k++) {
		const Instruction& in = code.list[k];
		switch (in.op) {
		case Op_input: slot[in.to] = input(in.index, in.type); break;
		case Op_scalar: slot[in.to] = scalars[in.index]; break;
		case Op_index: slot[in.to] = of_int(position); break;
		case Op_size: slot[in.to] = of_int(size); break;
		case Op_load: slot[in.to] = raw(in.index, slot[in.a].i, in.type); break;
		case Store_result: result(in.index, slot[in.a], in.of); break;
		default: execute(in, slot);
		}
	}
}

// element reads the one of an operand that lies so many elements from its first.
template <int R> DEVICE Value element(const Operand<R>& o, i64 at, i64 type) { return load_value(o.data + at * o.size, o.type, type); }

// raw_element is the element at a place of a raw operand, and 0 where there is none.
template <int R> DEVICE Value raw_element(const Operand<R>& o, i64 place, i64 type) {
	if (place < 0 || place >= o.len) return of_complex({0, 0});
	return element(o, place, type);
}
