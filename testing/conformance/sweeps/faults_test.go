package sweeps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
	"github.com/ndgrad/ndgrad/testing/golden"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestPointsAreOffKinks checks that no number is near a multiple of a half or has the modulus of another number of its
// call, and that the points together reach from 0 to 6 on both sides.
func TestPointsAreOffKinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	reached := map[int]bool{}
	for _, p := range points {
		c := chooser{point: p, row: &catalogue.Row{}}
		var all []float64
		for i := range 500 {
			v := []float64{0, 1, -1, 2.5, -0.5, 0.3}[i%6]
			x := c.awayFromKinks(p.move(v, r))
			if math.Signbit(x) != math.Signbit(v) {
				t.Fatalf("%s: %v has another sign than %v", p.name, x, v)
			}
			if d := math.Abs(2*x - math.Round(2*x)); d < 0.09 {
				t.Fatalf("%s: %v is near a multiple of a half", p.name, x)
			}
			all = append(all, math.Abs(x))
			reached[int(math.Floor(x))] = true
		}
		slices.Sort(all)
		for i := range all[1:] {
			if all[i+1]-all[i] < 1e-4 {
				t.Fatalf("%s: %v and %v are near each other", p.name, all[i], all[i+1])
			}
		}
	}
	for unit := -6; unit < 6; unit++ {
		if !reached[unit] {
			t.Errorf("no point lies between %d and %d", unit, unit+1)
		}
	}
}

func TestDomainsHoldPoints(t *testing.T) {
	for _, in := range []catalogue.Interval{{From: -1, To: 1}, {From: 1, To: math.Inf(1)}, {From: math.Inf(-1), To: -2}, {From: 0, To: 1}} {
		for v := -6.1; v < 6; v += 0.1 {
			if x := reflectInto(in, v); !(x > in.From && x < in.To) || v > in.From && v < in.To && x != v {
				t.Errorf("%v becomes %v in %v", v, x, in)
			}
		}
	}
}

// TestSweepFindsPartialFaults sweeps functions whose gradient, or whose derivative of the gradient, is 0 or NaN in a
// part of their domain only. Every such fault must be found.
func TestSweepFindsPartialFaults(t *testing.T) {
	parts := map[string]func(x *nd.Array) *nd.Array{
		"beyond 2.1": func(x *nd.Array) *nd.Array { return ops.Greater(ops.Absolute(x), 2.1) },
		"beyond 4":   func(x *nd.Array) *nd.Array { return ops.Greater(ops.Absolute(x), 4.0) },
		"below -2.1": func(x *nd.Array) *nd.Array { return ops.Less(x, -2.1) },
		"within 0.9": func(x *nd.Array) *nd.Array { return ops.Less(ops.Absolute(x), 0.9) },
		"from 1 to 2.4": func(x *nd.Array) *nd.Array {
			return ops.Less(ops.Absolute(ops.Subtract(ops.Absolute(x), 1.7)), 0.7)
		},
	}
	for name, part := range parts {
		for _, instead := range []float64{0, math.NaN()} {
			first := &grad.Function{
				Name:    "test.first",
				Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Sin(in[0])} },
				Backward: func(c *nd.Call) {
					g := ops.Multiply(c.Gy(0), ops.Cos(c.In(0)))
					c.SetGx(0, ops.Where(part(c.In(0)), instead, g))
				},
			}
			second := &grad.Function{
				Name:    "test.second",
				Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Sin(in[0])} },
				Backward: func(c *nd.Call) {
					x := c.In(0)
					cos := ops.Where(part(x), ops.Cos(x.Detach()), ops.Cos(x))
					c.SetGx(0, ops.Multiply(c.Gy(0), cos))
				},
			}
			for _, kind := range []struct {
				name  string
				f     *grad.Function
				check checking
			}{{"first", first, gradcheck.Checker.Check}, {"second", second, gradcheck.Checker.CheckSecondOrder}} {
				t.Run(fmt.Sprintf("%s order, %s, %v", kind.name, name, instead), func(t *testing.T) {
					err := sweptOnce(t, kind.check, catalogue.Row{Signature: "nnabla.functions.f(x)", Func: func(x *nd.Array) *nd.Array { return kind.f.Call(x)[0] }})
					if err == nil {
						t.Error("the fault was not found")
					}
				})
			}
		}
	}
	if err := sweptOnce(t, gradcheck.Checker.CheckSecondOrder, catalogue.Row{Signature: "nnabla.functions.f(x)", Func: ops.Sin}); err != nil {
		t.Errorf("the correct sine fails: %v", err)
	}
	narrow := catalogue.Row{Signature: "nnabla.functions.f(x)", Func: ops.Arcsin}
	if err := sweptOnce(t, gradcheck.Checker.Check, narrow); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("a function outside its domain, with no Domain in the row: %v", err)
	}
	narrow.Domain = map[string]catalogue.Interval{"": {From: -1, To: 1}}
	if err := sweptOnce(t, gradcheck.Checker.Check, narrow); err != nil {
		t.Errorf("in its domain: %v", err)
	}
}

// TestSweepChecksWithGivenArguments sweeps a function whose gradient is the derivative only without its option.
func TestSweepChecksWithGivenArguments(t *testing.T) {
	row := catalogue.Row{Signature: "nnabla.functions.f(x, factor=2, bias=None)", Func: func(x *nd.Array, factor float64, bias *float64) *nd.Array {
		y := ops.Multiply(x.Detach(), factor-1)
		if bias != nil {
			factor = *bias
		}
		return ops.Add(y, ops.Multiply(x, factor))
	}}
	for name, c := range map[string]struct {
		with   map[string]any
		passes bool
	}{
		"default":  {nil, false},
		"given":    {map[string]any{"factor": 1}, true},
		"omitted":  {map[string]any{"factor": 1, "bias": nil}, true},
		"of these": {map[string]any{"factor": 2, "bias": 1}, false},
	} {
		row.CheckedWith = c.with
		if err := sweptOnce(t, gradcheck.Checker.Check, row); (err == nil) != c.passes {
			t.Errorf("%s: %v, want it to pass: %v", name, err, c.passes)
		}
	}
}

// TestSweepKeepsDefiniteMatrices moves a positive definite matrix, which must stay so.
func TestSweepKeepsDefiniteMatrices(t *testing.T) {
	x := mat(2, 4, 1, 1, 3)
	if !isHermitian(x) || !isDefinite(x) {
		t.Errorf("%v is not found to be positive definite", x)
	}
	if y := mat(2, 1, 2, 2, 1); isDefinite(y) {
		t.Errorf("%v is found to be positive definite", y)
	}
	for _, p := range points {
		c := chooser{point: p, row: &catalogue.Row{}}
		if y := hermitianPart(keptDefinite(c.doubled("x", x))); !isDefinite(y) {
			t.Errorf("%s: %v is not positive definite", p.name, y)
		}
	}
}

func mat(columns int, v ...float64) *nd.Array { return nd.FromSlice(v, len(v)/columns, columns) }

// sweptOnce sweeps one case of a function of one array.
func sweptOnce(t *testing.T, check checking, row catalogue.Row) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.json")
	const text = `{"function": "nnabla.functions.f", "cases": [{"id": "f-1", "function": "nnabla.functions.f", "args": {"x": {"array": "x"}}, "outputs": []}]}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	x := nd.FromSlice([]float64{1, -1, 2, -2, 0, -0.5, 3, -3})
	if err := nd.SaveNpz(golden.ArraysPath(path), []nd.Named{{Name: "x", Array: x}}, false); err != nil {
		t.Fatal(err)
	}
	file, err := golden.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fn, err := catalogue.Bind(&row)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		s := &subject{fn: fn, f: file, c: c, tol: runner.ToleranceOf(c)}
		if s.plain = s.call(setting{}); s.plain.err != nil {
			t.Fatal(s.plain.err)
		}
		done := newProgress(fn.Row)
		if err := s.derivatives(check, done); err != nil {
			return err
		}
		if err := done.missed(); err != nil {
			return err
		}
		if len(done.checked) != len(points) {
			t.Errorf("%d points were checked, want %d", len(done.checked), len(points))
		}
	}
	return nil
}
