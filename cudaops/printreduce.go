package cudaops

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// reductionLayout returns the layout of a reduction whose axes are merged; outer is the number of output axes. A pack
// has four consecutive values.
func reductionLayout(l *device.Launch, outer int, columns bool) layout {
	y := layoutOf(l, l.Program)
	y.outer, y.columns = outer, columns
	y.small = y.small && broadcast.Size(l.Shape[:outer]) < 1<<31 && broadcast.Size(l.Shape[outer:l.Rank]) < 1<<31
	y.forms[0] = single // stored by its outer axes only
	if !columns && l.Rank > outer && y.packFor(l, packValues) == packValues {
		y.pack = packValues
	} else {
		y.dropForms()
	}
	return y
}

// printReduction returns two programs as CUDA C++: the one whose values are combined, and the one that follows. The
// text is a source for kernels/reduce.cuh.
func printReduction(p, post *device.Program, how device.Combine, y layout) string {
	var t text
	inputs := allOperands(y)[1:]
	result := p.Code[p.Results[0]].Type
	carried := device.CarriedType(result)
	scalars := len(p.Scalars)
	if post != nil {
		scalars += len(post.Scalars)
	}
	t.params(y, "\n\tReduction how;", scalars)
	t.offsets("Outer", y, 0, y.outer, allOperands(y))
	t.offsets("Inner", y, y.outer, y.rank, inputs)
	t.line("struct Source {\n\ttypedef Number Index;\n\tstruct Output {\n\t\ti64 number;\n\t\tOuter at;\n\t};")
	t.line("\tstatic constexpr bool printed = true;\n\tstatic constexpr int unrolled = %d;\n\tconst Params& p;\n\t__device__ bool pair() const { return %t; }\n\t__device__ bool by_columns() const { return %t; }",
		atATime(p), carried.IsComplex(), y.columns)
	t.line("\t__device__ Output output(i64 o) const { return {o, Outer(p, (Number)o)}; }")
	t.line("\t__device__ Value combine(Value a, Value b) const { return combined_now(%d, %d, a, b); }", how, carried)
	t.values(p, y, inputs, result, carried)
	t.finish(p, post, how, y, result)
	t.line("};")
	t.entry("\treduction(Source{p}, p.how);")
	t.end()
	return t.String()
}

// values writes the methods value and pack of a source.
func (t *text) values(p *device.Program, y layout, inputs []int, result, carried dtype.DType) {
	t.line("\ttemplate <int N> __device__ void read(const Output& o, Index v, Value* x) const {\n\t\tconst Inner in(p, v);")
	for _, k := range inputs {
		count := "N"
		if y.forms[k] == single {
			count = "1"
		}
		t.line("\t\tElements<%d, %s, %d> x%d;\n\t\tx%d.read(p.loop.at[%d].data + ((i64)o.at.at%d + in.at%d) * %d);",
			y.types[k].Size(), count, unit(y.types[k]), k, k, k, k, k, y.types[k].Size())
	}
	t.line("#pragma unroll\n\t\tfor (int j = 0; j < N; j++) {")
	t.program(p, "\t\t\t", &operands{
		input: func(k int) string {
			if y.forms[k+1] == single {
				return fmt.Sprintf("x%d.at(0)", k+1)
			}
			return fmt.Sprintf("x%d.at(j)", k+1)
		},
		index: "o.number * p.how.inner + v + j",
		size:  "p.loop.count",
	}, y)
	t.line("\t\t\tx[j] = cast_as<%d, %d>(v%d);\n\t\t}\n\t}", result, carried, p.Results[0])
	t.line("\t__device__ Value value(const Output& o, Index v) const {\n\t\tValue x;\n\t\tread<1>(o, v, &x);\n\t\treturn x;\n\t}")
	t.line("\t__device__ void pack(const Output& o, Index v, Value (&x)[pack_values]) const {")
	if y.pack > 1 {
		t.line("\t\tread<pack_values>(o, v, x);\n\t}")
	} else {
		t.line("#pragma unroll\n\t\tfor (int k = 0; k < pack_values; k++) read<1>(o, v + k, x + k);\n\t}")
	}
}

// finish writes the method finish of a source.
func (t *text) finish(p, post *device.Program, how device.Combine, y layout, result dtype.DType) {
	t.line("\t__device__ void finish(i64 o, Value total) const {\n\t\tconst Value v = total_as<%d, %d>(p.how.inner, total);\n"+
		"\t\tchar* y = p.loop.at[0].data + (i64)Outer(p, (Number)o).at0 * %d;\n\t\tElements<%d, 1, %d> e;",
		how, result, y.types[0].Size(), y.types[0].Size(), unit(y.types[0]))
	if post == nil {
		t.line("\t\tstore_as<%d, %d>(e.at(0), v);", y.types[0], result)
	} else {
		t.program(post, "\t\t", &operands{
			value: "v", of: result, output: func(int) string { return "e.at(0)" },
			index: "o", size: "p.how.outer", scalars: len(p.Scalars), name: "w",
		}, y)
	}
	t.line("\t\te.write(y);\n\t}")
}
