package nd

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// View returns a view of the same memory with another dtype: the bits stay and are reinterpreted. If the two dtypes
// differ in size, the last axis must be contiguous, unless the array is empty; the axis becomes longer or shorter.
// Bytes cannot be viewed as bools. No gradient flows.
// NumPy: ndarray.view.
func (x *Array) View(dt dtype.DType) *Array {
	const fn Func = "Array.View"
	x.check(fn)
	if !dt.Valid() {
		panic(fn.Errorf([]*Array{x}, "no dtype"))
	}
	if dt.IsBool() && !x.dtype.IsBool() {
		panic(fn.Errorf([]*Array{x}, "not all bytes are bools: compare with NotEqual"))
	}
	if x.scalar != nil {
		x = materialize(x)
	}
	v := broadcast.View{Offset: x.offset, Shape: x.Shape(), Strides: x.Strides()}
	old, size := x.dtype.Size(), dt.Size()
	if old != size {
		x.resize(fn, &v, old, size)
	}
	y := x.header(x.fn, v)
	y.dtype = dt
	return y
}

// resize converts v to elements of another size.
func (x *Array) resize(fn Func, v *broadcast.View, old, size int) {
	last := len(v.Shape) - 1
	if last < 0 {
		panic(fn.Errorf([]*Array{x}, "a 0-d array cannot be viewed as elements of another size"))
	}
	empty := broadcast.Size(v.Shape) == 0
	if v.Strides[last] != 1 && v.Shape[last] != 1 && !empty {
		panic(fn.Errorf([]*Array{x}, "strides %v: the last axis must be contiguous for elements of another size", v.Strides))
	}
	whole := func(n int, what string) int {
		if n*old%size != 0 {
			panic(fn.Errorf([]*Array{x}, "%s is not a whole number of elements of %d bytes", what, size))
		}
		return n * old / size
	}
	if empty {
		v.Shape[last] = whole(v.Shape[last], "its last axis")
		*v = broadcast.View{Shape: v.Shape, Strides: broadcast.Strides(v.Shape)}
		return
	}
	v.Offset = whole(v.Offset, "its offset")
	v.Shape[last] = whole(v.Shape[last], "its last axis")
	for k := range last {
		v.Strides[k] = whole(v.Strides[k], "the stride of an axis")
	}
	v.Strides[last] = 1
}
