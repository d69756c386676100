package vm

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Layout is how the operands of a program are stored, in the order of a launch: outputs, inputs.
type Layout struct {
	DTypes  [device.MaxOperands]dtype.DType
	Uniform uint // a bit for each input that has one element only
	Where   bool // the outputs are stored where the operand after the inputs, bools, is true
	Past    bool // stores go past the caches; the outputs begin at multiples of Alignment
}

// Compile makes code of a program; nil where there is no handler for something in it.
func Compile(p *device.Program, layout Layout) *Code {
	activation, handler := activationOf(p)
	if activation != nil {
		p = activation
	}
	c := compiler{program: p, layout: layout, code: &Code{rare: map[int]rarity{}}, acc: none, activation: handler}
	if !c.begin() {
		return nil
	}
	c.prepare()
	if layout.Where {
		c.loadPredicate()
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

// compiler translates single-assignment code for an accumulator. A value is in the accumulator when it was computed, and
// goes to a slot when something else needs the accumulator before the value's last use.
type compiler struct {
	program *device.Program
	layout  Layout
	code    *Code
	failed  bool

	acc    device.Reg // the value in the accumulator
	uses   []int      // how often a value is still read
	homes  []home
	free   []int // slots
	mask   int   // the slot of the stores' predicate
	loaded []bool

	activation string // the handler of the program's only operation, if it is not the opcode's
}

// home is where a value lies besides the accumulator.
type home struct {
	form  string // empty for nowhere
	place int
}

// begin chooses the lanes, and reports whether there are handlers at all.
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

// choose notes that a program has values of a type, and reports whether lanes can hold them.
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

// prepare counts the uses of the values, and gives those that lie in memory their homes.
func (c *compiler) prepare() {
	code := c.program.Code
	c.uses, c.homes, c.loaded = make([]int, len(code)), make([]home, len(code)), make([]bool, len(code))
	for v := range code {
		in := &code[v]
		for _, a := range in.Args() {
			c.uses[a]++
		}
		if _, ok := limitOf(in.Op.String()); ok {
			c.code.slots = max(c.code.slots, 2) // of the arguments and the results
		} else if long(in.Op, in.Type) {
			c.code.slots = 3 // of the second arguments besides
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

// origin returns the home of a value that is in memory from the beginning.
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
			if number.storage == in.Type && c.native(in.Type) {
				return home{"stream", streamPlace(operand)}
			}
			return home{}
		}
	default:
		return home{}
	}
	c.code.numbers = append(c.code.numbers, number)
	return home{"scalar", 8 * (len(c.code.numbers) - 1)}
}

// native reports whether a type's elements are stored as lanes hold them.
func (c *compiler) native(t dtype.DType) bool {
	if c.code.double {
		return t == dtype.Float64 || t == dtype.Int64
	}
	return t == dtype.Float32 || t == dtype.Int32
}

// emit adds an instruction, to the code and to that of a tail.
func (c *compiler) emit(name string, operand int) {
	main, tail := c.code.handlers(name)
	if main == 0 {
		c.failed = true
		return
	}
	c.code.main = append(c.code.main, instruction{main, uint64(operand)})
	c.code.tail = append(c.code.tail, instruction{tail, uint64(operand)})
}

// spill saves the value in the accumulator, if it is needed later and nowhere else.
func (c *compiler) spill() {
	if c.acc == none || c.uses[c.acc] == 0 || c.homes[c.acc].form != "" {
		return
	}
	place := c.slot()
	c.emit("store.slot", place)
	c.homes[c.acc] = home{"slot", place}
}

func (c *compiler) slot() int {
	if n := len(c.free); n > 0 {
		place := c.free[n-1]
		c.free = c.free[:n-1]
		return place
	}
	c.code.slots++
	return (c.code.slots - 1) * c.code.slotSize()
}

// use takes one use of a value away, and its slot with the last one.
func (c *compiler) use(v device.Reg) {
	c.uses[v]--
	if h := c.homes[v]; c.uses[v] == 0 && h.form == "slot" {
		c.free = append(c.free, h.place)
		c.homes[v].form = ""
	}
}

// bring gets a value into the accumulator.
func (c *compiler) bring(v device.Reg) {
	if c.acc == v {
		return
	}
	c.spill()
	c.acc = v
	if h := c.homes[v]; h.form != "" {
		c.emit("load."+h.form, h.place)
		return
	}
	in := &c.program.Code[v]
	if in.Op != device.OpInput || c.loaded[v] {
		panic("vm: a value got lost")
	}
	c.loaded[v] = true
	c.load(len(c.program.Outputs)+in.Index, in.Type)
}

// settle gives a value a home, which it may need as an operand.
func (c *compiler) settle(v device.Reg) {
	if c.homes[v].form == "" {
		c.bring(v)
		c.spill()
	}
}

// load brings the elements of an operand into the accumulator, as values of type t.
func (c *compiler) load(operand int, t dtype.DType) {
	storage := c.layout.DTypes[operand]
	place := streamPlace(operand)
	from := storage
	switch {
	case c.native(storage):
		c.emit("load.stream", place)
	case storage == dtype.Float16 || storage == dtype.BFloat16:
		from = dtype.Float32
		c.emit("load"+shortName(storage), place)
	default:
		c.emit("load"+shortName(storage), place)
	}
	c.convert(from, t)
}

// loadPredicate keeps the predicate of the stores in a slot.
func (c *compiler) loadPredicate() {
	c.code.partial = true
	operand := len(c.program.Outputs) + len(c.program.Inputs)
	c.code.streams[operand] = 1
	c.emit("loadbool", streamPlace(operand))
	c.mask = c.slot()
	c.emit("store.slot", c.mask)
}

var shortNames = map[dtype.DType]string{dtype.Bool: "bool", dtype.Int8: "i8", dtype.Uint8: "u8", dtype.Int16: "i16",
	dtype.Uint16: "u16", dtype.Int32: "i32", dtype.Int64: "i64", dtype.Float16: "f16", dtype.BFloat16: "bf16", dtype.Float32: "f32"}

func shortName(t dtype.DType) string { return shortNames[t] }

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
		c.settle(in.B)
		c.settle(in.C)
		c.bring(in.A)
		x, y := c.homes[in.B], c.homes[in.C]
		c.consume(in.A, in.B, in.C)
		c.emit("select."+x.form+y.form, x.place|y.place<<32)
	case device.OpCast:
		c.bring(in.A)
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

// consume takes away the uses that an operation makes, and saves the accumulator's value if it has others.
func (c *compiler) consume(args ...device.Reg) {
	for _, a := range args {
		if a == c.acc { // it must not lose its slot to the value that is saved
			c.uses[a]--
		}
	}
	c.spill()
	for _, a := range args {
		if a != c.acc {
			c.use(a)
		} else if c.uses[a] == 0 {
			c.uses[a]++
			c.use(a)
		}
	}
}

func (c *compiler) unary(in *device.Inst) {
	c.bring(in.A)
	c.consume(in.A)
	from := c.program.Code[in.A].Type
	name := unaryName(in.Op, from)
	if c.activation != "" {
		name = c.activation
	}
	if name == "" {
		c.failed = true
		return
	}
	if name != "same" {
		if limit, ok := limitOf(name); ok {
			c.code.rare[len(c.code.main)] = rarity{op: in.Op, limit: limit[lane(c.code.double)], function: scalar.Functions[in.Op]}
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
	if in.Op == device.OpFloorDiv && in.Type == dtype.Float32 && c.code.double { // each step is to be rounded
		c.failed = true
		return
	}
	a, b := in.A, in.B
	if a == b && (name == "add" || name == "mul") {
		c.bring(a)
		c.consume(a, a)
		c.emit(name+".self", 0)
		c.narrow(in.Op, in.Type)
		return
	}
	if a == b {
		c.settle(a)
	} else if c.homes[b].form == "" && c.acc != b {
		c.settle(b)
	}
	if c.acc == b && reversed != "" && c.homes[a].form != "" {
		a, b, name = b, a, reversed
	} else {
		if c.homes[b].form == "" {
			c.spill()
		}
		c.bring(a)
	}
	h := c.homes[b]
	c.consume(a, b)
	if long(in.Op, in.Type) {
		c.emit("second."+h.form, h.place)
		if in.Type.IsFloat() {
			c.code.rare[len(c.code.main)] = rarity{op: in.Op}
		}
		c.emit(name, 0)
	} else {
		c.emit(c.simpler(name, b)+"."+h.form, h.place)
	}
	c.narrow(in.Op, in.Type)
}

// simpler returns an operation's handler for an operand that is a number for certain.
func (c *compiler) simpler(name string, operand device.Reg) string {
	in := &c.program.Code[operand]
	if in.Op != device.OpConst || !in.Type.IsFloat() || math.IsNaN(in.Value.Re) {
		return name
	}
	switch name {
	case "max", "min":
		return name + "number"
	case "rmax", "rmin": // which of two zeros it is matters
		if in.Value.Re != 0 {
			return name[1:] + "number"
		}
	}
	return name
}

// divides reports whether an operation is a division with a whole quotient, or the remainder of one.
func divides(op device.Op) bool {
	return op == device.OpFloorDiv || op == device.OpMod || op == device.OpFmod
}

// long reports whether the handler of an operation finds its second argument in a slot.
func long(op device.Op, t dtype.DType) bool {
	return divides(op) || t.IsInteger() && (op == device.OpDiv || op == device.OpPow)
}

// narrow rounds or wraps what an operation made to the type that it has.
func (c *compiler) narrow(op device.Op, t dtype.DType) {
	switch {
	case t == dtype.Float32 && c.code.double && !exact[op]:
		c.emit("round32", 0)
	case t.IsInteger() && grows[op]:
		c.wrap(t)
	}
}

// wrap cuts integers to the bits of a type.
func (c *compiler) wrap(t dtype.DType) {
	if !c.native(t) {
		c.emit("wrap"+shortName(t), 0)
	}
}

// exact are operations whose results are among their arguments or as short; grows those that may leave a type's range.
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

// convert converts the accumulator's values.
func (c *compiler) convert(from, to dtype.DType) {
	double := c.code.double
	switch {
	case from == to:
	case from.IsBool() && to.IsFloat():
		c.emit("masktofloat", 0)
	case from.IsBool():
		c.emit("masktoint", 0)
	case from.IsFloat() && to.IsBool():
		c.emit("floattomask", 0)
	case to.IsBool():
		c.emit("inttomask", 0)
	case from.IsFloat() && to.IsFloat():
		if to == dtype.Float32 {
			c.emit("round32", 0)
		}
	case from.IsFloat():
		c.emit("floatto"+shortName(to), 0)
	case to.IsFloat() && !double:
		c.emit("inttofloat", 0)
	case to.IsFloat() && from == dtype.Int64:
		if to == dtype.Float32 {
			c.emit("inttofloat32", 0)
		} else {
			c.emit("inttofloat", 0)
		}
	case to.IsFloat():
		c.emit("i32tofloat", 0)
		if to == dtype.Float32 {
			c.emit("round32", 0)
		}
	case to.Size() < from.Size() || to.Size() == from.Size() && to.IsUnsigned() != from.IsUnsigned() || to.IsUnsigned() && !from.IsUnsigned():
		c.wrap(to)
	}
}

// results stores what the program computes.
func (c *compiler) results() {
	order := make([]int, 0, len(c.program.Results))
	for k, r := range c.program.Results {
		if r == c.acc {
			order = append(order, k)
		}
	}
	for k, r := range c.program.Results {
		if r != c.acc {
			order = append(order, k)
		}
	}
	if len(order) > 1 { // what is read must be read before anything is written
		c.spill()
		for _, r := range c.program.Results {
			c.readNow(r)
		}
	}
	for _, k := range order {
		r := c.program.Results[k]
		c.bring(r)
		c.consume(r)
		c.store(k, c.program.Code[r].Type)
	}
}

// readNow moves a value that still is in its operand to a slot.
func (c *compiler) readNow(v device.Reg) {
	switch h := c.homes[v]; h.form {
	case "":
		c.bring(v)
	case "stream":
		if c.acc != v {
			c.bring(v)
		}
		c.homes[v] = home{}
	}
	c.spill()
}

// store stores the accumulator, values of type t, in output k.
func (c *compiler) store(k int, t dtype.DType) {
	storage := c.layout.DTypes[k]
	place := streamPlace(k)
	as := storage
	if storage == dtype.Float16 || storage == dtype.BFloat16 {
		as = dtype.Float32
		if c.code.double {
			c.failed = true
			return
		}
	}
	if as != t {
		c.convert(t, as)
		c.acc = none
	}
	switch {
	case c.layout.Where && c.native(storage):
		c.emit("storewhere", place|c.mask<<32)
	case c.layout.Where:
		c.failed = true
	case c.native(storage) && c.layout.Past:
		c.emit("store.past", place)
	case c.native(storage):
		c.emit("store.stream", place)
	case storage == dtype.Uint8:
		c.emit("storei8", place)
	case storage == dtype.Uint16:
		c.emit("storei16", place)
	default:
		c.emit("store"+shortName(storage), place)
	}
	if storage == dtype.BFloat16 { // the handler rounds in place
		c.acc = none
	}
}

// finish ends the code.
func (c *compiler) finish() *Code {
	end := "end"
	if c.layout.Past {
		end = "endstream"
	}
	c.emit(end, 0)
	if c.failed {
		return nil
	}
	c.code.piece = max(1, 1<<16/len(c.code.main)/c.code.lanes) * c.code.lanes
	for _, size := range c.code.streams {
		c.code.Cost += 0.012 * float64(size)
	}
	weight := len(c.code.main)
	for i := range c.program.Code {
		weight += weightOf(c.program.Code[i].Op)
	}
	c.code.Cost += float64(weight) / float64(c.code.lanes)
	return c.code
}

// weightOf is how many simple instructions an operation takes the time of, more or less, besides its own.
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
