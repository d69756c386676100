package dtype_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestCanCast(t *testing.T) {
	for _, test := range []struct {
		from, to dtype.DType
		weakest  dtype.Casting // the strictest rule that allows it
	}{
		{dtype.Int8, dtype.Int8, dtype.CastNo},
		{dtype.Bool, dtype.Int8, dtype.CastSafe},
		{dtype.Bool, dtype.Complex64, dtype.CastSafe},
		{dtype.Uint8, dtype.Int16, dtype.CastSafe},
		{dtype.Int64, dtype.Float64, dtype.CastSafe},
		{dtype.Uint64, dtype.Complex128, dtype.CastSafe},
		{dtype.Int8, dtype.BFloat16, dtype.CastSafe},
		{dtype.BFloat16, dtype.Float32, dtype.CastSafe},
		{dtype.Int16, dtype.Float16, dtype.CastSameKind},
		{dtype.Int32, dtype.Float32, dtype.CastSameKind},
		{dtype.Uint64, dtype.Int8, dtype.CastSameKind},
		{dtype.Float64, dtype.Float16, dtype.CastSameKind},
		{dtype.Float16, dtype.BFloat16, dtype.CastSameKind},
		{dtype.BFloat16, dtype.Float16, dtype.CastSameKind},
		{dtype.Float64, dtype.Complex64, dtype.CastSameKind},
		{dtype.Int8, dtype.Uint8, dtype.CastUnsafe},
		{dtype.Int8, dtype.Uint64, dtype.CastUnsafe},
		{dtype.Float32, dtype.Int64, dtype.CastUnsafe},
		{dtype.Complex64, dtype.Float64, dtype.CastUnsafe},
		{dtype.Uint8, dtype.Bool, dtype.CastUnsafe},
	} {
		allowed := false
		for _, rule := range []dtype.Casting{dtype.CastNo, dtype.CastEquiv, dtype.CastSafe, dtype.CastSameKind, dtype.CastUnsafe} {
			allowed = allowed || rule == test.weakest
			if got := dtype.CanCast(test.from, test.to, rule); got != allowed {
				t.Errorf("CanCast(%v, %v, %v) = %v", test.from, test.to, rule, got)
			}
		}
	}
}

func TestCastingRulesWiden(t *testing.T) {
	rules := []dtype.Casting{dtype.CastNo, dtype.CastEquiv, dtype.CastSafe, dtype.CastSameKind, dtype.CastUnsafe}
	for _, from := range all {
		for _, to := range all {
			for i, rule := range rules[1:] {
				if dtype.CanCast(from, to, rules[i]) && !dtype.CanCast(from, to, rule) {
					t.Errorf("%v to %v: %v allows it, %v does not", from, to, rules[i], rule)
				}
			}
			if !dtype.CanCast(from, to, dtype.CastUnsafe) {
				t.Errorf("%v to %v is not even unsafe", from, to)
			}
		}
	}
}

func TestUnknownCasting(t *testing.T) {
	for _, rule := range []dtype.Casting{0, dtype.CastUnsafe + 1} {
		if rule.Valid() || dtype.CanCast(dtype.Int8, dtype.Int8, rule) {
			t.Errorf("casting %v is accepted", rule)
		}
	}
	for _, name := range []string{"", "Safe", "samekind", "same kind"} {
		if rule, err := dtype.ParseCasting(name); err == nil {
			t.Errorf("casting %q is read as %v", name, rule)
		}
	}
	if rule, err := dtype.ParseCasting("same_kind"); err != nil || rule != dtype.CastSameKind {
		t.Errorf("same_kind is read as %v, %v", rule, err)
	}
	if dtype.CanCast(dtype.Unspecified, dtype.Int8, dtype.CastUnsafe) || dtype.CanCast(dtype.Int8, dtype.Count, dtype.CastUnsafe) {
		t.Error("CanCast accepts an invalid type")
	}
}
