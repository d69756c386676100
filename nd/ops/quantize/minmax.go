package quantize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// MinMaxOptions are the options of MinMax.
type MinMaxOptions struct {
	// XMinMax sets the range to that of x, and writes it to qrMin and qrMax.
	XMinMax bool
	// EMA makes qrMin and qrMax moving averages. With XMinMax they move towards the range of x by 1 - Decay; without it
	// they are used unchanged. Without EMA and XMinMax they are parameters, and have gradients.
	EMA bool
	// Decay is the weight of the previous moving averages; nil means 0.999.
	Decay *float64
	// STEFineGrained sets the gradient of x to 0 if x is out of range; nil means true.
	STEFineGrained *bool
	// Eps is the smallest width of the range; nil means 0.01.
	Eps *float64
	// Quantize false leaves x as it is; nil means true.
	Quantize *bool
}

// nudged moves the range so that zero is a level.
const nudged = `
	step = max(high - low, eps) / (last - first);
	zero = min(max(round(first - low/step), first), last);
	bottom = (first - zero)*step;
	top = (last - zero)*step;`

var minMax = ufunc.Definition{Fn: "quantize.MinMax", In: "T x, T low, T high, T first, T last", Scalars: "T eps, T fine", Loop: ufunc.RealFloat,
	Body: nudged + "y = round((min(max(x, bottom), top) - bottom)/step)*step + bottom",
	Gradient: nudged + `
	gx = fine != 0 && (x < bottom || x > top) ? T(0) : gy;
	glow = x < bottom ? gy : T(0); ghigh = x > top ? gy : T(0); gfirst = T(0); glast = T(0)`}

// MinMax returns x rounded to the nearest of the levels qlMin, qlMin + 1, …, qlMax, which represent the numbers from
// qrMin to qrMax. MinMax first shifts the range so that 0 is one of the levels; x beyond the range is clipped. The
// gradient of x is gy within the shifted range and 0 beyond, or gy everywhere without STEFineGrained. If qrMin and
// qrMax are parameters, the gradient of qrMin is the sum of gy over the x below the range, and that of qrMax the sum
// over the x above it. If qrMax is less than qrMin + Eps, MinMax writes qrMin + Eps to it.
//
// Shapes: qrMin, qrMax, qlMin and qlMax have one shape, with the axes of x, each of its length or of length 1.
//
// Source: B. Jacob et al., Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
// Inference, 2018.
// NNabla: min_max_quantize.
func MinMax(x, qrMin, qrMax, qlMin, qlMax *nd.Array, opts ...MinMaxOptions) *nd.Array {
	fn := minMax.Fn
	in := []*nd.Array{x, qrMin, qrMax, qlMin, qlMax}
	fn.Check(in...)
	o := options.Read(fn, opts)
	fn.CheckWritable(qrMin)
	fn.CheckWritable(qrMax)
	along, fits := ops.Over(), qrMin.Rank() == x.Rank()
	for _, q := range in[2:] {
		fits = fits && broadcast.Equal(q.Shape(), qrMin.Shape())
	}
	for axis := 0; axis < x.Rank() && fits; axis++ {
		if qrMin.Dim(axis) == 1 {
			along = append(along, axis)
		} else {
			fits = qrMin.Dim(axis) == x.Dim(axis)
		}
	}
	if !fits {
		panic(fn.Errorf(in, "want ranges and levels of one shape, with the axes of x, of its lengths or 1"))
	}
	if !argument.ValueOr(o.Quantize, true) {
		return ops.Positive(x)
	}
	eps, fine := argument.ValueOr(o.Eps, 0.01), 0.
	if argument.ValueOr(o.STEFineGrained, true) {
		fine = 1
	}
	made := fn.Temporaries(&x, &qrMin, &qrMax, &qlMin, &qlMax)
	defer made.Release()
	low, high := qrMin, qrMax
	if o.XMinMax || o.EMA {
		low, high = low.Detach(), high.Detach()
	}
	if o.XMinMax {
		keep := 0.
		if o.EMA {
			keep = argument.ValueOr(o.Decay, 0.999)
		}
		seen := x.Detach()
		low = moved(low, ops.Min(seen, along.KeepDims()), keep)
		high = moved(high, ops.Max(seen, along.KeepDims()), keep)
		receive(qrMin, low)
	}
	wide := ops.Maximum(high.Detach(), ops.Add(low.Detach(), eps))
	if o.XMinMax {
		high = wide
	}
	if o.XMinMax || nd.Value[bool](ops.Any(ops.NotEqual(wide, high.Detach()))) { // otherwise nothing is written, so that tapes may share qrMax
		receive(qrMax, wide)
	}
	return made.Keep(minMax.Compute([]float64{eps, fine}, x, low, high, qlMin, qlMax))
}

// moved returns keep·old + (1 - keep)·now; for keep = 0 it returns now, whatever old is.
func moved(old, now *nd.Array, keep float64) *nd.Array {
	if keep == 0 {
		return now
	}
	return ops.Add(ops.Multiply(old, keep), ops.Multiply(now, 1-keep))
}

// receive writes x to a range, detached from any tape.
func receive(to, x *nd.Array) { to.Detach().Assign(x.Detach()) }
