package nd

import (
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ToSlice returns a copy of the elements in row-major order. T is the dtype's Go type, or a type that holds all values
// of the dtype (NumPy's casting rule "safe"): []int for all integers but uint64, []float64 for all dtypes but complex
// ones.
// NumPy: ndarray.tolist.
func ToSlice[T dtype.Element | int](x *Array) []T {
	const fn Func = "nd.ToSlice"
	x.check(fn)
	out := make([]T, x.Size())
	copyElements(fn, out, x)
	return out
}

// CopyTo copies the elements in row-major order to dst, whose length must be the number of elements; T is as in
// [ToSlice].
func CopyTo[T dtype.Element | int](dst []T, x *Array) {
	const fn Func = "nd.CopyTo"
	x.check(fn)
	if len(dst) != x.Size() {
		panic(fn.Errorf([]*Array{x}, "the slice has %d elements", len(dst)))
	}
	copyElements(fn, dst, x)
}

// copyElements copies all elements, and converts them if no value is lost.
func copyElements[T dtype.Element | int](fn Func, dst []T, x *Array) {
	to := elementType[T]()
	if ints, ok := any(dst).([]int); ok && bits.UintSize < 64 {
		wide := make([]int64, len(ints))
		copyElements(fn, wide, x)
		for i, v := range wide {
			if ints[i] = int(v); int64(ints[i]) != v {
				panic(fn.Errorf([]*Array{x}, "%d does not fit an int on this machine", v))
			}
		}
		return
	}
	if x.dtype == to {
		x.copyOut(fn, bytesOf(dst))
		return
	}
	if !dtype.CanCast(x.dtype, to, dtype.CastSafe) {
		panic(fn.Errorf([]*Array{x}, "a slice of %s cannot hold all values of %s: convert with AsType", to, x.dtype))
	}
	if len(dst) == 0 {
		return
	}
	host := make([]byte, x.Bytes())
	x.copyOut(fn, host)
	dtype.Convert(to, unsafe.Pointer(&dst[0]), 1, x.dtype, unsafe.Pointer(&host[0]), 1, len(dst))
}

// FromRows returns a new matrix with a copy of the rows, which must have the same length. Without rows its shape is (0,
// 0). The dtype is as in [FromSlice].
func FromRows[T dtype.Element | int](rows [][]T) *Array {
	const fn Func = "nd.FromRows"
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0])
	}
	fn.CheckAllocatable(elementType[T](), len(rows), columns)
	data := make([]T, 0, len(rows)*columns)
	for i, row := range rows {
		if len(row) != columns {
			panic(fn.Errorf(nil, "row %d has %d elements, row 0 has %d", i, len(row), columns))
		}
		data = append(data, row...)
	}
	return FromSlice(data, len(rows), columns)
}

// ToRows returns a copy of a matrix as a slice of rows; T is as in [ToSlice].
func ToRows[T dtype.Element | int](x *Array) [][]T {
	const fn Func = "nd.ToRows"
	x.check(fn)
	if x.Rank() != 2 {
		panic(fn.Errorf([]*Array{x}, "want a matrix"))
	}
	data := make([]T, x.Size())
	copyElements(fn, data, x)
	rows, columns := make([][]T, x.shape[0]), x.shape[1]
	for i := range rows {
		rows[i] = data[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return rows
}

// Float returns the element at index, or the only element of an array of size 1, as a float64, converted as by
// [Array.AsType]. [Value] returns other types, and [Array.Item] the Go type of the dtype.
// NumPy: ndarray.item. PyTorch: Tensor.item.
func (x *Array) Float(index ...int) float64 { return valueOf[float64]("Array.Float", x, index) }

// Value returns the element at index, or the only element of an array of size 1, converted to T as by [Array.AsType].
// NumPy: ndarray.item.
func Value[T dtype.Element | int](x *Array, index ...int) T { return valueOf[T]("nd.Value", x, index) }

func valueOf[T dtype.Element | int](fn Func, x *Array, index []int) T {
	var v T
	to, p := elementType[T](), unsafe.Pointer(&v)
	if x != nil && x.scalar != nil && x.scalar.fits(to) {
		x = materializeAs(x, to)
	}
	e := x.element(fn, index)
	var wide int64
	if _, ok := any(v).(int); ok {
		p = unsafe.Pointer(&wide)
	}
	dtype.Convert(to, p, 1, x.dtype, e, 1, 1)
	runtime.KeepAlive(x)
	if _, ok := any(v).(int); ok {
		return any(int(wide)).(T)
	}
	return v
}

// Item returns the element at index, or the only element of an array of size 1, as the Go value of the dtype (16-bit
// floats as float32).
func (x *Array) Item(index ...int) any {
	defer runtime.KeepAlive(x)
	e := x.element("Array.Item", index)
	switch x.dtype {
	case dtype.Bool:
		return *(*bool)(e)
	case dtype.Int8:
		return *(*int8)(e)
	case dtype.Int16:
		return *(*int16)(e)
	case dtype.Int32:
		return *(*int32)(e)
	case dtype.Int64:
		return *(*int64)(e)
	case dtype.Uint8:
		return *(*uint8)(e)
	case dtype.Uint16:
		return *(*uint16)(e)
	case dtype.Uint32:
		return *(*uint32)(e)
	case dtype.Uint64:
		return *(*uint64)(e)
	case dtype.Float16:
		return (*(*float16.Float16)(e)).Float32()
	case dtype.BFloat16:
		return (*(*dtype.BF16)(e)).Float32()
	case dtype.Float32:
		return *(*float32)(e)
	case dtype.Float64:
		return *(*float64)(e)
	case dtype.Complex64:
		return *(*complex64)(e)
	}
	return *(*complex128)(e)
}
