package dtype

// Weak says that an operand is a number written in a program. Only the kind of such a number takes part in promotion.
type Weak uint8

// The kinds of weak numbers. There is no weak bool: true and false count as
// arrays of type Bool.
const (
	NotWeak Weak = iota
	WeakInt
	WeakFloat
	WeakComplex
)

// DType returns the type that a weak number has when nothing else decides:
// Int64, Float64 or Complex128; Unspecified for NotWeak.
func (w Weak) DType() DType {
	return [...]DType{Unspecified, Int64, Float64, Complex128}[w]
}

// Operand is an operand as promotion sees it: an array's element type, or a weak number (then DType does not matter).
type Operand struct {
	DType DType
	Weak  Weak
}

// Promote returns the type to which values of both types are converted before an operation, as in NumPy 2. Unspecified
// promotes to the other type.
// NumPy: promote_types.
func Promote(a, b DType) DType { return promoteTable[a][b] }

// ResultType returns the type in which an operation on all the operands is done. The result does not depend on their
// order: int16, uint16 and float32 give float32, although int16 and uint16 alone give int32. Operands that are all weak
// give Int64, Float64 or Complex128; no operand gives Unspecified.
// NumPy: result_type.
func ResultType(operands ...Operand) DType {
	if len(operands) == 2 {
		a, b := operands[0], operands[1]
		switch {
		case a.Weak|b.Weak == NotWeak:
			return promoteTable[a.DType][b.DType]
		case a.Weak == NotWeak:
			return weakTable[b.Weak][a.DType]
		case b.Weak == NotWeak:
			return weakTable[a.Weak][b.DType]
		default:
			return max(a.Weak, b.Weak).DType()
		}
	}

	// Integers are combined with the inexact types last, one by one: two integers may promote to an integer that is
	// wider than the float type must hold.
	inexact, integers, weak := Unspecified, Unspecified, NotWeak
	for _, o := range operands {
		switch {
		case o.Weak != NotWeak:
			weak = max(weak, o.Weak)
		case o.DType.IsInexact():
			inexact = promoteTable[inexact][o.DType]
		default:
			integers = promoteTable[integers][o.DType]
		}
	}
	if inexact == Unspecified {
		return weakTable[weak][integers]
	}
	for _, o := range operands {
		if o.Weak == NotWeak {
			inexact = promoteTable[inexact][o.DType]
		}
	}
	return weakTable[weak][inexact]
}

// FitsInt reports whether a weak integer of the given sign and magnitude is a value of the integer type d; an operation
// on d and a number that does not fit is an error. Bool holds 0 and 1. Inexact types accept every integer.
func FitsInt(d DType, negative bool, magnitude uint64) bool {
	if negative && magnitude != 0 {
		switch {
		case d.IsSigned():
			return magnitude <= 1<<(8*d.Size()-1)
		default:
			return d.IsInexact()
		}
	}
	switch {
	case d == Bool:
		return magnitude <= 1
	case d.IsSigned():
		return magnitude < 1<<(8*d.Size()-1)
	case d.IsUnsigned():
		return magnitude <= ^uint64(0)>>(64-8*d.Size())
	default:
		return d.IsInexact()
	}
}

var (
	promoteTable = buildPromoteTable()
	weakTable    = buildWeakTable()
)

func buildPromoteTable() (table [Count][Count]DType) {
	for a := Unspecified; a < Count; a++ {
		for b := Unspecified; b < Count; b++ {
			table[a][b] = promote(a, b)
		}
	}
	return table
}

// promote implements the rule that promoteTable tabulates.
func promote(a, b DType) DType {
	if a.Kind() > b.Kind() {
		a, b = b, a
	}
	switch {
	case a == Unspecified || a == b || a == Bool:
		return b
	case a.Kind() == b.Kind():
		if a.Size() == b.Size() {
			return Float32 // float16 and bfloat16
		}
		if a.Size() > b.Size() {
			return a
		}
		return b
	case b.IsSigned(): // and a is unsigned
		return signedFor(a, b)
	case b.IsComplex():
		if floatFor(a) == Float64 {
			return Complex128
		}
		return b
	default: // b is a float, a an integer
		if f := floatFor(a); f.Size() > b.Size() {
			return f
		}
		return b
	}
}

// signedFor returns the signed type that holds an unsigned and a signed one; beyond 64 bits it is float64.
func signedFor(unsigned, signed DType) DType {
	for _, d := range [...]DType{Int16, Int32, Int64} {
		if d.Size() > unsigned.Size() && d.Size() >= signed.Size() {
			return d
		}
	}
	return Float64
}

// floatFor returns the smallest standard float type that holds the values of a real type, as promotion sees it.
func floatFor(d DType) DType {
	switch {
	case d.IsFloat():
		return d
	case d.Size() == 1:
		return Float16
	case d.Size() == 2:
		return Float32
	default:
		return Float64
	}
}

func buildWeakTable() (table [WeakComplex + 1][Count]DType) {
	for d := Unspecified; d < Count; d++ {
		table[NotWeak][d] = d
		table[WeakInt][d] = d
		if d == Unspecified || d == Bool {
			table[WeakInt][d] = Int64
		}
		table[WeakFloat][d] = d
		table[WeakComplex][d] = Complex128
		if d.IsInexact() {
			table[WeakComplex][d] = Promote(d, Complex64)
		} else {
			table[WeakFloat][d] = Float64
		}
	}
	return table
}
