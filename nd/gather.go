package nd

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// plan describes the axes of a gather's result: the axes of the index arrays' common shape, as one group, replace the
// indexed axes of the source.
type plan struct {
	axes       []int // of the source, one per index array
	callerAxes []int // the same axes as the caller counts them, before the index added axes
	at         int   // the axis of the result at which the index axes begin
	index      []int // the index arrays' common shape
	source     []int // the source's shape
	bounds     device.Bounds
}

// result returns the shape of the gathered array. resultAxis[k] is the axis of the result that source axis k becomes, or -1.
func (p plan) result() (shape, resultAxis []int) {
	resultAxis = make([]int, len(p.source))
	for _, k := range p.axes {
		resultAxis[k] = -1
	}
	for k, n := range p.source {
		if resultAxis[k] < 0 {
			continue
		}
		if len(shape) == p.at {
			shape = append(shape, p.index...)
		}
		resultAxis[k] = len(shape)
		shape = append(shape, n)
	}
	if len(shape) == p.at {
		shape = append(shape, p.index...)
	}
	return shape, resultAxis
}

// indexed makes the indexed array x an operand of Gather and Scatter.
func (p plan) indexed(x *Array, resultAxis []int, rank int) (strides []int, axes [device.MaxIndices]device.IndexAxis) {
	strides = make([]int, rank)
	for k, at := range resultAxis {
		if at >= 0 {
			strides[at] = x.strides[k]
		}
	}
	for j, k := range p.axes {
		axes[j] = device.IndexAxis{Stride: x.strides[k], Size: p.source[k]}
	}
	return strides, axes
}

func (p plan) readIndices(l *Launch, indices []*Array) {
	l.axes = p.callerAxes
	for _, ix := range indices {
		strides := make([]int, l.Rank)
		full, _ := broadcast.BroadcastStrides(nil, ix.shape, ix.strides, p.index)
		copy(strides[p.at:], full)
		l.ReadStrides(ix, strides)
	}
}

// Gather picks elements of x by arrays of indices, one for each of the given axes. The axes of the indices' broadcast
// shape replace the given axes and begin at axis at of the result. Take and advanced indexing are built on Gather.
// Negative indices count from the end; bounds says what happens to indices out of range. The gradient is [Func.Scatter]
// with sums.
func (fn Func) Gather(x *Array, axes []int, at int, indices []*Array, bounds device.Bounds) *Array {
	p, indexArrays := planFor(fn, x, axes, at, indices, bounds)
	y := p.gather(fn, x, indexArrays.ready)
	indexArrays.release()
	return y
}

// planFor checks the axes and indices of a gather. The caller releases the positions.
func planFor(fn Func, x *Array, axes []int, at int, indices []*Array, bounds device.Bounds) (plan, indexArrays) {
	fn.Check(append([]*Array{x}, indices...)...)
	norm, err := broadcast.Axes(axes, len(x.shape))
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	if len(norm) != len(indices) || len(indices) == 0 || len(indices) > device.MaxIndices {
		panic(fn.Errorf([]*Array{x}, "%d index arrays for %d axes: want one per axis, and 1 to %d", len(indices), len(norm), device.MaxIndices))
	}
	indexArrays := indexArrays{ready: make([]*Array, len(indices))}
	for j, ix := range indices {
		if !ix.dtype.IsInteger() {
			panic(fn.Errorf([]*Array{x, ix}, "indices must be integers"))
		}
		indexArrays.ready[j] = indexArrays.converted(materialize(ix), x.store.dev)
	}
	common := slices.Clone(indices[0].shape)
	if len(indices) > 1 {
		shapes := make([][]int, len(indices))
		for j, ix := range indices {
			shapes[j] = ix.shape
		}
		if common, err = broadcast.Shapes(shapes...); err != nil {
			panic(fn.Errorf(indices, "%v", err))
		}
	}
	p := plan{norm, norm, at, common, x.Shape(), bounds}
	if (bounds == device.BoundsRaise || bounds == device.BoundsExact) && (x.Size() == 0 || broadcast.Size(common) == 0) {
		p.checkIndices(fn, x, indexArrays.ready)
	}
	return p, indexArrays
}

// converted returns ix as int64 on a device.
func (p *indexArrays) converted(ix *Array, dev device.Device) *Array {
	there := ix.To(dev)
	wide := there.AsType(dtype.Int64)
	if there != ix {
		replaceHeader(there, wide)
	}
	if wide != ix {
		p.made = append(p.made, wide)
	}
	return wide
}

// checkIndices refuses indices that are out of range, as kernels do. It is for gathers in which a kernel may have nothing to
// do: from an empty x all indices are checked, and beside an index array without elements only those that are single
// numbers.
func (p plan) checkIndices(fn Func, x *Array, indices []*Array) {
	onlyNumbers := broadcast.Size(p.index) == 0
	for j, ix := range indices {
		if onlyNumbers && ix.Rank() > 0 {
			continue
		}
		n := p.source[p.axes[j]]
		low := -n
		if p.bounds == device.BoundsExact {
			low = 0
		}
		for _, i := range ToSlice[int64](ix) {
			if int(i) < low || int(i) >= n {
				panic(outside(fn, []*Array{x, ix}, &device.IndexError{Index: int(i), Size: n}, p.callerAxes[j]))
			}
		}
	}
}

// outside returns the error about an index that is out of range.
func outside(fn Func, operands []*Array, index *device.IndexError, axis int) *Error {
	e := fn.Errorf(operands, "%v", index)
	e.Msg = fmt.Sprintf("index %d is outside axis %d, of length %d", index.Index, axis, index.Size)
	return e
}

func (p plan) gather(fn Func, x *Array, indices []*Array) *Array {
	shape, resultAxis := p.result()
	y := fn.NewLike(x.dtype, shape, x)
	l := fn.Launch(x.store.dev, shape)
	l.Bounds, l.Fresh = p.bounds, true
	var strides []int
	strides, l.Axes = p.indexed(x, resultAxis, len(shape))
	l.Write(y)
	l.ReadStrides(x, strides)
	p.readIndices(&l, indices)
	l.Run(device.Device.Gather)
	if x.node != nil || slices.ContainsFunc(indices, (*Array).Links) {
		fn.Record(gatherOp{p}, append([]*Array{x}, indices...), y)
	}
	return y
}

// traced describes the plan to translators.
func (p plan) traced() traced.Gather {
	return traced.Gather{Axes: p.axes, At: p.at, Index: p.index, Bounds: p.bounds}
}

type gatherOp struct{ plan plan }

func (op gatherOp) Claims() Claims { return Claims{In: ^uint64(1)} }
func (op gatherOp) Traced() any    { return op.plan.traced() }
func (op gatherOp) VJP(c *Call) {
	zeros := c.Func().NewFilled(c.DType(0), op.plan.source, 0, c.Gy(0))
	c.SetGx(0, op.plan.scatter(c.Func(), device.CombineSum, zeros, c.Gy(0), callIndices(c, 1)))
}

// AddTo adds the gradient to the gathered elements.
func (op gatherOp) AddTo(c *Call, gx *Array) {
	op.plan.scatterInto(c.Func(), device.CombineSum, gx, c.Gy(0), callIndices(c, 1))
}

func callIndices(c *Call, from int) []*Array {
	var all []*Array
	for i := from; i < c.Inputs(); i++ {
		all = append(all, c.In(i))
	}
	return all
}
