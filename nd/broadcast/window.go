package broadcast

import "fmt"

// Windows appends one axis to v for each of the given lengths. Axis i of these runs through a window of lengths[i]
// elements along axis axes[i] of v. The axis axes[i] keeps the indices at which a whole window begins, and becomes
// shorter. An axis that occurs twice in axes has windows of windows.
func (v View) Windows(lengths, axes []int) (View, error) {
	rank := len(v.Shape)
	if len(lengths) != len(axes) {
		return View{}, fmt.Errorf("%d lengths of windows for %d axes: want one each", len(lengths), len(axes))
	}
	if rank+len(axes) > MaxRank {
		return View{}, fmt.Errorf("%d axes: want at most %d", rank+len(axes), MaxRank)
	}
	out := newView(v.Offset, rank+len(axes))
	copy(out.Shape, v.Shape)
	copy(out.Strides, v.Strides)
	for i, n := range lengths {
		axis, err := Axis(axes[i], rank)
		if err != nil {
			return View{}, err
		}
		if n < 0 || n > out.Shape[axis] {
			return View{}, fmt.Errorf("windows of length %d along axis %d: want 0 to %d", n, axis, out.Shape[axis])
		}
		out.Shape[axis] += 1 - n
		out.Shape[rank+i], out.Strides[rank+i] = n, v.Strides[axis]
	}
	return out, CheckShape(out.Shape)
}

// AsStrided views the elements of v, which must be contiguous, with any shape and any strides that stay within them.
func (v View) AsStrided(shape, strides []int) (View, error) {
	if len(shape) != len(strides) {
		return View{}, fmt.Errorf("%d strides for %d axes: want one each", len(strides), len(shape))
	}
	if err := CheckShape(shape); err != nil {
		return View{}, err
	}
	if !v.IsContiguous() {
		return View{}, fmt.Errorf("strides %v are not contiguous: use Contiguous", v.Strides)
	}
	out := newView(v.Offset, len(shape))
	copy(out.Shape, shape)
	copy(out.Strides, strides)
	if isEmpty(shape) {
		return out, nil
	}
	lowest, highest := 0, 0
	for k, n := range shape {
		reach := Product(n-1, strides[k])
		lowest, highest = Sum(lowest, min(reach, 0)), Sum(highest, max(reach, 0))
	}
	if lowest < 0 || highest >= v.Size() {
		return View{}, fmt.Errorf("strides %v of shape %s reach the elements %d to %d of %d", strides, FormatShape(shape), lowest, highest, v.Size())
	}
	return out, nil
}
