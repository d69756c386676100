package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
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

func transforms() []Case {
	double := func(shape ...int) *nd.Array { return floats(dtype.Float64, -1, 1, shape...) }
	one := func(name string, x func() *nd.Array, f func(x *nd.Array) *nd.Array) Case {
		return fixed(name, 0, func() []*nd.Array { return []*nd.Array{x()} }, func(in []*nd.Array) *nd.Array { return f(in[0]) })
	}
	return []Case{
		one("fft/fft/2^20/c128", func() *nd.Array { return double(1 << 20).AsType(dtype.Complex128) }, func(x *nd.Array) *nd.Array { return fft.FFT(x) }),
		one("fft/rfft/2^20/f64", func() *nd.Array { return double(1 << 20) }, func(x *nd.Array) *nd.Array { return fft.RFFT(x) }),
	}
}
