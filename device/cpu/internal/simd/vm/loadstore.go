package vm

import "github.com/ndgrad/ndgrad/nd/dtype"

// load loads the elements of an operand into the accumulator, as values of type t.
func (c *compiler) load(operand int, t dtype.DType) {
	storage := c.layout.DTypes[operand]
	offset := streamOffset(operand)
	from := storage
	switch {
	case c.layout.Seconds&(1<<operand) != 0:
		c.emit("loadsecond", offset)
	case c.native(storage):
		c.emit("load.stream", offset)
	case storage == dtype.Float16 || storage == dtype.BFloat16:
		from = dtype.Float32
		c.emit("load"+shortName(storage), offset)
	default:
		c.emit("load"+shortName(storage), offset)
	}
	c.convert(from, t)
}

// fetch emits prefetches for the streams that are read.
func (c *compiler) fetch() {
	outputs := len(c.program.Outputs)
	for k := range c.program.Inputs {
		if operand := outputs + k; c.code.streams[operand] == c.code.laneSize() && c.layout.Seconds&(1<<operand) == 0 {
			c.emit("fetch.stream", streamOffset(operand))
		}
	}
}

// loadPredicate keeps the predicate for stores in a slot.
func (c *compiler) loadPredicate() {
	c.code.partial = true
	operand := len(c.program.Outputs) + len(c.program.Inputs)
	c.code.streams[operand] = 1
	c.emit("loadbool", streamOffset(operand))
	c.mask = c.slot()
	c.emit("store.slot", c.mask)
}

func shortName(t dtype.DType) string {
	return [dtype.Count]string{dtype.Bool: "bool", dtype.Int8: "i8", dtype.Uint8: "u8", dtype.Int16: "i16",
		dtype.Uint16: "u16", dtype.Int32: "i32", dtype.Int64: "i64", dtype.Float16: "f16", dtype.BFloat16: "bf16", dtype.Float32: "f32"}[t]
}

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
	if len(order) > 1 { // all inputs must be read before anything is written
		c.spill()
		for _, r := range c.program.Results {
			c.loadToSlot(r)
		}
	}
	for _, k := range order {
		r := c.program.Results[k]
		c.loadAccumulator(r)
		c.consume(r)
		c.store(k, c.program.Code[r].Type)
	}
}

// store stores the accumulator, which holds values of type t, in output k.
func (c *compiler) store(k int, t dtype.DType) {
	storage := c.layout.DTypes[k]
	offset := streamOffset(k)
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
		c.emit("storewhere", offset|c.mask<<32)
	case c.layout.Where:
		c.failed = true
	case c.native(storage) && c.layout.BypassCaches:
		c.emit("store.past", offset)
	case c.native(storage):
		c.emit("store.stream", offset)
	case storage == dtype.Uint8:
		c.emit("storei8", offset)
	case storage == dtype.Uint16:
		c.emit("storei16", offset)
	default:
		c.emit("store"+shortName(storage), offset)
	}
	if storage == dtype.BFloat16 { // the handler rounds in place
		c.acc = none
	}
}
