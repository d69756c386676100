package random

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// transform defines a distribution that is a function of one draw u: uniform in [0, 1), or standard normal.
type transform struct {
	fn      nd.Func
	from    device.Distribution
	scalars string // the declarations of the scalars
	body    string // y as an expression of u and the scalars

	programs device.Programs
	once     sync.Once
	each     *ops.Kernel // the function of the draw and of parameters that are arrays
}

// draw makes an array of draws.
func (d *transform) draw(rng *nd.Rand, shape []int, opts []nd.ArrayOption, scalars ...float64) *nd.Array {
	o := floatOptions(d.fn, opts)
	y := d.fn.Random(rng, d.from, shape, nd.ArrayOptions{DType: dtype.ComputeType(o.DType), Device: o.Device})
	u := y
	if o.DType != u.DType() {
		y = nd.Empty(shape, o)
		defer u.Release()
	}
	l := d.fn.Launch(u.Device(), shape)
	l.Program = d.programs.OfSource(u.DType(), d.source)
	for i, v := range scalars {
		l.Scalars[i] = device.ScalarOf(v, u.DType())
	}
	l.Write(y)
	l.Read(u)
	l.Run(device.Device.Elementwise)
	return y
}

// standard is draw for y = u; ok is false if u is not drawn in the dtype.
func (d *transform) standard(rng *nd.Rand, shape []int, opts []nd.ArrayOption) (y *nd.Array, ok bool) {
	o := floatOptions(d.fn, opts)
	if dtype.ComputeType(o.DType) != o.DType {
		return nil, false
	}
	return d.fn.Random(rng, d.from, shape, o), true
}

func (d *transform) source(dtype.DType) device.Source {
	return device.Source{Name: string(d.fn), Inputs: "T u", Scalars: d.scalars, Outputs: "T y", Body: "y = " + d.body}
}

// floatOptions resolves the dtype, float64 by default, and panics if it is not a float dtype.
func floatOptions(fn nd.Func, opts []nd.ArrayOption) nd.ArrayOptions {
	o := withDefault(fn, opts, dtype.Float64)
	if !o.DType.IsFloat() {
		panic(fn.Errorf(nil, "dtype %s: want a float dtype", o.DType))
	}
	return o
}

// withDefault resolves the dtype.
func withDefault(fn nd.Func, opts []nd.ArrayOption, def dtype.DType) nd.ArrayOptions {
	o := fn.ArrayOptions(opts)
	if !o.DType.Valid() {
		o.DType = def
	}
	return o
}

// wantNonNegative panics if a parameter is below 0 or not finite.
func wantNonNegative(fn nd.Func, name string, v float64) {
	if !(v >= 0 && v <= maxFinite) {
		panic(fn.Errorf(nil, "%s %v: want a finite number, not below 0", name, v))
	}
}

// wantPositive panics if a parameter is not above 0, or not finite.
func wantPositive(fn nd.Func, name string, v float64) {
	if !(v > 0 && v <= maxFinite) {
		panic(fn.Errorf(nil, "%s %v: want a finite number above 0", name, v))
	}
}

// wantFinite panics if v is infinite or NaN.
func wantFinite(fn nd.Func, name string, v float64) {
	if !(v >= -maxFinite && v <= maxFinite) {
		panic(fn.Errorf(nil, "%s %v: want a finite number", name, v))
	}
}

// wantProbability panics if p is not between 0 and 1.
func wantProbability(fn nd.Func, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(fn.Errorf(nil, "probability %v: want a number from 0 to 1", p))
	}
}
