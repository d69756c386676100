package nd

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Index is one item between the brackets of NumPy's x[…]. [At], [Span], [From], [Until], [All], [NewAxis], [Ellipsis]
// and [Pick] make one.
type Index struct {
	kind              indexKind
	given             indexPart
	start, stop, step int
	array             *Array
	listed            bool // the array was made of a slice, and goes to the device of what is indexed
}

// indexPart says, one bit each, which numbers of a range are given.
type indexPart uint8

const (
	givenStart indexPart = 1 << iota
	givenStop
	givenStep
)

// resolve resolves a range along an axis of length n.
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

// At is the integer index i: it picks one element along the axis and drops the axis. Negative indices count from the
// end.
func At(i int) Index { return Index{kind: indexAt, start: i} }

// Span is start:stop, with Python's rules for negative and out-of-range ends.
func Span(start, stop int) Index {
	return Index{given: givenStart | givenStop, start: start, stop: stop}
}

// From is start: (to the end).
func From(start int) Index { return Index{given: givenStart, start: start} }

// Until is :stop (from the beginning).
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

// Ellipsis stands for all axes that the other items leave.
func Ellipsis() Index { return Index{kind: indexEllipsis} }

// Picked is what [Pick] takes: an array of integers or bools, or a slice.
type Picked interface {
	*Array | []int | []int64 | []int32 | []bool
}

// Pick takes the elements at the indices in an integer array or slice, or those at which a bool array or slice is true. A bool array
// stands for as many axes as it has. The result of an index with Pick is a copy.
func Pick[T Picked](indices T) Index {
	switch indices := any(indices).(type) {
	case []int:
		return pickListed(indices)
	case []int64:
		return pickListed(indices)
	case []int32:
		return pickListed(indices)
	case []bool:
		return pickListed(indices)
	}
	return Index{kind: indexArray, array: any(indices).(*Array)}
}

func pickListed[T int | int64 | int32 | bool](indices []T) Index {
	return Index{kind: indexArray, array: FromSlice(indices), listed: true}
}

// IsPick reports whether the item was made by [Pick].
func (ix Index) IsPick() bool { return ix.kind == indexArray }

// Picked returns the array of an item that [Pick] made; nil for other items.
func (ix Index) Picked() *Array { return ix.array }

// Index returns x[ix…]. The result is a view if all items are basic (integers, ranges, new axes, an ellipsis), and a
// copy if there are index arrays. Index arrays broadcast together. If they are neighbours, their axes replace them;
// otherwise their axes come first. An integer beside an index array counts as an index array. These are NumPy's rules.
func (x *Array) Index(ix ...Index) *Array {
	const fn Func = "Array.Index"
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	if rank := x.basicRank(ix); rank >= 0 {
		return x.basic(fn, ix, rank)
	}
	if mask := x.maskOf(ix); mask != nil {
		return x.compress(fn, mask)
	}
	r, indices := x.region(fn, ix)
	y := r.read(fn, x, indices.ready)
	indices.release()
	return y
}

// basicRank returns the rank of x[ix…] if all items are basic and no more than x has axes, else -1.
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

// basic returns x[ix…] as a view; basicRank has returned its rank.
func (x *Array) basic(fn Func, ix []Index, rank int) *Array {
	y := newHeader(x.fn, rank)
	offset, err := layoutBasic(ix, x.Layout(), y.shape, y.strides)
	if err != nil {
		panic(fn.Errorf([]*Array{x}, "%v", err))
	}
	y.onStorage(x.store, x.dtype, offset)
	x.arena.own(y)
	if x.node != nil {
		base := contiguousView(x.shape)
		shown := broadcast.View{Shape: slices.Clone(y.shape), Strides: make([]int, rank)}
		shown.Offset, _ = layoutBasic(ix, base, shown.Shape, shown.Strides)
		fn.Record(viewOp{base: base.Shape, view: shown}, []*Array{x}, y)
	}
	return y
}

// layoutBasic writes the shape and strides of the part that basic items select, and returns its offset.
func layoutBasic(ix []Index, from broadcast.View, shape, strides []int) (offset int, err error) {
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
				return 0, fmt.Errorf("index %d is outside axis %d, of length %d", i, axis, n)
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
		offset = from.Offset // keeps the offset within the block
	}
	return offset, nil
}
