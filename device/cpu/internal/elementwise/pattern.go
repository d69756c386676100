package elementwise

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Pattern is a program that is an input, or a basic function of one or two inputs. Reductions combine its values
// directly from the inputs, without blocks.
type Pattern struct {
	Kind PatternKind
	A, B int // the numbers of the inputs
}

// PatternKind says which function of its inputs a pattern is.
type PatternKind uint8

const (
	PatternNone       PatternKind = iota // any other program
	PatternInput                         // a
	PatternSquare                        // a·a
	PatternMagnitude                     // |a|
	PatternProduct                       // a·b
	PatternDifference                    // (a - b)²
	PatternNonzero                       // 1 if a is not 0, else 0
)

// findPattern recognises such programs. Patterns other than a plain input are for sums of float32 or float64; the count
// of nonzero numbers is summed as int64.
func findPattern(p *device.Program) Pattern {
	if len(p.Results) != 1 {
		return Pattern{}
	}
	input := func(r device.Reg) (number int, ok bool) {
		in := &p.Code[r]
		return in.Index, in.Op == device.OpInput
	}
	r := p.Results[0]
	if a, ok := input(r); ok {
		return Pattern{Kind: PatternInput, A: a}
	}
	result := &p.Code[r]
	if result.Op == device.OpCast && result.Type == dtype.Int64 && p.Code[result.A].Type == dtype.Bool {
		if a, ok := input(result.A); ok {
			return Pattern{Kind: PatternNonzero, A: a}
		}
	}
	if result.Type != dtype.Float32 && result.Type != dtype.Float64 {
		return Pattern{}
	}
	switch result.Op {
	case device.OpAbs:
		if a, ok := input(result.A); ok && p.Code[result.A].Type == result.Type {
			return Pattern{Kind: PatternMagnitude, A: a}
		}
	case device.OpMul:
		a, ok := input(result.A)
		b, bothOK := input(result.B)
		factor := &p.Code[result.A]
		switch {
		case ok && result.A == result.B:
			return Pattern{Kind: PatternSquare, A: a}
		case ok && bothOK:
			return Pattern{Kind: PatternProduct, A: a, B: b}
		case result.A == result.B && factor.Op == device.OpSub:
			a, ok := input(factor.A)
			if b, bothOK := input(factor.B); ok && bothOK {
				return Pattern{Kind: PatternDifference, A: a, B: b}
			}
		}
	}
	return Pattern{}
}
