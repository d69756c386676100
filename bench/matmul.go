package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func product(a, b *nd.Array) func() *nd.Array {
	return func() *nd.Array { return ops.MatMul(a, b) }
}

func matrixProducts() (cs []Case) {
	add := func(name string, flops float64, setup func() func() *nd.Array) {
		cs = append(cs, Case{Name: "matmul/" + name, Flops: flops, Setup: setup})
	}
	for _, n := range []int{32, 64, 128, 256, 512, 1024, 2048} {
		types := []dtype.DType{dtype.Float32}
		if n == 256 || n == 1024 {
			types = append(types, dtype.Float64)
		}
		for _, dt := range types {
			add(fmt.Sprintf("square/%d/%s", n, short(dt)), 2*float64(n*n*n), func() func() *nd.Array {
				return product(floats(dt, -1, 1, n, n), floats(dt, -1, 1, n, n))
			})
		}
	}
	const cube = 2 * 1024 * 1024 * 1024
	add("nt/1024x1024x1024/f32", cube, func() func() *nd.Array { return product(f32(1024, 1024), f32(1024, 1024).T()) })
	add("tn/1024x1024x1024/f32", cube, func() func() *nd.Array { return product(f32(1024, 1024).T(), f32(1024, 1024)) })
	for _, s := range [][3]int{{100, 784, 1000}, {64, 9216, 128}, {1600, 256, 1024}, {32, 256, 1024}} {
		m, k, n := s[0], s[1], s[2]
		add(fmt.Sprintf("rect/%dx%dx%d/f32", m, k, n), 2*float64(m*k*n), func() func() *nd.Array { return product(f32(m, k), f32(k, n)) })
	}
	add("batched/64x128x128/f32", 2*64*128*128*128, func() func() *nd.Array { return product(f32(64, 128, 128), f32(64, 128, 128)) })
	cs = append(cs,
		Case{Name: "matmul/matvec/4096/f32", Bytes: 4 * 4096 * 4096, Setup: func() func() *nd.Array { return product(f32(4096, 4096), f32(4096)) }},
		Case{Name: "matmul/dot/1e6/f32", Bytes: 8e6, Setup: func() func() *nd.Array { return product(f32(1e6), f32(1e6)) }})
	return cs
}

// short is a dtype's name in the names of cases.
func short(dt dtype.DType) string {
	if dt == dtype.Float64 {
		return "f64"
	}
	return "f32"
}
