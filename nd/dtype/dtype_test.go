package dtype_test

import (
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

// all lists the element types.
var all = func() (types []dtype.DType) {
	for d := dtype.Bool; d < dtype.Count; d++ {
		types = append(types, d)
	}
	return types
}()

func TestOfAndSize(t *testing.T) {
	checkElement[bool](t, dtype.Bool)
	checkElement[int8](t, dtype.Int8)
	checkElement[int16](t, dtype.Int16)
	checkElement[int32](t, dtype.Int32)
	checkElement[int64](t, dtype.Int64)
	checkElement[uint8](t, dtype.Uint8)
	checkElement[uint16](t, dtype.Uint16)
	checkElement[uint32](t, dtype.Uint32)
	checkElement[uint64](t, dtype.Uint64)
	checkElement[float16.Float16](t, dtype.Float16)
	checkElement[dtype.BF16](t, dtype.BFloat16)
	checkElement[float32](t, dtype.Float32)
	checkElement[float64](t, dtype.Float64)
	checkElement[complex64](t, dtype.Complex64)
	checkElement[complex128](t, dtype.Complex128)
}

func checkElement[T dtype.Element](t *testing.T, want dtype.DType) {
	t.Helper()
	var element T
	if got := dtype.Of[T](); got != want {
		t.Errorf("Of[%T] = %v, want %v", element, got, want)
	}
	if got := want.Size(); got != int(unsafe.Sizeof(element)) {
		t.Errorf("%v: size %d, but %T has %d", want, got, element, unsafe.Sizeof(element))
	}
}

func TestProperties(t *testing.T) {
	for _, test := range []struct {
		d       dtype.DType
		name    string
		code    string
		char    byte
		kind    dtype.Kind
		real    dtype.DType
		complex dtype.DType
	}{
		{dtype.Bool, "bool", "|b1", '?', dtype.KindBool, dtype.Bool, dtype.Complex64},
		{dtype.Int8, "int8", "|i1", 'b', dtype.KindInt, dtype.Int8, dtype.Complex64},
		{dtype.Int16, "int16", "<i2", 'h', dtype.KindInt, dtype.Int16, dtype.Complex64},
		{dtype.Int32, "int32", "<i4", 'i', dtype.KindInt, dtype.Int32, dtype.Complex128},
		{dtype.Int64, "int64", "<i8", 'l', dtype.KindInt, dtype.Int64, dtype.Complex128},
		{dtype.Uint8, "uint8", "|u1", 'B', dtype.KindUint, dtype.Uint8, dtype.Complex64},
		{dtype.Uint16, "uint16", "<u2", 'H', dtype.KindUint, dtype.Uint16, dtype.Complex64},
		{dtype.Uint32, "uint32", "<u4", 'I', dtype.KindUint, dtype.Uint32, dtype.Complex128},
		{dtype.Uint64, "uint64", "<u8", 'L', dtype.KindUint, dtype.Uint64, dtype.Complex128},
		{dtype.Float16, "float16", "<f2", 'e', dtype.KindFloat, dtype.Float16, dtype.Complex64},
		{dtype.BFloat16, "bfloat16", "<V2", 'E', dtype.KindFloat, dtype.BFloat16, dtype.Complex64},
		{dtype.Float32, "float32", "<f4", 'f', dtype.KindFloat, dtype.Float32, dtype.Complex64},
		{dtype.Float64, "float64", "<f8", 'd', dtype.KindFloat, dtype.Float64, dtype.Complex128},
		{dtype.Complex64, "complex64", "<c8", 'F', dtype.KindComplex, dtype.Float32, dtype.Complex64},
		{dtype.Complex128, "complex128", "<c16", 'D', dtype.KindComplex, dtype.Float64, dtype.Complex128},
		{dtype.Unspecified, "unspecified", "", 0, dtype.KindNone, dtype.Unspecified, dtype.Unspecified},
	} {
		d := test.d
		if d.String() != test.name || d.Code() != test.code || d.Char() != test.char || d.Kind() != test.kind {
			t.Errorf("%v: name %q, code %q, char %q, kind %v", d, d.String(), d.Code(), d.Char(), d.Kind())
		}
		if d.Real() != test.real || d.Complex() != test.complex {
			t.Errorf("%v: Real %v, Complex %v; want %v, %v", d, d.Real(), d.Complex(), test.real, test.complex)
		}
		if d.Valid() != (d != dtype.Unspecified) {
			t.Errorf("%v: Valid is %v", d, d.Valid())
		}
	}
	if invalid := dtype.DType(dtype.Count); invalid.Valid() || invalid.String() != "invalid" {
		t.Errorf("DType(Count): Valid %v, String %q", invalid.Valid(), invalid)
	}
}

func TestPredicatesFollowKind(t *testing.T) {
	for _, d := range append(all, dtype.Unspecified) {
		k := d.Kind()
		for name, check := range map[string][2]bool{
			"IsBool":     {d.IsBool(), k == dtype.KindBool},
			"IsSigned":   {d.IsSigned(), k == dtype.KindInt},
			"IsUnsigned": {d.IsUnsigned(), k == dtype.KindUint},
			"IsInteger":  {d.IsInteger(), k == dtype.KindInt || k == dtype.KindUint},
			"IsFloat":    {d.IsFloat(), k == dtype.KindFloat},
			"IsComplex":  {d.IsComplex(), k == dtype.KindComplex},
			"IsInexact":  {d.IsInexact(), k == dtype.KindFloat || k == dtype.KindComplex},
		} {
			if check[0] != check[1] {
				t.Errorf("%v: %s is %v", d, name, check[0])
			}
		}
	}
}

func TestKindNames(t *testing.T) {
	for k, want := range map[dtype.Kind]struct {
		name   string
		letter byte
	}{
		dtype.KindNone: {"none", 0}, dtype.KindBool: {"bool", 'b'}, dtype.KindUint: {"uint", 'u'},
		dtype.KindInt: {"int", 'i'}, dtype.KindFloat: {"float", 'f'}, dtype.KindComplex: {"complex", 'c'},
		dtype.KindComplex + 1: {"invalid", 0},
	} {
		if k.String() != want.name || k.Letter() != want.letter {
			t.Errorf("kind %d: %q, %q", uint8(k), k.String(), k.Letter())
		}
	}
}
