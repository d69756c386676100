package vm

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// instruction translates an instruction of the program.
func (c *compiler) instruction(v device.Reg) {
	in := &c.program.Code[v]
	if c.uses[v] == 0 {
		return
	}
	switch in.Op {
	case device.OpInput, device.OpScalar, device.OpConst, device.OpSize:
		return
	case device.OpSelect:
		c.ensureHome(in.B)
		c.ensureHome(in.C)
		c.loadAccumulator(in.A)
		x, y := c.homes[in.B], c.homes[in.C]
		c.consume(in.A, in.B, in.C)
		c.emit("select."+x.form+y.form, x.offset|y.offset<<32)
	case device.OpCast:
		c.loadAccumulator(in.A)
		c.consume(in.A)
		c.convert(c.program.Code[in.A].Type, in.Type)
	default:
		if in.Op.Arity() == 2 {
			c.binary(in)
		} else {
			c.unary(in)
		}
	}
	c.acc = v
}

func (c *compiler) unary(in *device.Inst) {
	c.loadAccumulator(in.A)
	c.consume(in.A)
	from := c.program.Code[in.A].Type
	name := unaryName(in.Op, from)
	if name == "sqrt" && c.code.wide && !c.code.double && isa.RootsInSteps() {
		name = "stepsqrt"
	}
	if c.activation != "" {
		name = c.activation
	}
	if name == "" {
		c.failed = true
		return
	}
	if name != "same" {
		if limit, ok := limitOf(name); ok {
			c.code.rare[len(c.code.main)] = rareCase{op: in.Op, limit: limit[lane(c.code.double)], function: scalar.Functions[in.Op]}
		}
		c.emit(name, 0)
		c.narrow(in.Op, in.Type)
	}
}

func lane(double bool) int {
	if double {
		return 1
	}
	return 0
}

func (c *compiler) binary(in *device.Inst) {
	name, reversed := binaryNames(in.Op, c.program.Code[in.A].Type)
	if name == "" || c.program.Code[in.A].Type != c.program.Code[in.B].Type {
		c.failed = true
		return
	}
	if in.Op == device.OpFloorDiv && in.Type == dtype.Float32 && c.code.double { // each step must be rounded
		c.failed = true
		return
	}
	a, b := in.A, in.B
	if c.dividesByNumber(in) {
		c.loadAccumulator(a)
		c.consume(a, b)
		c.emit(name+"by.scalar", c.partsOf(in))
		c.narrow(in.Op, in.Type)
		return
	}
	if a == b && (name == "add" || name == "mul") {
		c.loadAccumulator(a)
		c.consume(a, a)
		c.emit(name+".self", 0)
		c.narrow(in.Op, in.Type)
		return
	}
	if a == b {
		c.ensureHome(a)
	} else if c.homes[b].form == "" && c.acc != b {
		c.ensureHome(b)
	}
	if c.acc == b && reversed != "" && c.homes[a].form != "" {
		a, b, name = b, a, reversed
	} else {
		if c.homes[b].form == "" {
			c.spill()
		}
		c.loadAccumulator(a)
	}
	h := c.homes[b]
	c.consume(a, b)
	if long(in.Op, in.Type) {
		c.emit("second."+h.form, h.offset)
		if in.Type.IsFloat() {
			c.code.rare[len(c.code.main)] = rareCase{op: in.Op}
		}
		c.emit(name, 0)
	} else {
		c.emit(c.simpler(name, b)+"."+h.form, h.offset)
	}
	c.narrow(in.Op, in.Type)
}

// dividesByNumber reports whether an instruction divides integers of up to 32 bits by one number, which is known before the first element.
func (c *compiler) dividesByNumber(in *device.Inst) bool {
	by := device.OpInput
	if in.Op == device.OpFloorDiv || in.Op == device.OpMod {
		by = c.program.Code[in.B].Op
	}
	return (by == device.OpScalar || by == device.OpConst) && in.Type.IsInteger() && !c.code.double
}

// partsOf adds the numbers with which a division is a product, and returns their offset.
func (c *compiler) partsOf(in *device.Inst) int {
	by, offset := &c.program.Code[in.B], 8*len(c.code.numbers)
	for _, part := range []divisorPart{inverse, half, wholeDivisor} {
		n := number{op: by.Op, index: by.Index, dtype: by.Type, divisor: divisor{part, in.Op == device.OpMod}}
		n.bits = c.code.bitsFrom(&n, by.Value)
		c.code.numbers = append(c.code.numbers, n)
	}
	return offset
}

// simpler returns a cheaper handler of an operation if the operand is a constant other than NaN.
func (c *compiler) simpler(name string, operand device.Reg) string {
	in := &c.program.Code[operand]
	if in.Op != device.OpConst || !in.Type.IsFloat() || math.IsNaN(in.Value.Re) {
		return name
	}
	switch name {
	case "max", "min":
		return name + "number"
	case "rmax", "rmin": // the sign of a zero matters
		if in.Value.Re != 0 {
			return name[1:] + "number"
		}
	}
	return name
}

// divides reports whether an operation is a division with an integral quotient, or its remainder.
func divides(op device.Op) bool {
	return op == device.OpFloorDiv || op == device.OpMod || op == device.OpFmod
}

// long reports whether the handler of an operation reads its second argument from a slot.
func long(op device.Op, t dtype.DType) bool {
	return divides(op) || t.IsInteger() && (op == device.OpDiv || op == device.OpPow)
}

// narrow rounds or wraps the result of an operation to its type.
func (c *compiler) narrow(op device.Op, t dtype.DType) {
	switch {
	case t == dtype.Float32 && c.code.double && !exact[op]:
		c.emit("round32", 0)
	case t.IsInteger() && grows[op]:
		c.wrap(t)
	}
}

// wrap truncates integers to the bits of a type.
func (c *compiler) wrap(t dtype.DType) {
	if !c.native(t) {
		c.emit("wrap"+shortName(t), 0)
	}
}

// exact marks operations whose results are among their arguments or as short; grows marks operations whose results may
// leave a type's range.
var exact = func() (m [device.OpCount]bool) {
	for _, op := range []device.Op{device.OpMin, device.OpMax, device.OpFMin, device.OpFMax, device.OpCopySign, device.OpNeg, device.OpAbs,
		device.OpSign, device.OpFloor, device.OpCeil, device.OpTrunc, device.OpRint, device.OpRoundAway} {
		m[op] = true
	}
	return m
}()

var grows = func() (m [device.OpCount]bool) {
	for _, op := range []device.Op{device.OpAdd, device.OpSub, device.OpMul, device.OpDiv, device.OpFloorDiv, device.OpPow, device.OpShl,
		device.OpNeg, device.OpAbs, device.OpNot} {
		m[op] = true
	}
	return m
}()
