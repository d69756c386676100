package device

import "slices"

// adjoint is the gradient of a value of the original program: value if all conditions of the guard hold, else 0.
type adjoint struct {
	arrived bool
	value   Reg
	when    guard
}

// guard is a list of conditions, the outermost choice first. Do not change one: adjoints share them.
type guard []condition

// condition is a bool register of the new program, and the value that it must have.
type condition struct {
	reg  Reg
	want bool
}

// and returns a guard with one more condition.
func (w guard) and(cond Reg, want bool) guard {
	c := condition{cond, want}
	if slices.Contains(w, c) {
		return w
	}
	return append(w[:len(w):len(w)], c)
}

// choice lets g, the adjoint of a value that is that of register a if cond, else that of b, go to both.
func (d *deriver) choice(cond, a, b Reg, g Reg) {
	outer := d.when
	d.when = outer.and(cond, true)
	d.accumulate(a, g)
	d.when = outer.and(cond, false)
	d.accumulate(b, g)
	d.when = outer
}

// accumulate adds g, which counts under the current guard, to the adjoint of an original value.
func (d *deriver) accumulate(r Reg, g Reg) {
	if !d.live[r] {
		return
	}
	a := &d.adj[r]
	if !a.arrived {
		*a = adjoint{true, g, d.when}
		return
	}
	common := 0
	for common < min(len(a.when), len(d.when)) && a.when[common] == d.when[common] {
		common++
	}
	old, more := a.when[common:], d.when[common:]
	a.when = a.when[:common:common]
	switch {
	case len(old) == 0 && len(more) == 0:
		a.value = d.add(a.value, g)
	case len(old) == 1 && len(more) == 1 && old[0].reg == more[0].reg: // the two sides of a choice
		if old[0].want {
			a.value = d.b.choose(old[0].reg, a.value, g)
		} else {
			a.value = d.b.choose(old[0].reg, g, a.value)
		}
	default:
		a.value = d.add(d.chosen(a.value, old), d.chosen(g, more))
		if len(old) > 0 && len(more) > 0 {
			a.when = a.when.and(d.b.binary(OpOr, d.holds(old), d.holds(more)), true)
		}
	}
}

// chosen returns g if all conditions of a guard hold, else 0.
func (d *deriver) chosen(g Reg, when guard) Reg {
	for _, c := range slices.Backward(when) {
		if c.want {
			g = d.where(c.reg, g)
		} else {
			g = d.whereNot(c.reg, g)
		}
	}
	return g
}

// holds returns a bool: whether all conditions of a guard, which has some, hold.
func (d *deriver) holds(when guard) Reg {
	all := Reg(-1)
	for _, c := range when {
		r := c.reg
		if !c.want {
			r = d.b.unary(OpNot, r)
		}
		if all >= 0 {
			r = d.b.binary(OpAnd, all, r)
		}
		all = r
	}
	return all
}
