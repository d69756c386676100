package dtype

import "fmt"

// Casting is a rule for which conversions are allowed. The zero value is no rule: options take it for their default.
type Casting uint8

// The casting rules. Each allows everything that the previous one allows.
const (
	CastNo       Casting = iota + 1 // the same type only
	CastEquiv                       // the same as CastNo: all arrays have the machine's byte order
	CastSafe                        // conversions that keep every value, as promotion defines it
	CastSameKind                    // also conversions to a narrower type of the same or a higher kind
	CastUnsafe                      // every conversion
)

// Valid reports whether c is one of the five rules.
func (c Casting) Valid() bool { return CastNo <= c && c <= CastUnsafe }

// String returns NumPy's name of the rule, such as "same_kind".
func (c Casting) String() string {
	if !c.Valid() {
		return fmt.Sprintf("Casting(%d)", uint8(c))
	}
	return [...]string{"no", "equiv", "safe", "same_kind", "unsafe"}[c-CastNo]
}

// ParseCasting returns the rule that NumPy calls by a name.
func ParseCasting(name string) (Casting, error) {
	for c := CastNo; c.Valid(); c++ {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("casting rule %q: want no, equiv, safe, same_kind or unsafe", name)
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
