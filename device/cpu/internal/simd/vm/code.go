package vm

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Code is a program translated to a list of handlers, for one layout of the operands and one vector width.
type Code struct {
	main, tail []instruction
	wide       bool // vectors of 512 bits
	double     bool // lanes of 64 bits
	lanes      int  // how many elements a handler processes
	piece      int  // the most elements that one call computes
	slots      int
	Cost       float64  // estimated nanoseconds per element
	numbers    []number // where the scalars come from
	rare       map[int]rareCase
	streams    [maxStreams]int // the size of a stream's elements in bytes; 0 if there is no stream
	firstInput int             // the first input in the order of a launch
	outputs    uint            // a bit mask of the streams that are written
	partial    bool            // not all elements of the outputs are written
	layout     Layout
}

// laneSize is the number of bytes of a lane.
func (c *Code) laneSize() int {
	if c.double {
		return 8
	}
	return 4
}

// Doubles reports whether the code computes in lanes of 64 bits.
func (c *Code) Doubles() bool { return c.double }

// instruction is the address of a handler and its operand. If the operand has two parts, the second is in the high
// half.
type instruction struct {
	handler uintptr
	operand uint64
}

// maxStreams is the largest number of operands of a launch.
const maxStreams = device.MaxOperands

// number says where a scalar comes from.
type number struct {
	op      device.Op // OpConst, OpScalar, OpSize, or OpInput for an operand that has only one element
	index   int
	dtype   dtype.DType
	storage dtype.DType // OpInput
	bits    uint64      // OpConst
	divisor divisor     // what of it is used if it is a divisor
}

// divisor says what a number is for a division of 32-bit integers: itself, or one of the numbers with which such a division is a product,
// ⌊x·inverse + half⌋ in float64: half is 1/(2·|divisor|), far more than the rounding errors, and less than the distance to the next integer.
type divisor struct {
	part divisorPart
	rest bool // the remainder is wanted, which is 0 for the divisor 0, as for the divisor 1
}

type divisorPart uint8

const (
	wholeDivisor divisorPart = iota
	inverse
	half
)

// rareCase describes a handler that leaves rare elements to Go: a function with its limit for arguments, or a division,
// which leaves all current elements to Go if a quotient is too large.
type rareCase struct {
	op       device.Op
	limit    float64
	function func(float64) float64
}

// bitsFrom returns the bits of a lane for a number that comes from a scalar.
func (c *Code) bitsFrom(n *number, s device.Scalar) uint64 {
	bits := c.bitsOf(s, n.dtype)
	if n.divisor == (divisor{}) {
		return bits
	}
	d := float64(int64(bits))
	switch {
	case d == 0 && !n.divisor.rest:
		return 0 // the quotient is 0
	case d == 0:
		d = 1
	}
	switch n.divisor.part {
	case inverse:
		return math.Float64bits(1 / d)
	case half:
		return math.Float64bits(0.5 / math.Abs(d))
	}
	return uint64(int64(d))
}

// bitsOf returns the bits of a lane that holds a scalar as a value of type t.
func (c *Code) bitsOf(s device.Scalar, t dtype.DType) uint64 {
	switch {
	case t.IsBool():
		if s.Int != 0 {
			return math.MaxUint64
		}
		return 0
	case t == dtype.Float32 && !c.double:
		return uint64(math.Float32bits(float32(s.Re)))
	case t == dtype.Float32:
		return math.Float64bits(float64(float32(s.Re)))
	case t == dtype.Float64:
		return math.Float64bits(s.Re)
	case t == dtype.Int8:
		return uint64(int8(s.Int))
	case t == dtype.Uint8:
		return uint64(uint8(s.Int))
	case t == dtype.Int16:
		return uint64(int16(s.Int))
	case t == dtype.Uint16:
		return uint64(uint16(s.Int))
	case t == dtype.Int32:
		return uint64(int32(s.Int))
	}
	return uint64(s.Int)
}

// bitsAt is bitsOf for an element in memory, converted to type t.
func (c *Code) bitsAt(p unsafe.Pointer, storage, t dtype.DType) uint64 {
	if storage == t {
		switch {
		case t == dtype.Float32 && !c.double:
			return uint64(*(*uint32)(p))
		case t == dtype.Float64:
			return *(*uint64)(p)
		}
	}
	var s device.Scalar
	switch {
	case t == dtype.Float32: // rounded once, whatever the storage type is
		var v float32
		dtype.Convert(t, unsafe.Pointer(&v), 1, storage, p, 1, 1)
		s.Re = float64(v)
	case t == dtype.Float64:
		dtype.Convert(t, unsafe.Pointer(&s.Re), 1, storage, p, 1, 1)
	case t.IsBool():
		var v bool
		dtype.Convert(t, unsafe.Pointer(&v), 1, storage, p, 1, 1)
		if v {
			s.Int = 1
		}
	default:
		var v int64
		dtype.Convert(t, unsafe.Pointer(&v), 1, storage, p, 1, 1)
		s.Int = v // the low bits, which are all that bitsOf reads
	}
	return c.bitsOf(s, t)
}
