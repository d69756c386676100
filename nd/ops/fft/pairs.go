package fft

import (
	"sync"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// PairsOptions are the options of FFTPairs and IFFTPairs.
type PairsOptions struct {
	// Normalized divides both directions by √n, where n is the product of the transformed axes' lengths. Without it the
	// inverse is divided by n.
	Normalized bool
}

// FFTPairs is FFT along the dims axes before the last one. The last axis holds the real and the imaginary part of a
// number, in the argument and in the result.
// NNabla: fft.
func FFTPairs(x *nd.Array, dims int, opts ...PairsOptions) *nd.Array {
	const fn nd.Func = "fft.FFTPairs"
	return pairs(fn, x, dims, options.Read(fn, opts), false)
}

// IFFTPairs returns the inverse of FFTPairs.
// NNabla: ifft.
func IFFTPairs(x *nd.Array, dims int, opts ...PairsOptions) *nd.Array {
	const fn nd.Func = "fft.IFFTPairs"
	return pairs(fn, x, dims, options.Read(fn, opts), true)
}

func pairs(fn nd.Func, x *nd.Array, dims int, o PairsOptions, inverse bool) *nd.Array {
	fn.Check(x)
	last := x.Rank() - 1
	switch {
	case x.DType().IsComplex():
		panic(fn.Errorf([]*nd.Array{x}, "want real numbers"))
	case dims < 1 || dims > last:
		panic(fn.Errorf([]*nd.Array{x}, "%d dimensions to transform: want 1 to %d", dims, max(last, 1)))
	case x.Dim(last) != 2:
		panic(fn.Errorf([]*nd.Array{x}, "want 2 elements along the last axis: a real and an imaginary part"))
	}
	norm := NormBackward
	if o.Normalized {
		norm = NormOrtho
	}
	axes := make([]int, dims)
	for k := range axes {
		axes[k] = last - dims + k
		if n := x.Dim(axes[k]); n == 0 {
			panic(fn.Errorf([]*nd.Array{x}, "invalid number of data points: %d", n))
		}
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	z := join(x.Index(nd.Ellipsis(), nd.At(0)), x.Index(nd.Ellipsis(), nd.At(1)))
	y := several(fn, z, AxesOptions{Axes: axes, Norm: norm}, inverse)
	return made.Keep(ops.Stack([]*nd.Array{ops.Real(y), ops.Imag(y)}, ops.Over(-1)).AsType(realType(x.DType())))
}

// join combines real and imaginary parts into complex numbers.
func join(re, im *nd.Array) *nd.Array {
	if complexType(dtype.Promote(re.DType(), im.DType())) == dtype.Complex64 {
		return joinSingle().Call(re, im)
	}
	return joinDouble().Call(re, im)
}

// The kernels of join.
var (
	joinSingle = sync.OnceValue(func() *ops.Kernel { return joining("float32", "complex64") })
	joinDouble = sync.OnceValue(func() *ops.Kernel { return joining("float64", "complex128") })
)

func joining(part, whole string) *ops.Kernel {
	return ops.MustKernel(part+" re, "+part+" im", whole+" z", "complex(re, im)", ops.KernelOptions{Name: "fft.join"})
}
