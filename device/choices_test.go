package device_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// slopes are the gradients that y = text should have with respect to a and b, at one point, with g = 1.
type slopes struct {
	text string
	a, b float64
	want string
}

func checkSlopes(t *testing.T, tests []slopes) {
	t.Helper()
	for _, test := range tests {
		p := compile(t, device.Source{Name: test.text, Inputs: "double a, double b", Outputs: "double y", Body: test.text}, nil)
		inputs := [][]number{{real64(test.a)}, {real64(test.b)}}
		g := []number{real64(1)}
		got := fmt.Sprint(gradients(t, p, 0, nil, inputs, g)[0].Re, " ", gradients(t, p, 1, nil, inputs, g)[0].Re)
		if got != test.want {
			t.Errorf("%s at %v, %v has the gradients %s, want %s", test.text, test.a, test.b, got, test.want)
		}
	}
}

// TestChoicesComeLast: what was not chosen adds 0, although its slope is infinite or NaN.
func TestChoicesComeLast(t *testing.T) {
	checkSlopes(t, []slopes{
		{"a > 0 ? log(a) : b", 0, 3, "0 1"},
		{"(a > 0 ? sqrt(a) : 0) * b", 0, 3, "0 0"},
		{"b * (a == 0 ? 0 : 1 / a)", 0, 3, "0 0"},
		{"a > 0 ? (b > 0 ? log(a) * log(b) : b) : 2 * b", 0, 0, "0 2"},
		{"(a > 0 ? log(a) : 0) + (a > 1 ? 2 * log(a) : 0) + b", 0, 3, "0 1"},
		{"(a > 0 ? log(a) : 0) + (b > 2 ? a : 0)", 0, 3, "1 0"},
		{"max(log(a), b)", 0, 3, "0 1"},
		{"a > 0 ? log(a) + a : a * a * b", 2, 3, "1.5 0"},
		{"logaddexp(a, b)", math.Inf(-1), math.Inf(-1), "0 0"},
		{"logaddexp(a, b)", math.Inf(1), math.Inf(1), "0.5 0.5"},
		{"logaddexp(a, b)", math.Inf(1), 3, "1 0"},
		{"logaddexp2(a, b)", math.Inf(1), math.Inf(1), "0.5 0.5"},
		{"atan2(a, b)", 0, 0, "0 0"},
	})
}

// TestSecondDerivativesAtPoles: the derivative of a derivative that is infinite is infinite, not a difference of
// infinities. That of a choice whose other side is infinite is 0.
func TestSecondDerivativesAtPoles(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		text string
		x    float64
		want float64
	}{
		{"asin(x)", 1, inf}, {"asin(x)", -1, -inf}, {"acos(x)", 1, -inf}, {"acos(x)", -1, inf},
		{"atanh(x)", 1, inf}, {"atanh(x)", -1, -inf}, {"acosh(x)", 1, -inf}, {"acosh(x)", 1e200, 0},
		{"x > 0 ? log(x) : 0", 0, 0}, {"x == 0 ? 0 : 1 / x", 0, 0}, {"x > 0 ? sqrt(x) : 0", 0, 0},
		{"zeta(inf, x)", 2, 0},
	} {
		p := compile(t, device.Source{Name: test.text, Inputs: "double x", Outputs: "double y", Body: "y = " + test.text}, nil)
		if got := second(t, p, test.x); got != test.want {
			t.Errorf("the second derivative of %s at %v is %v, want %v", test.text, test.x, got, test.want)
		}
	}
}

// TestScaledBesselSlopes compares slopes at large arguments with the asymptotic series, in both widths.
func TestScaledBesselSlopes(t *testing.T) {
	for _, test := range []struct {
		text       string
		x          float64
		slope, two float64
	}{
		{"besselie(0, x)", 1e6, -1.9947121513e-10, 2.9920689709e-16},
		{"besselie(0, x)", -1e6, 1.9947121513e-10, 2.9920689709e-16},
		{"besselie(1, x)", 1e6, -1.9947091592e-10, 2.9920614907e-16},
		{"besselke(0, x)", 1e6, -6.2665683369e-10, 9.3998501515e-16},
		{"besselke(1, x)", 1e6, -6.2665777368e-10, 9.3998736511e-16},
		{"besselie(0, x)", math.Inf(1), 0, 0},
		{"besselke(1, x)", math.Inf(1), 0, 0},
	} {
		for _, name := range []string{"double", "float"} {
			p := compile(t, device.Source{Name: test.text, Inputs: name + " x", Outputs: name + " y", Body: "y = " + test.text}, nil)
			slope, two := gradients(t, p, 0, nil, [][]number{{{Re: test.x}}}, []number{{Re: 1}})[0].Re, second(t, p, test.x)
			for _, pair := range [][2]float64{{slope, test.slope}, {two, test.two}} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-6*math.Abs(pair[1])) {
					t.Errorf("%s of %s at %v: %v, want %v", test.text, name, test.x, pair[0], pair[1])
				}
			}
		}
	}
}

// second returns the second derivative of a program of one input.
func second(t *testing.T, p *device.Program, x float64) float64 {
	t.Helper()
	first, err := p.Derive(0)
	if err != nil {
		t.Fatal(err)
	}
	one := []number{{Re: 1}}
	slope := func(p *device.Program, input int, inputs [][]number) float64 {
		return gradients(t, p, input, nil, inputs, one)[0].Re
	}
	at := [][]number{{{Re: x}}}
	inputs := make([][]number, len(first.From[0]))
	for i, from := range first.From[0] {
		inputs[i] = map[device.SourceKind][]number{device.FromInput: at[0], device.FromGradient: one}[from.Kind]
		if from.Kind == device.FromOutput {
			inputs[i] = evaluate(p, nil, at...)[:1]
		}
	}
	sum := 0.0
	for i, from := range first.From[0] {
		switch from.Kind {
		case device.FromInput:
			sum += slope(first.Programs[0], i, inputs)
		case device.FromOutput:
			sum += slope(first.Programs[0], i, inputs) * slope(p, 0, at)
		}
	}
	return sum
}
