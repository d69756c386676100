package nd

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/x448/float16"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FromSlice returns a new array on the CPU with a copy of data, in row-major order. Without a shape the array has one
// axis. One length of the shape may be -1; it is computed from the others. The dtype is that of T; a slice of int makes
// an int64 array.
// NumPy: array. PyTorch: tensor.
func FromSlice[T dtype.Element | int](data []T, shape ...int) *Array {
	return fromSlice("nd.FromSlice", cpu, data, shape)
}

// FromSliceOn is [FromSlice] on the given device.
func FromSliceOn[T dtype.Element | int](dev device.Device, data []T, shape ...int) *Array {
	return fromSlice("nd.FromSliceOn", dev, data, shape)
}

func fromSlice[T dtype.Element | int](fn Func, dev device.Device, data []T, shape []int) *Array {
	if ints, ok := any(data).([]int); ok {
		wide := make([]int64, len(ints))
		for i, v := range ints {
			wide[i] = int64(v)
		}
		return fromBytes(fn, dev, dtype.Int64, bytesOf(wide), len(wide), shape)
	}
	return fromBytes(fn, dev, elementType[T](), bytesOf(data), len(data), shape)
}

func fromBytes(fn Func, dev device.Device, dt dtype.DType, host []byte, n int, shape []int) *Array {
	if shape == nil {
		shape = []int{n}
	}
	x := allocate(fn, dev, dt, filling(fn, n, shape))
	if n > 0 {
		fn.copyIn(x.store, host)
	}
	return x
}

// filling returns the shape of n elements, with -1 replaced by a length.
func filling(fn Func, n int, shape []int) []int {
	if slices.Contains(shape, -1) {
		resolved, err := broadcast.ResolveShape(shape, n)
		if err != nil {
			panic(fn.Errorf(nil, "%v", err))
		}
		return resolved
	}
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	if broadcast.Size(shape) != n {
		panic(fn.Errorf(nil, "%d elements do not fill shape %s", n, broadcast.FormatShape(shape)))
	}
	return shape
}

// Wrap returns an array on the CPU that uses the caller's slice as its memory: writes to one are visible in the other.
// The shape and the dtype are as in [FromSlice]; a slice of int is refused on platforms where an int has 32 bits. The
// memory is never recycled.
// NumPy: asarray, frombuffer. PyTorch: as_tensor, from_numpy.
func Wrap[T dtype.Element | int](data []T, shape ...int) *Array {
	const fn Func = "nd.Wrap"
	if shape == nil {
		shape = []int{len(data)}
	}
	shape = filling(fn, len(data), shape)
	return wrapped(fn, data, broadcast.View{Shape: shape, Strides: broadcast.Strides(shape)})
}

// WrapStrided is [Wrap] for elements that are not adjacent, as in an image with padded rows: neighbours along axis k
// are strides[k] elements apart in data. No two elements may share an offset.
func WrapStrided[T dtype.Element | int](data []T, shape, strides []int) *Array {
	const fn Func = "nd.WrapStrided"
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	if len(strides) != len(shape) || slices.ContainsFunc(strides, func(step int) bool { return step < 0 }) {
		panic(fn.Errorf(nil, "strides %v of shape %s: want one per axis, none negative", strides, broadcast.FormatShape(shape)))
	}
	if broadcast.Size(shape) == 0 {
		return Wrap(data[:0], shape...)
	}
	last, room := 0, true
	for k, n := range shape {
		room = room && (n == 1 || strides[k] <= (len(data)-1-last)/(n-1))
		if room {
			last += (n - 1) * strides[k]
		}
	}
	if !room || last >= len(data) {
		panic(fn.Errorf(nil, "shape %s with strides %v reaches beyond %d elements", broadcast.FormatShape(shape), strides, len(data)))
	}
	if broadcast.MaySelfOverlap(shape, strides) {
		panic(fn.Errorf(nil, "shape %s with strides %v has two elements at one offset", broadcast.FormatShape(shape), strides))
	}
	return wrapped(fn, data, broadcast.View{Shape: shape, Strides: strides})
}

func wrapped[T dtype.Element | int](fn Func, data []T, v broadcast.View) *Array {
	if _, ints := any(data).([]int); ints && bits.UintSize < 64 {
		panic(fn.Errorf(nil, "an int has %d bits on this platform, and an int64 array needs 64: wrap a slice of int32 or int64", bits.UintSize))
	}
	mem, ok := cpu.Wrap(bytesOf(data))
	if !ok {
		panic(fn.Errorf(nil, "the device cannot use host memory"))
	}
	x := newHeader(fn, len(v.Shape))
	copy(x.shape, v.Shape)
	copy(x.strides, v.Strides)
	x.store, x.dtype = &storage{dev: cpu, block: mem, borrowed: true, onCPU: true}, elementType[T]()
	x.store.pinned.Store(true)
	return x
}

// Data returns the memory of x itself as a slice. Writes to the slice change x, and a tape does not notice them. x must
// be contiguous, of dtype T, and on a device whose memory the host can access. The memory is never recycled after this
// call.
func Data[T dtype.Element](x *Array) []T {
	const fn Func = "nd.Data"
	x.check(fn)
	if x.scalar != nil {
		panic(fn.Errorf(nil, "a Scalar has no memory"))
	}
	x.want(fn, dtype.Of[T]())
	if !x.IsContiguous() {
		panic(fn.Errorf([]*Array{x}, "strides %v are not contiguous: use Contiguous, or ToSlice", x.strides))
	}
	host := x.store.dev.Bytes(x.store.memory())
	if host == nil && x.Size() > 0 {
		panic(fn.Errorf([]*Array{x}, "the host cannot see the memory of device %s: use ToSlice", x.store.dev.Name()))
	}
	fn.gave(x.store)
	x.store.pinned.Store(true) // first, so that nothing is deferred from now on that reads x
	x.store.settle()
	if x.Size() == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&host[x.offset*x.dtype.Size()])), x.Size())
}

// copyOut copies all elements in row-major order to host memory.
func (x *Array) copyOut(fn Func, host []byte) {
	if len(host) == 0 {
		return
	}
	if x.scalar != nil || !x.IsContiguous() {
		x = duplicate(fn, materialize(x))
		defer x.Release()
	}
	fn.copyOut(host, x.store, x.offset*x.dtype.Size())
}

// element returns a pointer to one element: in the memory of x, or in a copy that the host can access.
func (x *Array) element(fn Func, index []int) unsafe.Pointer {
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	if index == nil && x.Size() != 1 {
		panic(fn.Errorf([]*Array{x}, "want an index, or an array of one element"))
	}
	at := x.offset
	if index != nil {
		at = x.at(fn, index)
	}
	size := x.dtype.Size()
	fn.gave(x.store)
	if x.store.onCPU {
		return unsafe.Add(x.store.first(), at*size)
	}
	e := new([2]uint64)
	fn.copyOut(unsafe.Slice((*byte)(unsafe.Pointer(e)), size), x.store, at*size)
	return unsafe.Pointer(e)
}

// at returns the offset of an element in its block, in elements.
func (x *Array) at(fn Func, index []int) int {
	if len(index) != len(x.shape) {
		panic(fn.Errorf([]*Array{x}, "%d indices for %d axes", len(index), len(x.shape)))
	}
	at := x.offset
	for k, i := range index {
		if i < -x.shape[k] || i >= x.shape[k] {
			panic(fn.Errorf([]*Array{x}, "index %d is outside axis %d, of length %d", i, k, x.shape[k]))
		}
		if i < 0 {
			i += x.shape[k]
		}
		at += i * x.strides[k]
	}
	return at
}

func (x *Array) want(fn Func, dt dtype.DType) {
	if x.dtype != dt {
		panic(fn.Errorf([]*Array{x}, "the slice holds %s: convert with AsType", dt))
	}
}

// elementType is dtype.Of, with int as int64.
func elementType[T dtype.Element | int]() dtype.DType {
	var v T
	switch any(v).(type) {
	case bool:
		return dtype.Bool
	case int8:
		return dtype.Int8
	case int16:
		return dtype.Int16
	case int32:
		return dtype.Int32
	case int64, int:
		return dtype.Int64
	case uint8:
		return dtype.Uint8
	case uint16:
		return dtype.Uint16
	case uint32:
		return dtype.Uint32
	case uint64:
		return dtype.Uint64
	case float16.Float16:
		return dtype.Float16
	case dtype.BF16:
		return dtype.BFloat16
	case float32:
		return dtype.Float32
	case float64:
		return dtype.Float64
	case complex64:
		return dtype.Complex64
	}
	return dtype.Complex128
}

// bytesOf returns the memory of a slice as bytes.
func bytesOf[T any](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(unsafe.Sizeof(data[0])))
}
