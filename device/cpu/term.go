package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// term is a program that is an input, or a simple function of one or two of them. Reductions combine its values where the
// inputs lie, without blocks.
type term struct {
	kind termKind
	a, b int // the numbers of the inputs
}

type termKind uint8

const (
	termNone       termKind = iota // another program
	termInput                      // a
	termSquare                     // a·a
	termMagnitude                  // |a|
	termProduct                    // a·b
	termDifference                 // (a - b)²
	termNonzero                    // 1 where a is not 0, else 0
)

// findTerm recognises such programs; those that are more than an input can be added up, as floats of 32 or 64 bits or, of
// numbers that are not 0, as int64.
func findTerm(p *device.Program) term {
	if len(p.Results) != 1 {
		return term{}
	}
	input := func(r device.Reg) (number int, ok bool) {
		in := &p.Code[r]
		return in.Index, in.Op == device.OpInput
	}
	r := p.Results[0]
	if a, ok := input(r); ok {
		return term{kind: termInput, a: a}
	}
	result := &p.Code[r]
	if result.Op == device.OpCast && result.Type == dtype.Int64 && p.Code[result.A].Type == dtype.Bool {
		if a, ok := input(result.A); ok {
			return term{kind: termNonzero, a: a}
		}
	}
	if result.Type != dtype.Float32 && result.Type != dtype.Float64 {
		return term{}
	}
	switch result.Op {
	case device.OpAbs:
		if a, ok := input(result.A); ok && p.Code[result.A].Type == result.Type {
			return term{kind: termMagnitude, a: a}
		}
	case device.OpMul:
		a, ok := input(result.A)
		b, bothOK := input(result.B)
		factor := &p.Code[result.A]
		switch {
		case ok && result.A == result.B:
			return term{kind: termSquare, a: a}
		case ok && bothOK:
			return term{kind: termProduct, a: a, b: b}
		case result.A == result.B && factor.Op == device.OpSub:
			a, ok := input(factor.A)
			if b, bothOK := input(factor.B); ok && bothOK {
				return term{kind: termDifference, a: a, b: b}
			}
		}
	}
	return term{}
}

// spans is a term at work: it combines rows that lie one after the other in memory.
type spans struct {
	kind   termKind
	double bool // float64
	fold   combiner
	a, b   *input
	spread bool // b has one value for each row
}

// spansOf returns how the values of a reduction are combined in rows, if they can be.
func (r *reduction) spansOf() (s spans, ok bool) {
	t := &r.plan.term
	if t.kind == termNone || t.kind != termInput && r.launch.Combine != device.CombineSum {
		return s, false
	}
	s = spans{kind: t.kind, double: r.dtype == dtype.Float64, fold: r.fold, a: &r.eval.inputs[t.a], b: &r.eval.inputs[t.b]}
	inRows := func(x *input) bool { return x.dtype == r.dtype && (x.step() == 1 || x.row() == 1) }
	if t.kind == termNonzero || r.dtype == dtype.Int64 && s.a.dtype == dtype.Bool && r.launch.Combine == device.CombineSum {
		s.kind, s.fold = termNonzero, combiner{rows: counters[s.a.dtype]}
		return s, s.fold.rows != nil && (s.a.step() == 1 || s.a.row() == 1)
	}
	switch t.kind {
	case termProduct:
		ok = inRows(s.b)
	case termDifference:
		s.spread = s.b.dtype == r.dtype && s.b.step() == 0
		ok = s.spread || inRows(s.b)
	default:
		ok = true
	}
	return s, ok && inRows(s.a)
}

// rows combines each of the rows of n elements, from a point on, to one value in dst. They follow each other along an axis;
// along the last one they are pieces of a row.
func (s *spans) rows(dst unsafe.Pointer, point, rows, n, axis int) {
	step := 1
	if axis == len(s.a.strides)-1 {
		step = n
	}
	a, pitch := s.a.at(point), step*s.a.strides[axis]
	if s.kind == termInput || s.kind == termNonzero {
		s.fold.rows(dst, a, rows, n, pitch)
		return
	}
	var b unsafe.Pointer
	pitchB := 0
	if s.kind == termProduct || s.kind == termDifference {
		b, pitchB = s.b.at(point), step*s.b.strides[axis]
	}
	if s.double {
		combineTerms(s, (*float64)(dst), (*float64)(a), (*float64)(b), rows, n, pitch, pitchB)
	} else {
		combineTerms(s, (*float32)(dst), (*float32)(a), (*float32)(b), rows, n, pitch, pitchB)
	}
}

func combineTerms[T scalar.Float](s *spans, dst, a, b *T, rows, n, pitch, pitchB int) {
	switch {
	case s.kind == termSquare:
		reduce.Rows(reduce.Squares, dst, a, rows, n, pitch)
	case s.kind == termMagnitude:
		reduce.Rows(reduce.Magnitudes, dst, a, rows, n, pitch)
	case s.kind == termProduct:
		reduce.PairRows(reduce.Products, dst, a, b, rows, n, pitch, pitchB)
	case s.spread:
		reduce.PairRows(reduce.Deviations, dst, a, b, rows, n, pitch, pitchB)
	default:
		reduce.PairRows(reduce.Differences, dst, a, b, rows, n, pitch, pitchB)
	}
}
