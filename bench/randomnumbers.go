package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func randomNumbers() []Case {
	single := arrayOptions(dtype.Float32)
	none := func() []*nd.Array { return nil }
	return []Case{
		fixed("random/normal/1e6/f32", 4e6, none, func([]*nd.Array) *nd.Array { return random.Normal(stream, 0, 1, []int{1e6}, single) }),
		fixed("random/uniform/1e6/f32", 4e6, none, func([]*nd.Array) *nd.Array { return random.Uniform(stream, 0, 1, []int{1e6}, single) }),
	}
}

func factorisations() []Case {
	double := func(shape ...int) *nd.Array { return floats(dtype.Float64, -1, 1, shape...) }
	definite := func(n int) *nd.Array {
		a := double(n, n)
		return ops.Add(ops.MatMul(a, a.T()), ops.Multiply(nd.Identity(n, arrayOptions(dtype.Float64)), float64(n)))
	}
	one := func(name string, x func() *nd.Array, f func(x *nd.Array) *nd.Array) Case {
		return fixed(name, 0, func() []*nd.Array { return []*nd.Array{x()} }, func(in []*nd.Array) *nd.Array { return f(in[0]) })
	}
	return []Case{
		one("linalg/svd/256/f64", func() *nd.Array { return double(256, 256) }, func(x *nd.Array) *nd.Array {
			u, s, vt := linalg.SVD(x)
			s.Release()
			vt.Release()
			return u
		}),
		one("linalg/eigh/256/f64", func() *nd.Array { return definite(256) }, func(x *nd.Array) *nd.Array {
			w, v := linalg.Eigh(x)
			w.Release()
			return v
		}),
		one("fft/fft/2^20/c128", func() *nd.Array { return double(1 << 20).AsType(dtype.Complex128) }, func(x *nd.Array) *nd.Array { return fft.FFT(x) }),
		one("fft/rfft/2^20/f64", func() *nd.Array { return double(1 << 20) }, func(x *nd.Array) *nd.Array { return fft.RFFT(x) }),
	}
}
