package random

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// hostEach is hostDraws with two parameters for each element, arrays or Scalars that broadcast to the shape, which is that of both
// where it is nil. check refuses a pair of numbers.
func hostEach(fn nd.Func, rng *nd.Rand, a, b *nd.Array, shape []int, o nd.ArrayOptions, check func(a, b float64), draw func(s *source, a, b float64) float64) *nd.Array {
	fn.Check(a, b)
	both := []*nd.Array{a, b}
	if a.DType().IsComplex() || b.DType().IsComplex() {
		panic(fn.Errorf(both, "want real parameters"))
	}
	if o.Device == nil {
		o.Device = deviceOf(a, b)
	}
	shape = shapeOf(fn, shape, both)
	as, bs := eachValue(fn, a, shape), eachValue(fn, b, shape)
	for i := range as {
		check(as[i], bs[i])
	}
	at := 0
	return hostDraws(fn, rng, shape, o, func(s *source) float64 {
		at++
		return draw(s, as[at-1], bs[at-1])
	})
}

// eachValue is x, broadcast to a shape, as a slice.
func eachValue(fn nd.Func, x *nd.Array, shape []int) []float64 {
	if x.IsScalar() {
		return slices.Repeat([]float64{nd.Value[float64](x)}, broadcast.Size(shape))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	return nd.ToSlice[float64](x.Detach().AsType(dtype.Float64).BroadcastTo(shape...))
}

// BinomialOf is Binomial with arrays, or Scalars, as parameters, which broadcast to the shape, or give it where it is nil.
// numpy.random.binomial with arrays.
func BinomialOf(rng *nd.Rand, n, p *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.BinomialOf"
	fn.Check(n, p)
	if n.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{n, p}, "want whole numbers of trials"))
	}
	check := func(n, p float64) {
		wantTrials(fn, int(n))
		wantProbability(fn, p)
	}
	return hostEach(fn, rng, n, p, shape, withDefault(fn, opts, dtype.Int64), check, (*source).binomial)
}

// GammaOf is Gamma with arrays, or Scalars, as parameters, which broadcast to the shape, or give it where it is nil. No gradient
// flows. numpy.random.gamma with arrays.
func GammaOf(rng *nd.Rand, k, scale *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.GammaOf"
	check := func(k, scale float64) {
		wantNonNegative(fn, "shape parameter", k)
		wantNonNegative(fn, "scale", scale)
	}
	draw := func(s *source, k, scale float64) float64 { return scale * s.gamma(k) }
	return hostEach(fn, rng, k, scale, shape, floatOptions(fn, opts), check, draw)
}

// BetaOf is Beta with arrays, or Scalars, as parameters, which broadcast to the shape, or give it where it is nil. No gradient
// flows. numpy.random.beta with arrays.
func BetaOf(rng *nd.Rand, a, b *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.BetaOf"
	check := func(a, b float64) {
		wantPositive(fn, "exponent", a)
		wantPositive(fn, "exponent", b)
	}
	return hostEach(fn, rng, a, b, shape, floatOptions(fn, opts), check, (*source).beta)
}
