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
	if element == anyType {
		element = reflect.TypeOf(Empty(nil, x.dtype).Item())
	} else {
		for range x.Rank() {
			if element.Kind() != reflect.Slice {
				panic(fn.Errorf([]*Array{x}, "the type %s has too few levels: want one for every axis", out.Type()))
			}
			element = element.Elem()
		}
	}
	read := elementReaders[element]
	if read == nil {
		panic(fn.Errorf([]*Array{x}, "the type %s has %s for the elements: want the Go type of a dtype, and one level for every axis",
			out.Type(), element))
	}
	out.Set(nest(read(fn, materialize(x)), x.shape, out.Type()))
	return nested
}

var anyType = reflect.TypeFor[any]()

// elementReaders return the elements of an array as a slice, by the type of its elements.
var elementReaders = map[reflect.Type]func(Func, *Array) reflect.Value{
	reflect.TypeFor[bool]():            read[bool],
	reflect.TypeFor[int]():             read[int],
	reflect.TypeFor[int8]():            read[int8],
	reflect.TypeFor[int16]():           read[int16],
	reflect.TypeFor[int32]():           read[int32],
	reflect.TypeFor[int64]():           read[int64],
	reflect.TypeFor[uint8]():           read[uint8],
	reflect.TypeFor[uint16]():          read[uint16],
	reflect.TypeFor[uint32]():          read[uint32],
	reflect.TypeFor[uint64]():          read[uint64],
	reflect.TypeFor[float16.Float16](): read[float16.Float16],
	reflect.TypeFor[dtype.BF16]():      read[dtype.BF16],
	reflect.TypeFor[float32]():         read[float32],
	reflect.TypeFor[float64]():         read[float64],
	reflect.TypeFor[complex64]():       read[complex64],
	reflect.TypeFor[complex128]():      read[complex128],
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
	if t == anyType {
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
