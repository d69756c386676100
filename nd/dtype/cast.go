package dtype

// Casting names a rule for which conversions are allowed.
type Casting string

// The casting rules. Each allows everything that the rule before it allows.
const (
	CastNo       Casting = "no"        // the same type only
	CastEquiv    Casting = "equiv"     // as "no": all arrays have the machine's byte order
	CastSafe     Casting = "safe"      // conversions that keep every value, as promotion sees it
	CastSameKind Casting = "same_kind" // also to a narrower type of the same or a higher kind
	CastUnsafe   Casting = "unsafe"    // everything
)

// Valid reports whether c is one of the five rules.
func (c Casting) Valid() bool {
	switch c {
	case CastNo, CastEquiv, CastSafe, CastSameKind, CastUnsafe:
		return true
	}
	return false
}

// CanCast reports whether the rule allows a conversion, as NumPy's can_cast does. It is false for an unknown rule and
// for a type that is not Valid. The kinds rise from bool through unsigned integers, signed integers and floats to
// complex numbers. So "same_kind" allows uint64 to int8 and float64 to float16, and refuses int8 to uint8 and float32
// to int64.
// NumPy: can_cast.
func CanCast(from, to DType, rule Casting) bool {
	if !from.Valid() || !to.Valid() {
		return false
	}
	switch rule {
	case CastNo, CastEquiv:
		return from == to
	case CastSafe:
		return Promote(from, to) == to
	case CastSameKind:
		return from.Kind() <= to.Kind()
	case CastUnsafe:
		return true
	}
	return false
}
