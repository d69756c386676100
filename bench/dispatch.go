package bench

import (
	"runtime"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// dispatch returns cases with next to nothing to compute: they measure the cost of a call.
func dispatch() []Case {
	pair := func(a, b []int) func() []*nd.Array {
		return func() []*nd.Array { return []*nd.Array{f32(a...), f32(b...)} }
	}
	sum := func(in []*nd.Array) *nd.Array { return ops.Add(in[0], in[1]) }
	table := pair([]int{100, 100}, nil)
	rows, columns := nd.Span(10, 20), nd.All().By(2)
	return []Case{
		fixed("dispatch/scalar0d_add/f32", 0, pair(nil, nil), sum),
		fixed("dispatch/add10/f32", 0, pair([]int{10}, []int{10}), sum),
		{Name: "dispatch/add10_out/f32", Setup: func() func() *nd.Array {
			return withOut(&functions[0], []*nd.Array{f32(10), f32(10)}, f32(10))
		}},
		fixed("dispatch/add3x4_row/f32", 0, pair([]int{3, 4}, []int{4}), sum),
		fixed("dispatch/sum10/f32", 0, pair([]int{10}, nil), func(in []*nd.Array) *nd.Array { return ops.Sum(in[0]) }),
		fixed("dispatch/slice/f32", 0, table, func(in []*nd.Array) *nd.Array { return in[0].Index(rows, columns) }),
		fixed("dispatch/reshape/f32", 0, table, func(in []*nd.Array) *nd.Array { return in[0].Reshape(10, 1000) }),
		fixed("dispatch/getitem/f32", 0, table, func(in []*nd.Array) *nd.Array {
			runtime.KeepAlive(nd.Value[float32](in[0], 3, 4))
			return nil
		}),
		fixed("dispatch/matmul4x4/f32", 0, pair([]int{4, 4}, []int{4, 4}), func(in []*nd.Array) *nd.Array { return ops.MatMul(in[0], in[1]) }),
		{Name: "dispatch/add10_record_grad/f32", Per: 1000, Setup: func() func() *nd.Array {
			a, b, tape := f32(10), f32(10), grad.NewTape()
			return func() *nd.Array {
				w := tape.Watch(a)
				for range 1000 {
					_ = ops.Add(w, b)
				}
				tape.Reset()
				return nil
			}
		}},
		chain("chain1000_add10_fwdbwd_per_op", ops.Add, nil),
		chain("chain1000_multanh10_fwdbwd_per_op", ops.Multiply, ops.Tanh),
	}
}

// chain is 1000 operations in a row, and the gradient through them.
func chain(name string, first func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array, second func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) Case {
	return Case{Name: "dispatch/" + name + "/f32", Per: 1000, Setup: func() func() *nd.Array {
		a, b, tape := f32(10), f32(10), grad.NewTape()
		seeds, results := []*nd.Array{b}, make([]*nd.Array, 1)
		return func() *nd.Array {
			w := tape.Watch(a)
			x := w
			for n := 0; n < 1000; n++ {
				x = first(x, b)
				if second != nil {
					x = second(x)
					n++
				}
			}
			results[0] = x
			_ = tape.VJP(results, seeds, w)
			tape.Reset()
			return nil
		}
	}}
}
