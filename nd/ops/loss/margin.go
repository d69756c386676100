package loss

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// HingeNorm is the power of the losses of Hinge.
type HingeNorm string

const (
	HingeL1 HingeNorm = "L1" // the losses themselves
	HingeL2 HingeNorm = "L2" // their squares
)

// HingeOptions are the options of Hinge.
type HingeOptions struct {
	// Norm is the power of the losses; the default is HingeL1.
	Norm HingeNorm
}

// Hinge returns max(0, 1 - δ·x) for every score, with δ = 1 for the class of the label and -1 for the others. Where 1 -
// δ·x is 0 the gradient is 0. Chainer's hinge is the sum over the classes, divided by the number of examples.
//
// Shapes: x (N, K), t (N); the result (N, K).
// Chainer: hinge (for the sum divided by the number of examples).
func Hinge(x, t *nd.Array, opts ...HingeOptions) *nd.Array {
	const fn nd.Func = "loss.Hinge"
	fn.Check(x, t)
	o := options.Read(fn, opts)
	in := []*nd.Array{x, t}
	if x.Rank() != 2 || t.Rank() != 1 || x.Dim(0) != t.Dim(0) || !t.DType().IsInteger() {
		panic(fn.Errorf(in, "want scores of shape (N, K) and integer labels of shape (N,)"))
	}
	if o.Norm != "" && o.Norm != HingeL1 && o.Norm != HingeL2 {
		panic(fn.Errorf(in, "norm %q: want L1 or L2", o.Norm))
	}
	made := fn.Temporaries(&x, &t)
	defer made.Release()
	x = argument.Float(fn, x)
	classes := made.Own(nd.ArangeInt(0, x.Dim(1), 1, nd.ArrayOptions{Device: x.Device()}))
	named := ops.Equal(t.AsType(dtype.Int64).ExpandDims(1), classes)
	loss := ops.ReLU(ops.Subtract(1, ops.Where(named, x, ops.Negative(x))))
	if o.Norm == HingeL2 {
		return made.Keep(ops.Square(loss))
	}
	return made.Keep(loss)
}

// ContrastiveOptions are the options of Contrastive.
type ContrastiveOptions struct {
	// Margin is the distance beyond which dissimilar examples have no loss; nil means 1. It must be positive.
	Margin *float64
}

// Contrastive returns (y·d² + (1-y)·max(margin - d, 0)²)/2 for every pair of examples, where d is their Euclidean
// distance, and y is 1 for similar and 0 for dissimilar examples. Chainer's contrastive is its mean.
//
// Shapes: x0 and x1 (N, K), y (N); the result (N).
//
// Source: R. Hadsell, S. Chopra, Y. LeCun, Dimensionality Reduction by Learning an Invariant Mapping, 2006.
// Chainer: contrastive (for the mean).
func Contrastive(x0, x1, y *nd.Array, opts ...ContrastiveOptions) *nd.Array {
	const fn nd.Func = "loss.Contrastive"
	fn.Check(x0, x1, y)
	in := []*nd.Array{x0, x1, y}
	margin := marginOr(fn, options.Read(fn, opts).Margin, 1, in)
	if x0.Rank() != 2 || !broadcast.Equal(x0.Shape(), x1.Shape()) || !broadcast.Equal(y.Shape(), x0.Shape()[:1]) {
		panic(fn.Errorf(in, "want examples of shape (N, K), and a number for each pair"))
	}
	made := fn.Temporaries(&x0, &x1, &y)
	defer made.Release()
	x0, x1 = argument.Float(fn, x0), argument.Float(fn, x1)
	difference := ops.Subtract(x0, x1)
	y = y.AsType(difference.DType())
	apart := ops.ReLU(ops.Subtract(margin, ops.Norm(difference, ops.Over(1))))
	near := ops.Multiply(ops.Multiply(difference, y.ExpandDims(1)), difference) // 0, not 0·Inf, for dissimilar examples far apart
	return made.Keep(ops.Multiply(ops.Add(ops.Sum(near, ops.Over(1)), ops.Multiply(ops.Subtract(1, y), ops.Square(apart))), 0.5))
}

// TripletOptions are the options of Triplet.
type TripletOptions struct {
	// Margin is the amount by which the squared distance of the negative example must be larger; nil means 0.2. It must
	// be positive.
	Margin *float64
}

// Triplet returns max(|anchor - positive|² - |anchor - negative|² + margin, 0) for every triple of examples. Chainer's
// triplet is its mean.
//
// Shapes: (N, K) each; the result (N).
//
// Source: F. Schroff, D. Kalenichenko, J. Philbin, FaceNet, 2015.
// Chainer: triplet (for the mean).
func Triplet(anchor, positive, negative *nd.Array, opts ...TripletOptions) *nd.Array {
	const fn nd.Func = "loss.Triplet"
	fn.Check(anchor, positive, negative)
	in := []*nd.Array{anchor, positive, negative}
	margin := marginOr(fn, options.Read(fn, opts).Margin, 0.2, in)
	if anchor.Rank() != 2 || !broadcast.Equal(anchor.Shape(), positive.Shape()) || !broadcast.Equal(anchor.Shape(), negative.Shape()) {
		panic(fn.Errorf(in, "want examples of one shape (N, K)"))
	}
	made := fn.Temporaries(&anchor, &positive, &negative)
	defer made.Release()
	// |a-p|² - |a-n|² = (n-p)·((a-p) + (a-n)), which is no difference of squares that may be infinite
	sum := ops.Add(ops.Subtract(anchor, positive), ops.Subtract(anchor, negative))
	products := ops.Multiply(ops.Subtract(negative, positive), sum)
	return made.Keep(ops.ReLU(ops.Add(ops.Sum(products, ops.Over(1)), margin)))
}

func marginOr(fn nd.Func, margin *float64, def float64, in []*nd.Array) float64 {
	m := argument.ValueOr(margin, def)
	if !(m > 0) {
		panic(fn.Errorf(in, "margin %v: want a positive number", m))
	}
	return m
}

// MultiMarginOptions are the options of MultiMargin.
type MultiMarginOptions struct {
	// P is the power of each term: 1 or 2; 0 means 1.
	P int
	// Margin is the amount by which the label's score must be larger; nil means 1.
	Margin *float64
	// Weight has a factor for the losses of each class; nil means 1.
	Weight *nd.Array
}

// MultiMargin returns Σmax(0, margin - x[t] + x[j])^p/K over all classes j except the label t, for every example.
// PyTorch's function returns its mean.
//
// Shapes: x (N, K), t (N); the result (N).
// PyTorch: nn.functional.multi_margin_loss (for the mean).
func MultiMargin(x, t *nd.Array, opts ...MultiMarginOptions) *nd.Array {
	const fn nd.Func = "loss.MultiMargin"
	fn.Check(x, t)
	o := options.Read(fn, opts)
	in := []*nd.Array{x, t}
	if x.Rank() != 2 || t.Rank() != 1 || x.Dim(0) != t.Dim(0) || !t.DType().IsInteger() {
		panic(fn.Errorf(in, "want scores of shape (N, K) and integer labels of shape (N,)"))
	}
	if o.P < 0 || o.P > 2 {
		panic(fn.Errorf(in, "P = %d: want 1 or 2", o.P))
	}
	if w := o.Weight; w != nil && (w.Rank() != 1 || w.Dim(0) != x.Dim(1)) {
		panic(fn.Errorf(append(in, w), "want a weight for each of %d classes", x.Dim(1)))
	}
	made := fn.Temporaries(&x, &t, &o.Weight)
	defer made.Release()
	defer argument.Explain(fn, in, func() []argument.Bounds { return []argument.Bounds{labelled("t", in[1], in[0].Dim(1))} })
	x, t = argument.Float(fn, x), indicesOf(t, nil, x.Dim(1))
	label := t.ExpandDims(1)
	classes := made.Own(nd.ArangeInt(0, x.Dim(1), 1, nd.ArrayOptions{Device: x.Device()}))
	parts := ops.ReLU(ops.Add(ops.Subtract(x, ops.TakeAlongAxis(x, label, ops.Over(1))), argument.ValueOr(o.Margin, 1)))
	if o.P == 2 {
		parts = ops.Square(parts)
	}
	loss := ops.Sum(ops.Where(ops.Equal(classes, label), 0, parts), ops.Over(1))
	if o.Weight != nil {
		loss = ops.Multiply(loss, ops.Take(o.Weight.AsType(x.DType()), t, ops.Over(0)))
	}
	return made.Keep(ops.Multiply(loss, 1/float64(max(1, x.Dim(1)))))
}

// MultiLabelMargin returns Σmax(0, 1 - x[i] + x[j])/K over the labels i of an example and all other classes j. The
// labels are the numbers before the first negative one in the example's row of t. PyTorch's function returns its mean.
//
// Shapes: x and t (N, K); the result (N).
// PyTorch: nn.functional.multilabel_margin_loss (for the mean).
func MultiLabelMargin(x, t *nd.Array) *nd.Array {
	const fn nd.Func = "loss.MultiLabelMargin"
	fn.Check(x, t)
	if x.Rank() != 2 || !broadcast.Equal(x.Shape(), t.Shape()) || !t.DType().IsInteger() || t.DType().IsUnsigned() {
		panic(fn.Errorf([]*nd.Array{x, t}, "want scores of shape (N, K), and signed integers of the same shape"))
	}
	made := fn.Temporaries(&x, &t)
	defer made.Release()
	given := []*nd.Array{x, t}
	defer argument.Explain(fn, given, func() []argument.Bounds { return []argument.Bounds{labelsBeforeTheEnd(given[1])} })
	x = argument.Float(fn, x)
	t = t.AsType(dtype.Int64) // k is a label too
	k := x.Dim(1)
	label := ops.Equal(ops.CumSum(ops.Less(t, 0).AsType(dtype.Int64), ops.Over(1)), 0) // true before the first negative number of a row
	scores := x
	if k > 0 {
		scores = ops.TakeAlongAxis(x, ops.Where(label, t, 0), ops.Over(1))
	}
	none := made.Own(fn.NewFilled(dtype.Bool, []int{x.Dim(0), k + 1}, 0, x)) // the last column is for what is no label
	named := ops.PutAlongAxis(none, ops.Where(label, t, k), nd.Scalar(true), ops.Over(1)).Index(nd.All(), nd.Until(k))
	total := pairsOfClasses(fn, x.ExpandDims(1), scores.ExpandDims(2), ops.LogicalNot(named).ExpandDims(1), label.ExpandDims(2))
	return made.Keep(ops.Multiply(total, 1/float64(max(1, k))))
}

// The margin and its slope for a class with score x and a label with score s.
var (
	pairMargin = ufunc.Definition{Fn: "loss.MultiLabelMargin", In: "T x, T s, bool other, bool label", Body: "other && label ? max(0, 1 - s + x) : T(0)"}
	pairSlope  = ufunc.Definition{Fn: "loss.MultiLabelMargin", In: "T x, T s, bool other, bool label",
		Body: "other && label && 1 - s + x > 0 ? T(1) : T(0)"}
)

// pairsOfClasses adds up the margins of all pairs of a class (axis 2) and a label (axis 1), without an array of the pairs.
func pairsOfClasses(fn nd.Func, x, s, other, label *nd.Array) *nd.Array {
	in := []*nd.Array{x, s, other, label}
	y := fn.NewLike(x.DType(), x.Shape()[:1], x)
	fn.Reduce(pairMargin.Program(x.DType()), nil, device.CombineSum, []int{1, 2}, nil, y, in...)
	fn.Record(pairsOp{}, in, y)
	return y
}

type pairsOp struct{}

func (pairsOp) Claims() nd.Claims { return nd.Claims{In: 0b1111} }

// VJP counts the positive margins of each class and of each label. The counts are constant almost everywhere.
func (pairsOp) VJP(c *nd.Call) {
	fn, gy := c.Func(), c.Gy(0).Reshape(-1, 1, 1)
	in := make([]*nd.Array, 4)
	for i := range in {
		in[i] = c.In(i).Detach()
	}
	for i, axis := range []int{1, 2} {
		if !c.Needs(i) {
			continue
		}
		count := fn.NewLike(in[i].DType(), in[i].Shape(), in[i])
		fn.Reduce(pairSlope.Program(count.DType()), nil, device.CombineSum, []int{axis}, nil, count, in...)
		if i == 1 { // labels lower the margins
			gy = ops.Negative(gy)
		}
		c.SetGx(i, ops.Multiply(count, gy))
	}
}

// labelsBeforeTheEnd says what the labels of MultiLabelMargin may be: those before the first negative one are classes.
func labelsBeforeTheEnd(t *nd.Array) argument.Bounds {
	label := ops.Equal(ops.CumSum(ops.Less(t.Detach(), 0).AsType(dtype.Int64), ops.Over(1)), 0)
	return labelled("t", ops.Where(label, t.Detach(), 0), t.Dim(1))
}
