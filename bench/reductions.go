package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func reductions() (cs []Case) {
	const square = 4 * 4096 * 4096
	add := func(name string, bytes float64, dt dtype.DType, shape []int, f func(x *nd.Array) *nd.Array) {
		cs = append(cs, Case{Name: "red/" + name + "/" + short(dt), Bytes: bytes, Setup: func() func() *nd.Array {
			x := floats(dt, -1, 1, shape...)
			return func() *nd.Array { return f(x) }
		}})
	}
	along := func(f func(*nd.Array, ...ops.ReduceOption) *nd.Array, axes ...int) func(*nd.Array) *nd.Array {
		return func(x *nd.Array) *nd.Array { return f(x, ops.ReduceOptions{Axes: axes}) }
	}
	f, big := dtype.Float32, []int{4096, 4096}
	add("sum_all/4096x4096", square, f, big, along(ops.Sum))
	add("sum_all/4096x4096", 2*square, dtype.Float64, big, along(ops.Sum))
	add("sum_all/1e3", 4e3, f, []int{1000}, along(ops.Sum))
	add("sum_all/1e6", 4e6, f, []int{1e6}, along(ops.Sum))
	add("sum_axis0/4096x4096", square, f, big, along(ops.Sum, 0))
	add("sum_axis1/4096x4096", square, f, big, along(ops.Sum, 1))
	add("sum_axis02/32x64x3136", 4*32*64*3136, f, []int{32, 64, 3136}, along(ops.Sum, 0, 2))
	add("mean_axis1/4096x4096", square, f, big, along(ops.Mean, 1))
	add("max_all/4096x4096", square, f, big, along(ops.Max))
	add("max_axis1/4096x4096", square, f, big, along(ops.Max, 1))
	add("argmax_all/4096x4096", square, f, big, func(x *nd.Array) *nd.Array { return ops.ArgMax(x) })
	add("argmax_axis1/4096x4096", square, f, big, func(x *nd.Array) *nd.Array { return ops.ArgMax(x, ops.Over(1)) })
	add("var_axis1/4096x4096", square, f, big, func(x *nd.Array) *nd.Array { return ops.Var(x, ops.Over(1)) })
	add("norm_all/1e6", 4e6, f, []int{1e6}, func(x *nd.Array) *nd.Array { return ops.Norm(x) })
	add("cumsum/1e6", 8e6, f, []int{1e6}, func(x *nd.Array) *nd.Array { return ops.CumSum(x) })
	add("cumsum_axis0/4096x4096", 2*square, f, big, func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(0)) })
	add("cumsum_axis1/4096x4096", 2*square, f, big, func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(1)) })
	return cs
}
