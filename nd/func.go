package nd

import (
	"fmt"
	"math"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/caller"
)

// Func is the name of a function, such as "ops.Add". Errors, launches and arrays carry the name of the function that
// made them. Func is for authors of functions, who need its methods:
//
//	const fn nd.Func = "mine.Half"
//	fn.Check(x)
//	if !x.DType().IsFloat() {
//		panic(fn.Errorf([]*nd.Array{x}, "want floats"))
//	}
//	y := fn.NewLike(x.DType(), x.Shape(), x)
type Func string

// Errorf returns an error of the function about these operands (nil ones are left out). An error among the arguments
// becomes the cause.
func (fn Func) Errorf(operands []*Array, format string, args ...any) *Error {
	e := &Error{Func: fn, Msg: strings.TrimPrefix(fmt.Sprintf(format, args...), string(fn)+": ")} // a cause may start with the function's name
	for _, x := range operands {
		if x != nil {
			e.Shapes = append(e.Shapes, append([]int{}, x.shape...))
			e.DTypes = append(e.DTypes, x.dtype)
		}
	}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.Err = err
		}
	}
	if called := Func(caller.Function(string(fn))); called != fn {
		e.Func, e.Within = called, fn
	}
	return e
}

// Expect panics with the function's error unless a condition on its arguments holds. want describes the condition; the
// error shows the shapes and dtypes of the operands.
//
//	fn.Expect(x.Rank() == 2, []*nd.Array{x, w}, "want x of 2 axes")
//	fn.Expect(x.Dim(1) == w.Dim(0), []*nd.Array{x, w}, "want as many columns of x as rows of w")
//
// Chainer: utils.type_check.expect.
func (fn Func) Expect(holds bool, operands []*Array, want string, args ...any) {
	if !holds {
		panic(fn.Errorf(operands, want, args...))
	}
}

// Check panics with the function's error if one of the arrays is nil or released, or if arrays are on different
// devices. Scalars match every device.
func (fn Func) Check(xs ...*Array) {
	var first *Array
	var known *Node
	for _, x := range xs {
		x.check(fn)
		if x.scalar != nil {
			continue
		}
		if x.node != nil {
			known = x.node
		}
		if first == nil {
			first = x
		} else if !x.store.sameDevice(first.store) {
			panic(fn.Errorf(xs, "arrays on different devices, %s and %s: move one with To",
				first.store.dev.Name(), x.store.dev.Name()))
		}
	}
	if known != nil {
		fn.called(known.Tape, xs)
	}
}

// Made gives y the function's name for messages, and returns it. A function that has computed its result by another
// exported function calls Made, so that messages about the result name the function that the program called. Functions
// with [Func.Temporaries] need not call Made.
func (fn Func) Made(y *Array) *Array {
	y.fn = fn
	return y
}

// CheckWritable panics with the function's error if x cannot be written to: if it is a Scalar, or if several of its
// elements share one memory location, as in a broadcast view.
func (fn Func) CheckWritable(x *Array) {
	x.check(fn)
	if x.scalar != nil {
		panic(fn.Errorf(nil, "a Scalar cannot be written to"))
	}
	if !broadcast.IsContiguous(x.shape, x.strides) && broadcast.MaySelfOverlap(x.shape, x.strides) {
		panic(fn.Errorf([]*Array{x}, "strides %v repeat elements: write to a Copy", x.strides))
	}
}

// Axis resolves the axis of x that a function works along: the given one, negative axes counted from the end, or def if
// axes is nil. It panics with the function's error if x has no such axis or if several axes are given.
func (fn Func) Axis(x *Array, axes []int, def int) int { return fn.AxisOf(x.Rank(), axes, def, x) }

// AxisOf is Axis for an array of the given rank; the operands are for the message.
func (fn Func) AxisOf(rank int, axes []int, def int, operands ...*Array) int {
	if axes != nil {
		if len(axes) != 1 {
			panic(fn.Errorf(operands, "axes %v: want one", append([]int{}, axes...))) // copied, so that axes may stay on the stack
		}
		def = axes[0]
	}
	k, err := broadcast.Axis(def, rank)
	if err != nil {
		panic(fn.Errorf(operands, "%v", err))
	}
	return k
}

// RefuseOptions panics with the function's error, which says why options of the call are refused.
func (fn Func) RefuseOptions(why string) { panic(fn.Errorf(nil, "%s", why)) }

// CheckAllocatable panics with the function's error unless an int can count, and the memory hold, an array of dtype dt whose
// size is the product of the lengths. Functions call CheckAllocatable on lengths computed from arguments before they compute
// with the lengths, loop over them, or pass them to make, which would end the program.
func (fn Func) CheckAllocatable(dt dtype.DType, lengths ...int) {
	n := broadcast.Product(lengths...)
	if n < 0 {
		panic(fn.Errorf(nil, "%d elements: want at least 0", n))
	}
	total, most := broadcast.Product(n, dt.Size()), device.HostMemory()
	if total == math.MaxInt || most > 0 && uint64(total) > most {
		panic(fn.Errorf(nil, "out of memory: %d elements of %d bytes", n, dt.Size()))
	}
}

// NewLike returns an uninitialised contiguous array for a result. It is on the device of the inputs, and the youngest
// of their arenas owns it.
func (fn Func) NewLike(dt dtype.DType, shape []int, in ...*Array) *Array {
	computeBefore(in, dt, shape)
	return fn.newLike(dt, shape, in)
}

// computeBefore computes pending operands of a function before its result is allocated: what only they read is free then. A result that
// is smaller than they are, such as a sum, may compute them itself.
func computeBefore(in []*Array, dt dtype.DType, shape []int) {
	for _, x := range in {
		if x != nil && x.store != nil && x.store.pending.Load() != nil && x.store.bytes() <= dt.Size()*broadcast.Size(shape) {
			x.store.compute()
		}
	}
}

func (fn Func) newLike(dt dtype.DType, shape []int, in []*Array) *Array {
	var dev device.Device
	for _, x := range in {
		if x != nil && x.store != nil {
			dev = x.store.dev
			break
		}
	}
	if dev == nil {
		dev = cpu
	}
	y := allocate(fn, dev, dt, shape)
	youngest(in).own(y)
	return y
}

// NewFilled is NewLike with every element set to value.
func (fn Func) NewFilled(dt dtype.DType, shape []int, value float64, in ...*Array) *Array {
	y := fn.newLike(dt, shape, in)
	y.fill(fn, scalarValueOf(value))
	return y
}
