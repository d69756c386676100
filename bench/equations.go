package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
)

// equations factors matrices and solves linear equations: single matrices by size, then batches of small ones.
func equations() []Case {
	var all []Case
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32} {
		suffix := map[dtype.DType]string{dtype.Float64: "f64", dtype.Float32: "f32"}[dt]
		add := func(name string, flops float64, operands func() []*nd.Array, f func(in []*nd.Array) *nd.Array) {
			c := fixed("lapack/"+name+"/"+suffix, 0, operands, f)
			c.Flops = flops
			all = append(all, c)
		}
		definite := func(shape ...int) *nd.Array {
			n := shape[len(shape)-1]
			a := floats(dt, -1, 1, shape...)
			return ops.Add(ops.MatMul(a, a.SwapAxes(-1, -2)), ops.Multiply(nd.Identity(n, arrayOptions(dt)), float64(n)))
		}
		common := func(name string, work float64, shape ...int) {
			n := shape[len(shape)-1]
			right := append(append([]int{}, shape[:len(shape)-1]...), 1)
			one := func() []*nd.Array { return []*nd.Array{definite(shape...)} }
			cube := work * float64(n) * float64(n) * float64(n)
			add("solve/"+name, 2./3*cube, func() []*nd.Array { return []*nd.Array{definite(shape...), floats(dt, -1, 1, right...)} },
				func(in []*nd.Array) *nd.Array { return linalg.Solve(in[0], in[1]) })
			add("cholesky/"+name, cube/3, one, func(in []*nd.Array) *nd.Array { return linalg.Cholesky(in[0]) })
			add("inv/"+name, 2*cube, one, func(in []*nd.Array) *nd.Array { return linalg.Inv(in[0]) })
			add("qr/"+name, 8./3*cube, func() []*nd.Array { return []*nd.Array{floats(dt, -1, 1, shape...)} }, func(in []*nd.Array) *nd.Array {
				q, r := linalg.QR(in[0])
				r.Release()
				return q
			})
		}
		for _, n := range []int{64, 256, 1024, 2048} {
			common(fmt.Sprint(n), 1, n, n)
		}
		for _, shape := range [][2]int{{10000, 4}, {5000, 8}, {500, 32}} {
			batch, n := shape[0], shape[1]
			name := fmt.Sprintf("%dx%dx%d", batch, n, n)
			common(name, float64(batch), batch, n, n)
			add("det/"+name, 0, func() []*nd.Array { return []*nd.Array{floats(dt, -1, 1, batch, n, n)} },
				func(in []*nd.Array) *nd.Array { return linalg.Det(in[0]) })
		}
	}
	return all
}
