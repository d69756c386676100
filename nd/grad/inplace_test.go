package grad_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// refused runs f, which must panic with an *nd.Error that contains all the words.
func refused(t *testing.T, f func(), words ...string) {
	t.Helper()
	err := nd.Catch(f)
	if err == nil {
		t.Fatal("not refused")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestOverwrittenValueIsRefused(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	w := vector(1, 2, 3)
	x := tape.Watch(w)
	y := ops.Exp(ops.Square(x)) // Square's gradient reads x
	w.Assign(nd.Scalar(0))
	refused(t, func() { tape.Gradient(y, x) }, "ops.Square", "overwritten by Array.Assign")
}

func TestOverwritingWhatNoGradientReadsIsFine(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	w := vector(1, 2, 3)
	x := tape.Watch(w)
	y := ops.Add(x, 1)
	w.Assign(nd.Scalar(0))
	near(t, "d(x+1)", tape.Gradient(y, x)[0], 1, 1, 1)
}

func TestAssignmentUnderATape(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2, 3))
	v := tape.Watch(vector(10))
	y := ops.Multiply(x, 2.0)
	y.Assign(ops.Square(v), nd.Span(0, 1)) // y = [100, 4, 6]
	gs := tape.Gradient(ops.Square(y), x, v)
	near(t, "x", gs[0], 0, 16, 24)
	near(t, "v", gs[1], 2*100*2*10)
}

func TestAssignmentIntoSharedMemoryIsRefused(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2, 3))
	y := ops.Exp(x)
	view := y.Index(nd.From(1))
	refused(t, func() { view.Assign(x.Index(nd.From(1))) }, "Array.Assign", "With")
	near(t, "With", tape.Gradient(y.With(x.Index(nd.At(0)), nd.At(2)), x)[0], 2.718281828459045+1, 7.38905609893065, 0)
}

func TestReleasedArraySaysWhoMadeIt(t *testing.T) {
	tape := grad.NewTape()
	x := tape.Watch(vector(1, 2))
	y, kept := ops.Square(x), tape.Keep(ops.Exp(x))
	tape.Reset()
	refused(t, func() { ops.Exp(y) }, "ops.Square", "released tape", "Keep")
	near(t, "kept", kept, 2.718281828459045, 7.38905609893065)
	if n, _ := kept.Node(); n != nil {
		t.Error("a kept array is still recorded after Reset")
	}
}

func TestTapeMustKnowTheArrays(t *testing.T) {
	tape, other := grad.NewTape(), grad.NewTape()
	defer tape.Release()
	defer other.Release()
	x, z := tape.Watch(vector(1)), other.Watch(vector(1))
	refused(t, func() { tape.Gradient(ops.Exp(x), vector(1)) }, "not recorded here")
	refused(t, func() { ops.Add(x, z) }, "two tapes")
	refused(t, func() { tape.Watch(nd.FromSlice([]int64{1})) }, "float and complex")
	refused(t, func() { tape.VJP([]*nd.Array{x}, []*nd.Array{vector(1, 2)}, x) }, "shape")
}
