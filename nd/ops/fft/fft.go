package fft

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// transformOp is a transform along one axis: the discrete Fourier transform times scale.
type transformOp struct {
	fn      nd.Func
	axis    int
	inverse bool
	scale   float64
}

// apply transforms complex x.
func (op transformOp) apply(x *nd.Array) *nd.Array {
	y := op.fn.NewLike(x.DType(), x.Shape(), x)
	op.into(y, x)
	op.fn.Record(op, []*nd.Array{x}, y)
	return y
}

// into stores the transform of x in y, which may be x.
func (op transformOp) into(y, x *nd.Array) {
	in, out := x.Detach(), y.MoveAxis([]int{op.axis}, []int{-1})
	along := in.MoveAxis([]int{op.axis}, []int{-1})
	l := op.fn.Launch(x.Device(), out.Shape())
	l.Inverse, l.Scale = op.inverse, op.scale
	l.Write(out)
	l.Read(along)
	l.Run(device.Device.FFT)
	release.Unless(out, y)
	release.Unless(along, in)
	release.Unless(in, x)
}

func (op transformOp) Claims() nd.Claims { return nd.Claims{} }

// VJP is the conjugate transform, in the other direction: the transform's matrix is symmetric, so its adjoint is its
// conjugate.
func (op transformOp) VJP(c *nd.Call) {
	op.inverse = !op.inverse
	c.SetGx(0, op.apply(c.Gy(0)))
}

// along transforms x, cropped or padded with zeros to n elements along the axis.
func along(fn nd.Func, x *nd.Array, n, axis int, norm Norm, inverse bool) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	scale := scaleOf(fn, x, n, norm, inverse)
	z := resized(x, n, axis).AsType(complexType(x.DType()))
	return made.Keep(transformOp{fn, axis, inverse, scale}.apply(z))
}

// next transforms y, which is x or an intermediate result, along the next of several axes. The transform replaces an
// intermediate result that no tape knows: so less memory is read and written.
func next(fn nd.Func, x, y *nd.Array, s step, norm Norm, inverse bool) *nd.Array {
	if node, _ := y.Node(); node == nil && y != x && s.n == y.Dim(s.axis) {
		transformOp{fn, s.axis, inverse, scaleOf(fn, y, s.n, norm, inverse)}.into(y, y)
		return y
	}
	defer release.Unless(y, x)
	return along(fn, y, s.n, s.axis, norm, inverse)
}

// scaleOf returns the factor of a transform of n elements.
func scaleOf(fn nd.Func, x *nd.Array, n int, norm Norm, inverse bool) float64 {
	if n < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "invalid number of data points: %d", n))
	}
	switch {
	case norm == NormOrtho:
		return 1 / math.Sqrt(float64(n))
	case norm == NormForward && !inverse, (norm == "" || norm == NormBackward) && inverse:
		return 1 / float64(n)
	case norm == NormForward, norm == "", norm == NormBackward:
		return 1
	}
	panic(fn.Errorf([]*nd.Array{x}, "norm %q: want backward, ortho or forward", norm))
}

// complexType returns the dtype of an array's transform.
func complexType(t dtype.DType) dtype.DType {
	if t.IsInexact() {
		return t.Complex()
	}
	return dtype.Complex128
}

// realType returns the dtype of a transform to real numbers.
func realType(t dtype.DType) dtype.DType {
	if t.IsInexact() {
		return t.Real()
	}
	return dtype.Float64
}

// resized returns x with n elements along an axis: the first ones, or all, padded with zeros.
func resized(x *nd.Array, n, axis int) *nd.Array {
	size := x.Dim(axis)
	switch {
	case n < size:
		return first(x, n, axis)
	case n == size:
		return x
	}
	shape := x.Shape()
	shape[axis] = n - size
	zeros := nd.Zeros(shape, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	defer zeros.Release()
	return ops.Concatenate([]*nd.Array{x, zeros}, ops.Over(axis))
}

// first returns a view of the first n elements along an axis.
func first(x *nd.Array, n, axis int) *nd.Array {
	ix := make([]nd.Index, axis+1)
	ix[axis] = nd.Until(n)
	return x.Index(ix...)
}
