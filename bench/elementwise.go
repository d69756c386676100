package bench

import (
	"regexp"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// size is a number of elements and its name.
type size struct {
	name string
	n    int
}

// sizes are the sizes of most cases, allSizes those of functions that are shown at every size.
var (
	sizes    = []size{{"1e3", 1000}, {"1e6", 1_000_000}, {"1.6e7", 16_000_000}}
	allSizes = []size{sizes[0], {"1e4", 10_000}, {"1e5", 100_000}, sizes[1], sizes[2]}
)

// AtEverySize matches the cases of one function with a new result that show how its speed depends on the size.
var AtEverySize = regexp.MustCompile(`^ew/(add|mul|exp|tanh|sqrt)/([^/]*)/f32$`)

// function is an elementwise function of one, two or three operands in [low, high).
type function struct {
	name      string
	operands  int
	low, high float64
	call      func(in []*nd.Array, o ops.UfuncOptions) *nd.Array
	out       bool // also a case with Out
	float64   bool
}

func unary(f func(*nd.Array, ...ops.UfuncOption) *nd.Array) func([]*nd.Array, ops.UfuncOptions) *nd.Array {
	return func(in []*nd.Array, o ops.UfuncOptions) *nd.Array { return f(in[0], o) }
}

func binary(f func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array) func([]*nd.Array, ops.UfuncOptions) *nd.Array {
	return func(in []*nd.Array, o ops.UfuncOptions) *nd.Array { return f(in[0], in[1], o) }
}

var mulAdd = ops.MustKernel("T a, T b, T c", "T y", "y = a*b + c")

var functions = []function{
	{"add", 2, -1, 1, binary(ops.Add), true, true},
	{"mul", 2, -1, 1, binary(ops.Multiply), true, false},
	{"div", 2, 1, 2, binary(ops.Divide), true, false},
	{"muladd", 3, -1, 1, nil, true, false},
	{"maximum", 2, -1, 1, binary(ops.Maximum), true, false},
	{"greater", 2, -1, 1, binary(ops.Greater), false, false},
	{"exp", 1, -8, 8, unary(ops.Exp), true, true},
	{"log", 1, 0.01, 10, unary(ops.Log), true, false},
	{"tanh", 1, -4, 4, unary(ops.Tanh), true, false},
	{"sin", 1, -4, 4, unary(ops.Sin), true, false},
	{"sigmoid", 1, -8, 8, unary(ops.Sigmoid), true, false},
	{"gelu", 1, -4, 4, unary(ops.GELUErf), false, false},
	{"relu", 1, -1, 1, unary(ops.ReLU), true, false},
	{"sqrt", 1, 0.01, 10, unary(ops.Sqrt), true, false},
	{"pow", 2, 0.01, 2, binary(ops.Power), true, false},
	{"powscalar2.5", 1, 0.01, 2, func(in []*nd.Array, o ops.UfuncOptions) *nd.Array {
		return ops.Power(in[0], 2.5, o)
	}, true, false},
}

func elementwise() (cs []Case) {
	for _, f := range functions {
		for _, size := range allSizes {
			for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
				if dt == dtype.Float64 && !f.float64 {
					continue
				}
				bytes := float64((f.operands + 1) * size.n * dt.Size())
				name := f.name + "/" + size.name + "/" + short(dt)
				usual := slices.Contains(sizes, size)
				if !usual && !AtEverySize.MatchString("ew/"+name) {
					continue
				}
				operands := func() []*nd.Array {
					in := make([]*nd.Array, f.operands)
					for i := range in {
						in[i] = floats(dt, f.low, f.high, size.n)
					}
					return in
				}
				cs = append(cs, Case{Name: "ew/" + name, Bytes: bytes, Setup: func() func() *nd.Array {
					in := operands()
					if f.call == nil {
						return func() *nd.Array { return mulAdd.Call(in...) }
					}
					return func() *nd.Array { return f.call(in, ops.UfuncOptions{}) }
				}})
				if f.out && usual {
					cs = append(cs, Case{Name: "ew_out/" + name, Bytes: bytes, Setup: func() func() *nd.Array {
						in, out := operands(), nd.Empty([]int{size.n}, arrayOptions(dt))
						return withOut(&f, in, out)
					}})
				}
			}
		}
	}
	return cs
}

// withOut returns a call that writes to out.
func withOut(f *function, in []*nd.Array, out *nd.Array) func() *nd.Array {
	o := ops.UfuncOptions{Out: out}
	if f.call == nil {
		return func() *nd.Array {
			mulAdd.CallInto([]*nd.Array{out}, in...)
			return nil
		}
	}
	return func() *nd.Array {
		f.call(in, o)
		return nil
	}
}

func broadcasting() (cs []Case) {
	for _, c := range []struct {
		name  string
		bytes float64
		make  func() (a, b *nd.Array)
	}{
		{"add_row/1000x1000", 8e6, func() (a, b *nd.Array) { return f32(1000, 1000), f32(1000) }},
		{"add_col/1000x1000", 8e6, func() (a, b *nd.Array) { return f32(1000, 1000), f32(1000, 1) }},
		{"add_transposed/1000x1000", 12e6, func() (a, b *nd.Array) { return f32(1000, 1000).T(), f32(1000, 1000) }},
		{"add_transposed/4096x4096", 12 * 4096 * 4096, func() (a, b *nd.Array) { return f32(4096, 4096).T(), f32(4096, 4096) }},
		{"add_strided2/2000000", 20e6, func() (a, b *nd.Array) {
			every2 := nd.All().By(2)
			return f32(2_000_000).Index(every2), f32(2_000_000).Index(every2)
		}},
		{"add_stridedrows/1000x1000of2000", 20e6, func() (a, b *nd.Array) {
			return f32(1000, 2000).Index(nd.All(), nd.All().By(2)), f32(1000, 2000).Index(nd.All(), nd.From(1).By(2))
		}},
		{"add_subblock/1000x1000of2000", 12e6, func() (a, b *nd.Array) {
			return f32(1000, 2000).Index(nd.All(), nd.Until(1000)), f32(1000, 2000).Index(nd.All(), nd.From(1000))
		}},
		{"add_channel/32x64x56x56", 8 * 32 * 64 * 56 * 56, func() (a, b *nd.Array) { return f32(32, 64, 56, 56), f32(1, 64, 1, 1) }},
	} {
		cs = append(cs, Case{Name: "bcast/" + c.name + "/f32", Bytes: c.bytes, Setup: func() func() *nd.Array {
			a, b := c.make()
			return func() *nd.Array { return ops.Add(a, b) }
		}}, Case{Name: "bcast_out/" + c.name + "/f32", Bytes: c.bytes, Setup: func() func() *nd.Array {
			a, b := c.make()
			o := ops.UfuncOptions{Out: ops.Add(a, b).Copy()}
			return func() *nd.Array {
				ops.Add(a, b, o)
				return nil
			}
		}})
	}
	return cs
}
