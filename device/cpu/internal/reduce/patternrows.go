package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// patternRows is a pattern in use: it combines rows directly from the inputs.
type patternRows struct {
	kind   elementwise.PatternKind
	double bool // float64
	fold   fold
	a, b   *elementwise.Input
	spread bool // b has one value for each row

	eval  *elementwise.Evaluation // computes a's values; nil if a is in memory
	width int                     // of such a value, in bytes
}

// patternOf returns how the values of a reduction are combined directly from the inputs, if this is possible.
func (r *reduction) patternOf() (s patternRows, ok bool) {
	if r.launch.AsStored {
		return r.patternAsStored()
	}
	t := &r.plan.Pattern
	if t.Kind == elementwise.PatternNone || t.Kind != elementwise.PatternInput && r.launch.Combine != device.CombineSum {
		return s, false
	}
	s = patternRows{kind: t.Kind, double: r.dtype == dtype.Float64, fold: r.fold, a: &r.eval.Inputs[t.A], b: &r.eval.Inputs[t.B]}
	inRows := func(x *elementwise.Input) bool { return x.DType == r.dtype && (x.Step() == 1 || x.Row() == 1) }
	if t.Kind == elementwise.PatternNonzero || r.dtype == dtype.Int64 && s.a.DType == dtype.Bool && r.launch.Combine == device.CombineSum {
		s.kind = elementwise.PatternNonzero
		return s, hasNonzeroCount(s.a.DType) && (s.a.Step() == 1 || s.a.Row() == 1)
	}
	switch t.Kind {
	case elementwise.PatternProduct:
		ok = inRows(s.b)
	case elementwise.PatternDifference:
		s.spread = s.b.DType == r.dtype && s.b.Step() == 0
		ok = s.spread || inRows(s.b)
	default:
		ok = true
	}
	return s, ok && inRows(s.a)
}

// rows combines each of the rows of n elements, starting at a point, to one value in dst. The rows follow each other
// along an axis; along the last axis they are pieces of a row.
func (s *patternRows) rows(dst unsafe.Pointer, point, rows, n, axis int) {
	if s.eval != nil {
		s.computedRows(dst, point, rows, n)
		return
	}
	step := 1
	if axis == len(s.a.Strides)-1 {
		step = n
	}
	a, pitch := s.a.At(point), step*s.a.Strides[axis]
	var b unsafe.Pointer
	pitchB := 0
	if s.kind == elementwise.PatternProduct || s.kind == elementwise.PatternDifference {
		b, pitchB = s.b.At(point), step*s.b.Strides[axis]
	}
	s.combine(dst, a, b, rows, n, pitch, pitchB)
}

// combine combines each of the rows of n elements, pitch elements apart, to one value in dst.
func (s *patternRows) combine(dst, a, b unsafe.Pointer, rows, n, pitch, pitchB int) {
	switch {
	case s.kind == elementwise.PatternInput:
		s.fold.rows(dst, a, rows, n, pitch)
	case s.kind == elementwise.PatternNonzero:
		countNonzero(s.a.DType, dst, a, rows, n, pitch)
	case s.double:
		reducePattern(s, (*float64)(dst), (*float64)(a), (*float64)(b), rows, n, pitch, pitchB)
	default:
		reducePattern(s, (*float32)(dst), (*float32)(a), (*float32)(b), rows, n, pitch, pitchB)
	}
}

func reducePattern[T scalar.Float](s *patternRows, dst, a, b *T, rows, n, pitch, pitchB int) {
	switch {
	case s.kind == elementwise.PatternSquare:
		reduce.Rows(reduce.Squares, dst, a, rows, n, pitch)
	case s.kind == elementwise.PatternMagnitude:
		reduce.Rows(reduce.Magnitudes, dst, a, rows, n, pitch)
	case s.kind == elementwise.PatternProduct:
		reduce.PairRows(reduce.Products, dst, a, b, rows, n, pitch, pitchB)
	case s.spread:
		reduce.PairRows(reduce.Deviations, dst, a, b, rows, n, pitch, pitchB)
	default:
		reduce.PairRows(reduce.Differences, dst, a, b, rows, n, pitch, pitchB)
	}
}
