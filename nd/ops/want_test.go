package ops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// want compares an array with NumPy's repr, ignoring line breaks.
func want(t *testing.T, got *nd.Array, repr string) {
	t.Helper()
	if text := strings.Join(strings.Fields(fmt.Sprintf("%#v", got)), " "); text != repr {
		t.Errorf("got  %s\nwant %s", text, repr)
	}
}

// refuses reports an error unless f panics with an *nd.Error whose message contains the text.
func refuses(t *testing.T, text string, f func()) {
	t.Helper()
	switch err := nd.Catch(f); {
	case err == nil:
		t.Errorf("no panic, want an error that contains %q", text)
	case !strings.Contains(err.Error(), text):
		t.Errorf("panic with %q, want it to contain %q", err, text)
	}
}

// close64 compares two arrays of float64 or complex128.
func close64(t *testing.T, got, wanted *nd.Array, tolerance float64) {
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

// normal draws float64 or complex128 numbers.
func normal(seed uint64, dt dtype.DType, shape ...int) *nd.Array {
	rng := nd.NewRand(seed)
	x := random.Normal(rng, 0, 1, shape)
	if dt == dtype.Complex128 {
		return ops.Add(x, ops.Multiply(random.Normal(rng, 0, 1, shape), nd.Scalar(1i)))
	}
	return x
}

// gradOf returns f(x) and the gradient of its sum.
func gradOf(f func(x *nd.Array) *nd.Array, x *nd.Array) (y, g *nd.Array) {
	y, gs := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f(xs[0]) })(x)
	return y, gs[0]
}
