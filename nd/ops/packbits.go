package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// BitOrder says which bit of a byte comes first.
type BitOrder string

const (
	BigBitOrder    BitOrder = "big"    // the highest
	LittleBitOrder BitOrder = "little" // the lowest
)

// BitsOptions are the options of PackBits and UnpackBits.
type BitsOptions struct {
	// Axis is the axis to work along; a negative axis counts from the end. Nil means the flattened array.
	Axis Axes
	// BitOrder says which bit of a byte comes first; the default is BigBitOrder.
	BitOrder BitOrder
}

// shifts returns the shifts (uint8) of the eight bits of a byte in their order.
func (o BitsOptions) shifts(fn nd.Func, made *nd.Temporaries, x *nd.Array) *nd.Array {
	up := made.Own(nd.ArangeInt(0, 8, 1, nd.ArrayOptions{DType: dtype.Uint8, Device: x.Device()}))
	switch o.BitOrder {
	case "", BigBitOrder:
		return up.Flip(0)
	case LittleBitOrder:
		return up
	}
	panic(fn.Errorf([]*nd.Array{x}, "bit order %q: want big or little", o.BitOrder))
}

// PackBits returns bytes (uint8) that each hold eight elements along an axis: a bit is set if its element is not 0. The
// last byte is padded with zeros. x holds bools or integers.
// NumPy: packbits.
func PackBits(x *nd.Array, opts ...BitsOption) *nd.Array {
	const fn nd.Func = "ops.PackBits"
	fn.Check(x)
	if !x.DType().IsBool() && !x.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{x}, "want bools or integers"))
	}
	o := options.Of(fn, opts, Axes.bits)
	made := fn.Temporaries(&x)
	defer made.Release()
	shifts := o.shifts(fn, made, x)
	x, axis := flatOr(fn, x, o.Axis)
	last := NotEqual(x, 0).MoveAxis([]int{axis}, []int{-1})
	widths := make([][2]int, x.Rank())
	widths[x.Rank()-1][1] = (8 - last.Dim(-1)%8) % 8
	last = Pad(last, widths)
	shape := last.Shape()
	shape[len(shape)-1] /= 8
	bits := last.AsType(dtype.Uint8).Reshape(append(shape, 8)...)
	bytes := Sum(LeftShift(bits, shifts), ReduceOptions{Axes: Over(-1), DType: dtype.Uint8})
	return made.Keep(bytes.MoveAxis([]int{-1}, []int{axis}).Contiguous())
}

// UnpackOptions are the options of UnpackBits.
type UnpackOptions struct {
	// Axis is the axis to work along; a negative axis counts from the end. Nil means the flattened array.
	Axis Axes
	// Count is the number of bits to return; bits beyond the end are 0. A negative Count leaves off that many bits at
	// the end. Nil means all.
	Count *int
	// BitOrder says which bit of a byte comes first; the default is BigBitOrder.
	BitOrder BitOrder
}

// UnpackBits returns the bits of bytes (uint8) along an axis, as zeros and ones of dtype uint8.
// NumPy: unpackbits.
func UnpackBits(x *nd.Array, opts ...UnpackOption) *nd.Array {
	const fn nd.Func = "ops.UnpackBits"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.unpack)
	if x.DType() != dtype.Uint8 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of dtype uint8"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	shifts := BitsOptions{BitOrder: o.BitOrder}.shifts(fn, made, x)
	x, axis := flatOr(fn, x, o.Axis)
	last := x.MoveAxis([]int{axis}, []int{-1})
	shape := last.Shape()
	shape[len(shape)-1] = broadcast.Product(shape[len(shape)-1], 8)
	bits := BitwiseAnd(RightShift(last.ExpandDims(-1), shifts), 1).Reshape(shape...)
	if n := shape[len(shape)-1]; o.Count != nil {
		count := *o.Count
		if count < 0 {
			count += n
		}
		if count < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "count %d leaves more bits off than the %d available", *o.Count, n))
		}
		widths := make([][2]int, len(shape))
		widths[len(shape)-1][1] = max(count-n, 0)
		bits = Pad(bits, widths).Index(nd.Ellipsis(), nd.Until(count))
	}
	return made.Keep(bits.MoveAxis([]int{-1}, []int{axis}).Contiguous())
}
