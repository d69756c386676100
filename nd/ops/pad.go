package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// PadOptions are the options of Pad.
type PadOptions struct {
	// Mode says what the new elements are: "constant" (the default), "edge" (the outermost element; NNabla's "repeat"),
	// "reflect" (mirrored at the outermost element), "symmetric" (mirrored beyond it), "wrap" (from the other end),
	// "mean", "median", "maximum" or "minimum" (of the axis), "linear_ramp" (from the outermost element down to 0), or
	// "empty" (anything).
	Mode string
	// Value is the constant, converted to the dtype of the array.
	Value float64
}

// Pad returns x with widths[k][0] elements more in front of axis k and widths[k][1] behind it. Axes are padded in order, the
// later ones over what the earlier ones added. numpy.pad, nnabla pad, chainer pad.
func Pad(x *nd.Array, widths [][2]int, opts ...PadOptions) *nd.Array {
	const fn nd.Func = "ops.Pad"
	fn.Check(x)
	o := options.Read(fn, opts)
	if len(widths) != x.Rank() {
		panic(fn.Errorf([]*nd.Array{x}, "%d pairs of widths: want one for every axis", len(widths)))
	}
	padded := make([]int, len(widths))
	for k, w := range widths {
		if w[0] < 0 || w[1] < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "widths %v of axis %d: want none below 0", w, k))
		}
		padded[k] = max(broadcast.Sum(w[0], x.Dim(k), w[1]), 1)
	}
	fn.CheckRoom(x.DType(), padded...)
	if x.IsScalar() {
		x = x.Copy()
	}
	switch o.Mode {
	case "", "constant":
		return padConstant(x, widths, o.Value)
	case "empty":
		return padConstant(x, widths, 0)
	case "edge", "reflect", "symmetric", "wrap", "mean", "median", "maximum", "minimum", "linear_ramp":
	default:
		panic(fn.Errorf([]*nd.Array{x}, "mode %q: want constant, edge, reflect, symmetric, wrap, mean, median, maximum, minimum, linear_ramp or empty", o.Mode))
	}
	given := x
	for k, w := range widths {
		if w == [2]int{} {
			continue
		}
		if x.Dim(k) == 0 {
			panic(fn.Errorf([]*nd.Array{x}, "axis %d has no elements to pad with: only a constant can", k))
		}
		next := padAxis(fn, x, k, w, o.Mode)
		releaseUnless(x, given)
		x = next
	}
	return x
}

func padConstant(x *nd.Array, widths [][2]int, value float64) *nd.Array {
	shape := x.Shape()
	middle := make([]nd.Index, len(shape))
	for k, w := range widths {
		middle[k] = nd.Span(w[0], w[0]+shape[k])
		shape[k] += w[0] + w[1]
	}
	y := nd.Func("ops.Pad").NewFilled(x.DType(), shape, value, x)
	y.Assign(x, middle...)
	return y
}

func padAxis(fn nd.Func, x *nd.Array, axis int, w [2]int, mode string) *nd.Array {
	made := fn.Temporaries(&x)
	defer made.Release()
	var fill *nd.Array
	along := ReduceOptions{Axes: []int{axis}, KeepDims: true}
	switch mode {
	case "mean", "median":
		if fill = Mean(x, along); mode == "median" {
			fill = Median(x, along)
		}
		if !x.DType().IsInexact() {
			fill = nearest.Apply1(fill)
		}
	case "maximum":
		fill = Max(x, along)
	case "minimum":
		fill = Min(x, along)
	case "linear_ramp":
		n := x.Dim(axis)
		front := Multiply(part(x, axis, 0, 1), made.Own(ramp(x, axis, w[0])))
		back := Multiply(part(x, axis, n-1, n), made.Own(ramp(x, axis, w[1])).Flip(axis))
		if !x.DType().IsInexact() {
			front, back = Floor(front), Floor(back)
		}
		return made.Keep(concatenate(fn, []*nd.Array{front.AsType(x.DType()), x, back.AsType(x.DType())}, JoinOptions{Axis: axis}))
	default:
		return made.Keep(takeFrom(fn, x, axis, paddedPositions(mode, x.Dim(axis), w)))
	}
	wide := func(n int) *nd.Array {
		shape := x.Shape()
		shape[axis] = n
		return fill.AsType(x.DType()).BroadcastTo(shape...)
	}
	return made.Keep(concatenate(fn, []*nd.Array{wide(w[0]), x, wide(w[1])}, JoinOptions{Axis: axis}))
}

var nearest = ufunc.Definition{Fn: "ops.Pad", Body: "rint(x)"}

// ramp is 0, 1/n, … (n-1)/n along an axis.
func ramp(x *nd.Array, axis, n int) *nd.Array {
	shape := broadcast.ReduceShape(x.Shape(), broadcast.AllAxes(x.Rank()), true)
	shape[axis] = n
	steps := nd.Arange(0, float64(n), 1, nd.ArrayOptions{Device: x.Device(), DType: ufunc.Quotient(x.DType())})
	steps = instead(steps, Divide(steps, nd.Scalar(max(n, 1))))
	return instead(steps, steps.Reshape(shape...))
}

// paddedPositions says which position of an axis of length n each position of the padded axis shows.
func paddedPositions(mode string, n int, w [2]int) []int {
	nd.Func("ops.Pad").CheckRoom(dtype.Int64, w[0]+n+w[1])
	positions := make([]int, 0, w[0]+n+w[1])
	for at := -w[0]; at < n+w[1]; at++ {
		k := at
		switch {
		case mode == "edge" || n == 1:
			k = max(0, min(at, n-1))
		case mode == "wrap":
			k = (at%n + n) % n
		case mode == "symmetric":
			if k = (at%(2*n) + 2*n) % (2 * n); k >= n {
				k = 2*n - 1 - k
			}
		default:
			period := 2 * (n - 1)
			if k = (at%period + period) % period; k >= n {
				k = period - k
			}
		}
		positions = append(positions, k)
	}
	return positions
}
