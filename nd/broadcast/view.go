package broadcast

import (
	"errors"
	"fmt"
	"iter"
)

// View describes the layout of an array in a block of memory: element (i, j, …) is at Offset + i·Strides[0] +
// j·Strides[1] + …. Its methods never change it; they return a new view of the same block that shares no slices with
// the old one.
//
// The elements of a view stay within those of the view it was made from. An empty view keeps the offset of that view,
// so that no offset leaves the block.
type View struct {
	Offset  int
	Shape   []int
	Strides []int
}

// NewView returns the view of a fresh block in C order.
func NewView(shape []int) View {
	v := newView(0, len(shape))
	copy(v.Shape, shape)
	AppendStrides(v.Strides[:0], shape)
	return v
}

// NewFortranView returns the view of a fresh block in Fortran order.
func NewFortranView(shape []int) View {
	v := newView(0, len(shape))
	copy(v.Shape, shape)
	AppendFortranStrides(v.Strides[:0], shape)
	return v
}

// newView returns a view whose shape and strides, in one allocation, the caller fills in.
func newView(offset, rank int) View {
	both := make([]int, 2*rank)
	return View{Offset: offset, Shape: both[:rank:rank], Strides: both[rank:]}
}

// clone copies the shape and strides.
func (v View) clone() View {
	out := newView(v.Offset, len(v.Shape))
	copy(out.Shape, v.Shape)
	copy(out.Strides, v.Strides)
	return out
}

// moved shifts the first element. An empty view keeps its offset, so that the offset does not leave the block.
func (v View) moved(by int) View {
	if !isEmpty(v.Shape) {
		v.Offset += by
	}
	return v
}

// Rank returns the number of axes.
func (v View) Rank() int { return len(v.Shape) }

// Size returns the number of elements.
func (v View) Size() int { return Size(v.Shape) }

// IsContiguous reports whether the elements are adjacent in C order.
func (v View) IsContiguous() bool { return IsContiguous(v.Shape, v.Strides) }

// IsFortran reports whether the elements are adjacent in Fortran order.
func (v View) IsFortran() bool { return IsFortran(v.Shape, v.Strides) }

// At returns the offset of the element with the given index: one index per axis, each within its axis.
func (v View) At(index []int) int { return v.Offset + Dot(index, v.Strides) }

// Offsets yields the offsets of all elements in C order.
func (v View) Offsets() iter.Seq[int] {
	return func(yield func(int) bool) {
		if isEmpty(v.Shape) {
			return
		}
		index := make([]int, len(v.Shape))
		for {
			if !yield(v.At(index)) || !Next(index, v.Shape) {
				return
			}
		}
	}
}

// Slice keeps count indices of an axis: first, first+step, …. See [ResolveRange] for slices as users write them.
func (v View) Slice(axis, first, count, step int) (View, error) {
	axis, err := Axis(axis, len(v.Shape))
	if err != nil {
		return View{}, err
	}
	n := v.Shape[axis]
	if !fitsAxis(first, count, step, n) {
		return View{}, fmt.Errorf("%d elements from %d by %d reach outside axis %d, of length %d",
			count, first, step, axis, n)
	}
	out := v.clone()
	out.Shape[axis] = count
	if count > 1 {
		out.Strides[axis] *= step
	}
	return out.moved(first * v.Strides[axis]), nil
}

// fitsAxis reports whether count indices from first by step lie within 0…n-1.
func fitsAxis(first, count, step, n int) bool {
	switch {
	case count <= 0:
		return count == 0
	case first < 0 || first >= n:
		return false
	case count == 1:
		return true
	case step > 0:
		return count-1 <= (n-1-first)/step
	case step < 0:
		return uint(count-1) <= uint(first)/-uint(step)
	default:
		return false
	}
}

// Index picks index i of an axis, which is dropped. A negative index counts from the end.
func (v View) Index(axis, i int) (View, error) {
	axis, err := Axis(axis, len(v.Shape))
	if err != nil {
		return View{}, err
	}
	n := v.Shape[axis]
	if i < -n || i >= n {
		return View{}, fmt.Errorf("index %d is outside axis %d, of length %d", i, axis, n)
	}
	if i < 0 {
		i += n
	}
	return v.without(axisSet(0).with(axis)).moved(i * v.Strides[axis]), nil
}

// without drops the given axes.
func (v View) without(dropped axisSet) View {
	kept := 0
	for axis := range v.Shape {
		if !dropped.has(axis) {
			kept++
		}
	}
	out := newView(v.Offset, kept)
	to := 0
	for axis := range v.Shape {
		if !dropped.has(axis) {
			out.Shape[to], out.Strides[to] = v.Shape[axis], v.Strides[axis]
			to++
		}
	}
	return out
}

// NewAxis inserts an axis of length 1 with index at in the result; a negative index counts from the end of the result.
func (v View) NewAxis(at int) (View, error) { return v.ExpandDims([]int{at}) }

// ExpandDims inserts axes of length 1 that have the given indices in the result; negative indices count from the end of
// the result.
func (v View) ExpandDims(axes []int) (View, error) {
	rank := len(v.Shape) + len(axes)
	axes, err := Axes(axes, rank)
	if err != nil {
		return View{}, err
	}
	added := setOf(axes)
	out := newView(v.Offset, rank)
	from := 0
	for axis := range out.Shape {
		if added.has(axis) {
			out.Shape[axis], out.Strides[axis] = 1, 0
			continue
		}
		out.Shape[axis], out.Strides[axis] = v.Shape[from], v.Strides[from]
		from++
	}
	return out, nil
}

// Squeeze drops the given axes, which must have length 1; nil drops all such
// axes.
func (v View) Squeeze(axes []int) (View, error) {
	var dropped axisSet
	if axes == nil {
		for axis, d := range v.Shape {
			if d == 1 {
				dropped = dropped.with(axis)
			}
		}
		return v.without(dropped), nil
	}
	if len(v.Shape) == 0 && len(axes) == 1 && (axes[0] == 0 || axes[0] == -1) { // as NumPy, which allows this for a 0-d array
		return v, nil
	}
	axes, err := Axes(axes, len(v.Shape))
	if err != nil {
		return View{}, err
	}
	for _, axis := range axes {
		if v.Shape[axis] != 1 {
			return View{}, fmt.Errorf("axis %d of shape %s does not have length 1",
				axis, FormatShape(v.Shape))
		}
	}
	return v.without(setOf(axes)), nil
}

// Permute rearranges the axes: axis i of the result is axis perm[i] of v.
func (v View) Permute(perm []int) (View, error) {
	perm, err := CheckPermutation(perm, len(v.Shape))
	if err != nil {
		return View{}, err
	}
	return v.permuted(perm), nil
}

func (v View) permuted(perm []int) View {
	out := newView(v.Offset, len(perm))
	Permute(out.Shape, v.Shape, perm)
	Permute(out.Strides, v.Strides, perm)
	return out
}

// Transpose reverses the order of the axes.
func (v View) Transpose() View { return v.permuted(ReversePermutation(len(v.Shape))) }

// BroadcastTo repeats the elements along new leading axes and along axes of
// length 1, without copying them.
func (v View) BroadcastTo(shape []int) (View, error) {
	if err := CheckShape(shape); err != nil {
		return View{}, err
	}
	out := newView(v.Offset, len(shape))
	copy(out.Shape, shape)
	if _, err := BroadcastStrides(out.Strides, v.Shape, v.Strides, shape); err != nil {
		return View{}, err
	}
	return out, nil
}

// Reshape arranges the elements, taken in C or Fortran order, in another shape, in which one length may be -1 (see
// [ResolveShape]). If that needs a copy, ok is false and out is the view of the copy: a fresh block in the same order.
func (v View) Reshape(shape []int, fortran bool) (out View, ok bool, err error) {
	shape, err = ResolveShape(shape, v.Size())
	if err != nil {
		return View{}, false, err
	}
	if strides, ok := ReshapeOrder(v.Shape, v.Strides, shape, fortran); ok {
		return View{Offset: v.Offset, Shape: shape, Strides: strides}, true, nil
	}
	if fortran {
		return NewFortranView(shape), false, nil
	}
	return NewView(shape), false, nil
}

// Ravel flattens a view to one axis of adjacent elements, in C or Fortran order. Unlike a reshape it never leaves gaps:
// if the elements are not adjacent already, ok is false and out is the view of a fresh copy.
func (v View) Ravel(fortran bool) (out View, ok bool) {
	out = NewView([]int{v.Size()})
	if fortran && !v.IsFortran() || !fortran && !v.IsContiguous() {
		return out, false
	}
	out.Offset = v.Offset
	return out, true
}

// Diagonal takes the elements whose index on axis2 exceeds that on axis1 by
// offset. The two axes are dropped and the diagonal becomes the last axis.
func (v View) Diagonal(offset, axis1, axis2 int) (View, error) {
	rank := len(v.Shape)
	if rank < 2 {
		return View{}, errors.New("want at least two axes for a diagonal")
	}
	axis1, err := Axis(axis1, rank)
	if err != nil {
		return View{}, err
	}
	axis2, err = Axis(axis2, rank)
	if err != nil {
		return View{}, err
	}
	if axis1 == axis2 {
		return View{}, errors.New("a diagonal is along two different axes")
	}
	length1, length2 := v.Shape[axis1], v.Shape[axis2]
	move := 0
	if offset >= 0 {
		length2 -= offset
		move = offset * v.Strides[axis2]
	} else {
		length1 += offset
		move = -offset * v.Strides[axis1]
	}
	rest := v.without(axisSet(0).with(axis1).with(axis2))
	out := newView(v.Offset, rank-1)
	copy(out.Shape, rest.Shape)
	copy(out.Strides, rest.Strides)
	out.Shape[rank-2] = max(0, min(length1, length2))
	out.Strides[rank-2] = v.Strides[axis1] + v.Strides[axis2]
	return out.moved(move), nil
}

// Flip reverses the order of the elements along the given axes; nil flips all
// axes.
func (v View) Flip(axes []int) (View, error) {
	if axes == nil {
		axes = AllAxes(len(v.Shape))
	}
	axes, err := Axes(axes, len(v.Shape))
	if err != nil {
		return View{}, err
	}
	out := v.clone()
	move := 0
	for _, axis := range axes {
		move += (v.Shape[axis] - 1) * v.Strides[axis]
		out.Strides[axis] = -v.Strides[axis]
	}
	return out.moved(move), nil
}
