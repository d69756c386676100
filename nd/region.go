package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// region is the part of an array of shape base that an index selects: a view, from which a plan may gather elements.
type region struct {
	base []int
	view broadcast.View // in a contiguous array of shape base
	plan *plan
}

// read returns x at the region; it is recorded.
func (r region) read(fn Func, x *Array, indices []*Array) *Array {
	y := x.deriveView(fn, func(whole broadcast.View) (broadcast.View, error) { return composeViews(whole, r.base, r.view), nil })
	if r.plan == nil {
		return y
	}
	return replaceHeader(y, r.plan.gather(fn, y, indices))
}

// shape returns the shape of x at the region.
func (r region) shape() []int {
	if r.plan == nil {
		return r.view.Shape
	}
	shape, _ := r.plan.result()
	return shape
}

// traced describes a write to the region to translators.
func (r region) traced(combine device.Combine) traced.Assign {
	t := traced.Assign{Base: r.base, View: r.view, Combine: combine}
	if r.plan != nil {
		gather := r.plan.traced()
		t.Gather = &gather
	}
	return t
}

// write stores value, converted and broadcast, in y at the region. It records nothing.
func (r region) write(fn Func, y, value *Array, indices []*Array) {
	if r.plan != nil {
		r.scatter(fn, device.CombineAssign, y, value, indices)
		return
	}
	part := y.header(fn, composeViews(y.Layout(), r.base, r.view))
	copyInto(fn, part, value)
	part.Release()
}

// scatter combines value, broadcast, with the elements of y at the region.
func (r region) scatter(fn Func, combine device.Combine, y, value *Array, indices []*Array) {
	part := y.header(fn, composeViews(y.Layout(), r.base, r.view))
	spread := value.header(fn, mustBroadcast(value.Layout(), r.shape()))
	r.plan.scatterInto(fn, combine, part, spread, indices)
	part.Release()
	spread.Release()
}

func mustBroadcast(v broadcast.View, shape []int) broadcast.View {
	v, err := v.BroadcastTo(shape)
	if err != nil {
		panic(err) // the caller has checked the shape
	}
	return v
}

// indexArrays holds the index arrays that a plan uses, and the arrays to release: index arrays made from the index and,
// for an assignment, the value that was made to fit.
type indexArrays struct {
	ready, made []*Array
	fitted      *Array
}

func (p indexArrays) release() {
	p.fitted.Release()
	for _, x := range p.made {
		x.Release()
	}
}

// region resolves an index of x: first the basic items give a view, which keeps whole axes at the index arrays; then
// the arrays gather from this view. The caller releases the arrays.
func (x *Array) region(fn Func, ix []Index) (region, indexArrays) {
	items := x.expand(fn, ix)
	v := contiguousView(x.shape)
	r := region{base: x.Shape()}
	arrays := false
	for _, it := range items {
		arrays = arrays || it.kind == indexArray
	}
	var picked, made []*Array
	for k := range items {
		if it := &items[k]; it.listed && !it.array.store.sameDevice(x.store) {
			it.array = it.array.To(x.store.dev)
			made = append(made, it.array)
		}
	}
	var axes, callerAxes []int // the indexed axes of the view and, once it has a new axis, of x
	axis, given, first, gap, separated := 0, 0, -1, false, false
	addIndexArray := func(indices *Array) {
		if first < 0 {
			first = axis
		} else if gap || axis != axes[len(axes)-1]+1 {
			separated = true
		}
		gap = false
		axes, picked = append(axes, axis), append(picked, indices)
		if callerAxes != nil || axis != given {
			callerAxes = append(append(callerAxes, axes[len(callerAxes):len(axes)-1]...), given)
		}
		axis++
		given++
	}
	fail := func(err error) {
		if err != nil {
			panic(fn.Errorf([]*Array{x}, "%v", err))
		}
	}
	for _, it := range items {
		var err error
		switch {
		case it.kind == indexEllipsis:
			gap = true
		case it.kind == indexNewAxis:
			v, err = v.NewAxis(axis)
			axis++
		case it.kind == indexAt && arrays:
			n := v.Shape[axis]
			if it.start < -n || it.start >= n {
				panic(outside(fn, []*Array{x}, &device.IndexError{Index: it.start, Size: n}, given))
			}
			made = append(made, x.intArray(it.start))
			addIndexArray(made[len(made)-1])
		case it.kind == indexAt:
			if n := v.Shape[axis]; it.start < -n || it.start >= n {
				panic(outside(fn, []*Array{x}, &device.IndexError{Index: it.start, Size: n}, given))
			}
			v, err = v.Index(axis, it.start)
			given++
		case it.kind == indexRange:
			var from, count, step int
			from, count, step, err = it.resolve(v.Shape[axis])
			fail(err)
			v, err = v.Slice(axis, from, count, step)
			axis++
			given++
		case it.array.dtype.IsBool() && it.array.Rank() == 0:
			v, err = v.NewAxis(axis) // a 0-d bool: true keeps the one element of a new axis, false does not
			flag := it.array.Reshape(1)
			made = append(made, flag, fn.Nonzero(flag)[0])
			addIndexArray(made[len(made)-1])
			given--
		case it.array.dtype.IsBool():
			for _, found := range fn.Nonzero(it.array) {
				made = append(made, found)
				addIndexArray(found)
			}
		default:
			addIndexArray(it.array)
		}
		fail(err)
	}
	r.view = v
	if picked != nil {
		if separated {
			first = 0
		}
		viewed := x.header(fn, composeViews(x.Layout(), r.base, v))
		p, ready := planFor(fn, viewed, axes, first, picked, device.BoundsRaise)
		if callerAxes != nil {
			p.callerAxes = callerAxes
		}
		r.plan = &p
		viewed.Release()
		return r, indexArrays{ready: ready.ready, made: append(made, ready.made...)}
	}
	return r, indexArrays{}
}

func (x *Array) intArray(i int) *Array {
	y := allocate("nd.At", x.store.dev, dtype.Int64, nil)
	y.fill("nd.At", scalarValueOf(i))
	return y
}

// expand adds All for the axes that no item indexes: after the ellipsis, or at the end if there is no ellipsis. The
// ellipsis stays, because it separates index arrays even if it stands for no axis. expand also checks the index arrays.
func (x *Array) expand(fn Func, ix []Index) []Index {
	used, ellipsis := 0, -1
	for k, it := range ix {
		switch it.kind {
		case indexRange, indexAt:
			used++
		case indexEllipsis:
			if ellipsis >= 0 {
				panic(fn.Errorf([]*Array{x}, "an index can only have a single ellipsis"))
			}
			ellipsis = k
		case indexArray:
			used += x.axesOf(fn, it.array)
		}
	}
	if used > len(x.shape) {
		panic(fn.Errorf([]*Array{x}, "%d axes are indexed, the array has %d", used, len(x.shape)))
	}
	if ellipsis < 0 {
		ellipsis = len(ix)
	}
	items := append([]Index{}, ix[:min(ellipsis+1, len(ix))]...)
	for range len(x.shape) - used {
		items = append(items, All())
	}
	if ellipsis < len(ix) {
		items = append(items, ix[ellipsis+1:]...)
	}
	axis := 0
	for _, it := range items {
		switch {
		case it.kind == indexRange || it.kind == indexAt:
			axis++
		case it.kind == indexArray && it.array.dtype.IsBool():
			for k, n := range it.array.shape {
				if x.shape[axis+k] != n && n != 0 {
					panic(fn.Errorf([]*Array{x, it.array}, "boolean index did not match indexed array along axis %d; size of axis is %d but size of boolean axis is %d", axis+k, x.shape[axis+k], n))
				}
			}
			axis += it.array.Rank()
		case it.kind == indexArray:
			axis++
		}
	}
	return items
}

// axesOf returns how many axes an index array stands for.
func (x *Array) axesOf(fn Func, positions *Array) int {
	positions.check(fn)
	switch {
	case positions.dtype.IsBool():
		return positions.Rank()
	case positions.dtype.IsInteger():
		return 1
	}
	panic(fn.Errorf([]*Array{x, positions}, "want indices that are integers or bools"))
}
