package dtype_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// promotions are the results of NumPy 2 and, in the rows and columns of bf, the choices of this package. The upper
// triangle suffices, because promotion commutes.
const promotions = `
      b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8  c16
b1    b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8  c16
i1       i1 i2 i4 i8 i2 i4 i8 f8 f2 bf f4 f8 c8  c16
i2          i2 i4 i8 i2 i4 i8 f8 f4 f4 f4 f8 c8  c16
i4             i4 i8 i4 i4 i8 f8 f8 f8 f8 f8 c16 c16
i8                i8 i8 i8 i8 f8 f8 f8 f8 f8 c16 c16
u1                   u1 u2 u4 u8 f2 bf f4 f8 c8  c16
u2                      u2 u4 u8 f4 f4 f4 f8 c8  c16
u4                         u4 u8 f8 f8 f8 f8 c16 c16
u8                            u8 f8 f8 f8 f8 c16 c16
f2                               f2 f4 f4 f8 c8  c16
bf                                  bf f4 f8 c8  c16
f4                                     f4 f8 c8  c16
f8                                        f8 c16 c16
c8                                           c8  c16
c16                                              c16
`

func TestPromoteTable(t *testing.T) {
	parse := func(code string) dtype.DType {
		if code == "bf" {
			return dtype.BFloat16
		}
		d, err := dtype.Parse(code)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	lines := strings.Split(strings.TrimSpace(promotions), "\n")
	columns := strings.Fields(lines[0])
	for i, line := range lines[1:] {
		fields := strings.Fields(line)
		a := parse(fields[0])
		for j, code := range fields[1:] {
			b, want := parse(columns[i+j]), parse(code)
			if ab, ba := dtype.Promote(a, b), dtype.Promote(b, a); ab != want || ba != want {
				t.Errorf("Promote of %v and %v: %v and, in reverse order, %v; want %v", a, b, ab, ba, want)
			}
		}
	}
}

func TestPromoteProperties(t *testing.T) {
	for _, a := range append(all, dtype.Unspecified) {
		if got := dtype.Promote(a, a); got != a {
			t.Errorf("Promote(%v, %v) = %v", a, a, got)
		}
		if got := dtype.Promote(a, dtype.Unspecified); got != a {
			t.Errorf("Promote(%v, unspecified) = %v", a, got)
		}
		for _, b := range all {
			both := dtype.Promote(a, b)
			if dtype.Promote(both, a) != both || dtype.Promote(both, b) != both {
				t.Errorf("%v, the type for %v and %v, is not final", both, a, b)
			}
			if both.Kind() < a.Kind() || both.Kind() < b.Kind() {
				t.Errorf("Promote(%v, %v) = %v steps down", a, b, both)
			}
		}
	}
}

// TestPromoteKeepsValues checks the purpose of promotion: the ends of both ranges fit. NumPy's exceptions are 64-bit
// integers in float64.
func TestPromoteKeepsValues(t *testing.T) {
	for _, a := range all {
		for _, b := range all {
			both := dtype.Promote(a, b)
			from, to := dtype.Info(a), dtype.Info(both)
			switch {
			case a == dtype.Bool || a.Size() == 8 && a.IsInteger():
			case a.IsInteger() && both.IsInteger():
				if from.MinInt < to.MinInt || from.MaxInt > to.MaxInt {
					t.Errorf("Promote(%v, %v) = %v does not hold %v", a, b, both, a)
				}
			case a.IsInteger():
				if exact := uint64(1) << (to.MantissaBits + 1); from.MaxInt > exact {
					t.Errorf("Promote(%v, %v) = %v does not hold all of %v", a, b, both, a)
				}
			default:
				if from.MantissaBits > to.MantissaBits || from.Max > to.Max || from.SmallestSubnormal < to.SmallestSubnormal {
					t.Errorf("Promote(%v, %v) = %v does not hold %v", a, b, both, a)
				}
			}
		}
	}
}

func array(d dtype.DType) dtype.Operand { return dtype.Operand{DType: d} }
func weak(w dtype.Weak) dtype.Operand   { return dtype.Operand{Weak: w} }

func TestResultType(t *testing.T) {
	i, f, c := weak(dtype.WeakInt), weak(dtype.WeakFloat), weak(dtype.WeakComplex)
	for _, test := range []struct {
		operands []dtype.Operand
		want     dtype.DType
	}{
		{nil, dtype.Unspecified},
		{[]dtype.Operand{array(dtype.Int8)}, dtype.Int8},
		{[]dtype.Operand{i}, dtype.Int64},
		{[]dtype.Operand{f}, dtype.Float64},
		{[]dtype.Operand{c}, dtype.Complex128},
		{[]dtype.Operand{i, f}, dtype.Float64},
		{[]dtype.Operand{i, f, c}, dtype.Complex128},
		{[]dtype.Operand{array(dtype.Bool), array(dtype.Bool)}, dtype.Bool},
		{[]dtype.Operand{array(dtype.Bool), i}, dtype.Int64},
		{[]dtype.Operand{array(dtype.Bool), array(dtype.Bool), i}, dtype.Int64},
		{[]dtype.Operand{array(dtype.Bool), f}, dtype.Float64},
		{[]dtype.Operand{array(dtype.Uint8), i}, dtype.Uint8},
		{[]dtype.Operand{array(dtype.Int8), f}, dtype.Float64},
		{[]dtype.Operand{array(dtype.Int8), c}, dtype.Complex128},
		{[]dtype.Operand{array(dtype.Float16), i}, dtype.Float16},
		{[]dtype.Operand{array(dtype.Float16), f}, dtype.Float16},
		{[]dtype.Operand{array(dtype.Float16), c}, dtype.Complex64},
		{[]dtype.Operand{array(dtype.BFloat16), i}, dtype.BFloat16},
		{[]dtype.Operand{array(dtype.BFloat16), f}, dtype.BFloat16},
		{[]dtype.Operand{array(dtype.BFloat16), c}, dtype.Complex64},
		{[]dtype.Operand{array(dtype.Float32), c}, dtype.Complex64},
		{[]dtype.Operand{array(dtype.Float64), c}, dtype.Complex128},
		{[]dtype.Operand{array(dtype.Complex64), f}, dtype.Complex64},
		{[]dtype.Operand{array(dtype.Int16), array(dtype.Uint16), array(dtype.Float32)}, dtype.Float32},
		{[]dtype.Operand{array(dtype.Int8), array(dtype.Uint8), array(dtype.Float16)}, dtype.Float16},
		{[]dtype.Operand{array(dtype.Int8), array(dtype.Uint8), array(dtype.BFloat16)}, dtype.BFloat16},
		{[]dtype.Operand{array(dtype.Uint64), array(dtype.Int64), array(dtype.Float32)}, dtype.Float64},
		{[]dtype.Operand{array(dtype.Float16), array(dtype.Int16), c}, dtype.Complex64},
		{[]dtype.Operand{array(dtype.Uint8), array(dtype.Int8), i}, dtype.Int16},
		{[]dtype.Operand{array(dtype.Int32), array(dtype.Float16), f}, dtype.Float64},
		{[]dtype.Operand{array(dtype.Int64), array(dtype.Uint8), f, c}, dtype.Complex128},
		{[]dtype.Operand{array(dtype.Int8), i, f}, dtype.Float64},
	} {
		if got := dtype.ResultType(test.operands...); got != test.want {
			t.Errorf("ResultType(%v) = %v, want %v", test.operands, got, test.want)
		}
	}
}

func TestResultTypeIgnoresOrder(t *testing.T) {
	var operands []dtype.Operand
	for _, d := range all {
		operands = append(operands, array(d))
	}
	operands = append(operands, weak(dtype.WeakInt), weak(dtype.WeakFloat), weak(dtype.WeakComplex))
	for i, a := range operands {
		for j, b := range operands[:i+1] {
			pair := dtype.ResultType(a, b)
			if turned := dtype.ResultType(b, a); turned != pair {
				t.Errorf("%v, %v: %v, in reverse order %v", a, b, pair, turned)
			}
			// Repeating an operand changes nothing, and uses the general path.
			if general := dtype.ResultType(a, b, a); general != pair {
				t.Errorf("%v, %v: %v for two, %v in general", a, b, pair, general)
			}
			if a.Weak|b.Weak == dtype.NotWeak && pair != dtype.Promote(a.DType, b.DType) {
				t.Errorf("%v, %v: ResultType %v is not Promote", a, b, pair)
			}
			for _, c := range operands[:j+1] {
				want := dtype.ResultType(a, b, c)
				for _, order := range [][]dtype.Operand{{a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
					if got := dtype.ResultType(order...); got != want {
						t.Errorf("%v: %v, but %v: %v", []dtype.Operand{a, b, c}, want, order, got)
					}
				}
			}
		}
	}
}

func TestResultTypeDoesNotAllocate(t *testing.T) {
	a, b := array(dtype.Int16), weak(dtype.WeakFloat)
	allocs := testing.AllocsPerRun(100, func() {
		dtype.ResultType(a, b)
		dtype.ResultType(a, b, a)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestFitsInt(t *testing.T) {
	const top = ^uint64(0)
	for _, test := range []struct {
		d         dtype.DType
		negative  bool
		magnitude uint64
		want      bool
	}{
		{dtype.Uint8, false, 255, true}, {dtype.Uint8, false, 256, false}, {dtype.Uint8, false, 300, false},
		{dtype.Uint8, true, 1, false}, {dtype.Uint8, true, 0, true},
		{dtype.Int8, false, 127, true}, {dtype.Int8, false, 128, false},
		{dtype.Int8, true, 128, true}, {dtype.Int8, true, 129, false},
		{dtype.Int32, false, 1<<31 - 1, true}, {dtype.Int32, false, 1 << 31, false}, {dtype.Int32, true, 1 << 31, true},
		{dtype.Int64, false, 1<<63 - 1, true}, {dtype.Int64, false, 1 << 63, false},
		{dtype.Int64, true, 1 << 63, true}, {dtype.Int64, true, 1<<63 + 1, false},
		{dtype.Uint64, false, top, true}, {dtype.Uint64, true, 1, false},
		{dtype.Bool, false, 1, true}, {dtype.Bool, false, 2, false}, {dtype.Bool, true, 1, false},
		{dtype.Float16, false, top, true}, {dtype.Complex64, true, top, true},
		{dtype.Unspecified, false, 0, false},
	} {
		if got := dtype.FitsInt(test.d, test.negative, test.magnitude); got != test.want {
			t.Errorf("FitsInt(%v, %v, %d) = %v", test.d, test.negative, test.magnitude, got)
		}
	}
}

func TestReductionTypes(t *testing.T) {
	for _, test := range []struct{ d, sum, float, mean, compute dtype.DType }{
		{dtype.Bool, dtype.Int64, dtype.Float16, dtype.Float64, dtype.Bool},
		{dtype.Int8, dtype.Int64, dtype.Float16, dtype.Float64, dtype.Int8},
		{dtype.Int16, dtype.Int64, dtype.Float32, dtype.Float64, dtype.Int16},
		{dtype.Int32, dtype.Int64, dtype.Float64, dtype.Float64, dtype.Int32},
		{dtype.Int64, dtype.Int64, dtype.Float64, dtype.Float64, dtype.Int64},
		{dtype.Uint8, dtype.Uint64, dtype.Float16, dtype.Float64, dtype.Uint8},
		{dtype.Uint16, dtype.Uint64, dtype.Float32, dtype.Float64, dtype.Uint16},
		{dtype.Uint32, dtype.Uint64, dtype.Float64, dtype.Float64, dtype.Uint32},
		{dtype.Uint64, dtype.Uint64, dtype.Float64, dtype.Float64, dtype.Uint64},
		{dtype.Float16, dtype.Float16, dtype.Float16, dtype.Float16, dtype.Float32},
		{dtype.BFloat16, dtype.BFloat16, dtype.BFloat16, dtype.BFloat16, dtype.Float32},
		{dtype.Float32, dtype.Float32, dtype.Float32, dtype.Float32, dtype.Float32},
		{dtype.Float64, dtype.Float64, dtype.Float64, dtype.Float64, dtype.Float64},
		{dtype.Complex64, dtype.Complex64, dtype.Complex64, dtype.Complex64, dtype.Complex64},
		{dtype.Complex128, dtype.Complex128, dtype.Complex128, dtype.Complex128, dtype.Complex128},
		{dtype.Unspecified, dtype.Unspecified, dtype.Unspecified, dtype.Unspecified, dtype.Unspecified},
	} {
		got := [...]dtype.DType{dtype.SumType(test.d), dtype.FloatType(test.d), dtype.MeanType(test.d), dtype.ComputeType(test.d)}
		if want := [...]dtype.DType{test.sum, test.float, test.mean, test.compute}; got != want {
			t.Errorf("%v: sum, float, mean, compute types %v, want %v", test.d, got, want)
		}
	}
	for k, want := range map[dtype.Kind]dtype.DType{
		dtype.KindNone: dtype.Unspecified, dtype.KindBool: dtype.Bool, dtype.KindInt: dtype.Int64,
		dtype.KindUint: dtype.Uint64, dtype.KindFloat: dtype.Float64, dtype.KindComplex: dtype.Complex128,
	} {
		if got := dtype.Default(k); got != want {
			t.Errorf("Default(%v) = %v", k, got)
		}
	}
}
