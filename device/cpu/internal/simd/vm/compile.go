package vm

import (
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Layout describes the storage of a program's operands, in the order of a launch: outputs, then inputs.
type Layout struct {
	DTypes       [device.MaxOperands]dtype.DType
	Uniform      uint // a bit mask of the inputs that have only one element
	Seconds      uint // a bit mask of the inputs whose elements lie two apart; they must have the size of lanes
	Where        bool // the outputs are stored only where the bool operand after the inputs is true
	BypassCaches bool // stores bypass the caches; the outputs begin at multiples of Alignment
	Prefetch     bool // operands are large: inputs are prefetched, also across pages, where the processor's own prefetching ends
}

// Compile translates a program. It returns nil if an operation has no handler.
func Compile(p *device.Program, layout Layout) *Code { return compile(p, layout, false) }

// HasDoubles reports whether there are handlers for a program in lanes of 64 bits, although its values may fit 32 bits.
func HasDoubles(p *device.Program, layout Layout) bool { return compile(p, layout, true) != nil }

func compile(p *device.Program, layout Layout, double bool) *Code {
	activation, handler := activationOf(p)
	if activation != nil {
		p = activation
	}
	c := compiler{program: p, layout: layout, code: &Code{rare: map[int]rareCase{}, layout: layout, double: double}, acc: none, activation: handler}
	if !c.begin() {
		return nil
	}
	c.prepare()
	if layout.Where {
		c.loadPredicate()
	}
	if layout.Prefetch {
		c.fetch()
	}
	for v := range p.Code {
		if c.instruction(device.Reg(v)); c.failed {
			return nil
		}
	}
	c.results()
	return c.finish()
}

const none device.Reg = -1

// compiler translates single-assignment code for an accumulator machine. A computed value is in the accumulator. It
// moves to a slot if something else needs the accumulator before the value's last use.
type compiler struct {
	program *device.Program
	layout  Layout
	code    *Code
	failed  bool

	acc    device.Reg // the value in the accumulator
	uses   []int      // how many uses of the value are left
	homes  []home
	free   []int // free slots
	mask   int   // the slot of the predicate for stores
	loaded []bool

	names []string // of the handlers of the main code

	activation string // the handler of the program's only operation, if it differs from the opcode's
}

// begin chooses the lane width, and reports whether there are handlers at all.
func (c *compiler) begin() bool {
	code := c.code
	for i := range c.program.Code {
		if in := &c.program.Code[i]; !c.choose(in.Type) {
			return false
		}
	}
	outputs := len(c.program.Outputs)
	code.firstInput = outputs
	for k := range outputs + len(c.program.Inputs) {
		t := c.layout.DTypes[k]
		if !c.choose(t) && t != dtype.Float16 && t != dtype.BFloat16 {
			return false
		}
	}
	return code.target()
}

// choose records that a program has values of a type, and reports whether lanes can hold them.
func (c *compiler) choose(t dtype.DType) bool {
	switch t {
	case dtype.Float64, dtype.Int64:
		c.code.double = true
	case dtype.Bool, dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint16, dtype.Int32, dtype.Float32:
	default:
		return false
	}
	return true
}

// prepare counts the uses of the values, and gives the values that lie in memory their homes.
func (c *compiler) prepare() {
	code := c.program.Code
	c.uses, c.homes, c.loaded = make([]int, len(code)), make([]home, len(code)), make([]bool, len(code))
	for v := range code {
		in := &code[v]
		for _, a := range in.Args() {
			c.uses[a]++
		}
		if _, ok := limitOf(in.Op.String()); ok {
			c.code.slots = max(c.code.slots, 2) // for the arguments and the results
		} else if long(in.Op, in.Type) && !c.dividesByNumber(in) {
			c.code.slots = 3 // and for the second arguments
		}
	}
	for _, r := range c.program.Results {
		c.uses[r]++
	}
	for v := range code {
		if c.uses[v] > 0 {
			c.homes[v] = c.origin(&code[v])
		}
	}
	for k := range c.program.Outputs {
		c.code.streams[k] = c.layout.DTypes[k].Size()
		c.code.outputs |= 1 << k
	}
}

// origin returns the home of a value that lies in memory from the start.
func (c *compiler) origin(in *device.Inst) home {
	number := number{op: in.Op, index: in.Index, dtype: in.Type}
	switch in.Op {
	case device.OpConst:
		number.bits = c.code.bitsOf(in.Value, in.Type)
	case device.OpScalar, device.OpSize:
	case device.OpInput:
		operand := len(c.program.Outputs) + in.Index
		number.storage = c.layout.DTypes[operand]
		if c.layout.Uniform&(1<<operand) == 0 {
			c.code.streams[operand] = number.storage.Size()
			if c.layout.Seconds&(1<<operand) != 0 {
				c.failed = c.failed || !c.native(number.storage)
				return home{}
			}
			if number.storage == in.Type && c.native(in.Type) {
				return home{"stream", streamOffset(operand)}
			}
			return home{}
		}
	default:
		return home{}
	}
	c.code.numbers = append(c.code.numbers, number)
	return home{"scalar", 8 * (len(c.code.numbers) - 1)}
}

// native reports whether elements of a type are stored in the format of lanes.
func (c *compiler) native(t dtype.DType) bool {
	if c.code.double {
		return t == dtype.Float64 || t == dtype.Int64
	}
	return t == dtype.Float32 || t == dtype.Int32
}

// emit adds an instruction to the main code and to the tail code.
func (c *compiler) emit(name string, operand int) {
	main, tail := c.code.handlers(name)
	if main == 0 {
		c.failed = true
		return
	}
	c.names = append(c.names, name)
	c.code.main = append(c.code.main, instruction{main, uint64(operand)})
	c.code.tail = append(c.code.tail, instruction{tail, uint64(operand)})
}

// finish completes the code.
func (c *compiler) finish() *Code {
	if !c.endWithStore() {
		c.emit("end", 0)
	}
	if c.failed {
		return nil
	}
	c.joinLoop()
	c.code.piece = max(1, 1<<16/len(c.code.tail)/c.code.lanes) * c.code.lanes
	for _, size := range c.code.streams {
		c.code.Cost += 0.012 * float64(size)
	}
	weight := len(c.code.tail)
	for i := range c.program.Code {
		weight += weightOf(c.program.Code[i].Op)
	}
	c.code.Cost += float64(weight) / float64(c.code.lanes)
	return c.code
}

// endWithStore replaces a store at the end of the code by the instruction that stores and ends, where there is one. Both
// have the same operand.
func (c *compiler) endWithStore() bool {
	main, tail := c.code.handlers("storeend.stream")
	store, _ := c.code.handlers("store.stream")
	last := len(c.code.main) - 1
	if main == 0 || last < 0 || c.code.main[last].handler != store {
		return false
	}
	c.code.main[last].handler, c.code.tail[last].handler = main, tail
	return true
}

// joinLoop replaces main code that loads, does one operation and stores by the instruction that does this for all vectors, where there
// is one.
func (c *compiler) joinLoop() {
	code := c.code.main
	if len(code) != 3 || c.names[0] != "load.stream" || c.names[2] != "store.stream" {
		return
	}
	operation, form, _ := strings.Cut(c.names[1], ".")
	if loop, _ := c.code.handlers(operation + "loop." + form); loop != 0 {
		c.code.main = []instruction{{loop, code[0].operand | code[1].operand<<16 | code[2].operand<<32}}
	}
}

// weightOf returns the approximate cost of an operation in simple instructions, not counting the first.
func weightOf(op device.Op) int {
	switch {
	case op == device.OpPow:
		return 60
	case scalar.Functions[op] != nil || scalar.Functions2[op] != nil:
		return 20
	case divides(op):
		return 15
	case op == device.OpDiv || op == device.OpSqrt:
		return 2
	}
	return 0
}
