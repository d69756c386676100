package device

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Guarded reports whether Reduce computes sums that left their range again: see [Kernels].
func (l *Launch) Guarded() bool { return l.Post != nil && len(l.Post.Inputs) == 2 }

// Terms returns the program whose values Reduce adds up: the values of p's only output, or their squared magnitudes. If
// they are scaled, the program has one more input, a real number by which it multiplies the values before it squares
// them. The program is made once.
func (p *Program) Terms(squares, scaled bool) *Program {
	if !squares && !scaled {
		return p
	}
	which := formScaled
	switch {
	case !scaled:
		which = formSquares
	case squares:
		which = formScaledSquares
	}
	return p.form(which, func() *Program { return p.terms(squares, scaled) })
}

// The forms of a program that Reduce uses.
const (
	formSquares = iota
	formScaled
	formScaledSquares
	formUnit1
	forms
)

// form returns a form of p. All callers get the same program, even if several of them make it.
func (p *Program) form(which int, make func() *Program) *Program {
	if p.forms[which].Load() == nil {
		p.forms[which].CompareAndSwap(nil, make())
	}
	return p.forms[which].Load()
}

func (p *Program) terms(squares, scaled bool) *Program {
	q := &Program{Name: p.Name, Inputs: slices.Clone(p.Inputs), Scalars: p.Scalars, Outputs: slices.Clone(p.Outputs), Code: slices.Clone(p.Code)}
	b := newBuilder(q)
	value := p.Results[0]
	isComplex := b.typeOf(value).IsComplex()
	parts := []Reg{value}
	if isComplex {
		parts = []Reg{b.unary(OpReal, value), b.unary(OpImag, value)}
	}
	for i, v := range parts {
		if scaled {
			if len(q.Inputs) == len(p.Inputs) {
				q.Inputs = append(q.Inputs, Param{Name: "scale", Type: b.typeOf(v), Stored: b.typeOf(v)})
			}
			parts[i] = b.binary(OpMul, v, b.input(len(p.Inputs)))
		}
		if squares {
			parts[i] = b.binary(OpMul, parts[i], parts[i])
		}
	}
	result := parts[0]
	switch {
	case isComplex && squares:
		result = b.binary(OpAdd, parts[0], parts[1])
	case isComplex:
		result = b.binary(OpComplex, parts[0], parts[1])
	}
	q.Results = []Reg{result}
	q.Outputs[0].Type, q.Outputs[0].Stored = b.typeOf(result), b.typeOf(result)
	return b.finish()
}

// ForUnit1 returns the program that Post of a guarded Reduce is if the unit is 1, without that input. It is made once.
func (p *Program) ForUnit1() *Program { return p.form(formUnit1, p.forUnit1) }

func (p *Program) forUnit1() *Program {
	q := &Program{Name: p.Name, Inputs: p.Inputs[:1], Scalars: p.Scalars, Outputs: p.Outputs}
	b := newBuilder(q)
	to := make([]Reg, len(p.Code))
	for i, in := range p.Code {
		in.A, in.B, in.C = to[in.A], to[in.B], to[in.C]
		switch {
		case in.Op == OpInput && in.Index == 1:
			to[i] = b.number(1, in.Type)
		case in.Op == OpMul:
			to[i] = b.binary(OpMul, in.A, in.B)
		default:
			to[i] = b.emit(in)
		}
	}
	for _, r := range p.Results {
		q.Results = append(q.Results, to[r])
	}
	return b.finish()
}

// Scales are the powers of two by which a guarded Reduce of a compute type multiplies values whose sum left the range.
type Scales struct {
	Up    float64 // for sums of squares below Least
	Least float64
	Down  float64 // for sums that are infinite or NaN
}

// ScalesOf returns the scales for sums of values, or of squares, of type t.
//
// The squares of numbers below √Least lose digits, or vanish; multiplied by Up, neither they nor the squares of the
// smallest number do. The squares of numbers that are multiplied by Down are small enough for 2⁷⁰ of them. Numbers whose
// squares vanish then are too small to count in such a sum.
func ScalesOf(t dtype.DType, squares bool) Scales {
	switch {
	case !squares:
		return Scales{1, 0, 0x1p-70}
	case t.Real() == dtype.Float32:
		return Scales{0x1p100, 0x1p-90, 0x1p-100}
	}
	return Scales{0x1p600, 0x1p-900, 0x1p-600}
}

// Of returns the scale for the values of a sum: 1 if it is in the range. NaN is the sum of infinities with both signs,
// which a sum of finite values may pass through.
func (s Scales) Of(re, im float64) float64 {
	switch {
	case math.IsInf(re, 0) || math.IsInf(im, 0) || re != re || im != im:
		return s.Down
	case re < s.Least:
		return s.Up
	}
	return 1
}
