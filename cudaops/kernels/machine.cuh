// The interpreter: programs as lists of instructions, which each point executes one after another.
#pragma once
#include "opcodes.cuh"

// Instruction has the format of cudaops/program.go. Values lie in slots, which are reused when no instruction reads the
// value any more.
struct Instruction {
	i64 op, type, of; // of: the type of the arguments
	i64 a, b, c, to;  // slots
	i64 index;        // of an input, a scalar or an output
	Value value;      // of a constant
};

// ElementwiseParams are the arguments of a program at each point of a loop.
struct Code {
	const Instruction* list; // in the device's memory
	i64 length;
};
template <int R> struct ElementwiseParams {
	Code code;
	i64 outputs, where; // where: the index of the mask; 0 for none
	Value scalars[12];
	Loop<R, 12> loop;
};

// Store_result ends a program: the value in slot a is result number index.
enum : i64 { Store_result = 255 };

enum { slots = 256 };

// execute runs an instruction that needs only the slots.
DEVICE_LARGE void execute(const Instruction& in, Value* slot) {
	switch (in.op) {
	case Op_const: slot[in.to] = in.value; return;
	case Op_cast: slot[in.to] = cast(slot[in.a], in.of, in.type); return;
	case Op_select: slot[in.to] = slot[in.a].i ? slot[in.b] : slot[in.c]; return;
	}
	slot[in.to] = apply(in.op, in.of, slot[in.a], slot[in.b]);
}

// run executes a program at a point: number position of size points. input(k, type) returns input k, raw(k, index,
// type) returns the element at a given index of a raw input, and result(k, value, type) receives a result.
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

// element reads an operand's element at a distance, in elements, from its first.
template <int R> DEVICE Value element(const Operand<R>& o, i64 at, i64 type) { return load_value(o.data + at * o.size, o.type, type); }

// raw_element reads the element at an index of a raw operand, or 0 if the index is out of range.
template <int R> DEVICE Value raw_element(const Operand<R>& o, i64 index, i64 type) {
	if (index < 0 || index >= o.len) return of_complex({0, 0});
	return element(o, index, type);
}
