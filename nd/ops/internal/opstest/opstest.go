// Package opstest holds what tests of nd/ops and of its subpackages compare and draw arrays with.
package opstest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// Repr compares an array with how NumPy's repr writes it, line breaks aside.
func Repr(t *testing.T, got *nd.Array, repr string) {
	t.Helper()
	if text := strings.Join(strings.Fields(fmt.Sprintf("%#v", got)), " "); text != repr {
		t.Errorf("got  %s\nwant %s", text, repr)
	}
}

// Refuses reports where f does not panic with an *nd.Error whose message holds the text.
func Refuses(t *testing.T, text string, f func()) {
	t.Helper()
	switch err := nd.Catch(f); {
	case err == nil:
		t.Errorf("no panic, want an error that contains %q", text)
	case !strings.Contains(err.Error(), text):
		t.Errorf("panic with %q, want it to contain %q", err, text)
	}
}

// Refused reports where f does not panic with an *nd.Error.
func Refused(t *testing.T, what string, f func()) {
	t.Helper()
	if nd.Catch(f) == nil {
		t.Errorf("%s is not refused", what)
	}
}

// Close compares two arrays of float64 or complex128.
func Close(t *testing.T, got, wanted *nd.Array, tolerance float64) {
	t.Helper()
	if fmt.Sprint(got.Shape()) != fmt.Sprint(wanted.Shape()) {
		t.Fatalf("got shape %v, want %v", got.Shape(), wanted.Shape())
	}
	if got.Size() == 0 {
		return
	}
	if d := nd.Value[float64](ops.Max(ops.Absolute(ops.Subtract(got, wanted)))); !(d <= tolerance) {
		t.Errorf("they differ by %v:\ngot  %v\nwant %v", d, got, wanted)
	}
}

// Floats compares the elements of an array with numbers, bit by bit except for NaNs.
func Floats(t *testing.T, what string, x *nd.Array, want ...float64) {
	t.Helper()
	got := nd.ToSlice[float64](x.AsType(dtype.Float64))
	for i, w := range want {
		same := math.Float64bits(got[i]) == math.Float64bits(w) || got[i] != got[i] && w != w
		if !same {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// Vector is an array of one axis.
func Vector[T dtype.Element](values ...T) *nd.Array { return nd.FromSlice(values, len(values)) }

// Normal draws float64 or complex128 numbers.
func Normal(seed uint64, dt dtype.DType, shape ...int) *nd.Array {
	rng := nd.NewRand(seed)
	x := random.Normal(rng, 0, 1, shape)
	if dt == dtype.Complex128 {
		return ops.Add(x, ops.Multiply(random.Normal(rng, 0, 1, shape), 1i))
	}
	return x
}

// ValueAndGrad is f(x) and the gradient of its sum.
func ValueAndGrad(f func(x *nd.Array) *nd.Array, x *nd.Array) (y, g *nd.Array) {
	y, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(x)
	return y, gs[0]
}
