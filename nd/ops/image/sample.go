package image

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// SampleOptions are the options of Sample.
type SampleOptions struct {
	// Axes are the axes of x to which the locations refer, one for each array of locations; nil means the last ones.
	Axes ops.Axes
	// Kept says which axes of the result the other axes of x are, in their order. Nil means that they come first and
	// that the locations do not have them.
	Kept ops.Axes
	// Clip takes the nearest element for a corner outside of x, instead of 0.
	Clip bool
}

// Sample returns the elements of x at fractional locations, interpolated linearly along each sampled axis: at a
// location p along one axis, x[floor(p)]·(1-f) + x[floor(p)+1]·f with f = p - floor(p). Elements with weight 0 have no
// influence, whatever they are. Corners outside of x count as 0, or with Clip as the nearest element. A NaN location
// gives NaN. The locations are arrays of floats, for up to three axes, or of integers, which select one element.
//
// The axes of x that are not sampled come first in the result, then the axes of the locations, which broadcast: for
// images (N, C, H, W), locations as a column (P, 1) and a row (Q) give images resized to (N, C, P, Q). With Kept, these
// axes of x become the given axes of the result, and the locations, which broadcast to the shape of the result, may
// vary along them too: with Kept (0, 1), locations (N, 1, P, Q) are a grid for each image, shared by its channels.
//
// Gradients flow to x, and to locations that are floats. The gradient of a location is the slope between the two
// corners; at whole locations, the right-hand slope. Sample corresponds to SciPy's ndimage.map_coordinates of order 1.
func Sample(x *nd.Array, locations []*nd.Array, opts ...SampleOptions) *nd.Array {
	const fn nd.Func = "image.Sample"
	return sample(fn, x, locations, options.Read(fn, opts))
}

// sample is Sample for the function fn.
func sample(fn nd.Func, x *nd.Array, locations []*nd.Array, o SampleOptions) *nd.Array {
	fn.Check(append([]*nd.Array{x}, locations...)...)
	op := newSampling(fn, x, locations, o)
	locations = slices.Clone(locations)
	made := fn.Temporaries(pointers(&x, locations)...)
	defer made.Release()
	given := x
	x = argument.Float(fn, x)
	t := x.DType()
	if t != dtype.Float64 {
		x = x.AsType(dtype.Float32) // 16-bit floats are computed as float32
	}
	in := []*nd.Array{x}
	for _, j := range op.order {
		in = append(in, argument.As(fn, given, locations[j], locationType(locations[j].DType())))
	}
	y := op.read(in)
	return made.Keep(y.AsType(t))
}

// pointers returns the addresses of several arrays.
func pointers(x **nd.Array, others []*nd.Array) []**nd.Array {
	all := []**nd.Array{x}
	for i := range others {
		all = append(all, &others[i])
	}
	return all
}

// locationType returns the dtype in which the kernel takes locations.
func locationType(t dtype.DType) dtype.DType {
	switch {
	case !t.IsFloat():
		return dtype.Int64
	case t == dtype.Float64:
		return t
	}
	return dtype.Float32
}

// newSampling checks the arguments.
func newSampling(fn nd.Func, x *nd.Array, locations []*nd.Array, o SampleOptions) samplingOp {
	all := append([]*nd.Array{x}, locations...)
	n := len(locations)
	if n == 0 || n > x.Rank() || x.IsScalar() {
		panic(fn.Errorf(all, "want an array, and locations along 1 to %d axes", x.Rank()))
	}
	op := samplingOp{fn: fn, source: x.Shape(), bounds: device.BoundsDrop}
	if o.Clip {
		op.bounds = device.BoundsClip
	}
	axes := broadcast.AllAxes(x.Rank())[x.Rank()-n:]
	if o.Axes != nil {
		var err error
		if axes, err = broadcast.Axes(o.Axes, x.Rank()); err != nil || len(axes) != n {
			panic(fn.Errorf(all, "Axes %v: want %d axes of x, one for each array of locations", []int(o.Axes), n))
		}
	}
	var shapes [][]int
	for j, p := range locations {
		switch t := p.DType(); {
		case p.IsScalar() || !t.IsFloat() && !t.IsInteger():
			panic(fn.Errorf(all, "want locations that are arrays of floats or integers"))
		case t.IsFloat():
			op.order = slices.Insert(op.order, op.floats, j)
			op.floats++
		default:
			op.order = append(op.order, j)
		}
		shapes = append(shapes, p.Shape())
	}
	if op.floats > 3 || n > maxLocationArrays {
		panic(fn.Errorf(all, "want at most 3 arrays of float locations, and %d in all", maxLocationArrays))
	}
	for _, j := range op.order {
		op.axes = append(op.axes, axes[j])
	}
	op.resolveShape(x, all, shapes, o.Kept)
	return op
}

// maxLocationArrays is the number of location operands that SamplePlacesGrad supports.
const maxLocationArrays = device.MaxOperands - 2 - 3

// resolveShape determines the result's shape, and which of its axes are those of x.
func (op *samplingOp) resolveShape(x *nd.Array, all []*nd.Array, shapes [][]int, kept ops.Axes) {
	others := x.Rank() - len(op.axes)
	shape, err := broadcast.Shapes(shapes...)
	if err != nil {
		panic(op.fn.Errorf(all, "%v", err))
	}
	rank := max(len(shape), others)
	if kept == nil {
		op.kept, rank = broadcast.AllAxes(others), others+len(shape)
	} else {
		for _, axis := range kept {
			rank = max(rank, axis+1)
		}
		if op.kept, err = broadcast.Axes(kept, rank); err != nil || len(op.kept) != others {
			panic(op.fn.Errorf(all, "Kept %v: want an axis of the result for each of x's %d other axes", []int(kept), others))
		}
	}
	op.shape = append(broadcast.Ones(rank-len(shape)), shape...)
	rest := op.kept
	for axis, n := range op.source {
		if slices.Contains(op.axes, axis) {
			continue
		}
		if m := op.shape[rest[0]]; m != 1 && m != n {
			panic(op.fn.Errorf(all, "locations have length %d, but x has %d, along axis %d of the result", m, n, rest[0]))
		}
		op.shape[rest[0]] = n
		rest = rest[1:]
	}
}

// samplingOp reads the first input at the locations given by the other inputs. Its definition by differentiable
// functions is Composed.
type samplingOp struct {
	fn     nd.Func
	source []int // the shape of x
	shape  []int // the shape of the result
	axes   []int // the axes of x to which the locations refer
	kept   []int // the axes of the result that are the other axes of x
	bounds device.Bounds
	floats int   // the number of float locations, which come first
	order  []int // the given order of the locations
}

// launch begins a kernel.
func (op samplingOp) launch(x *nd.Array) nd.Launch {
	l := op.fn.Launch(x.Device(), op.shape)
	l.Bounds = op.bounds
	return l
}

// operand adds an array with x's shape as an operand of the loop.
func (op samplingOp) operand(l *nd.Launch, x *nd.Array) (strides []int) {
	strides = make([]int, len(op.shape))
	rest := op.kept
	for axis, n := range op.source {
		if slices.Contains(op.axes, axis) {
			continue
		}
		if n != 1 {
			strides[rest[0]] = x.Strides()[axis]
		}
		rest = rest[1:]
	}
	for j, axis := range op.axes {
		l.Axes[j] = device.IndexAxis{Stride: x.Strides()[axis], Size: op.source[axis]}
	}
	return strides
}

func (op samplingOp) read(in []*nd.Array) *nd.Array {
	x := in[0]
	y := op.fn.NewLike(x.DType(), op.shape, x)
	l := op.launch(x)
	l.Write(y)
	l.ReadStrides(x, op.operand(&l, x))
	for _, p := range in[1:] {
		l.Read(p)
	}
	l.Run(device.Device.Sample)
	for _, p := range in[1 : 1+op.floats] {
		if node, _ := p.Node(); node != nil {
			op.fn.Record(op, in, y)
			return y
		}
	}
	op.fn.Record(sampleAtOp{op}, in, y)
	return y
}

// spread is the transpose of read: an array of x's shape, in which gy is added to the elements that read reads.
func (op samplingOp) spread(gy *nd.Array, locations []*nd.Array) *nd.Array {
	gx := op.result(gy.DType(), op.source, gy)
	l := op.launch(gy)
	l.WriteStrides(gx, op.operand(&l, gx))
	l.Read(gy)
	for _, p := range locations {
		l.Read(p)
	}
	l.Run(device.Device.SampleGrad)
	op.fn.Record(sampleBackOp{op}, append([]*nd.Array{gy}, locations...), gx)
	return gx
}

// result returns an array for a gradient. Kernels write all of it unless the result of the sampling is empty.
func (op samplingOp) result(t dtype.DType, shape []int, gy *nd.Array) *nd.Array {
	if broadcast.Size(op.shape) == 0 {
		return op.fn.NewFilled(t, shape, 0, gy)
	}
	return op.fn.NewLike(t, shape, gy)
}

// sampleAtOp is the operation for locations that need no gradient; sampleBackOp is its transpose.
type (
	sampleAtOp   struct{ at samplingOp }
	sampleBackOp struct{ at samplingOp }
)

func (sampleAtOp) Claims() nd.Claims   { return nd.Claims{In: ^uint64(1)} }
func (sampleBackOp) Claims() nd.Claims { return nd.Claims{In: ^uint64(1)} }

// Definition is Composed for translators: the gradient needs no definition, and so x is not claimed.
func (op sampleAtOp) Definition(in []*nd.Array) []*nd.Array { return op.at.Composed(in) }

func (op sampleAtOp) VJP(c *nd.Call) { c.SetGx(0, op.at.spread(c.Gy(0), sampleLocations(c))) }

func (op sampleBackOp) VJP(c *nd.Call) {
	c.SetGx(0, op.at.read(append([]*nd.Array{c.Gy(0)}, sampleLocations(c)...)))
}

// sampleLocations returns the inputs after the first.
func sampleLocations(c *nd.Call) []*nd.Array {
	locations := make([]*nd.Array, c.Inputs()-1)
	for j := range locations {
		locations[j] = c.In(1 + j)
	}
	return locations
}

func (op samplingOp) VJP(c *nd.Call) {
	locations := sampleLocations(c)
	if c.Needs(0) {
		c.SetGx(0, op.spread(c.Gy(0), locations))
	}
	for j := range op.floats {
		if c.Needs(1 + j) {
			op.locationsGrad(c, locations)
			return
		}
	}
}

// Composed adds the elements at all corners, times weights that are functions of the locations.
func (op samplingOp) Composed(in []*nd.Array) []*nd.Array {
	x, rank := in[0], len(op.shape)
	indices := make([]*nd.Array, len(op.source))
	rest := op.kept
	for axis, n := range op.source {
		if slices.Contains(op.axes, axis) {
			continue
		}
		shape := broadcast.Ones(rank)
		shape[rest[0]] = n
		indices[axis] = nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: x.Device()}).Reshape(shape...)
		rest = rest[1:]
	}
	low, weights := make([]*nd.Array, op.floats), make([]*nd.Array, op.floats)
	for j, p := range in[1:] {
		if j >= op.floats {
			indices[op.axes[j]] = p.Detach()
			continue
		}
		n := float64(op.source[op.axes[j]])
		p = ops.Clip(p, -2, n+1)
		down := ops.Floor(p.Detach())
		low[j], weights[j] = down.AsType(dtype.Int64), ops.Subtract(p, down)
	}
	var y *nd.Array
	for corner := range 1 << op.floats {
		weight := nd.Ones(broadcast.Ones(rank), nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
		for j := range op.floats {
			index, w := low[j], weights[j]
			if corner>>j&1 == 0 {
				w = ops.Subtract(1, w)
			} else {
				index = ops.Add(index, 1)
			}
			indices[op.axes[j]] = index
			weight = ops.Multiply(weight, w.AsType(x.DType()))
		}
		part := ops.Multiply(weight, op.fn.Gather(x, broadcast.AllAxes(len(op.source)), 0, indices, op.bounds))
		if y == nil {
			y = part
		} else {
			y = ops.Add(y, part)
		}
	}
	return []*nd.Array{y.BroadcastTo(op.shape...)}
}
