package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Some distributions are functions of draws from others. Their parameters are numbers or arrays, which broadcast to the
// shape of the draws. No gradient flows to the parameters.

// derived collects the draws of one call.
type derived struct {
	fn    nd.Func
	rng   *nd.Rand
	made  *nd.Temporaries
	shape []int
	wide  nd.ArrayOptions // float64, on the device of the draws
	out   dtype.DType
}

// derive begins a call with the given parameters, which it converts to float64 arrays or leaves as Scalars. The caller releases
// what the call has made.
func derive(fn nd.Func, rng *nd.Rand, shape []int, o nd.ArrayOptions, parameters ...**nd.Array) *derived {
	given := make([]*nd.Array, len(parameters))
	for k, p := range parameters {
		given[k] = *p
	}
	fn.Check(given...)
	for _, x := range given {
		if x.DType().IsComplex() {
			panic(fn.Errorf(given, "want real parameters"))
		}
	}
	if o.Device == nil {
		o.Device = deviceOf(given...)
	}
	d := &derived{fn: fn, rng: rng, shape: shapeOf(fn, shape, given), wide: nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}, out: o.DType}
	d.made = fn.Temporaries(parameters...)
	for _, p := range parameters {
		if !(*p).IsScalar() {
			*p = (*p).Detach().AsType(dtype.Float64)
		}
	}
	return d
}

// end converts the result.
func (d *derived) end(y *nd.Array) *nd.Array { return d.made.Keep(y.AsType(d.out)) }

// counts converts a result that is counts.
func (d *derived) counts(y *nd.Array) *nd.Array { return d.made.Keep(counted(d.fn, y, d.out)) }

func (d *derived) normal() *nd.Array {
	return d.made.Own(d.fn.Random(d.rng, device.DistributionNormal, d.shape, d.wide))
}

func (d *derived) uniform() *nd.Array {
	return d.made.Own(d.fn.Random(d.rng, device.DistributionUniform, d.shape, d.wide))
}

// of draws from a distribution with parameters.
func (d *derived) of(distribution device.Distribution, parameters ...*nd.Array) *nd.Array {
	return d.made.Own(sample(d.fn, d.rng, distribution, parameters, d.shape, d.wide))
}

// chiSquare draws sums of df squares of standard normal numbers.
func (d *derived) chiSquare(df *nd.Array) *nd.Array {
	return d.of(device.DistributionGamma, ops.Divide(df, 2), nd.Scalar(2.0))
}

// noncentral draws from the noncentral chi-squared distribution: a chi-squared number whose degrees of freedom are df plus twice a
// Poisson number.
func (d *derived) noncentral(df, nonc *nd.Array) *nd.Array {
	if nonc.IsScalar() && nonc.Float() == 0 {
		return d.chiSquare(df)
	}
	pairs := d.of(device.DistributionPoisson, ops.Divide(nonc, 2), nd.Scalar(0.0))
	return d.chiSquare(ops.Add(ops.Multiply(pairs, 2), df))
}

// wantPositives panics unless all elements of the parameters are finite and above 0.
func wantPositives(fn nd.Func, name string, parameters ...*nd.Array) {
	for _, x := range parameters {
		wantAll(fn, x, ops.Greater, name+" is not above 0")
		wantAll(fn, x, finite, name+" is infinite")
	}
}

// wantFromZero panics unless all elements of the parameters are finite and at least 0.
func wantFromZero(fn nd.Func, name string, parameters ...*nd.Array) {
	for _, x := range parameters {
		wantAll(fn, x, ops.GreaterEqual, name+" is below 0, or NaN")
		wantAll(fn, x, finite, name+" is infinite")
	}
}
