package bench

import (
	"fmt"
	"slices"
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
	return slices.Concat(cs, affineLayers(), integerProducts())
}

// affineLayers returns products with a bias and an activation in one call.
func affineLayers() (cs []Case) {
	relu, gelu := ops.MustKernel("T x", "T y", "max(0, x)"), ops.MustKernel("T x", "T y", "0.5*x*(1 + erf(x*0.7071067811865476))")
	add := func(name string, m, k, n int, then *ops.Kernel) {
		cs = append(cs, Case{Name: fmt.Sprintf("matmul/%s/%dx%dx%d/f32", name, m, k, n), Flops: 2 * float64(m*k*n), Setup: func() func() *nd.Array {
			x, w, o := f32(m, k), f32(k, n), ops.AffineOptions{Bias: f32(n), Then: then}
			return func() *nd.Array { return ops.Affine(x, w, o) }
		}})
	}
	add("affine", 1600, 256, 1024, nil)
	for _, s := range [][3]int{{64, 64, 64}, {256, 256, 256}, {512, 512, 512}, {1600, 256, 1024}, {4096, 64, 256}} {
		add("affine_relu", s[0], s[1], s[2], relu)
	}
	add("affine_gelu", 1600, 256, 1024, gelu)
	return cs
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
