package loss_test

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

func scoresOf4() *nd.Array {
	return nd.FromRows([][]float64{{2, 1, 0}, {0, 3, -1}, {1, 1, 1}, {0.5, -2, 4}})
}

// TestMeansOfCrossEntropies compares with the values and gradients of Chainer 7.8.1. The third label is ignored.
func TestMeansOfCrossEntropies(t *testing.T) {
	x, labels := scoresOf4(), opstest.Vector[int32](0, 2, -1, 1)
	weight := opstest.Vector(0.5, 2, 3)
	for _, test := range []struct {
		o         loss.CrossEntropyOptions
		y, g0, g3 float64 // the loss, and gradients of the first and the last example's first score
	}{
		{loss.CrossEntropyOptions{Reduction: loss.CountMeanReduction}, 3.5018811636283225, -0.111586348, 0.009747291},
		{loss.CrossEntropyOptions{Reduction: loss.CountMeanReduction, Weight: weight}, 8.155253979620264, -0.055793174, 0.019494581},
		{loss.CrossEntropyOptions{Reduction: loss.BatchMeanReduction}, 2.626410872721242, -0.083689761, 0.007310468},
		{loss.CrossEntropyOptions{Reduction: loss.BatchMeanReduction, Weight: weight}, 6.1164404847151985, -0.041844881, 0.014620936},
	} {
		y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return loss.SoftmaxCrossEntropy(x, labels, test.o) }, x)
		opstest.Close(t, y, nd.Full(nil, test.y), 1e-14)
		opstest.Close(t, g.Index(nd.Pick([]int{0, 2, 3}), nd.At(0)), opstest.Vector(test.g0, 0, test.g3), 1e-8)
		opstest.Close(t, loss.CategoricalNLL(ops.LogSoftmax(x, ops.Over(1)), labels, test.o), y, 1e-14)
		opstest.Close(t, loss.CategoricalCrossEntropy(ops.Softmax(x, ops.Over(1)), labels, test.o), y, 1e-14)
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return loss.SoftmaxCrossEntropy(xs[0], labels, test.o) }, x)
	}
	// With more axes, the batch is the first one.
	images := ops.Stack([]*nd.Array{x.T(), ops.Multiply(x.T(), 2)}) // (2, 3, 4), a view with strides
	maps := nd.FromSlice([]int64{0, 2, -1, 1, 1, -1, -1, 2}, 2, 4)
	sum := loss.SoftmaxCrossEntropy(images, maps, loss.CrossEntropyOptions{Reduction: loss.SumReduction})
	opstest.Close(t, loss.SoftmaxCrossEntropy(images, maps, loss.CrossEntropyOptions{Reduction: loss.CountMeanReduction}), ops.Divide(sum, 5), 1e-14)
	opstest.Close(t, loss.SoftmaxCrossEntropy(images, maps, loss.CrossEntropyOptions{Reduction: loss.BatchMeanReduction}), ops.Divide(sum, 2), 1e-14)
}

// TestSoftTargets compares with Chainer 7.8.1 (soft_target_loss), whose divergence adds 1e-7 to the targets.
func TestSoftTargets(t *testing.T) {
	x := scoresOf4()
	p := nd.FromRows([][]float64{{0.2, 0.3, 0.5}, {0, 1, 0}, {0.25, 0.25, 0.5}, {0.1, 0.8, 0.1}})
	each := loss.SoftmaxCrossEntropy(x, p, loss.CrossEntropyOptions{Divergence: true})
	opstest.Close(t, each, nd.FromSlice([]float64{0.67795325, 0.065884004, 0.058891818, 4.543122063}, 4, 1), 5e-7)
	for _, r := range []loss.Reduction{loss.MeanReduction, loss.CountMeanReduction, loss.BatchMeanReduction} {
		opstest.Floats(t, "entropy", loss.SoftmaxCrossEntropy(x, p, loss.CrossEntropyOptions{Reduction: r}), 2.0135639448882694)
		o := loss.CrossEntropyOptions{Reduction: r, Divergence: true}
		y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return loss.SoftmaxCrossEntropy(x, p, o) }, x)
		opstest.Close(t, y, nd.Full(nil, 1.336462783749549), 5e-7)
		opstest.Close(t, g.Index(nd.At(3)), opstest.Vector(-0.017689532, -0.19939992, 0.217089452), 1e-8)
	}
	same := ops.Softmax(x, ops.Over(1))
	for _, o := range []loss.CrossEntropyOptions{{Divergence: true}, {Divergence: true, Weight: opstest.Vector(1.0, 2, 3)}} {
		opstest.Close(t, loss.SoftmaxCrossEntropy(x, same, o), nd.Zeros([]int{4, 1}), 1e-14)
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
			return loss.SoftmaxCrossEntropy(xs[0], ops.Softmax(xs[1], ops.Over(1)), o)
		},
			x, ops.Multiply(x, 0.3))
	}
	labels := opstest.Vector[int64](0, 1, 2, 0)
	opstest.Close(t, loss.SoftmaxCrossEntropy(x, labels, loss.CrossEntropyOptions{Divergence: true}), loss.SoftmaxCrossEntropy(x, labels), 0)
}

// TestIgnoredTargets compares with Chainer 7.8.1, which ignores -1.
func TestIgnoredTargets(t *testing.T) {
	x, targets := nd.FromRows([][]float64{{0.3, -2}, {1.5, 4}, {0, -1}}), nd.FromRows([][]int32{{1, 0}, {-1, 1}, {-1, -1}})
	none := nd.FullLike(targets, -1)
	ignoring := func(r loss.Reduction) loss.SigmoidCrossEntropyOptions {
		return loss.SigmoidCrossEntropyOptions{Ignore: new(-1), Reduction: r}
	}
	opstest.Close(t, loss.SigmoidCrossEntropy(x, targets, ignoring("")), nd.FromRows([][]float64{{0.554355244, 0.126928011}, {0, 0.018149928}, {0, 0}}), 1e-9)
	for _, test := range []struct {
		r        loss.Reduction
		y, empty float64
	}{
		{loss.SumReduction, 3 * 0.23314439447643645, 0}, {loss.MeanReduction, 0.23314439447643645, math.NaN()},
		{loss.CountMeanReduction, 0.23314439447643645, 0}, {loss.BatchMeanReduction, 0.23314439447643645, 0},
	} {
		y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(x, targets, ignoring(test.r)) }, x)
		opstest.Close(t, y, nd.Full(nil, test.y), 1e-14)
		if test.r != loss.SumReduction {
			opstest.Close(t, g, nd.FromRows([][]float64{{-0.141852494, 0.039734307}, {0, -0.005995403}, {0, 0}}), 1e-8)
		}
		opstest.Floats(t, string(test.r)+" of none", loss.SigmoidCrossEntropy(x, none, ignoring(test.r)), test.empty)
		for _, o := range []loss.SigmoidCrossEntropyOptions{ignoring(test.r), {Ignore: new(-1), Reduction: test.r, PosWeight: opstest.Vector(2.0, 0.5)}} {
			f := func(xs ...*nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(xs[0], targets, o) }
			gradcheck.Check(t, f, x)
			gradcheck.CheckSecondOrder(t, f, x)
		}
	}
	// An ignored target hides NaN and infinities, also from the gradient.
	wild := opstest.Vector(math.NaN(), math.Inf(1), 0)
	at := opstest.Vector[int8](-1, -1, 1)
	for _, o := range []loss.SigmoidCrossEntropyOptions{ignoring(""), {Ignore: new(-1), PosWeight: nd.Scalar(1)}} {
		y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
			return ops.Multiply(loss.SigmoidCrossEntropy(x, at, o), opstest.Vector(math.Inf(1), math.NaN(), 1)).Index(nd.At(2))
		}, wild)
		opstest.Floats(t, "the loss", y, math.Ln2)
		opstest.Floats(t, "the gradient", g, 0, 0, -0.5)
	}
	// A label that the targets' dtype does not have ignores nothing; 0-d arrays, scalars and broadcast targets reduce.
	bytes := opstest.Vector[uint8](0, 1, 255)
	opstest.Floats(t, "bytes", loss.SigmoidCrossEntropy(nd.Zeros([]int{3}), bytes, loss.SigmoidCrossEntropyOptions{Ignore: new(-1), Reduction: loss.CountMeanReduction}), math.Ln2)
	opstest.Floats(t, "bytes", loss.SigmoidCrossEntropy(nd.Zeros([]int{3}), bytes, loss.SigmoidCrossEntropyOptions{Ignore: new(255)}), math.Ln2, math.Ln2, 0)
	opstest.Floats(t, "0-d", loss.SigmoidCrossEntropy(nd.Zeros(nil), nd.Zeros(nil, dtype.Int32), ignoring(loss.BatchMeanReduction)), math.Ln2)
	opstest.Floats(t, "a scalar", loss.SigmoidCrossEntropy(nd.Zeros([]int{2, 3}), nd.Scalar(1), ignoring(loss.CountMeanReduction)), math.Ln2)
	opstest.Floats(t, "broadcast", loss.SigmoidCrossEntropy(nd.Zeros([]int{2, 3}), opstest.Vector[int8](1, -1, 0), ignoring(loss.CountMeanReduction)), math.Ln2)
	half := loss.SigmoidCrossEntropy(opstest.Vector[float32](0), opstest.Vector[int64](1), loss.SigmoidCrossEntropyOptions{PosWeight: opstest.Vector[float32](2)})
	if half.DType() != dtype.Float32 {
		t.Errorf("float32 logits and weights with int64 labels give %s", half.DType())
	}
	for text, f := range map[string]func(){
		"no, sum, mean, countmean or batchmean": func() { loss.SigmoidCrossEntropy(x, targets, ignoring("none")) },
		"loss.SigmoidCrossEntropy":              func() { loss.SigmoidCrossEntropy(x, opstest.Vector(1.0, 2, 3), ignoring("mean")) },
	} {
		opstest.Refuses(t, text, f)
	}
}

// TestMeansOfManyLosses computes means of float16, whose sums overflow.
func TestMeansOfManyLosses(t *testing.T) {
	const n = 1 << 17
	x, labels := nd.Zeros([]int{n, 2}, dtype.Float16), nd.Zeros([]int{n}, dtype.Int32)
	for _, r := range []loss.Reduction{loss.MeanReduction, loss.CountMeanReduction, loss.BatchMeanReduction} {
		for _, o := range []loss.CrossEntropyOptions{{Reduction: r}, {Reduction: r, Weight: opstest.Vector[float32](1, 2)}} {
			y, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Multiply(loss.SoftmaxCrossEntropy(x, labels, o), 1<<10) }, x)
			if y.DType() != dtype.Float16 || math.Abs(y.Float()/(1<<10)-math.Ln2) > 1e-3 {
				t.Errorf("%s: %v of dtype %s", r, y, y.DType())
			}
			if got := g.Float(0, 0) * n / (1 << 10); math.Abs(got+0.5) > 1e-3 {
				t.Errorf("%s: a gradient of %v", r, got)
			}
		}
	}
	empty := nd.Zeros([]int{0, 3})
	for r, want := range map[loss.Reduction]float64{loss.SumReduction: 0, loss.MeanReduction: math.NaN(), loss.CountMeanReduction: 0, loss.BatchMeanReduction: 0} {
		o := loss.CrossEntropyOptions{Reduction: r}
		opstest.Floats(t, string(r), loss.SoftmaxCrossEntropy(empty, nd.Zeros([]int{0}, dtype.Int64), o), want)
		opstest.Floats(t, string(r)+" with weights", loss.SoftmaxCrossEntropy(empty, nd.Zeros([]int{0}, dtype.Int64), loss.CrossEntropyOptions{Reduction: r, Weight: opstest.Vector(1.0, 2, 3)}), want)
	}
}
