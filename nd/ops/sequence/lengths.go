package sequence

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// MaskOptions are the options of Mask.
type MaskOptions struct {
	// Value fills the steps beyond the end of a sequence.
	Value float64
	// Axis is the axis of time, 0 or 1; the other one is the axis of the sequences.
	Axis ops.Axes
}

// Mask returns x with a value in the steps of each sequence beyond its length. No gradient flows to these steps.
//
// Shapes: x (T, B, …), or (B, T, …) with axis 1, lengths (B); the result is like x.
// MXNet: sequence_mask.
func Mask(x, lengths *nd.Array, opts ...MaskOptions) *nd.Array {
	const fn nd.Func = "sequence.Mask"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&x, &lengths)
	defer made.Release()
	axis := timeAxis(fn, o.Axis)
	times := timeAndLengths(fn, made, x, lengths, axis)
	alive := ops.Less(times.number, times.length)
	if axis == 1 {
		alive = alive.T()
	}
	shape := append(alive.Shape(), make([]int, x.Rank()-2)...)
	for k := 2; k < len(shape); k++ {
		shape[k] = 1
	}
	return made.Keep(ops.Where(alive.Reshape(shape...), x, o.Value))
}

// Last returns the last step of each sequence.
//
// Shapes: x (T, B, …), or (B, T, …) with axis 1, lengths (B), which are at least 1; the result (B, …).
// MXNet: sequence_last.
func Last(x, lengths *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "sequence.Last"
	axis := timeAxis(fn, options.Read(fn, over))
	made := fn.Temporaries(&x, &lengths)
	defer made.Release()
	times := timeAndLengths(fn, made, x, lengths, axis)
	defer argument.Explain(fn, []*nd.Array{x, lengths}, func() []argument.Bounds { return lengthsWithin(x, lengths, axis, 1) })
	last := ops.Subtract(times.length, 1).Reshape(-1)
	return made.Keep(fn.Gather(moved(x, axis), []int{0, 1}, 0, []*nd.Array{last, times.sequence.Reshape(-1)}, device.BoundsExact))
}

// Reverse returns x with the steps of each sequence reversed; steps beyond its length stay.
//
// Shapes: x (T, B, …), or (B, T, …) with axis 1, lengths (B); the result is like x.
// MXNet: sequence_reverse.
func Reverse(x, lengths *nd.Array, over ...ops.Axes) *nd.Array {
	const fn nd.Func = "sequence.Reverse"
	axis := timeAxis(fn, options.Read(fn, over))
	made := fn.Temporaries(&x, &lengths)
	defer made.Release()
	times := timeAndLengths(fn, made, x, lengths, axis)
	defer argument.Explain(fn, []*nd.Array{x, lengths}, func() []argument.Bounds { return lengthsWithin(x, lengths, axis, 0) })
	alive := ops.Less(times.number, times.length)
	from := ops.Where(alive, ops.Subtract(ops.Subtract(times.length, 1), times.number), times.number)
	return made.Keep(moved(x, axis).Index(nd.Pick(from), nd.Pick(times.sequence)).SwapAxes(0, axis))
}

// lengthsWithin says what lengths of sequences may be.
func lengthsWithin(x, lengths *nd.Array, axis, least int) []argument.Bounds {
	times := x.Dim(axis)
	return []argument.Bounds{{Name: "lengths", Values: lengths, Low: least, High: times, Want: fmt.Sprintf("a number of time steps from %d to %d", least, times)}}
}

// timeAxis returns the axis of time, 0 by default; timeAndLengths checks it.
func timeAxis(fn nd.Func, given ops.Axes) int {
	if len(given) == 1 {
		return given[0]
	}
	return fn.AxisOf(2, given, 0)
}

// moved moves the axis of time to the front.
func moved(x *nd.Array, axis int) *nd.Array {
	if axis == 1 {
		return x.SwapAxes(0, 1)
	}
	return x
}

// along holds the numbers 0, 1, … of the time steps as a column, and the numbers of the sequences and their lengths as
// rows.
type along struct{ number, sequence, length *nd.Array }

func timeAndLengths(fn nd.Func, made *nd.Temporaries, x, lengths *nd.Array, axis int) along {
	fn.Check(x, lengths)
	in := []*nd.Array{x, lengths}
	if axis != 0 && axis != 1 || x.Rank() < 2 {
		panic(fn.Errorf(in, "want axes 0 and 1 of time and of sequences, and time along axis 0 or 1"))
	}
	times, batch := x.Dim(axis), x.Dim(1-axis)
	if !broadcast.Equal(lengths.Shape(), []int{batch}) || lengths.DType().IsComplex() {
		panic(fn.Errorf(in, "want a length for each of %d sequences", batch))
	}
	on := nd.ArrayOptions{Device: x.Device()}
	return along{
		number:   made.Own(nd.ArangeInt(0, times, 1, on)).Reshape(times, 1),
		sequence: made.Own(nd.ArangeInt(0, batch, 1, on)).Reshape(1, batch),
		length:   lengths.Detach().AsType(dtype.Int64).Reshape(1, batch),
	}
}
