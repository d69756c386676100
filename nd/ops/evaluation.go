package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// AccuracyOptions are the options of Accuracy.
type AccuracyOptions struct {
	// IgnoreLabel is the label of examples to ignore; nil ignores none.
	IgnoreLabel *int
}

// Accuracy returns the share of labels that name the class with the largest score along axis 1, or 0 if no label
// counts. It has no gradient.
//
// Shapes: y (N, K, …), t (N, …), where axes of length 1 may be added or left out; the result is a 0-d array.
// Chainer: accuracy.
func Accuracy(y, t *nd.Array, opts ...AccuracyOptions) *nd.Array {
	const fn nd.Func = "ops.Accuracy"
	made := fn.Temporaries(&y, &t)
	defer made.Release()
	y = scoresOf(fn, y, t)
	guess := ArgMax(y, Over(1))
	if guess.Size() != t.Size() {
		panic(fn.Errorf([]*nd.Array{y, t}, "want a label for each of %d examples", guess.Size()))
	}
	right := Equal(guess.Reshape(t.Shape()...), t)
	ignore := options.Read(fn, opts).IgnoreLabel
	if ignore == nil {
		return made.Keep(partOf(right, made.Own(nd.OnesLike(right)), y.DType()))
	}
	counts := NotEqual(t, *ignore)
	return made.Keep(partOf(LogicalAnd(right, counts), counts, y.DType()))
}

// BinaryAccuracy returns the share of labels 0 and 1 that the scores predict, where a score of at least 0 predicts 1.
// Labels -1 are ignored. It is 0 if no label counts. It has no gradient.
//
// Shapes: y and t have one shape; the result is a 0-d array.
// Chainer: binary_accuracy.
func BinaryAccuracy(y, t *nd.Array) *nd.Array {
	const fn nd.Func = "ops.BinaryAccuracy"
	made := fn.Temporaries(&y, &t)
	defer made.Release()
	y = scoresOf(fn, y, t)
	if !broadcast.Equal(y.Shape(), t.Shape()) {
		panic(fn.Errorf([]*nd.Array{y, t}, "want a label for each score"))
	}
	counts := NotEqual(t, -1)
	return made.Keep(partOf(LogicalAnd(Equal(GreaterEqual(y, 0).AsType(t.DType()), t), counts), counts, y.DType()))
}

// scoresOf checks scores and integer labels, and returns the scores without gradient.
func scoresOf(fn nd.Func, y, t *nd.Array) *nd.Array {
	fn.Check(y, t)
	if y.IsScalar() || !y.DType().IsFloat() || !t.DType().IsInteger() {
		panic(fn.Errorf([]*nd.Array{y, t}, "want scores that are floats, and integer labels"))
	}
	return y.Detach()
}

// partOf returns the number of true elements of hits divided by that of all, or 0 if all has no true element.
func partOf(hits, all *nd.Array, t dtype.DType) *nd.Array {
	return Divide(CountNonzero(hits), Maximum(CountNonzero(all), 1)).AsType(t)
}

// ClassificationSummaryOptions are the options of ClassificationSummary.
type ClassificationSummaryOptions struct {
	// LabelNum is the number of classes; 0 means one more than the largest label, for which the function waits for the
	// device.
	LabelNum int
	// Beta is the weight of recall against precision in the F measure; nil means 1.
	Beta *float64
	// IgnoreLabel is the label of examples to ignore; nil means -1.
	IgnoreLabel *int
}

// ClassificationSummary returns, for every class, the precision (the share of right guesses in all guesses of the
// class), the recall (the share of right guesses in all examples of the class), their F measure (1+β²)·p·r/(β²·p + r),
// and the support: the number (int64) of examples of the class. A division by 0 gives NaN. It has no gradient.
//
// Shapes: y (N, K, …), t (N, …); the results (classes).
// Chainer: classification_summary.
func ClassificationSummary(y, t *nd.Array, opts ...ClassificationSummaryOptions) (precision, recall, fBeta, support *nd.Array) {
	const fn nd.Func = "ops.ClassificationSummary"
	o := options.Read(fn, opts)
	made := fn.Temporaries(&y, &t)
	defer made.Release()
	y = scoresOf(fn, y, t)
	guess := ArgMax(y, Over(1)).Reshape(1, -1)
	if guess.Size() != t.Size() || t.Size() == 0 && o.LabelNum <= 0 {
		panic(fn.Errorf([]*nd.Array{y, t}, "want a label for each example"))
	}
	t = t.Reshape(1, -1)
	if o.LabelNum <= 0 {
		o.LabelNum = max(0, nd.Value[int](Max(t))+1)
	}
	classes := made.Own(nd.ArangeInt(0, o.LabelNum, 1, nd.ArrayOptions{Device: y.Device()})).Reshape(o.LabelNum, 1)
	counts := NotEqual(t, argument.ValueOr(o.IgnoreLabel, -1))
	is, guessed := LogicalAnd(Equal(t, classes), counts), LogicalAnd(Equal(guess, classes), counts)
	total := func(hits *nd.Array) *nd.Array { return CountNonzero(hits, Over(1)) }
	support = total(is)
	right := total(LogicalAnd(is, guessed))
	precision, recall = Divide(right, total(guessed)), Divide(right, support)
	square := argument.ValueOr(o.Beta, 1) * argument.ValueOr(o.Beta, 1)
	fBeta = Divide(Multiply(Multiply(precision, recall), 1+square), Add(Multiply(precision, square), recall))
	dt := y.DType()
	return made.Keep(precision.AsType(dt)), made.Keep(recall.AsType(dt)), made.Keep(fBeta.AsType(dt)), made.Keep(support)
}

// R2Score returns the coefficient of determination 1 - Σ(pred - true)²/Σ(true - mean)² of predictions over axis 0, one
// number for each index along the other axes; 0 where the truth does not vary. It has no gradient. Chainer's r2_score
// returns the mean of these numbers by default.
// Chainer: r2_score.
func R2Score(pred, truth *nd.Array) *nd.Array {
	const fn nd.Func = "ops.R2Score"
	fn.Check(pred, truth)
	if pred.Rank() == 0 || !broadcast.Equal(pred.Shape(), truth.Shape()) {
		panic(fn.Errorf([]*nd.Array{pred, truth}, "want predictions and truth of one shape, with axis 0 for the examples"))
	}
	made := fn.Temporaries(&pred, &truth)
	defer made.Release()
	pred, truth = argument.Float(fn, pred.Detach()), argument.Float(fn, truth.Detach())
	dt := dtype.Promote(pred.DType(), truth.DType())
	pred, truth = pred.AsType(dtype.ComputeType(dt)), truth.AsType(dtype.ComputeType(dt)) // sums of squares soon become large
	over := Over(0)
	rest, spread := Subtract(pred, truth), Subtract(truth, Mean(truth, over.KeepDims()))
	if pred.Dim(0) > 0 { // no square leaves the range
		unit := ufunc.Unit.Apply1(Max(Maximum(Absolute(rest), Absolute(spread)), over.KeepDims()))
		rest, spread = Divide(rest, unit), Divide(spread, unit)
	}
	residual, total := Sum(Square(rest), over), Sum(Square(spread), over)
	varies := NotEqual(total, 0)
	return made.Keep(Where(varies, Subtract(1, Divide(residual, Where(varies, total, 1))), 0).AsType(dt))
}
