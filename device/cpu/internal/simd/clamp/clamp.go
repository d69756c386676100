// Package clamp has the function that tiles of convolutions and of matrix products apply to their sums in registers: a
// minimum and a maximum with numbers, such as ReLU.
package clamp

import (
	"cmp"
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Bounds limits sums: each becomes min(max(sum, Low), High) + Zero. At a tie, and if it is NaN, the sum stays. Zero is -0, which changes
// nothing, or 0, which makes 0 of -0.
type Bounds[T cmp.Ordered] struct{ Low, High, Zero T }

// Of limits a sum, as the routines do; nil limits nothing.
func (b *Bounds[T]) Of(sum T) T {
	if b == nil {
		return sum
	}
	if b.Low > sum {
		sum = b.Low
	}
	if b.High < sum {
		sum = b.High
	}
	return sum + b.Zero
}

// Clamp is a function of float32 or float64 numbers.
type Clamp struct {
	Single Bounds[float32]
	Double Bounds[float64]
}

// Bounds returns the address of the bounds of a type; nil has none.
func (c *Clamp) Bounds(t dtype.DType) unsafe.Pointer {
	switch {
	case c == nil:
		return nil
	case t == dtype.Float64:
		return unsafe.Pointer(&c.Double)
	}
	return unsafe.Pointer(&c.Single)
}

// Find returns the Clamp with the results of a program, bit by bit, which also distinguishes zeros of both signs, or nil. The program must
// be the minimum of a number and the maximum of its input and another number, or one of these, and compute in the given float type.
func Find(p *device.Program, t dtype.DType) *Clamp {
	b := Bounds[float64]{Low: math.Inf(-1), High: math.Inf(1), Zero: math.Copysign(0, -1)}
	at := &p.Code[p.Results[0]]
	bound := func(op device.Op) (v float64, first, ok bool) {
		if at.Op != op || at.Type != t {
			return 0, false, false
		}
		x, y := &p.Code[at.A], &p.Code[at.B]
		switch {
		case x.Op == device.OpConst:
			at = y
			return x.Value.Re, true, true
		case y.Op == device.OpConst:
			at = x
			return y.Value.Re, false, true
		}
		return 0, false, false
	}
	high, _, hasHigh := bound(device.OpMin)
	low, first, hasLow := bound(device.OpMax)
	if hasHigh {
		b.High = high
	}
	if hasLow {
		b.Low = low
	}
	if hasLow && low == 0 && first { // the number is the maximum at a tie
		b.Zero = 0
	}
	isPlain := !math.IsNaN(low) && !math.IsNaN(high) && !(hasHigh && high == 0) && !(low == 0 && math.Signbit(low))
	if !(hasHigh || hasLow) || !isPlain || at.Op != device.OpInput {
		return nil
	}
	return &Clamp{Bounds[float32]{float32(b.Low), float32(b.High), float32(b.Zero)}, b}
}
