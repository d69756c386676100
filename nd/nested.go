package nd

import (
	"reflect"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ToNested returns a copy of x as nested slices, with one level for each axis: ToNested[[][][]float64](x) for three axes.
// The innermost type is as in [ToSlice]; for a 0-d array it is S itself. S may also be any, which fits every rank: then
// all slices are of type []any, and the elements are what [Array.Item] returns. ToNested panics if the number of levels
// differs from the number of axes. [ToRows] is faster for a matrix.
// NumPy: ndarray.tolist. PyTorch: Tensor.tolist.
func ToNested[S any](x *Array) S {
	const fn Func = "nd.ToNested"
	x.check(fn)
	var nested S
	out := reflect.ValueOf(&nested).Elem()
	element := out.Type()
	if element == reflect.TypeFor[any]() {
		element = reflect.TypeOf(Empty(nil, x.dtype).Item())
	} else {
		for range x.Rank() {
			if element.Kind() != reflect.Slice {
				panic(fn.Errorf([]*Array{x}, "the type %s has too few levels: want one for every axis", out.Type()))
			}
			element = element.Elem()
		}
	}
	read := elementReader(element)
	if read == nil {
		panic(fn.Errorf([]*Array{x}, "the type %s has %s for the elements: want the Go type of a dtype, and one level for every axis",
			out.Type(), element))
	}
	out.Set(nest(read(fn, materialize(x)), x.shape, out.Type()))
	return nested
}

// elementReader returns the function that returns the elements of an array as a slice of them, by their type; nil if it is
// no type of elements.
func elementReader(t reflect.Type) func(Func, *Array) reflect.Value {
	switch t {
	case reflect.TypeFor[bool]():
		return read[bool]
	case reflect.TypeFor[int]():
		return read[int]
	case reflect.TypeFor[int8]():
		return read[int8]
	case reflect.TypeFor[int16]():
		return read[int16]
	case reflect.TypeFor[int32]():
		return read[int32]
	case reflect.TypeFor[int64]():
		return read[int64]
	case reflect.TypeFor[uint8]():
		return read[uint8]
	case reflect.TypeFor[uint16]():
		return read[uint16]
	case reflect.TypeFor[uint32]():
		return read[uint32]
	case reflect.TypeFor[uint64]():
		return read[uint64]
	case reflect.TypeFor[float16.Float16]():
		return read[float16.Float16]
	case reflect.TypeFor[dtype.BF16]():
		return read[dtype.BF16]
	case reflect.TypeFor[float32]():
		return read[float32]
	case reflect.TypeFor[float64]():
		return read[float64]
	case reflect.TypeFor[complex64]():
		return read[complex64]
	case reflect.TypeFor[complex128]():
		return read[complex128]
	}
	return nil
}

func read[T dtype.Element | int](fn Func, x *Array) reflect.Value {
	out := make([]T, x.Size())
	copyElements(fn, out, x)
	return reflect.ValueOf(out)
}

// nest returns the elements of an array of some shape as a value of type t, a slice with one level for each axis.
func nest(elements reflect.Value, shape []int, t reflect.Type) reflect.Value {
	if len(shape) == 0 {
		return elements.Index(0)
	}
	n := shape[0]
	if t == reflect.TypeFor[any]() {
		t = reflect.TypeFor[[]any]()
	} else if len(shape) == 1 {
		return elements.Slice3(0, n, n)
	}
	list := reflect.MakeSlice(t, n, n)
	for i := range n {
		step := elements.Len() / n
		list.Index(i).Set(nest(elements.Slice(i*step, (i+1)*step), shape[1:], t.Elem()))
	}
	return list
}
