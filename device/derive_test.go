package device_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// gradients propagates g back to an input of a program: one gradient per element, of which a raw input has several.
func gradients(t *testing.T, p *device.Program, input int, scalars []number, inputs [][]number, g []number) []number {
	t.Helper()
	dv, err := p.Derive(input)
	if err != nil {
		t.Fatal(err)
	}
	outputs := evaluate(p, scalars, inputs...)
	total := make([]number, len(inputs[input]))
	for k, q := range dv.Programs {
		checkSound(t, q)
		var from [][]number
		for _, origin := range dv.From[k] {
			switch origin.Kind {
			case device.FromInput:
				from = append(from, inputs[origin.Index])
			case device.FromOutput:
				from = append(from, outputs[origin.Index:origin.Index+1])
			case device.FromGradient:
				from = append(from, g[origin.Index:origin.Index+1])
			}
		}
		results := evaluate(q, scalars, from...)
		element := int64(0)
		if p.Inputs[input].Raw {
			element = results[1].Int
		}
		if element >= 0 && element < int64(len(total)) {
			total[element].Re += results[0].Re
			total[element].Im += results[0].Im
		}
	}
	return total
}

// loss is Σ (Re g·Re y + Im g·Im y), whose gradient with respect to the outputs is g.
func loss(p *device.Program, scalars []number, inputs [][]number, g []number) float64 {
	sum := 0.0
	for k, y := range evaluate(p, scalars, inputs...) {
		sum += float64(g[k].Re*y.Re) + float64(g[k].Im*y.Im)
	}
	return sum
}

// difference returns the central difference of the loss along the real or the imaginary part of an element of an input.
func difference(p *device.Program, input, element int, imaginary bool, scalars []number, inputs [][]number, g []number) float64 {
	const h = 1e-5
	moved := func(by float64) float64 {
		shifted := append([][]number(nil), inputs...)
		shifted[input] = append([]number(nil), inputs[input]...)
		if v := &shifted[input][element]; imaginary {
			v.Im += by
		} else {
			v.Re += by
		}
		return loss(p, scalars, shifted, g)
	}
	// Richardson's extrapolation removes the error of the second order.
	coarse, fine := (moved(2*h)-moved(-2*h))/(4*h), (moved(h)-moved(-h))/(2*h)
	return fine + (fine-coarse)/3
}

// checkGradients compares the derivatives of a program with respect to all its inputs with finite differences.
func checkGradients(t *testing.T, what string, p *device.Program, scalars []number, inputs [][]number, g []number) {
	t.Helper()
	for input, q := range p.Inputs {
		if !q.Type.IsInexact() {
			continue
		}
		for element, got := range gradients(t, p, input, scalars, inputs, g) {
			compare := func(part string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))) {
					t.Errorf("%s: the %s gradient of %s at %v is %v, differences say %v\n%s", what, part, q.Name, inputs, got, want, p)
				}
			}
			compare("real", got.Re, difference(p, input, element, false, scalars, inputs, g))
			if q.Type.IsComplex() {
				compare("imaginary", got.Im, difference(p, input, element, true, scalars, inputs, g))
			}
		}
	}
}

// points returns where an opcode's derivative is compared: values of the first argument, and pairs for two arguments.
func points(op device.Op) []float64 {
	switch op {
	case device.OpSqrt, device.OpRsqrt, device.OpLog, device.OpLog2, device.OpLog10:
		return []float64{0.2, 1, 3.7}
	case device.OpAsin, device.OpAcos, device.OpAtanh, device.OpErfinv:
		return []float64{-0.8, 0.1, 0.6}
	case device.OpNdtri:
		return []float64{0.01, 0.3, 0.8}
	case device.OpAcosh:
		return []float64{1.2, 3.4}
	case device.OpLog1p:
		return []float64{-0.6, 0.1, 2}
	case device.OpGamma, device.OpLgamma, device.OpDigamma, device.OpTrigamma:
		return []float64{-1.6, 0.3, 2.2, 4.5}
	case device.OpPow:
		return []float64{0.4, 1.7, 3}
	}
	return []float64{-2.3, -0.7, 0.4, 1.6}
}

// seconds returns the second arguments for opcodes whose first argument, one of firsts, has no derivative.
func seconds(op device.Op) (firsts, seconds []float64) {
	switch op {
	case device.OpPolygamma, device.OpBesselI, device.OpBesselIE, device.OpBesselJ:
		return []float64{0, 1, 2, 5}, []float64{-1.9, 0.45, 3.1, 31}
	case device.OpBesselY, device.OpBesselK, device.OpBesselKE:
		return []float64{0, 1, 2, 5}, []float64{0.45, 3.1, 31}
	case device.OpZeta:
		return []float64{1.5, 3}, []float64{0.45, 3.1}
	case device.OpGammainc, device.OpGammaincc, device.OpGammaPDF:
		return []float64{0.3, 2.5, 300}, []float64{0.45, 3.1, 310}
	}
	return nil, nil
}

// roundsTo16 reports whether an opcode rounds: its derivative is 1, but differences of less than a unit in the last place are 0.
func roundsTo16(op device.Op) bool {
	return op == device.OpRoundFloat16 || op == device.OpRoundBFloat16
}

// TestRoundingsPassGradients: the gradient of a value that is rounded to 16 bits is that of the exact value.
func TestRoundingsPassGradients(t *testing.T) {
	for _, op := range []device.Op{device.OpRoundFloat16, device.OpRoundBFloat16} {
		p := compile(t, device.Source{Name: op.String(), Inputs: "double a", Outputs: "double y", Body: fmt.Sprintf("y = %s(a)*a", op)}, nil)
		rounded := map[device.Op]float64{device.OpRoundFloat16: 0.0999755859375, device.OpRoundBFloat16: 0.10009765625}[op]
		if got := gradients(t, p, 0, nil, [][]number{{real64(0.1)}}, []number{real64(2)}); got[0].Re != 2*(rounded+0.1) {
			t.Errorf("the gradient of x·%s(x) at 0.1 is %v, want %v", op, got[0].Re/2, rounded+0.1)
		}
	}
}

// TestRulesAgreeWithDifferences compares every opcode that takes floats, on floats.
func TestRulesAgreeWithDifferences(t *testing.T) {
	for op := device.OpAdd; op < device.OpCount; op++ {
		if !op.Accepts(dtype.Float64) || roundsTo16(op) {
			continue
		}
		result := "double"
		g := []number{real64(0.8)}
		if op == device.OpComplex {
			result, g = "complex128", []number{{Re: 0.8, Im: -1.3}}
		}
		src := device.Source{Name: op.String(), Inputs: "double a", Outputs: result + " y", Body: fmt.Sprintf("y = %s(a)", op)}
		if op.Arity() == 1 {
			p := compile(t, src, nil)
			for _, a := range points(op) {
				checkGradients(t, src.Name, p, nil, [][]number{{real64(a)}}, g)
			}
			continue
		}
		if firsts, seconds := seconds(op); firsts != nil {
			for _, a := range firsts {
				src.Inputs, src.Body = "double b", fmt.Sprintf("y = %s(%v, b)", op, a)
				p := compile(t, src, nil)
				for _, b := range seconds {
					checkGradients(t, src.Body, p, nil, [][]number{{real64(b)}}, g)
				}
			}
			continue
		}
		src.Inputs, src.Body = "double a, double b", fmt.Sprintf("y = %s(a, b)", op)
		if op == device.OpLdexp {
			src.Inputs = "double a, int64 b"
		}
		p := compile(t, src, nil)
		for _, a := range points(op) {
			for _, b := range []float64{-1.9, 0.45, 3.1} {
				checkGradients(t, src.Name, p, nil, [][]number{{real64(a)}, {real64(b)}}, g)
			}
		}
	}
}

// TestComplexRulesAgreeWithDifferences compares every opcode that takes complex numbers, with g = ∂L/∂Re + i·∂L/∂Im.
func TestComplexRulesAgreeWithDifferences(t *testing.T) {
	values := []complex128{0.7 + 0.4i, -0.3 + 1.2i, 0.55 - 0.9i}
	for op := device.OpAdd; op < device.OpCount; op++ {
		if !op.Accepts(dtype.Complex128) {
			continue
		}
		g := []number{{Re: 0.8, Im: -1.3}}
		result := "complex128"
		switch op {
		case device.OpAbs, device.OpReal, device.OpImag:
			result, g[0].Im = "double", 0
		case device.OpEq, device.OpNe, device.OpLt, device.OpLe, device.OpGt, device.OpGe, device.OpIsNaN, device.OpIsInf, device.OpIsFinite:
			result, g[0].Im = "double", 0
		}
		src := device.Source{Name: op.String(), Inputs: "complex128 a", Outputs: result + " y", Body: fmt.Sprintf("y = %s(a)", op)}
		if op.Arity() == 2 {
			src.Inputs, src.Body = "complex128 a, complex128 b", fmt.Sprintf("y = %s(a, b)", op)
		}
		p := compile(t, src, nil)
		for k, a := range values {
			inputs := [][]number{{complexNumber(a)}}
			if op.Arity() == 2 {
				inputs = append(inputs, []number{complexNumber(values[(k+1)%3])})
			}
			checkGradients(t, src.Name, p, nil, inputs, g)
		}
	}
}

// TestExpressionsAgreeWithDifferences combines rules, through casts, branches, several outputs, scalars and raw loads.
func TestExpressionsAgreeWithDifferences(t *testing.T) {
	for _, src := range []device.Source{
		{Name: "mish", Inputs: "double x", Outputs: "double y", Body: "x*tanh(log1p(exp(x)))"},
		{Name: "reused", Inputs: "double x", Outputs: "double y", Body: "t = sin(x); y = t*t + t*x - x/t"},
		{Name: "huber", Inputs: "double x, double u", Outputs: "double y", Body: "d = x - u; y = abs(d) < 1 ? d*d : 2*abs(d) - 1"},
		{Name: "scalars", Inputs: "double x", Scalars: "double a, double b", Outputs: "double y", Body: "y = pow(x*x + a, b)"},
		{Name: "powers", Inputs: "double x", Outputs: "double y", Body: "pow(x, 3) + pow(x, 2) + pow(x, 1) + pow(x, 0) + pow(x, -2) + x*x*x"},
		{Name: "outputs", Inputs: "double x, double u", Outputs: "double y, double z", Body: "y = exp(x*u); z = y*u + x"},
		{Name: "copies", Inputs: "double x", Outputs: "double y, double z", Body: "y = x; z = 3"},
		{Name: "integers", Inputs: "double x, int32 k", Outputs: "double y", Body: "y = x*k + floor(x) + int32(x)*x"},
		{Name: "modulus", Inputs: "double x, double u", Outputs: "double y", Body: "abs(complex(x, u)*complex(u, 2*x))"},
		{Name: "polar", Inputs: "double x, complex128 u", Outputs: "complex128 y", Body: "u*exp(complex(0*x, x)) + conj(u)*x"},
		{Name: "dropped", Inputs: "complex128 x", Outputs: "double y", Body: "double(x*x) + real(x)*imag(x)"},
		{Name: "widened", Inputs: "double x", Outputs: "complex128 y", Body: "sqrt(complex128(x)) + x"},
		{Name: "raw", Inputs: "raw double r, double x", Outputs: "double y", Body: "r[0]*r[1]*x + r[i + 1] + r[7]"},
		{Name: "rawtwice", Inputs: "raw double r", Outputs: "double y", Body: "sin(r[0]) + r[0]*r[2]"},
	} {
		p := compile(t, src, nil)
		g := []number{{Re: 0.8}, {Re: -1.1}}[:len(p.Outputs)]
		if p.Outputs[0].Type.IsComplex() {
			g[0].Im = 0.6
		}
		for _, x := range []float64{0.35, 1.7} {
			var inputs [][]number
			for k, q := range p.Inputs {
				v := number{Re: x + 0.9*float64(k), Int: 3}
				if q.Type.IsComplex() {
					v.Im = -0.4
				}
				inputs = append(inputs, []number{v})
				if q.Raw {
					inputs[k] = []number{v, real64(0.6), real64(-1.5)}
				}
			}
			checkGradients(t, src.Name, p, []number{real64(0.7), real64(1.3)}, inputs, g)
		}
	}
}

// TestRulesAtCorners: ties go to the first argument, and where a function has no slope, the gradient is 0, not NaN.
func TestRulesAtCorners(t *testing.T) {
	nan := math.NaN()
	checkSlopes(t, []slopes{
		{"max(a, b)", 2, 2, "1 0"},
		{"min(a, b)", 2, 2, "1 0"},
		{"fmax(a, b)", 2, 2, "1 0"},
		{"fmin(a, b)", nan, 2, "0 1"},
		{"fmin(a, b)", 2, nan, "1 0"},
		{"fmax(a, b)", 1, 2, "0 1"},
		{"abs(a) + b", 0, 1, "0 1"},
		{"sign(a) * b", -3, 1, "0 -1"},
		{"hypot(a, b)", 0, 0, "0 0"},
		{"sinc(a) + b", 0, 0, "0 1"},
		{"pow(a, b)", 0, 2, "0 0"},
		{"pow(a, b)", 0, 0, "0 0"},
		{"pow(a, 0) + b", 0, 1, "0 1"},
		{"pow(a, 2) + b", 0, 1, "0 1"},
		{"floor(a) + b", 1.5, 1, "0 1"},
		{"rint(a) + round(b)", 1.5, 1, "0 0"},
		{"copysign(a, b)", 2, -3, "-1 0"},
		{"nextafter(a, b)", 2, 3, "1 0"},
		{"(a < b) + a", 2, 3, "1 0"},
		{"3.0", 2, 3, "0 0"},
	})
}

// TestDerivativesKeepTheType: programs in 32 bits have derivatives in 32 bits, with consistent types.
func TestDerivativesKeepTheType(t *testing.T) {
	for _, of := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
		for op := device.OpAdd; op < device.OpCount; op++ {
			if !op.Accepts(of) {
				continue
			}
			src := device.Source{Name: op.String(), Inputs: "T a, T b", Outputs: "C y", Body: fmt.Sprintf("y = %s(a, b)", op)}
			if firsts, _ := seconds(op); firsts != nil {
				src.Body = fmt.Sprintf("y = %s(3, b) + a", op)
			} else if op.Arity() == 1 {
				src.Body = fmt.Sprintf("y = %s(a)", op)
			}
			p := compile(t, src, map[byte]dtype.DType{'T': of, 'C': of.Complex()})
			for input := range p.Inputs {
				dv, err := p.Derive(input)
				if err != nil {
					t.Fatal(err)
				}
				for k, q := range dv.Programs {
					checkSound(t, q)
					if len(q.Inputs) != len(dv.From[k]) || q.Outputs[0].Type != of {
						t.Errorf("%s of %s: the gradient of input %d is\n%s", op, of, input, q)
					}
				}
			}
		}
	}
}

// TestSecondDerivative differentiates a derivative.
func TestSecondDerivative(t *testing.T) {
	p := compile(t, device.Source{Name: "cube", Inputs: "double x", Outputs: "double y", Body: "sin(x)*x*x"}, nil)
	dv, err := p.Derive(0)
	if err != nil {
		t.Fatal(err)
	}
	first := dv.Programs[0]
	var inputs [][]number
	for _, origin := range dv.From[0] {
		inputs = append(inputs, []number{map[device.SourceKind]number{
			device.FromInput: real64(0.8), device.FromOutput: real64(0.6), device.FromGradient: real64(1.2),
		}[origin.Kind]})
	}
	checkGradients(t, "the derivative of sin(x)·x²", first, nil, inputs, []number{real64(1)})
}

// TestDeriveReadsWhatItNeeds: a derivative has only the inputs that it depends on, and it reads a value that is an output.
func TestDeriveReadsWhatItNeeds(t *testing.T) {
	names := map[device.SourceKind]string{device.FromInput: "input", device.FromOutput: "output", device.FromGradient: "gradient"}
	for _, test := range []struct {
		body  string
		input int
		want  string
	}{
		{"exp(x)", 0, "gradient 0, output 0"},
		{"exp(x) + u*k", 0, "gradient 0, input 0"},
		{"exp(x) + u*k", 1, "gradient 0, input 2"},
		{"exp(x) + u*k", 2, ""},
		{"x + u", 0, "gradient 0"},
		{"exp(x)", 1, ""},
	} {
		p := compile(t, device.Source{Name: "k", Inputs: "double x, double u, int32 k", Outputs: "double y", Body: test.body}, nil)
		dv, err := p.Derive(test.input)
		if err != nil {
			t.Fatal(err)
		}
		var reads []string
		for _, from := range dv.From {
			for _, origin := range from {
				reads = append(reads, fmt.Sprint(names[origin.Kind], " ", origin.Index))
			}
		}
		slices.Sort(reads)
		if got := strings.Join(reads, ", "); got != test.want {
			t.Errorf("the gradient of input %d of %s reads %s, want %s", test.input, test.body, got, test.want)
		}
		if again, _ := p.Derive(test.input); again != dv {
			t.Error("Derive computes the same derivative twice")
		}
	}
}

// TestGivenGradient: a gradient in the source replaces that of the rules; an unassigned input gets no gradient.
func TestGivenGradient(t *testing.T) {
	src := device.Source{Name: "ste", Inputs: "T x, T u", Scalars: "T a", Outputs: "T y", Body: "round(x)*u*a",
		Gradient: "t = gy*a; gx = abs(x) < 1 ? t*u : 0"}
	p := compile(t, src, map[byte]dtype.DType{'T': dtype.Float32})
	inputs, g, scalars := [][]number{{real64(0.6)}, {real64(3)}}, []number{real64(2)}, []number{real64(5)}
	if got := gradients(t, p, 0, scalars, inputs, g); got[0].Re != 30 {
		t.Errorf("the gradient is %v, want 30", got)
	}
	if dv, err := p.Derive(1); err != nil || len(dv.Programs) != 0 {
		t.Errorf("an input that the gradient does not name has %v, %v", dv, err)
	}
	src.Gradient = "gx = gy * w"
	if _, err := compile(t, src, map[byte]dtype.DType{'T': dtype.Float32}).Derive(0); err == nil || !strings.Contains(err.Error(), `gradient of ste: "w" is not declared`) {
		t.Errorf("a gradient of an unknown name: %v", err)
	}
}

func TestDeriveRefusesWhatHasNoClosedForm(t *testing.T) {
	p := compile(t, device.Source{Name: "k", Inputs: "double x, double u", Outputs: "double y", Body: "zeta(x, u)"}, nil)
	if _, err := p.Derive(0); err == nil || !strings.Contains(err.Error(), "derivative of zeta with respect to its first argument") {
		t.Errorf("the derivative of zeta by its first argument: %v", err)
	}
	if _, err := p.Derive(1); err != nil {
		t.Errorf("the derivative of zeta by its second argument: %v", err)
	}
}
