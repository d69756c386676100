package loss_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestElementwiseLosses(t *testing.T) {
	a, b := opstest.Vector(1.0, -2, 0.5), opstest.Vector(3.0, -2, 0)
	opstest.Floats(t, "SquaredError", loss.SquaredError(a, b), 4, 0, 0.25)
	opstest.Floats(t, "AbsoluteError", loss.AbsoluteError(a, b), 2, 0, 0.5)
	opstest.Floats(t, "HuberLoss", loss.HuberLoss(a, b), 3, 0, 0.25)
	opstest.Floats(t, "HuberLoss of delta 2", loss.HuberLoss(a, b, loss.HuberLossOptions{Delta: new(2.0)}), 4, 0, 0.25)
	opstest.Floats(t, "EpsilonInsensitiveLoss", loss.EpsilonInsensitiveLoss(a, b, 0.5), 1.5, 0, 0)
	opstest.Floats(t, "HuberLoss far away", loss.HuberLoss(opstest.Vector(1e300), opstest.Vector(-1e300)), 4e300)
	opstest.Floats(t, "SquaredError of small integers", loss.SquaredError(opstest.Vector[int8](3), opstest.Vector[int8](1)), 4)
}

func TestLossGradients(t *testing.T) {
	x := nd.FromSlice([]float64{-1.3, 0.4, 2.6, -0.9, 3.1, -1.7}, 3, 2)
	b := opstest.Vector(0.3, 0.9)
	p := nd.FromSlice([]float64{0.1, 0.4, 0.6, 0.9, 0.3, 0.7}, 3, 2)
	q := opstest.Vector(0.2, 0.75)
	for name, test := range map[string]struct {
		f    gradcheck.Function
		a, b *nd.Array
	}{
		"SquaredError":           {func(xs ...*nd.Array) *nd.Array { return loss.SquaredError(xs[0], xs[1]) }, x, b},
		"AbsoluteError":          {func(xs ...*nd.Array) *nd.Array { return loss.AbsoluteError(xs[0], xs[1]) }, x, b},
		"HuberLoss":              {func(xs ...*nd.Array) *nd.Array { return loss.HuberLoss(xs[0], xs[1]) }, x, b},
		"EpsilonInsensitiveLoss": {func(xs ...*nd.Array) *nd.Array { return loss.EpsilonInsensitiveLoss(xs[0], xs[1], 1) }, x, b},
		"BinaryCrossEntropy":     {func(xs ...*nd.Array) *nd.Array { return loss.BinaryCrossEntropy(xs[0], xs[1]) }, p, q},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.a, test.b)
			gradcheck.CheckSecondOrder(t, test.f, test.a, test.b)
		})
	}
	// Targets have no gradient here, so only the logits are checked.
	sigmoidCrossEntropy := func(xs ...*nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(xs[0], q) }
	gradcheck.Check(t, sigmoidCrossEntropy, x)
	gradcheck.CheckSecondOrder(t, sigmoidCrossEntropy, x)
}

func TestSoftmaxCrossEntropyWithoutClasses(t *testing.T) {
	opstest.Repr(t, loss.SoftmaxCrossEntropy(nd.Zeros([]int{3, 0}), opstest.Vector[int64](-1, -1, -1)), "array([[0.], [0.], [0.]])")
	ignored := nd.Full([]int{40, 50}, int64(-1))
	nd.Ones([]int{40, 1, 50}).Release() // its memory is reused without clearing
	if n := nd.Value[int64](ops.CountNonzero(loss.SoftmaxCrossEntropy(nd.Zeros([]int{40, 0, 50}), ignored))); n != 0 {
		t.Errorf("%d losses of ignored labels are not 0", n)
	}
	opstest.Refuses(t, "t[1] is 0: want no label, as there are no classes", func() { loss.SoftmaxCrossEntropy(nd.Zeros([]int{2, 0}), opstest.Vector[int64](-1, 0)) })
}

func TestBinaryCrossEntropy(t *testing.T) {
	least := math.Log(0x1p-1022)
	y := loss.BinaryCrossEntropy(opstest.Vector(0.0, 1, 0, 1, 0.5, 1e-20), opstest.Vector(0.0, 1, 1, 0, 0.25, 0))
	opstest.Floats(t, "BinaryCrossEntropy", y, 0, math.Copysign(0, -1), -least, -least, math.Ln2, 1e-20)
	narrow := loss.BinaryCrossEntropy(opstest.Vector[float32](0), opstest.Vector[float32](1))
	if got := nd.Value[float32](narrow, 0); math.Abs(float64(got)-87.336544) > 1e-4 {
		t.Errorf("of float32: %v", got)
	}
}

func TestSigmoidCrossEntropy(t *testing.T) {
	x := opstest.Vector(0.0, 40, -40, 1000, -1000, 1000)
	y := loss.SigmoidCrossEntropy(x, opstest.Vector[int32](1, 1, 0, 1, 0, 0))
	if y.DType() != dtype.Float64 {
		t.Errorf("dtype %s", y.DType())
	}
	opstest.Floats(t, "SigmoidCrossEntropy", y, math.Ln2, math.Exp(-40), math.Exp(-40), 0, 0, 1000)
	half := loss.SigmoidCrossEntropy(opstest.Vector[float32](0), opstest.Vector[int64](1))
	if half.DType() != dtype.Float32 {
		t.Errorf("float32 logits with int64 labels give %s", half.DType())
	}
	opstest.Refused(t, "complex targets", func() { loss.SigmoidCrossEntropy(x, nd.Scalar(1i)) })
	opstest.Refused(t, "complex logits", func() { loss.SigmoidCrossEntropy(opstest.Vector(1i), opstest.Vector(1.0)) })
}

func ExampleSquaredError() {
	y := nd.FromSlice([]float64{1, 2, 4}, 3)
	target := nd.FromSlice([]float64{1, 1, 1}, 3)
	fmt.Println(ops.Mean(loss.SquaredError(y, target)))
	// Output: 3.3333333333333335
}

func ExampleSoftmaxCrossEntropy() {
	scores := nd.FromSlice([]float64{2, 1, 0, 0, 3, 0}, 2, 3)
	labels := nd.FromSlice([]int{0, 2})
	fmt.Printf("%.4v\n", loss.SoftmaxCrossEntropy(scores, labels))
	// Output:
	// [[0.4076]
	//  [3.0949]]
}
