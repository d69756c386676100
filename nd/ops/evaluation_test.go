package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestAccuracies(t *testing.T) {
	y := nd.FromSlice([]float64{.1, .7, .2, 8, 1, 2, -8, 1, 2, -8, -1, -2}, 4, 3)
	labels := opstest.Vector[int64](1, 0, 0, 0)
	opstest.Repr(t, ops.Accuracy(y, labels), "array(0.5)")
	opstest.Repr(t, ops.Accuracy(y, labels, ops.AccuracyOptions{IgnoreLabel: new(0)}), "array(1.)")
	opstest.Repr(t, ops.Accuracy(y, opstest.Vector[int64](-1, -1, -1, -1), ops.AccuracyOptions{IgnoreLabel: new(-1)}), "array(0.)")
	opstest.Repr(t, ops.BinaryAccuracy(opstest.Vector(0.0, -1, 3, 2), opstest.Vector[int64](1, 1, 1, -1)), "array(0.66666667)")

	precision, recall, f, support := ops.ClassificationSummary(y, opstest.Vector[int64](1, 0, 1, -1))
	opstest.Repr(t, precision, "array([1., 1.])")
	opstest.Repr(t, recall, "array([1. , 0.5])")
	opstest.Repr(t, f, "array([1. , 0.66666667])")
	opstest.Repr(t, support, "array([1, 2])")
	_, _, _, support = ops.ClassificationSummary(nd.Zeros([]int{0, 1}), opstest.Vector[int64](), ops.ClassificationSummaryOptions{LabelNum: 1})
	opstest.Repr(t, support, "array([0])")

	truth := nd.FromSlice([]float64{1, 5, 2, 5, 3, 5}, 3, 2)
	opstest.Repr(t, ops.R2Score(truth, truth), "array([1., 0.])")
	opstest.Refuses(t, "a label for each", func() { ops.Accuracy(y, opstest.Vector[int64](1, 2)) })
	opstest.Refuses(t, "integer labels", func() { ops.BinaryAccuracy(opstest.Vector(1.0), opstest.Vector(1.0)) })
	opstest.Refuses(t, "one shape", func() { ops.R2Score(truth, opstest.Vector(1.0)) })
}

func TestLossesOfExamples(t *testing.T) {
	x := nd.FromSlice([]float64{2, -2, 0.5, 0}, 2, 2)
	opstest.Repr(t, loss.Hinge(x, opstest.Vector[int64](0, 1)), "array([[0. , 0. ], [1.5, 1. ]])")
	opstest.Repr(t, loss.Hinge(x, opstest.Vector[int64](0, 1), loss.HingeOptions{Norm: "L2"}), "array([[0. , 0. ], [2.25, 1. ]])")
	zero := nd.Zeros([]int{2, 2})
	opstest.Repr(t, loss.Contrastive(zero, nd.FromSlice([]float64{3, 4, 0, 0}, 2, 2), opstest.Vector[int64](1, 0)), "array([12.5, 0.5])")
	opstest.Repr(t, loss.Triplet(x, x, nd.Zeros([]int{2, 2})), "array([0., 0.])")
	opstest.Floats(t, "CategoricalCrossEntropy", loss.CategoricalCrossEntropy(nd.FromSlice([]float64{1, 0, 0.5, 0.5}, 2, 2), opstest.Vector[int64](0, -1)), 0, 0)
	opstest.Floats(t, "KLMultinomial", loss.KLMultinomial(ops.Softmax(x), ops.Softmax(x)), 0, 0)
	opstest.Repr(t, loss.NegativeSampling(x, opstest.Vector[int64](-1, -1), x, nd.Zeros([]int{2, 1}, dtype.Int64)), "array([0., 0.])")

	opstest.Refuses(t, "L1 or L2", func() { loss.Hinge(x, opstest.Vector[int64](0, 1), loss.HingeOptions{Norm: "L3"}) })
	opstest.Refuses(t, "integer labels", func() { loss.Hinge(x, opstest.Vector(0.0, 1)) })
	opstest.Refuses(t, "positive", func() { loss.Contrastive(x, x, opstest.Vector[int64](0, 1), loss.ContrastiveOptions{Margin: new(0.0)}) })
	opstest.Refuses(t, "one shape", func() { loss.Triplet(x, x, opstest.Vector(1.0)) })
	opstest.Refuses(t, "integer samples", func() { loss.BlackOut(x, opstest.Vector[int64](0, 1), x, x) })
	opstest.Refuses(t, "weights (V, D)", func() {
		loss.BlackOut(x, opstest.Vector[int64](0, 1), nd.Zeros([]int{3, 2, 1}), nd.Zeros([]int{2, 1}, dtype.Int64))
	})
	opstest.Refuses(t, "one shape", func() { loss.KLMultinomial(x, opstest.Vector(1.0)) })
	opstest.Refuses(t, "labels of shape", func() { loss.CategoricalCrossEntropy(x, opstest.Vector[int64](0, 1, 0)) })
}

func TestGradientsOfLossesOfExamples(t *testing.T) {
	a, b, c := opstest.Normal(1, dtype.Float64, 3, 2), opstest.Normal(2, dtype.Float64, 3, 2), opstest.Normal(3, dtype.Float64, 3, 2)
	p := ops.Softmax(a)
	w, labels := opstest.Normal(4, dtype.Float64, 4, 2), opstest.Vector[int64](1, 0, 3)
	samples := nd.FromSlice([]int{0, 2, 1, 1, 2, 0}, 3, 2)
	for name, test := range map[string]struct {
		f  gradcheck.Function
		in []*nd.Array
	}{
		"GaussianNLL":  {func(xs ...*nd.Array) *nd.Array { return loss.GaussianNLL(xs[0], xs[1], xs[2]) }, []*nd.Array{a, b, c}},
		"BernoulliNLL": {func(xs ...*nd.Array) *nd.Array { return loss.BernoulliNLL(xs[0], xs[1]) }, []*nd.Array{p, b}},
		"CategoricalCrossEntropy": {func(xs ...*nd.Array) *nd.Array {
			return loss.CategoricalCrossEntropy(xs[0], opstest.Vector[int64](1, 0, 1))
		}, []*nd.Array{p}},
		"KLMultinomial": {func(xs ...*nd.Array) *nd.Array { return loss.KLMultinomial(xs[0], xs[1]) }, []*nd.Array{p, ops.Softmax(b)}},
		"Hinge": {func(xs ...*nd.Array) *nd.Array {
			return loss.Hinge(xs[0], opstest.Vector[int64](1, 0, 1), loss.HingeOptions{Norm: "L2"})
		}, []*nd.Array{a}},
		"Contrastive": {func(xs ...*nd.Array) *nd.Array {
			return loss.Contrastive(xs[0], xs[1], opstest.Vector[int64](1, 0, 0), loss.ContrastiveOptions{Margin: new(9.0)})
		}, []*nd.Array{a, b}},
		"Triplet": {func(xs ...*nd.Array) *nd.Array {
			return loss.Triplet(xs[0], xs[1], xs[2], loss.TripletOptions{Margin: new(40.0)})
		}, []*nd.Array{a, b, c}},
		"NegativeSampling": {func(xs ...*nd.Array) *nd.Array { return loss.NegativeSampling(xs[0], labels, xs[1], samples) }, []*nd.Array{a, w}},
		"BlackOut":         {func(xs ...*nd.Array) *nd.Array { return loss.BlackOut(xs[0], labels, xs[1], samples) }, []*nd.Array{a, w}},
		"Bilinear": {func(xs ...*nd.Array) *nd.Array {
			return ops.Bilinear(xs[0], xs[1], xs[2], ops.BilinearOptions{V1: xs[3], V2: xs[4], B: xs[5]})
		}, []*nd.Array{a, b, opstest.Normal(5, dtype.Float64, 2, 2, 3), opstest.Normal(6, dtype.Float64, 2, 3), opstest.Normal(7, dtype.Float64, 2, 3), opstest.Vector(.1, .2, .3)}},
		"SimplifiedDropConnect": {func(xs ...*nd.Array) *nd.Array {
			return ops.SimplifiedDropConnect(xs[0], xs[1], nd.NewRand(1), ops.SimplifiedDropConnectOptions{B: xs[2]})
		}, []*nd.Array{a, w, opstest.Vector(1.0, 2, 3, 4)}},
		"TopKData": {func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.TopKData(xs[0], 1)) }, []*nd.Array{a}},
		"Gaussian": {func(xs ...*nd.Array) *nd.Array { return ops.Gaussian(xs[0], xs[1], nd.NewRand(1)) }, []*nd.Array{a, b}},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.in...)
			gradcheck.CheckSecondOrder(t, test.f, test.in...)
		})
	}
}

func TestBilinearAndDropConnectRefusals(t *testing.T) {
	a, w := nd.Ones([]int{3, 2}), nd.Ones([]int{2, 2, 4})
	opstest.Refuses(t, "or none", func() { ops.Bilinear(a, a, w, ops.BilinearOptions{V1: nd.Ones([]int{2, 4})}) })
	opstest.Refuses(t, "operands of shapes", func() { ops.Bilinear(a, nd.Ones([]int{3, 3}), w) })
	opstest.Refuses(t, "ratio", func() {
		ops.SimplifiedDropConnect(a, nd.Ones([]int{4, 2}), nd.NewRand(1), ops.SimplifiedDropConnectOptions{Ratio: new(1.0)})
	})
	opstest.Refuses(t, "a mask", func() {
		ops.SimplifiedDropConnect(a, nd.Ones([]int{4, 2}), nd.NewRand(1), ops.SimplifiedDropConnectOptions{Mask: a})
	})
	opstest.Refuses(t, "one shape", func() { ops.Gaussian(a, w, nd.NewRand(1)) })
}

// TestMeasuresOfManyExamples uses more examples than the largest float16, half of them right.
func TestMeasuresOfManyExamples(t *testing.T) {
	const n = 1 << 18
	labels := ops.Remainder(nd.ArangeInt(0, n, 1), 2)
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		as := nd.ArrayOptions{DType: dt}
		scores := nd.Zeros([]int{n, 2}, as)
		scores.Assign(nd.Scalar(1), nd.All(), nd.At(1))
		opstest.Floats(t, "Accuracy", ops.Accuracy(scores, labels), 0.5)
		opstest.Floats(t, "Accuracy with labels ignored", ops.Accuracy(scores, labels, ops.AccuracyOptions{IgnoreLabel: new(7)}), 0.5)
		opstest.Floats(t, "BinaryAccuracy", ops.BinaryAccuracy(nd.Ones([]int{n}, as), labels), 0.5)
		precision, recall, f, support := ops.ClassificationSummary(scores, labels)
		opstest.Floats(t, "precision", precision.Index(nd.From(1)), 0.5)
		opstest.Floats(t, "recall", recall, 0, 1)
		opstest.Floats(t, "support", support, n/2, n/2)
		if got, exact := nd.Value[float64](f.Index(nd.At(1))), 2.0/3; !(math.Abs(got-exact) < 0.005) {
			t.Errorf("%v: F measure %v, want %v", dt, got, exact)
		}
		truth := labels.AsType(dt)
		opstest.Floats(t, "R2Score", ops.R2Score(ops.Multiply(truth, 0.5), truth), 0.5)
	}
}

// TestCrossEntropyOfImpossibleLabels checks that a probability raised to the smallest positive one has the gradient of
// that one.
func TestCrossEntropyOfImpossibleLabels(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		least := dtype.Info(dt).Tiny
		x := nd.FromSlice([]float64{0, 1, least / 2, 1, 0.5, 0.5}, 3, 2).AsType(dt)
		y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return loss.CategoricalCrossEntropy(x, opstest.Vector[int64](0, 0, 1)) }, x)
		exact := ops.IsCloseOptions{RTol: nd.Scalar(0.01)}
		if wanted := opstest.Vector(-math.Log(least), -math.Log(least), -math.Log(0.5)); !ops.AllClose(y.Ravel(), wanted, exact) {
			t.Errorf("%v: %v, want %v", dt, y, wanted)
		}
		if wanted := opstest.Vector(-1/least, 0, -1/least, 0, 0, -2); !ops.AllClose(g.Ravel(), wanted, exact) {
			t.Errorf("%v: gradient %v, want %v", dt, g, wanted)
		}
	}
}

func TestDepthAndSpace(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(1, 4, 2, 3)
	y := ops.DepthToSpace(x, 2)
	opstest.Repr(t, y.Index(nd.At(0), nd.At(0), nd.Until(2)), "array([[ 0, 6, 1, 7, 2, 8], [12, 18, 13, 19, 14, 20]])")
	if !ops.ArrayEqual(ops.SpaceToDepth(y, 2), x) {
		t.Error("SpaceToDepth is not the inverse")
	}
	opstest.Refuses(t, "multiples", func() { ops.DepthToSpace(x, 3) })
	opstest.Refuses(t, "multiples", func() { ops.SpaceToDepth(x, 2) })
}

func TestTopKOfExamples(t *testing.T) {
	x := nd.FromSlice([]float64{3, -5, 4, 1, 0, -2}, 2, 3)
	opstest.Repr(t, ops.TopKData(x, 2), "array([[4., 3.], [1., 0.]])")
	opstest.Repr(t, ops.TopKData(x, 1, ops.TopKDataOptions{Abs: true, Reduce: new(false)}), "array([[ 0., -5., 0.], [ 0., 0., -2.]])")
	opstest.Repr(t, ops.TopKData(x, 1, ops.TopKDataOptions{BaseAxis: new(0)}), "array([4.])")
	y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Multiply(ops.TopKGrad(x, 1), nd.FromSlice([]float64{1, 2, 3, 6, 5, 4}, 2, 3))
	}, x)
	opstest.Repr(t, g, "array([[0., 0., 3.], [6., 0., 0.]])")
	opstest.Repr(t, y, "array([[ 3., -10., 12.], [ 6., 0., -8.]])")
	opstest.Refuses(t, "k = 4", func() { ops.TopKData(x, 4) })
	opstest.Refuses(t, "k = 0", func() { ops.TopKGrad(x, 0) })
}
