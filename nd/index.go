package nd

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Index is one item between the brackets of NumPy's x[…]. It is made by [At], [Span], [From], [Until], [All], [NewAxis],
// [Ellipsis] and [Pick].
type Index struct {
	kind              indexKind
	given             indexPart
	start, stop, step int
	array             *Array
}

// indexPart says, one bit each, which numbers of a range were given.
type indexPart uint8

const (
	givenStart indexPart = 1 << iota
	givenStop
	givenStep
)

// resolve finds the positions of a range along an axis of length n.
func (ix *Index) resolve(n int) (from, count, step int, err error) {
	var parts [3]*int
	for k, v := range [...]*int{&ix.start, &ix.stop, &ix.step} {
		if ix.given>>k&1 != 0 {
			parts[k] = v
		}
	}
	return broadcast.ResolveRange(parts[0], parts[1], parts[2], n)
}

type indexKind uint8

const (
	indexRange indexKind = iota
	indexAt
	indexNewAxis
	indexEllipsis
	indexArray
)

// At is the integer i: it picks one position and drops the axis. Negative ones count from the end.
func At(i int) Index { return Index{kind: indexAt, start: i} }

// Span is start:stop, with Python's meaning of negative and out-of-range ends.
func Span(start, stop int) Index {
	return Index{given: givenStart | givenStop, start: start, stop: stop}
}

// From is start: to the end.
func From(start int) Index { return Index{given: givenStart, start: start} }

// Until is :stop from the beginning.
func Until(stop int) Index { return Index{given: givenStop, stop: stop} }

// All is the whole axis.
func All() Index { return Index{} }

// By gives a range a step, which may be negative: All().By(-1) reverses an axis.
func (ix Index) By(step int) Index {
	ix.step = step
	ix.given |= givenStep
	return ix
}

// NewAxis adds an axis of length 1.
func NewAxis() Index { return Index{kind: indexNewAxis} }

// Ellipsis stands for as many whole axes as are left over.
func Ellipsis() Index { return Index{kind: indexEllipsis} }

// Pick takes the positions that an integer array holds, or those at which a bool array, which stands for as many axes as
// it has, is true. The result of an index with arrays is a copy.
func Pick(positions *Array) Index { return Index{kind: indexArray, array: positions} }

// IsPick reports whether the item was made by [Pick].
func (ix Index) IsPick() bool { return ix.kind == indexArray }

// region is the part of an array of shape base that an index means: a view, of which a plan may gather elements.
type region struct {
	base []int
	view broadcast.View // in a contiguous array of shape base
	plan *plan
}

// Index returns x[ix…]: a view where all items are basic (integers, ranges, new axes, an ellipsis), a copy where arrays
// are among them. Arrays broadcast together; their axes stand where the arrays stood if these were neighbours, else in
// front, and an integer counts as an array beside one; numpy's indexing.
func (x *Array) Index(ix ...Index) *Array {
	const fn Func = "Array.Index"
	x.check(fn)
	if x.weak != nil {
		x = materialize(x)
	}
	if rank := x.basicRank(ix); rank >= 0 {
		return x.basic(fn, ix, rank)
	}
	if mask := x.maskOf(ix); mask != nil {
		return x.compress(fn, mask)
	}
	r, indices := x.region(fn, ix)
	return r.read(fn, x, indices)
}

// basicRank is the rank of x[ix…] where all items are basic and no more than x has axes, else -1.
func (x *Array) basicRank(ix []Index) int {
	used, added, ellipses := 0, 0, 0
	for k := range ix {
		switch ix[k].kind {
		case indexRange:
			used++
		case indexAt:
			used++
			added--
		case indexNewAxis:
			added++
		case indexEllipsis:
			ellipses++
		default:
			return -1
		}
	}
	if used > len(x.shape) || ellipses > 1 || len(x.shape)+added > MaxRank {
		return -1
	}
	return len(x.shape) + added
}

// basic is x[ix…] as a view, of a rank that basicRank found.
func (x *Array) basic(fn Func, ix []Index, rank int) *Array {
	y := newHeader(fn, rank)
	offset, err := place(ix, x.Layout(), y.shape, y.strides)
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	y.onStorage(x.store, x.dtype, offset)
	x.arena.own(y)
	if x.node != nil {
		base := contiguousView(x.shape)
		shown := broadcast.View{Shape: slices.Clone(y.shape), Strides: make([]int, rank)}
		shown.Offset, _ = place(ix, base, shown.Shape, shown.Strides)
		fn.Record(viewOp{base: base.Shape, view: shown}, []*Array{x}, y)
	}
	return y
}

// place writes the shape and strides of the part of an array that basic items mean, and returns its offset.
func place(ix []Index, from broadcast.View, shape, strides []int) (offset int, err error) {
	offset = from.Offset
	axis, to := 0, 0
	keep := func(n, stride int) {
		shape[to], strides[to] = n, stride
		to++
	}
	rest := len(from.Shape)
	for k := range ix {
		if ix[k].kind == indexRange || ix[k].kind == indexAt {
			rest--
		}
	}
	for k := range ix {
		switch it := &ix[k]; it.kind {
		case indexNewAxis:
			keep(1, 0)
		case indexEllipsis:
			for ; rest > 0; rest-- {
				keep(from.Shape[axis], from.Strides[axis])
				axis++
			}
		case indexAt:
			i, n := it.start, from.Shape[axis]
			if i < -n || i >= n {
				return 0, fmt.Errorf("index %d is outside axis %d, of length %d", i, to, n)
			}
			if i < 0 {
				i += n
			}
			offset += i * from.Strides[axis]
			axis++
		default:
			first, count, step, err := it.resolve(from.Shape[axis])
			if err != nil {
				return 0, err
			}
			offset += first * from.Strides[axis]
			stride := from.Strides[axis]
			if count > 1 {
				stride *= step
			}
			keep(count, stride)
			axis++
		}
	}
	for ; axis < len(from.Shape); axis++ {
		keep(from.Shape[axis], from.Strides[axis])
	}
	if broadcast.Size(shape) == 0 {
		offset = from.Offset // so that no offset leaves the block
	}
	return offset, nil
}

// read is x at the region; it is recorded.
func (r region) read(fn Func, x *Array, indices []*Array) *Array {
	y := x.derive(fn, func(whole broadcast.View) (broadcast.View, error) { return compose(whole, r.base, r.view), nil })
	if r.plan == nil {
		return y
	}
	return r.plan.gather(fn, y, indices)
}

// shape is that of x at the region.
func (r region) shape() []int {
	if r.plan == nil {
		return r.view.Shape
	}
	shape, _ := r.plan.result()
	return shape
}

// write stores value, converted and broadcast, in y at the region. It records nothing.
func (r region) write(fn Func, y, value *Array, indices []*Array) {
	if r.plan != nil {
		r.scatter(fn, device.CombineAssign, y, value, indices)
		return
	}
	part := y.header(fn, compose(y.Layout(), r.base, r.view))
	copyInto(fn, part, value)
	part.Release()
}

// scatter combines value, broadcast, with y at the region's places.
func (r region) scatter(fn Func, combine device.Combine, y, value *Array, indices []*Array) {
	part := y.header(fn, compose(y.Layout(), r.base, r.view))
	spread := value.header(fn, mustBroadcast(value.Layout(), r.shape()))
	r.plan.scatterInto(fn, combine, part, spread, indices)
	part.Release()
	spread.Release()
}

func mustBroadcast(v broadcast.View, shape []int) broadcast.View {
	v, err := v.BroadcastTo(shape)
	if err != nil {
		panic(err) // fit has checked it
	}
	return v
}

// region resolves an index of x: basic items make a view, in which arrays' axes stay whole; the arrays then gather.
func (x *Array) region(fn Func, ix []Index) (region, []*Array) {
	items := x.expand(fn, ix)
	v := contiguousView(x.shape)
	r := region{base: x.Shape()}
	arrays := false
	for _, it := range items {
		arrays = arrays || it.kind == indexArray
	}
	var picked []*Array
	var axes []int
	axis, first, gap, separated := 0, -1, false, false
	advanced := func(positions *Array) {
		if first < 0 {
			first = axis
		} else if gap || axis != axes[len(axes)-1]+1 {
			separated = true
		}
		gap = false
		axes, picked = append(axes, axis), append(picked, positions)
		axis++
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
				err = &device.IndexError{Index: it.start, Size: n}
			}
			fail(err)
			advanced(x.intArray(it.start))
		case it.kind == indexAt:
			v, err = v.Index(axis, it.start)
		case it.kind == indexRange:
			var from, count, step int
			from, count, step, err = it.resolve(v.Shape[axis])
			fail(err)
			v, err = v.Slice(axis, from, count, step)
			axis++
		case it.array.dtype.IsBool() && it.array.Rank() == 0:
			v, err = v.NewAxis(axis) // true keeps the one element of a new axis, false does not
			advanced(fn.Nonzero(it.array.Reshape(1))[0])
		case it.array.dtype.IsBool():
			for _, positions := range fn.Nonzero(it.array) {
				advanced(positions)
			}
		default:
			advanced(it.array)
		}
		fail(err)
	}
	r.view = v
	if picked != nil {
		if separated {
			first = 0
		}
		viewed := x.header(fn, compose(x.Layout(), r.base, v))
		p, ready := planFor(fn, viewed, axes, first, picked, device.BoundsRaise)
		r.plan, picked = &p, ready
		viewed.Release()
	}
	return r, picked
}

func (x *Array) intArray(i int) *Array {
	y := allocate("nd.At", x.store.dev, dtype.Int64, nil)
	y.fill("nd.At", immediateOf(i))
	return y
}

// expand replaces the missing end by whole axes, puts those that an ellipsis stands for behind it, which still parts arrays
// where there are none, and checks the arrays among the items.
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
