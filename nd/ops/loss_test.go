package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestElementwiseLosses(t *testing.T) {
	a, b := vector(1.0, -2, 0.5), vector(3.0, -2, 0)
	wantFloats(t, "SquaredError", ops.SquaredError(a, b), 4, 0, 0.25)
	wantFloats(t, "AbsoluteError", ops.AbsoluteError(a, b), 2, 0, 0.5)
	wantFloats(t, "HuberLoss", ops.HuberLoss(a, b), 3, 0, 0.25)
	wantFloats(t, "HuberLoss of delta 2", ops.HuberLoss(a, b, ops.HuberLossOptions{Delta: new(2.0)}), 4, 0, 0.25)
	wantFloats(t, "EpsilonInsensitiveLoss", ops.EpsilonInsensitiveLoss(a, b, 0.5), 1.5, 0, 0)
	wantFloats(t, "HuberLoss far away", ops.HuberLoss(vector(1e300), vector(-1e300)), 4e300)
	wantFloats(t, "SquaredError of small integers", ops.SquaredError(vector[int8](3), vector[int8](1)), 4)
}

func TestLossGradients(t *testing.T) {
	x := nd.FromSlice([]float64{-1.3, 0.4, 2.6, -0.9, 3.1, -1.7}, 3, 2)
	b := vector(0.3, 0.9)
	p := nd.FromSlice([]float64{0.1, 0.4, 0.6, 0.9, 0.3, 0.7}, 3, 2)
	q := vector(0.2, 0.75)
	for name, test := range map[string]struct {
		f    gradcheck.Function
		a, b *nd.Array
	}{
		"SquaredError":           {func(xs ...*nd.Array) *nd.Array { return ops.SquaredError(xs[0], xs[1]) }, x, b},
		"AbsoluteError":          {func(xs ...*nd.Array) *nd.Array { return ops.AbsoluteError(xs[0], xs[1]) }, x, b},
		"HuberLoss":              {func(xs ...*nd.Array) *nd.Array { return ops.HuberLoss(xs[0], xs[1]) }, x, b},
		"EpsilonInsensitiveLoss": {func(xs ...*nd.Array) *nd.Array { return ops.EpsilonInsensitiveLoss(xs[0], xs[1], 1) }, x, b},
		"BinaryCrossEntropy":     {func(xs ...*nd.Array) *nd.Array { return ops.BinaryCrossEntropy(xs[0], xs[1]) }, p, q},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.a, test.b)
			gradcheck.CheckSecondOrder(t, test.f, test.a, test.b)
		})
	}
	// Targets have no gradient here, so only the logits are checked.
	sigmoidCrossEntropy := func(xs ...*nd.Array) *nd.Array { return ops.SigmoidCrossEntropy(xs[0], q) }
	gradcheck.Check(t, sigmoidCrossEntropy, x)
	gradcheck.CheckSecondOrder(t, sigmoidCrossEntropy, x)
}

func TestSoftmaxCrossEntropyWithoutClasses(t *testing.T) {
	want(t, ops.SoftmaxCrossEntropy(nd.Zeros([]int{3, 0}), vector[int64](-1, -1, -1)), "array([[0.], [0.], [0.]])")
	ignored := nd.Full([]int{40, 50}, int64(-1))
	nd.Ones([]int{40, 1, 50}).Release() // its memory is reused without clearing
	if n := nd.Value[int64](ops.CountNonzero(ops.SoftmaxCrossEntropy(nd.Zeros([]int{40, 0, 50}), ignored))); n != 0 {
		t.Errorf("%d losses of ignored labels are not 0", n)
	}
	refuses(t, "index 0", func() { ops.SoftmaxCrossEntropy(nd.Zeros([]int{2, 0}), vector[int64](-1, 0)) })
}

func TestBinaryCrossEntropy(t *testing.T) {
	least := math.Log(0x1p-1022)
	y := ops.BinaryCrossEntropy(vector(0.0, 1, 0, 1, 0.5, 1e-20), vector(0.0, 1, 1, 0, 0.25, 0))
	wantFloats(t, "BinaryCrossEntropy", y, 0, negative, -least, -least, math.Ln2, 1e-20)
	narrow := ops.BinaryCrossEntropy(vector[float32](0), vector[float32](1))
	if got := nd.Value[float32](narrow, 0); math.Abs(float64(got)-87.336544) > 1e-4 {
		t.Errorf("of float32: %v", got)
	}
}

func TestSigmoidCrossEntropy(t *testing.T) {
	x := vector(0.0, 40, -40, 1000, -1000, 1000)
	y := ops.SigmoidCrossEntropy(x, vector[int32](1, 1, 0, 1, 0, 0))
	if y.DType() != dtype.Float64 {
		t.Errorf("dtype %s", y.DType())
	}
	wantFloats(t, "SigmoidCrossEntropy", y, math.Ln2, math.Exp(-40), math.Exp(-40), 0, 0, 1000)
	half := ops.SigmoidCrossEntropy(vector[float32](0), vector[int64](1))
	if half.DType() != dtype.Float32 {
		t.Errorf("float32 logits with int64 labels give %s", half.DType())
	}
	wantRefusal(t, "complex targets", func() { ops.SigmoidCrossEntropy(x, nd.Scalar(1i)) })
	wantRefusal(t, "complex logits", func() { ops.SigmoidCrossEntropy(vector(1i), vector(1.0)) })
}
