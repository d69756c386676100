package trace

// layout says in which slot each value lies.
type layout struct {
	slot  []int // -1 for constants, masks and what nothing needs
	last  []int // where the value is read last
	slots int   // as many registers for each vector
	// Constants and masks lie in registers that all vectors share, and in slots that are free just then.
	shared int
	temps  [][]int
}

// reads calls yield for the values that lie in registers and that operation v reads: those that its masks are made of
// instead of the masks.
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

// layOut gives the values slots, where shared is how many registers all vectors share. The result moves into slot 0 at the end.
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
			// The destination must be none of the arguments, unless it is one by the choice of the form.
			if a, ok := b.victim(Value(v), l); ok {
				l.slot[v] = l.slot[a]
				l.last[a] = -2 // the slot lives on
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

// overwrites says that an operation's destination is one of its arguments, or none of them.
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
	for _, i := range []int{2, 0, 1} {
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

// tempsOf returns how many registers an operation needs for constants and masks.
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

// halves returns how many registers a table takes that is looked up in two registers, or what a gather needs besides.
func (b *Body) halves(x *value) int {
	switch vectors := b.tables[x.imm].vectors(); {
	case !b.kind.Wide:
		return 1
	case vectors == 2:
		return 2
	}
	return 0
}
