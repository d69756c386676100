package trace

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"

// layout assigns a slot to each value.
type layout struct {
	slot  []int // -1 for constants, masks and unused values
	last  []int // the last operation that reads the value
	slots int   // the number of registers for each vector
	// Constants and masks lie in registers that all vectors share, and in slots that are free at that moment.
	shared int
	temps  [][]int
}

// reads calls yield for the register values that operation v reads. Instead of a mask it yields the values from which
// the mask is computed.
func (b *Body) reads(v Value, yield func(Value)) {
	for _, a := range b.values[v].args {
		switch x := &b.values[a]; {
		case x.mask:
			b.reads(a, yield)
		case x.op != opConst:
			yield(a)
		}
	}
}

// layOut assigns slots to the values; shared is the number of registers that all vectors share. The result moves to
// slot 0 at the end.
func (b *Body) layOut(shared int) *layout {
	n := len(b.values)
	l := &layout{slot: make([]int, n), last: make([]int, n), slots: len(b.inputs), temps: make([][]int, n)}
	for v := range b.values {
		l.slot[v], l.last[v] = -1, -1
	}
	l.last[b.result] = n
	for v := n - 1; v >= 0; v-- {
		if x := &b.values[v]; l.last[v] >= 0 && !x.mask && x.op != opConst {
			b.reads(Value(v), func(a Value) { l.last[a] = max(l.last[a], v) })
		}
	}
	var free []int
	release := func(v Value, at int) {
		if l.last[v] == at && l.slot[v] >= 0 {
			for _, s := range free {
				if s == l.slot[v] {
					return
				}
			}
			free = append(free, l.slot[v])
		}
	}
	take := func() int {
		if len(free) > 0 {
			best := 0
			for i := range free {
				if free[i] < free[best] {
					best = i
				}
			}
			s := free[best]
			free = append(free[:best], free[best+1:]...)
			return s
		}
		l.slots++
		return l.slots - 1
	}
	for i, v := range b.inputs {
		l.slot[v] = i
		if l.last[v] < 0 {
			free = append(free, i)
		}
	}
	for v := range b.values {
		x := &b.values[v]
		if l.last[v] < 0 || x.mask || x.op == opConst || x.op == opInput {
			continue
		}
		needed := b.tempsOf(Value(v))
		l.shared = max(l.shared, min(needed, shared))
		for range needed - shared {
			l.temps[v] = append(l.temps[v], take())
		}
		if x.op.overwrites() {
			// The destination must differ from all arguments, unless the form of the instruction overwrites one.
			if a, ok := b.victim(Value(v), l); ok {
				l.slot[v] = l.slot[a]
				l.last[a] = -2 // the slot stays in use
			} else {
				l.slot[v] = take()
			}
			b.reads(Value(v), func(a Value) { release(a, v) })
		} else {
			b.reads(Value(v), func(a Value) { release(a, v) })
			l.slot[v] = take()
		}
		free = append(free, l.temps[v]...)
	}
	return l
}

// overwrites reports whether an operation's destination must be the argument that its form overwrites, or differ from
// all arguments.
func (o op) overwrites() bool {
	switch o {
	case opFMA, opFMS, opFNMA, opLookup, opNarrow, opCopySign:
		return true
	}
	return false
}

// victim returns the argument that a fused multiplication overwrites, if one of them is read for the last time.
func (b *Body) victim(v Value, l *layout) (Value, bool) {
	x := &b.values[v]
	if !x.op.fused() {
		return 0, false
	}
	operands := []int{2, 0, 1}
	if vec.Neon() {
		operands = operands[:1]
	}
	for _, i := range operands {
		if a := x.args[i]; l.last[a] == int(v) && b.values[a].op != opConst {
			for j, other := range x.args {
				if j != i && other == a {
					return 0, false
				}
			}
			return a, true
		}
	}
	return 0, false
}

func (o op) fused() bool { return o == opFMA || o == opFMS || o == opFNMA }

// tempsOf returns the number of registers that an operation needs for constants and masks.
func (b *Body) tempsOf(v Value) int {
	n := 0
	for _, a := range b.values[v].args {
		switch x := &b.values[a]; {
		case x.op == opConst:
			n++
		case x.mask:
			n += b.tempsOf(a)
			if !b.kind.Wide {
				n++
			}
		}
	}
	switch b.values[v].op {
	case opLookup:
		n += b.halves(&b.values[v])
	case opNarrow:
		n++
	}
	return n
}

// halves returns the number of registers for a table that is looked up in two registers, or the number of extra
// registers for a gather.
func (b *Body) halves(x *value) int {
	switch vectors := b.tables[x.imm].vectors(); {
	case !b.kind.Wide:
		return 1
	case vectors == 2:
		return 2
	}
	return 0
}
