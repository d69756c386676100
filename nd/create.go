package nd

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd/dtype"

	_ "github.com/ndgrad/ndgrad/device/cpu" // the default device registers itself
)

// cpu is the device of new arrays unless another one is given.
var cpu = mustGet("cpu")

func mustGet(name string) device.Device {
	d, err := device.Get(name)
	if err != nil {
		panic(err)
	}
	return d
}

// ArrayOptions describe a new array. The zero value means float64, on the CPU, in row-major order.
type ArrayOptions struct {
	DType  dtype.DType
	Device device.Device
}

// ArrayOption is an [ArrayOptions], or its settings alone: a dtype, a device, or both. Zeros(shape, dtype.Float32).
type ArrayOption interface{ ArrayOption() }

// ArrayOption marks the struct as an option.
func (ArrayOptions) ArrayOption() {}

// ArrayOptions reads the options of a function that makes arrays. The usual forms go a short way, which small arrays feel.
func (fn Func) ArrayOptions(opts []ArrayOption) ArrayOptions {
	if len(opts) == 0 {
		return ArrayOptions{}
	}
	if len(opts) == 1 {
		switch given := opts[0].(type) {
		case ArrayOptions:
			return given
		case dtype.DType:
			return ArrayOptions{DType: given}
		}
	}
	return options.OfTwo(fn, opts, ofDType, onDevice)
}

func ofDType(dt dtype.DType, o ArrayOptions) ArrayOptions     { o.DType = dt; return o }
func onDevice(dev device.Device, o ArrayOptions) ArrayOptions { o.Device = dev; return o }

// or returns the dtype and the device of the options; dt and dev replace those that the options leave out.
func (o ArrayOptions) or(dt dtype.DType, dev device.Device) (dtype.DType, device.Device) {
	if o.DType.Valid() {
		dt = o.DType
	}
	if o.Device != nil {
		dev = o.Device
	}
	return dt, dev
}

// Empty returns an array with arbitrary content.
// NumPy: empty.
func Empty(shape []int, opts ...ArrayOption) *Array {
	const fn Func = "nd.Empty"
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	return allocate(fn, dev, dt, shape)
}

// Zeros returns an array of zeros.
// NumPy: zeros.
func Zeros(shape []int, opts ...ArrayOption) *Array { return filled("nd.Zeros", shape, 0, opts) }

// Ones returns an array of ones.
// NumPy: ones.
func Ones(shape []int, opts ...ArrayOption) *Array { return filled("nd.Ones", shape, 1, opts) }

// Full returns an array filled with one value. The dtype must hold the value: an integer out of range is refused, and
// so are a float whose whole part is out of range and a complex number for a real dtype. Without a dtype the result has
// the dtype of the value: bool, int64, float64 or complex128.
// NumPy: full.
func Full[V Number](shape []int, value V, opts ...ArrayOption) *Array {
	return filled("nd.Full", shape, value, opts)
}

func filled[V Number](fn Func, shape []int, value V, opts []ArrayOption) *Array {
	im := scalarValueOf(value)
	def := im.kind.strong()
	if fn != "nd.Full" {
		def = dtype.Float64
	}
	dt, dev := fn.ArrayOptions(opts).or(def, cpu)
	y := allocate(fn, dev, dt, shape)
	y.fill(fn, im)
	return y
}

// ZerosLike returns zeros with x's shape, memory order, dtype and device, unless the options say otherwise.
// NumPy: zeros_like.
func ZerosLike(x *Array, opts ...ArrayOption) *Array { return filledLike("nd.ZerosLike", x, 0, opts) }

// OnesLike returns ones with x's shape, dtype and device, unless the options say otherwise.
// NumPy: ones_like.
func OnesLike(x *Array, opts ...ArrayOption) *Array { return filledLike("nd.OnesLike", x, 1, opts) }

// EmptyLike returns an array with x's shape, dtype and device, and arbitrary content.
// NumPy: empty_like.
func EmptyLike(x *Array, opts ...ArrayOption) *Array { return like("nd.EmptyLike", x, opts) }

// FullLike returns an array filled with one value, with x's shape, dtype and device.
// NumPy: full_like.
func FullLike[V Number](x *Array, value V, opts ...ArrayOption) *Array {
	return filledLike("nd.FullLike", x, value, opts)
}

func filledLike[V Number](fn Func, x *Array, value V, opts []ArrayOption) *Array {
	y := like(fn, x, opts)
	y.fill(fn, scalarValueOf(value))
	return y
}

// like allocates an array like x; x's arena owns the result.
func like(fn Func, x *Array, opts []ArrayOption) *Array {
	x.check(fn)
	beside := cpu
	if x.store != nil {
		beside = x.store.dev
	}
	dt, dev := fn.ArrayOptions(opts).or(x.dtype, beside)
	return newInOrderOf(fn, dt, dev, x)
}

var (
	fills = device.Programs{Source: device.Source{Name: "fill", Scalars: "T v", Outputs: "T y", Body: "y = v"}}
	ramps = device.Programs{Source: device.Source{Name: "ramp", Scalars: "T first, T step", Outputs: "T y",
		Body: "y = first + T(i)*step"}}
)

// fill writes a value to every element.
func (x *Array) fill(fn Func, im scalarValue) {
	if why := im.misfit(x.dtype); why != "" {
		panic(fn.Errorf([]*Array{x}, "%s", why))
	}
	l := fn.Launch(x.store.dev, x.shape)
	l.Program = fills.Of(dtype.ComputeType(x.dtype))
	l.Write(x)
	l.Scalars[0] = im.as(x.dtype)
	l.Run(device.Device.Elementwise)
}

// Arange returns start, start+step, … below stop (above stop for a negative step), computed as start + i·step.
// [ArangeInt] does the same with integers.
// NumPy: arange (of floats).
func Arange(start, stop, step float64, opts ...ArrayOption) *Array {
	const fn Func = "nd.Arange"
	if step == 0 || math.IsNaN(start) || math.IsNaN(stop) || math.IsNaN(step) {
		panic(fn.Errorf(nil, "arange(%v, %v, %v): want a nonzero step and no NaN", start, stop, step))
	}
	count := math.Ceil((stop - start) / step)
	if !(count <= 1<<53) { // NaN, of ∞/∞, is refused too
		panic(fn.Errorf(nil, "arange(%v, %v, %v): too many elements", start, stop, step))
	}
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	return ramp(fn, dev, dt, max(int(count), 0), scalarValueOf(start), scalarValueOf(step))
}

// ArangeInt is Arange for integers; the default dtype is int64.
func ArangeInt(start, stop, step int, opts ...ArrayOption) *Array {
	const fn Func = "nd.ArangeInt"
	if step == 0 {
		panic(fn.Errorf(nil, "arange(%d, %d, %d): want a step that is not 0", start, stop, step))
	}
	dt, dev := fn.ArrayOptions(opts).or(dtype.Int64, cpu)
	count := uint(0) // unsigned: the distance between two ints, and the size of a step, may exceed an int
	if step > 0 && stop > start {
		count = (uint(stop)-uint(start)-1)/uint(step) + 1
	} else if step < 0 && stop < start {
		count = (uint(start)-uint(stop)-1)/-uint(step) + 1
	}
	if count > math.MaxInt {
		panic(fn.Errorf(nil, "arange(%d, %d, %d): too many elements", start, stop, step))
	}
	for i := range min(int(count), 2) {
		if at := scalarValueOf(start + i*step); !at.fits(dt) {
			panic(fn.Errorf(nil, "the integer %d is out of bounds for %s", start+i*step, dt))
		}
	}
	return ramp(fn, dev, dt, int(count), scalarValueOf(start), scalarValueOf(step))
}

// ramp returns the array first + i·step. It is computed in float64 or int64 and converted, as in NumPy.
func ramp(fn Func, dev device.Device, dt dtype.DType, n int, first, step scalarValue) *Array {
	y := allocate(fn, dev, dt, []int{n})
	l := fn.Launch(dev, y.shape)
	compute := first.kind.strong()
	l.Program = ramps.Of(compute)
	l.Write(y)
	l.Scalars[0], l.Scalars[1] = first.as(compute), step.as(compute)
	l.Run(device.Device.Elementwise)
	return y
}
