package device_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestExpressions checks what texts compute. The inputs are int32 a = 7, b = -2, c = 3; double x = 2.5, y = -0.5; bool
// p = true, q = false; complex128 z = 3+4i; uint8 u = 200; the raw double r = 10, 20, 30.
func TestExpressions(t *testing.T) {
	const inputs = "int32 a, double x, bool p, complex128 z, uint8 u, raw double r"
	const scalars = "int32 b, int32 c, double y, bool q"
	for _, test := range []struct{ result, body, want string }{
		// Precedence and associativity are C's.
		{"int32", "a + b * c", "1"},
		{"int32", "(a + b) * c", "15"},
		{"int32", "a - b - c", "6"},
		{"int32", "a - (b - c)", "12"},
		{"int32", "a / c * c", "6"},
		{"int32", "-a % c", "-1"},
		{"int32", "a << 1 + 1", "28"},
		{"int32", "a & 3 == 3", "1"},
		{"int32", "a | 8 ^ 1 & c", "15"},
		{"int32", "~a & 0xF", "8"},
		{"int32", "-~a", "8"},
		{"int32", "- - a", "7"},
		{"int32", "+a", "7"},
		{"bool", "a < c || p && q", "false"},
		{"bool", "!p == q", "true"},
		{"bool", "!(a > c) || !q", "true"},
		{"bool", "a > b == p", "true"},
		{"bool", "1 < a < 2", "true"}, // as in C: (1 < a) < 2
		{"bool", "p ^ q", "true"},

		// Conditional expressions nest to the right, and their two values are converted to one type.
		{"int32", "a > 0 ? 1 : 2", "1"},
		{"int32", "a < 0 ? 1 : a < 8 ? 2 : 3", "2"},
		{"int32", "p ? q ? 1 : 2 : 3", "2"},
		{"double", "q ? a : x", "2.5"},
		{"double", "select(q, a, x)", "2.5"},
		{"int32", "(p ? a : b) + c", "10"},
		{"int32", "x ? 1 : 0", "1"},

		// Division is C's: integers truncate.
		{"int32", "a / 2", "3"},
		{"int32", "b / 4", "0"},
		{"int32", "a / 0", "0"},
		{"double", "a / 2.0", "3.5"},
		{"double", "a / 2", "3"},
		{"double", "7 / 2", "3"},
		{"double", "7 / 2.", "3.5"},
		{"double", "x % 1", "0.5"},
		{"int32", "floordiv(b, 4) + mod(b, 4)", "1"},

		// Literals take the type of the other operand.
		{"uint8", "u + 100", "44"},
		{"int32", "u + 100", "44"},
		{"int32", "u * c", "600"},
		{"float32", "float32(x) + 0.1", "2.5999999046325684"},
		{"double", "x + .1e1", "3.5"},
		{"double", "x + 1e-1f", "2.6"},
		{"double", "1e400", "+Inf"},
		{"int32", "0x1F + 010", "39"},
		{"int64", "9223372036854775807", "9223372036854775807"},
		{"uint64", "18446744073709551615u", "18446744073709551615"},
		{"int64", "-9223372036854775807 - 1", "-9223372036854775808"},
		{"double", "2 * pi - pi", "3.141592653589793"},
		{"double", "-inf", "-Inf"},
		{"double", "nan", "NaN"},
		{"bool", "true && !false", "true"},
		{"complex128", "z * 2 + 1", "(7+8i)"},

		// Casts, by names from C and NumPy; the store converts too.
		{"int32", "int(x)", "2"},
		{"double", "double(a) / 2", "3.5"},
		{"double", "float(0.1)", "0.10000000149011612"},
		{"int8", "int8(u)", "-56"},
		{"int32", "int8(u)", "-56"},
		{"int32", "bool(x) + 1", "2"},
		{"uint8", "x - 3", "0"},
		{"double", "real(z) + imag(z)", "7"},
		{"complex128", "complex(x, y)", "(2.5-0.5i)"},
		{"complex128", "conj(z)", "(3-4i)"},
		{"double", "abs(z)", "5"},
		{"double", "fabs(y)", "0.5"},
		{"double", "z", "3"},

		// Functions of floats take integers, as in C.
		{"double", "sqrt(a + 2)", "3"},
		{"double", "sqrt(4)", "2"},
		{"double", "power(x, 2)", "6.25"},
		{"int32", "pow(c, 4)", "81"},
		{"double", "ldexp(x, a)", "320"},
		{"double", "max(a, x)", "7"},
		{"int32", "min(a, b)", "-2"},
		{"double", "fmin(nan, x)", "2.5"},
		{"bool", "isnan(nan)", "true"},
		{"bool", "isfinite(a)", "true"},
		{"int32", "sign(b)", "-1"},

		// Raw elements and the index.
		{"double", "r[1]", "20"},
		{"double", "r[c - 1] + r[i] + r[3] + r[-1]", "40"},
		{"double", "r[x]", "30"},
		{"int64", "n * 10 + i", "10"},
		{"int64", "_ind.size()", "1"},

		// Statements: declarations, compound assignment, outputs that are read after they are assigned.
		{"int32", "int32 t = a * 2; out = t + 1", "15"},
		{"int32", "t = a; t += 1; t *= 2; t -= 3; t /= 2; t %= 4; out = t", "2"},
		{"int32", "t = a; t <<= 3; t >>= 1; t &= 0x1C; t |= 1; t ^= 3; out = t;", "30"},
		{"int32", "float t = 7; out = t / 2 * 2", "7"},
		{"int32", "out = a; out += b; out = out * out", "25"},
		{"int32", ";; out = a ;;", "7"},
		{"double", "out = x\n * \t2;\n", "5"},
		{"int32", "t = 3; t = t + 0.5; out = t * 2", "7"},
		{"bool", "out = a == 7", "true"},
	} {
		src := device.Source{Name: "test", Inputs: inputs, Scalars: scalars, Outputs: test.result + " out", Body: test.body}
		p, err := src.Compile(nil)
		if err != nil {
			t.Errorf("%s: %v", test.body, err)
			continue
		}
		got := evaluate(p, []number{real64(-2), real64(3), real64(-0.5), real64(0)},
			[]number{real64(7)}, []number{real64(2.5)}, []number{real64(1)}, []number{{Re: 3, Im: 4}}, []number{real64(200)},
			[]number{real64(10), real64(20), real64(30)})
		if text := show(got[0], p.Outputs[0].Type); text != test.want {
			t.Errorf("%s is %s, want %s", test.body, text, test.want)
		}
	}
}

// TestTypesAreBound: a letter stands for the type that Compile gets; 16-bit floats are computed in float32.
func TestTypesAreBound(t *testing.T) {
	src := device.Source{Name: "test", Inputs: "T x, U y", Outputs: "T z", Body: "U t = y*2; z = x + T(t)"}
	p := compile(t, src, map[byte]dtype.DType{'T': dtype.BFloat16, 'U': dtype.Int8})
	if p.Inputs[0].Type != dtype.Float32 || p.Inputs[1].Type != dtype.Int8 || p.Outputs[0].Type != dtype.Float32 {
		t.Errorf("types are %v, %v -> %v", p.Inputs[0].Type, p.Inputs[1].Type, p.Outputs[0].Type)
	}
}

// TestRefusals: an error says what is wrong, and where.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ inputs, outputs, body, want string }{
		{"T x", "T y", "for (j = 0; j < 3; j++) y = x", "no loops"},
		{"T x", "T y", "while (x) y = x", "no loops"},
		{"T x", "T y", "if (x > 0) y = x", "no loops, branches"},
		{"T x", "T y", "y = x; return y", "no loops, branches or returns"},
		{"T x", "T y", "", "expected a value"},
		{"T x", "T y", "y = ", "expected a value"},
		{"T x", "T y", "y = x +", "expected a value"},
		{"T x", "T y", "y = (x", `want ")"`},
		{"T x", "T y", "y = x)", "want ;"},
		{"T x", "T y", "y = x x", "want ;"},
		{"T x", "T y", "y == x; 3", `"y" has no value yet`},
		{"T x", "T y", "y = x ? 1", `want ":"`},
		{"T x", "T y", "y = x # 2", "unexpected character"},
		{"T x", "T y", "y = x 'a'", "unexpected character"},
		{"T x", "T y", "y = 1.2.3", "not a number"},
		{"T x", "T y", "y = 99999999999999999999", "not a number"},
		{"T x", "T y", "y = 0x", "not a number"},
		{"T x", "T y", "y = unheard(x)", "no function"},
		{"T x", "T y", "y = w + x", `"w" is not declared`},
		{"T x", "T y", "y = y + x", `"y" has no value yet`},
		{"T x", "T y", "y += x", `"y" has no value yet`},
		{"T x", "T y, T z", "y = x", `"z" gets no value`},
		{"T x", "T y, T z", "x + 1", "one output"},
		{"T x", "T y", "x = 2; y = x", "is an input"},
		{"T x", "T y", "y[0] = x", "their own index"},
		{"T x", "T y", "y = x[0]", "want ;"},
		{"raw T x", "T y", "y = x", `want "["`},
		{"raw T x", "T y", "y = x[0", `want "]"`},
		{"T x", "raw T y", "y = x", "is raw"},
		{"T x", "T y", "_t = 3; y = x", "reserved"},
		{"T x", "T y", "true = x; y = x", "reserved"},
		{"T _a", "T y", "y = 1", "reserved"},
		{"T true", "T y", "y = 1", "reserved"},
		{"T sin", "T y", "y = cos", "not declared"},
		{"T sin", "T y", "y = sin(sin, 1)", "takes 1 values, not 2"},
		{"T x", "T y", "y = x^2", "write a power as x*x, or pow(x, 2)"},
		{"T x", "T y", "y = x; y ^= 2", "write a power as x*x"},
		{"T x", "T y", "y = x**2", "no operator **"},
		{"T x, T x", "T y", "y = x", "declared twice"},
		{"T x", "T x", "x = 1", "declared twice"},
		{"T x,", "T y", "y = x", "empty declaration"},
		{"x", "T y", "y = x", "expected a type and a name"},
		{"T *x", "T y", "y = x", "is not a name"},
		{"T 2x", "T y", "y = x", "is not a name"},
		{"const T x", "T y", "y = x", "expected a type and a name"},
		{"quad x", "T y", "y = x", "neither a dtype"},
		{"T x", "", "x", "at least one output"},
		{"T a, T b, T c, T d, T e, T f, T g, T h, T j, T k, T l, T m", "T y", "y = a", "at most 12"},
		{"T x", "T y", "quad t = x; y = t", "is not a type"},
		{"T x", "T y", "y = sqrt(x, x)", "takes 1 values, not 2"},
		{"T x", "T y", "y = pow(x)", "takes 2 values, not 1"},
		{"T x", "T y", "y = sin()", "takes 1 values, not 0"},
		{"T x", "T y", "y = float(x, x)", "a cast takes one value"},
		{"T x", "T y", "y = select(x, x)", "a condition and two values"},
		{"T x", "T y", "y = gcd(x, 2)", "no meaning for float32"},
		{"T x", "T y", "y = x & 1", "no meaning for float32"},
		{"T x", "T y", "y = conj(x)", "no meaning for float32"},
		{"complex64 x", "T y", "y = x % 2", "no meaning for complex64"},
		{"complex64 x", "T y", "y = floor(x)", "no meaning for complex64"},
		{"bool x, bool z", "T y", "y = atan2(x, z)", "no meaning for bool"},
		{"T x", "T y", "y = _ind.shape()", "_ind has only size()"},
		{"T x", "T y", strings.Repeat("(", 1000) + "x" + strings.Repeat(")", 1000), "nested too deeply"},
		{"T x", "T y", "y = " + strings.Repeat("-", 1000) + "x", "nested too deeply"},
		{"T x", "T y", "y = " + strings.Repeat("x ? ", 1000) + "x", "nested too deeply"},
	} {
		src := device.Source{Name: "wrong", Inputs: test.inputs, Outputs: test.outputs, Body: test.body}
		_, err := src.Compile(func(byte) dtype.DType { return dtype.Float32 })
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q (%s -> %s): %v, want %q", test.body, test.inputs, test.outputs, err, test.want)
		} else if !strings.HasPrefix(err.Error(), "wrong: ") {
			t.Errorf("%v does not name the kernel", err)
		}
	}
}

// TestNamesHideTheLanguage: values may have the names of functions, constants, types and indices. The functions and
// types can still be called.
func TestNamesHideTheLanguage(t *testing.T) {
	src := device.Source{Name: "hidden", Inputs: "T gamma, T n, raw T exp", Outputs: "T beta, T float",
		Body: "i = n + i; pi = gamma * exp[0]; T select = abs(n); beta = pi + exp(n - n) + float(i); float = select"}
	p := compile(t, src, map[byte]dtype.DType{'T': dtype.Float64})
	got := evaluate(p, nil, []number{real64(2)}, []number{real64(-3)}, []number{real64(5)})
	if got[0].Re != 10+1-3 || got[1].Re != 3 {
		t.Errorf("beta is %v and float %v, want 8 and 3", got[0].Re, got[1].Re)
	}
}

// TestNestingIsBounded: the parser accepts 200 levels, and no more.
func TestNestingIsBounded(t *testing.T) {
	for name, nested := range map[string]func(levels int) string{
		"choices": func(levels int) string { return strings.Repeat("x ? x : ", levels-1) + "x" },
		"signs":   func(levels int) string { return strings.Repeat("-", levels-1) + "x" },
	} {
		for _, levels := range []int{200, 201} {
			_, err := device.Source{Name: "deep", Inputs: "T x", Outputs: "T y", Body: "y = " + nested(levels)}.Compile(func(byte) dtype.DType { return dtype.Float32 })
			if (err == nil) != (levels <= 200) {
				t.Errorf("%d nested %s: %.100v", levels, name, err)
			}
		}
	}
}

func TestSyntaxErrorPointsAtItsPosition(t *testing.T) {
	_, err := device.Source{Name: "k", Inputs: "T x", Outputs: "T y", Body: "y = x + w"}.Compile(func(byte) dtype.DType { return dtype.Int8 })
	var syntax *device.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != 8 {
		t.Errorf("got %v, want a syntax error at 8", err)
	}
}

// TestListing: programs are listed one instruction per line. Equal expressions are computed once, unused ones are
// dropped.
func TestListing(t *testing.T) {
	src := device.Source{Name: "huber", Inputs: "T x, T y, raw int32 k", Scalars: "T delta", Outputs: "T z, int64 at",
		Body: "d = x - y; unused = exp(d); z = abs(d) < delta ? d*d : 2*abs(x - y) - 1.5; at = k[i]"}
	p := compile(t, src, map[byte]dtype.DType{'T': dtype.Float32})
	const want = `huber(float32 x, float32 y, raw int32 k; float32 delta) -> float32 z, int64 at
  0 float32 input x
  1 float32 input y
  2 float32 scalar delta
  3 float32 sub %0 %1
  4 float32 abs %3
  5 bool lt %4 %2
  6 float32 mul %3 %3
  7 float32 const 2
  8 float32 mul %7 %4
  9 float32 const 1.5
 10 float32 sub %8 %9
 11 float32 select %5 %6 %10
 12 int64 index
 13 int32 load %12 k
 14 int64 cast %13
  = [11 14]
`
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNegativeZeroAndNaNConstantsStayApart: constants are shared if their bits are equal, not by ==.
func TestNegativeZeroAndNaNConstantsStayApart(t *testing.T) {
	p := compile(t, device.Source{Name: "k", Inputs: "double x", Outputs: "double y, double z, double v",
		Body: "y = copysign(x, 0.0); z = copysign(x, -0.0); v = nan + nan"}, nil)
	got := evaluate(p, nil, []number{real64(1)})
	if got[0].Re != 1 || got[1].Re != -1 || got[2].Re == got[2].Re {
		t.Errorf("%v", got)
	}
}

func TestParseParams(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "[]",
		"  ":                        "[]",
		"T x":                       "[{x T false}]",
		" raw  float32\ty , int8 k": "[{y float32 true} {k int8 false}]",
	} {
		got, err := device.ParseParams(text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	if d := (device.Declaration{Type: "T"}); !d.Generic() {
		t.Error("T is a letter for any type")
	}
	if d := (device.Declaration{Type: "t"}); d.Generic() {
		t.Error("t is no capital letter")
	}
}

// FuzzParse: for every text, the parser terminates, and a program that it returns is sound and runs.
func FuzzParse(f *testing.F) {
	for _, seed := range [][4]string{
		{"T x, T y", "T a", "T z", "d = x - y; z = abs(d) < 1 ? d*d : 2*abs(d) - a"},
		{"raw T x, int32 k", "", "T z, bool b", "z = x[k] + x[i] * _ind.size(); b = !k"},
		{"complex64 x", "", "T z", "abs(x) + real(x*conj(x)) + 0x1F - 1e3f / .5"},
		{"bool p, uint8 u", "int64 q", "int8 z", "z = p ? ~u : q << 2; z ^= u % 3 ; ;"},
		{"T x", "", "T y", "y = ((((x))))--1"},
		{"T x,", "T ", "raw T y", "for"},
		{"T x", "", "T y", "y = ldexp(x, 2) + pow(2, 3) + select(x, 1, nan) - -inf"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], uint8(dtype.Float32))
	}
	f.Fuzz(func(t *testing.T, inputs, scalars, outputs, body string, code uint8) {
		bound := dtype.DType(code%(dtype.Count-1)) + 1
		p, err := device.Source{Name: "fuzz", Inputs: inputs, Scalars: scalars, Outputs: outputs, Body: body}.
			Compile(func(byte) dtype.DType { return bound })
		if err != nil {
			return
		}
		checkSound(t, p)
		var operands [][]number
		for range p.Inputs {
			operands = append(operands, []number{{Re: 1.5, Im: 2, Int: 3}})
		}
		evaluate(p, nil, operands...)
	})
}

// checkSound checks that each value is computed before it is read, and has a compute type.
func checkSound(t *testing.T, p *device.Program) {
	t.Helper()
	computed := map[dtype.DType]bool{}
	for _, c := range device.ComputeTypes {
		computed[c] = true
	}
	for k := range p.Code {
		in := &p.Code[k]
		if !computed[in.Type] {
			t.Fatalf("instruction %d has the type %v\n%s", k, in.Type, p)
		}
		for _, a := range in.Args() {
			if a < 0 || int(a) >= k {
				t.Fatalf("instruction %d reads %d\n%s", k, a, p)
			}
		}
		if in.Op >= device.OpAdd && !in.Op.Accepts(p.Code[in.A].Type) {
			t.Fatalf("instruction %d: %v of %v\n%s", k, in.Op, p.Code[in.A].Type, p)
		}
		if in.Op >= device.OpAdd && in.Op.Arity() == 2 && in.Op != device.OpLdexp && p.Code[in.A].Type != p.Code[in.B].Type {
			t.Fatalf("instruction %d has arguments of two types\n%s", k, p)
		}
	}
	if len(p.Results) != len(p.Outputs) {
		t.Fatalf("%d results for %d outputs", len(p.Results), len(p.Outputs))
	}
	for k, r := range p.Results {
		if int(r) >= len(p.Code) || p.Code[r].Type != p.Outputs[k].Type {
			t.Fatalf("output %d is of another type than its value\n%s", k, p)
		}
	}
}
