package vm

import "github.com/ndgrad/ndgrad/device"

// home is the location of a value outside the accumulator.
type home struct {
	form   string // empty if the value has no home
	offset int
}

// spill saves the value of the accumulator to a slot, if it is used later and has no other home.
func (c *compiler) spill() {
	if c.acc == none || c.uses[c.acc] == 0 || c.homes[c.acc].form != "" {
		return
	}
	offset := c.slot()
	c.emit("store.slot", offset)
	c.homes[c.acc] = home{"slot", offset}
}

func (c *compiler) slot() int {
	if n := len(c.free); n > 0 {
		offset := c.free[n-1]
		c.free = c.free[:n-1]
		return offset
	}
	c.code.slots++
	return (c.code.slots - 1) * c.code.slotSize()
}

// use records one use of a value, and frees its slot after the last use.
func (c *compiler) use(v device.Reg) {
	c.uses[v]--
	if h := c.homes[v]; c.uses[v] == 0 && h.form == "slot" {
		c.free = append(c.free, h.offset)
		c.homes[v].form = ""
	}
}

// loadAccumulator loads a value into the accumulator.
func (c *compiler) loadAccumulator(v device.Reg) {
	if c.acc == v {
		return
	}
	c.spill()
	c.acc = v
	if h := c.homes[v]; h.form != "" {
		c.emit("load."+h.form, h.offset)
		return
	}
	in := &c.program.Code[v]
	if in.Op != device.OpInput || c.loaded[v] {
		panic("vm: internal error: a value is neither in the accumulator nor in memory")
	}
	c.loaded[v] = true
	c.load(len(c.program.Outputs)+in.Index, in.Type)
}

// ensureHome gives a value a home, so that it can be an operand.
func (c *compiler) ensureHome(v device.Reg) {
	if c.homes[v].form == "" {
		c.loadAccumulator(v)
		c.spill()
	}
}

// consume records the uses of an operation's arguments, and saves the value of the accumulator if it has other uses.
func (c *compiler) consume(args ...device.Reg) {
	for _, a := range args {
		if a == c.acc { // so that its slot is not given to the value that is saved
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

// loadToSlot loads a value that still lies in its operand into a slot.
func (c *compiler) loadToSlot(v device.Reg) {
	switch h := c.homes[v]; h.form {
	case "":
		c.loadAccumulator(v)
	case "stream":
		if c.acc != v {
			c.loadAccumulator(v)
		}
		c.homes[v] = home{}
	}
	c.spill()
}
