package sweeps

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// point is a location at which gradients are checked: it moves the numbers of a case and keeps their signs.
type point struct {
	name string
	move func(v float64, r *rand.Rand) float64
}

// points range from the numbers of a case, whatever they are, over numbers around zero and around one to the flat and
// the steep parts of functions. Every function is checked at all points in its domain.
var points = []point{
	{"at the case's own numbers", func(v float64, r *rand.Rand) float64 { return v }},
	{"below 1", func(v float64, r *rand.Rand) float64 { return math.Copysign(r.Float64(), v) }},
	{"from 1 to 2.5", func(v float64, r *rand.Rand) float64 { return math.Copysign(1+1.5*r.Float64(), v) }},
	{"from 2.5 to 6", func(v float64, r *rand.Rand) float64 { return math.Copysign(2.5+3.5*r.Float64(), v) }},
}

// chooser chooses the numbers of a point for all arguments of a call.
type chooser struct {
	point
	row   *catalogue.Row
	count int
}

// doubled returns the array at a path in double precision. Numbers that are not finite, or too large for differences,
// are always replaced.
func (c *chooser) doubled(path string, x *nd.Array) *nd.Array {
	r := rand.New(rand.NewPCG(uint64(x.Size()), uint64(len(path))<<8|uint64(path[len(path)-1])))
	name, _, _ := strings.Cut(path, "[")
	within, bounded := c.row.Domain[name]
	if !bounded {
		within, bounded = c.row.Domain[""]
	}
	moved := func(v float64) float64 {
		if !(math.Abs(v) < 1e3) {
			v = r.NormFloat64()
		}
		v = c.awayFromKinks(c.move(v, r))
		if bounded {
			v = reflectInto(within, v)
		}
		return v
	}
	e := compare.ElementsOf(x)
	if x.DType().IsComplex() {
		values := make([]complex128, x.Size())
		for i, z := range e.Complexes {
			values[i] = complex(moved(real(z)), moved(imag(z)))
		}
		return nd.FromSlice(values, x.Shape()...)
	}
	values := make([]float64, x.Size())
	for i := range values {
		values[i] = moved(real(e.ComplexAt(i)))
	}
	return nd.FromSlice(values, x.Shape()...)
}

// awayFromKinks moves v within its half of a unit to a value without kinks: away from all multiples of a half, and away from
// every other number of the call. No two numbers have the same distance from such a multiple or from zero.
func (c *chooser) awayFromKinks(v float64) float64 {
	c.count++
	half := max(math.Ceil(2*math.Abs(v))-1, 0) / 2
	_, fraction := math.Modf(float64(c.count) * math.Phi)
	return math.Copysign(half+0.05+0.4*fraction, v)
}

// reflectInto moves a number outside the interval to the other side of the end, or to a value between both ends.
func reflectInto(in catalogue.Interval, v float64) float64 {
	switch {
	case v > in.From && v < in.To:
		return v
	case math.IsInf(in.To, 1):
		return 2*in.From - v
	case math.IsInf(in.From, -1):
		return 2*in.To - v
	}
	_, fraction := math.Modf(math.Abs(v) * math.Phi)
	return in.From + (in.To-in.From)*(0.05+0.9*fraction)
}
