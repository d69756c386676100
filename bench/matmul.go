package bench

import (
	"fmt"
	"strings"

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
	return append(cs, integerProducts()...)
}

// integerProducts returns products of integers in their own dtype, which wraps, and of bytes with sums in int32.
func integerProducts() (cs []Case) {
	add := func(name string, flops float64, setup func() func() *nd.Array) {
		cs = append(cs, Case{Name: name, Flops: flops, Setup: setup})
	}
	for _, t := range []dtype.DType{dtype.Int32, dtype.Int64, dtype.Int16, dtype.Int8, dtype.Uint8} {
		whole := func(shape ...int) *nd.Array { return integers(100, shape...).AsType(t) }
		for _, n := range []int{64, 256, 512} {
			add(fmt.Sprintf("matmul_int/square/%d/%s", n, t), 2*float64(n*n*n), func() func() *nd.Array { return product(whole(n, n), whole(n, n)) })
		}
		add(fmt.Sprintf("matmul_int/matvec/2048/%s", t), 2*2048*2048, func() func() *nd.Array { return product(whole(2048, 2048), whole(2048)) })
	}
	for _, n := range []int{512, 1024} {
		add(fmt.Sprintf("matmul/int8_to_int32/%d", n), 2*float64(n*n*n), func() func() *nd.Array {
			a, b := integers(256, n, n).AsType(dtype.Int8), integers(256, n, n).AsType(dtype.Int8)
			return func() *nd.Array { return ops.MatMul(a, b, ops.ProductOptions{DType: dtype.Int32}) }
		})
	}
	return cs
}

// short returns a dtype's name as in the names of cases: f32 for float32.
func short(dt dtype.DType) string {
	return strings.NewReplacer("float", "f", "int", "i", "complex", "c").Replace(dt.String())
}
