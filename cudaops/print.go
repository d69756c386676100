package cudaops

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// printedName is the entry name of every printed program.
const printedName = "program"

// text builds CUDA C++ source text.
type text struct{ strings.Builder }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// printElementwise returns a program as CUDA C++: a kernel for loops of a layout, with one statement per instruction.
// The statements call the functions that the interpreter calls, so that both forms give identical bits. A thread
// processes several points at a time, and reads all inputs of these points before it writes.
func printElementwise(p *device.Program, y layout) string {
	var t text
	t.params(y, "", len(p.Scalars))
	t.offsets("Offsets", y, 0, y.rank, allOperands(y))
	if y.pack > 1 {
		t.packs(p, y)
	} else {
		t.points(p, y)
	}
	return t.String()
}

// params writes the struct of a kernel's arguments, and the integer types for point numbers and element offsets.
func (t *text) params(y layout, first string, scalars int) {
	if y.small {
		t.line("typedef u32 Number;\ntypedef int Offset;")
	} else {
		t.line("typedef i64 Number;\ntypedef i64 Offset;")
	}
	t.line("struct Params {%s", first)
	if scalars > 0 {
		t.line("\tValue scalars[%d];", scalars)
	}
	if y.divides() {
		t.line("\tDivisor divisors[%d];", y.rank)
	}
	t.line("\tLoop<%d, %d> loop;\n};", y.limit(), max(y.n, 1))
}

// divides reports whether divisors are among the arguments.
func (y *layout) divides() bool { return y.small && y.rank > 1 }

// limit returns the number of axes that the arguments have room for.
func (y *layout) limit() int { return max(y.rank, 1) }

func allOperands(y layout) []int {
	var all []int
	for k := range y.n {
		if y.forms[k] != raw {
			all = append(all, k)
		}
	}
	return all
}

// offsets writes a struct with the element offsets of some operands. It computes them for a point of some axes of the
// loop, given by its number.
func (t *text) offsets(name string, y layout, from, end int, operands []int) {
	t.line("struct %s {", name)
	for _, k := range operands {
		t.line("\tOffset at%d;", k)
	}
	t.line("\t__device__ %s() {}\n\t__device__ %s(const Params& p, Number i) {", name, name)
	for _, k := range operands {
		t.line("\t\tat%d = 0;", k)
	}
	for axis := end - 1; axis > from; axis-- {
		rest := fmt.Sprintf("divide(i, p.loop.shape[%d])", axis)
		if y.small {
			rest = fmt.Sprintf("p.divisors[%d].quotient(i)", axis)
		}
		t.line("\t\tconst Number rest%d = %s;\n\t\tconst Offset index%d = i - rest%d * (Number)p.loop.shape[%d];", axis, rest, axis, axis, axis)
		t.steps(y, axis, fmt.Sprintf("index%d", axis), operands)
		t.line("\t\ti = rest%d;", axis)
	}
	if end > from {
		t.steps(y, from, "(Offset)i", operands)
	}
	t.line("\t}\n};")
}

// steps adds the contribution of an index along an axis to the element offsets of operands.
func (t *text) steps(y layout, axis int, index string, operands []int) {
	for _, k := range operands {
		last := axis == y.rank-1
		switch {
		case last && y.forms[k] == dense:
			t.line("\t\tat%d += %s;", k, index)
		case last && y.forms[k] == single:
		default:
			t.line("\t\tat%d += %s * (Offset)p.loop.at[%d].strides[%d];", k, index, k, axis)
		}
	}
}

// packs writes a kernel whose threads process neighbouring points as packs, and the rest of a single row one by one.
func (t *text) packs(p *device.Program, y layout) {
	t.line("template <int N> DEVICE void points(const Params& p, const Number i) {\n\tconst Offsets at(p, i);")
	for k := range y.n {
		if y.forms[k] == raw {
			continue
		}
		count := "N"
		if y.forms[k] == single && k >= len(p.Outputs) {
			count = "1"
		}
		t.line("\tElements<%d, %s, %d> x%d;", y.types[k].Size(), count, unit(y.types[k]), k)
		if k >= len(p.Outputs) {
			t.line("\tx%d.read(%s);", k, element(y, k, "at"))
		}
	}
	t.line("#pragma unroll\n\tfor (int j = 0; j < N; j++) {")
	t.program(p, "\t\t", &operands{
		input: func(k int) string {
			k += len(p.Outputs)
			if y.forms[k] == single {
				return fmt.Sprintf("x%d.at(0)", k)
			}
			return fmt.Sprintf("x%d.at(j)", k)
		},
		output: func(k int) string { return fmt.Sprintf("x%d.at(j)", k) },
		index:  "(i64)(i + j)",
		size:   "p.loop.count",
	}, y)
	t.line("\t}")
	for k := range p.Outputs {
		switch {
		case y.where == 0:
			t.line("\tx%d.write(%s);", k, element(y, k, "at"))
		case y.forms[y.where] == single:
			t.line("\tif (x%d.data[0]) x%d.write(%s);", y.where, k, element(y, k, "at"))
		default:
			t.line("\tx%d.write_where(%s, x%d);", k, element(y, k, "at"), y.where)
		}
	}
	t.line("}")
	t.entry("\tconst Number count = p.loop.count, whole = count - count %% %d, thread = blockIdx.x * (Number)blockDim.x + threadIdx.x, step = gridDim.x * (Number)blockDim.x;\n"+
		"\tfor (Number i = thread * %d; i < whole; i += step * %d) points<%d>(p, i);", y.pack, y.pack, y.pack, y.pack)
	if y.rank == 1 {
		t.line("\tfor (Number i = whole + thread; i < count; i += step) points<1>(p, i);")
	}
	t.end()
}

// points writes a kernel in which each thread processes points that lie apart, so that neighbouring threads access
// neighbouring elements.
func (t *text) points(p *device.Program, y layout) {
	n := atATime(p)
	t.entry("\tconst Number count = p.loop.count, step = gridDim.x * (Number)blockDim.x;\n"+
		"\tfor (Number i = blockIdx.x * (Number)blockDim.x + threadIdx.x; i < count; i += %d * step) {\n\t\tOffsets at[%d];", n, n)
	for k := len(p.Outputs); k < y.n; k++ {
		if y.forms[k] != raw {
			t.line("\t\tElements<%d, 1, %d> x%d[%d];", y.types[k].Size(), unit(y.types[k]), k, n)
		}
	}
	t.line("#pragma unroll\n\t\tfor (int j = 0; j < %d; j++) {\n\t\t\tconst Number k = i + j * step;\n\t\t\tif (k >= count) continue;\n\t\t\tat[j] = Offsets(p, k);", n)
	for k := len(p.Outputs); k < y.n; k++ {
		if y.forms[k] != raw {
			t.line("\t\t\tx%d[j].read(%s);", k, element(y, k, "at[j]"))
		}
	}
	t.line("\t\t}\n#pragma unroll\n\t\tfor (int j = 0; j < %d; j++) {\n\t\t\tconst Number k = i + j * step;\n\t\t\tif (k >= count) continue;", n)
	if y.where != 0 {
		t.line("\t\t\tif (!x%d[j].data[0]) continue;", y.where)
	}
	for k := range p.Outputs {
		t.line("\t\t\tElements<%d, 1, %d> y%d;", y.types[k].Size(), unit(y.types[k]), k)
	}
	t.program(p, "\t\t\t", &operands{
		input:  func(k int) string { return fmt.Sprintf("x%d[j].at(0)", k+len(p.Outputs)) },
		output: func(k int) string { return fmt.Sprintf("y%d.at(0)", k) },
		index:  "(i64)k",
		size:   "p.loop.count",
	}, y)
	for k := range p.Outputs {
		t.line("\t\t\ty%d.write(%s);", k, element(y, k, "at[j]"))
	}
	t.line("\t\t}\n\t}")
	t.end()
}

// atATime returns how many points that lie apart a thread processes at a time.
func atATime(p *device.Program) int {
	if 4*cost(p) > mostCost {
		return 1
	}
	return 4
}

// unit returns the alignment in bytes that every element is known to have: the size of a part if the type is complex.
func unit(t dtype.DType) int { return t.Real().Size() }

// element writes the address of an operand's element.
func element(y layout, k int, at string) string {
	return fmt.Sprintf("p.loop.at[%d].data + (i64)%s.at%d * %d", k, at, k, y.types[k].Size())
}

// entry begins the kernel, end ends it.
func (t *text) entry(format string, args ...any) {
	t.line("extern \"C\" __global__ void %s(PARAMETER(Params)) {", printedName)
	t.line(format, args...)
}

func (t *text) end() { t.line("}\nREGISTER(%s)", printedName) }

// operands describes how a program's text refers to data outside of the program.
type operands struct {
	input, output func(k int) string // the address of an element
	value         string             // the only input, if it has no address: for a program after a reduction
	of            dtype.DType        // the type of value
	index, size   string
	scalars       int    // the index of the first one
	name          string // the prefix of variable names; "" means v
}

// program writes the instructions of a program and the stores of its results.
func (t *text) program(p *device.Program, indent string, o *operands, y layout) {
	name := o.name
	if name == "" {
		name = "v"
	}
	for r := range p.Code {
		t.line("%sconst Value %s%d = %s;", indent, name, r, o.instruction(p, &p.Code[r], name, y))
	}
	if o.output != nil {
		for k, r := range p.Results {
			t.line("%sstore_as<%d, %d>(%s, %s%d);", indent, y.types[k], p.Code[r].Type, o.output(k), name, r)
		}
	}
}

// instruction writes the value of an instruction.
func (o *operands) instruction(p *device.Program, in *device.Inst, name string, y layout) string {
	outputs := len(p.Outputs)
	switch in.Op {
	case device.OpInput:
		if o.value != "" {
			return fmt.Sprintf("cast_as<%d, %d>(%s)", o.of, in.Type, o.value)
		}
		return fmt.Sprintf("load_as<%d, %d>(%s)", y.types[in.Index+outputs], in.Type, o.input(in.Index))
	case device.OpScalar:
		return fmt.Sprintf("p.scalars[%d]", o.scalars+in.Index)
	case device.OpConst:
		v := valueOf(in.Value, in.Type)
		return fmt.Sprintf("Value{{(i64)0x%xull}, double_of(0x%xull)}", v.bits, math.Float64bits(v.im))
	case device.OpIndex:
		return fmt.Sprintf("of_int(%s)", o.index)
	case device.OpSize:
		return fmt.Sprintf("of_int(%s)", o.size)
	case device.OpLoad:
		return fmt.Sprintf("raw_as<%d, %d>(p.loop.at[%d], %s%d.i)", y.types[in.Index+outputs], in.Type, in.Index+outputs, name, in.A)
	case device.OpCast:
		return fmt.Sprintf("cast_as<%d, %d>(%s%d)", p.Code[in.A].Type, in.Type, name, in.A)
	case device.OpSelect:
		return fmt.Sprintf("%s%d.i ? %s%d : %s%d", name, in.A, name, in.B, name, in.C)
	}
	second := in.A
	if in.Op.Arity() > 1 {
		second = in.B
	}
	return fmt.Sprintf("apply_as<%d, %d>(%s%d, %s%d)", in.Op, p.Code[in.A].Type, name, in.A, name, second)
}
