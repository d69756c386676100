package bench

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

// transforms are Fourier transforms of powers of two, of smooth lengths, of primes, of many rows and of images.
func transforms() []Case {
	var all []Case
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64} {
		part, whole := "f32", "c64"
		if t == dtype.Float64 {
			part, whole = "f64", "c128"
		}
		add := func(name, suffix string, f func(x *nd.Array) *nd.Array, of dtype.DType, shape ...int) {
			all = append(all, fixed("fft/"+name+"/"+suffix, 0, func() []*nd.Array {
				return []*nd.Array{floats(t, -1, 1, shape...).AsType(of)}
			}, func(in []*nd.Array) *nd.Array { return f(in[0]) }))
		}
		complexes := func(name string, f func(x *nd.Array) *nd.Array, shape ...int) {
			add(name, whole, f, t.Complex(), shape...)
		}
		reals := func(name string, f func(x *nd.Array) *nd.Array, shape ...int) { add(name, part, f, t, shape...) }
		along := func(x *nd.Array) *nd.Array { return fft.FFT(x) }
		real := func(x *nd.Array) *nd.Array { return fft.RFFT(x) }
		for _, log := range []int{8, 10, 12, 15, 18, 20, 22} {
			complexes(fmt.Sprintf("fft/2^%d", log), along, 1<<log)
			reals(fmt.Sprintf("rfft/2^%d", log), real, 1<<log)
		}
		for _, n := range []int{1000, 100000, 1000000, 1009, 10007} { // the last two are primes
			complexes(fmt.Sprint("fft/", n), along, n)
			reals(fmt.Sprint("rfft/", n), real, n)
		}
		complexes("ifft/2^20", func(x *nd.Array) *nd.Array { return fft.IFFT(x) }, 1<<20)
		complexes("irfft/2^20", func(x *nd.Array) *nd.Array { return fft.IRFFT(x) }, 1<<19+1)
		complexes("rows/10000x64", along, 10000, 64)
		complexes("rows/500x1000", along, 500, 1000)
		for _, n := range []int{256, 1024} {
			complexes(fmt.Sprintf("fft2/%dx%d", n, n), func(x *nd.Array) *nd.Array { return fft.FFT2(x) }, n, n)
			reals(fmt.Sprintf("rfft2/%dx%d", n, n), func(x *nd.Array) *nd.Array { return fft.RFFT2(x) }, n, n)
		}
	}
	return all
}
