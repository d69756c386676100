package sequence

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// CTCLossOptions are the options of CTCLoss.
type CTCLossOptions struct {
	// InputLengths (B) holds the numbers of time steps of the sequences, which are the first ones; nil means all.
	InputLengths *nd.Array
	// LabelLengths (B) holds the numbers of labels of the sequences, which are the first ones; nil means all.
	LabelLengths *nd.Array
	// Padding is a label that is none: the labels of a sequence are those before its first Padding. It may be the blank
	// class, or no class. Nil means that there is no such label. It excludes LabelLengths.
	Padding *int
	// Blank is the class that represents no label; a negative one counts from the last.
	Blank int
	// ZeroInfinity replaces an infinite loss by 0.
	ZeroInfinity bool
}

// CTCLoss returns, for every sequence, the negative logarithm of the probability of its labels if their times are
// unknown: the loss of connectionist temporal classification. The probabilities of the classes at a time step are
// Softmax of x, so that x may also hold logarithms of probabilities. A path assigns a class to each time step. It
// stands for its labels after repeats are merged and then blanks are removed. The probability of the labels is the sum
// over all paths that stand for them.
//
// If a sequence has too few time steps for its labels and for a blank between equal neighbours, its loss is +Inf, or 0
// with ZeroInfinity, and its gradients are 0. Labels beyond a sequence's number of labels may be anything; the others
// must be classes. The mean of the result is Chainer's connectionist_temporal_classification. (Graves et al.,
// Connectionist Temporal Classification, ICML 2006.)
//
// Shapes: x (T, B, C), labels (B, L), of integers; the result (B). Without B: (T, C), (L), and the result is a 0-d
// array.
// PyTorch: nn.functional.ctc_loss. Chainer: connectionist_temporal_classification (for the mean). MXNet: ctc_loss (with
// ZeroInfinity).
func CTCLoss(x, labels *nd.Array, opts ...CTCLossOptions) *nd.Array {
	const fn nd.Func = "sequence.CTCLoss"
	o := options.Read(fn, opts)
	fn.Check(x, labels)
	made := fn.Temporaries(&x, &labels, &o.InputLengths, &o.LabelLengths)
	defer made.Release()
	in := []*nd.Array{x, labels}
	defer argument.Explain(fn, in, func() []argument.Bounds { return o.bounds(x, labels) })
	batch := labels.Shape()[:max(labels.Rank()-1, 0)]
	if x.Rank() < 2 || x.Rank() > 3 || labels.Rank() != x.Rank()-1 || !broadcast.Equal(x.Shape()[1:x.Rank()-1], batch) || !labels.DType().IsInteger() {
		panic(fn.Errorf(in, "want (T, B, C) and integer labels (B, L), or (T, C) and (L)"))
	}
	op := ctcOp{blank: classOf(fn, in, "Blank", o.Blank)}
	t := dtype.FloatType(x.DType())
	if t.IsComplex() {
		panic(fn.Errorf(in, "it has no meaning for complex numbers"))
	}
	x = x.AsType(t)
	in[0] = x
	if o.Padding != nil {
		if o.LabelLengths != nil {
			panic(fn.Errorf(in, "Padding and LabelLengths exclude each other"))
		}
		o.LabelLengths = labelsBefore(labels, *o.Padding)
	}
	for _, given := range []struct {
		counts *nd.Array
		all    int
	}{{o.InputLengths, x.Dim(0)}, {o.LabelLengths, labels.Dim(-1)}} {
		counts := given.counts
		if counts == nil {
			counts = made.Own(nd.Full(batch, given.all, nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()}))
		}
		in = append(in, counts)
		if !counts.DType().IsInteger() || !broadcast.Equal(counts.Shape(), batch) {
			panic(fn.Errorf(in, "want integer lengths of shape %s", broadcast.FormatShape(batch)))
		}
	}
	y := fn.NewLike(t, batch, x)
	l := op.launch(fn, in)
	l.WriteStrides(y, perSequence(y))
	op.read(&l, in)
	l.Run(device.Device.CTC)
	fn.Record(op, in, y)
	if o.ZeroInfinity {
		y = ops.Where(ops.IsPosInf(y), 0, y)
	}
	return made.Keep(y)
}

// bounds says what the arguments may hold. The labels beyond their number in a sequence may be anything.
func (o CTCLossOptions) bounds(x, labels *nd.Array) []argument.Bounds {
	times, classes, most := x.Dim(0), x.Dim(-1), labels.Dim(-1)
	counted := labels.Detach().AsType(dtype.Int64)
	if o.LabelLengths != nil {
		beyond := ops.GreaterEqual(nd.ArangeInt(0, most, 1, nd.ArrayOptions{Device: x.Device()}), o.LabelLengths.Detach().ExpandDims(-1))
		counted = ops.Where(beyond, 0, counted)
	}
	return []argument.Bounds{
		{Name: "InputLengths", Values: o.InputLengths, High: times, Want: fmt.Sprintf("a number of time steps from 0 to %d", times)},
		{Name: "LabelLengths", Values: o.LabelLengths, High: most, Want: fmt.Sprintf("a number of labels from 0 to %d", most)},
		{Name: "labels", Values: counted, High: classes - 1, Want: fmt.Sprintf("one of the classes 0 to %d", classes-1)},
	}
}

// labelsBefore returns the numbers of labels of sequences that end before the first padding.
func labelsBefore(labels *nd.Array, padding int) *nd.Array {
	counts := ops.NotEqual(labels, padding).AsType(dtype.Int64)
	return ops.Sum(ops.CumProd(counts, ops.Over(-1)), ops.Over(-1))
}

// ctcOp runs kernels. Its inputs are x, labels, and the numbers of time steps and of labels.
type ctcOp struct{ blank int }

func (op ctcOp) Claims() nd.Claims { return nd.Claims{In: 15} }

// launch begins a launch over sequences, time steps and classes.
func (op ctcOp) launch(fn nd.Func, in []*nd.Array) nd.Launch {
	x, labels := in[0], in[1]
	l := fn.Launch(x.Device(), byTime(x.Shape()))
	l.Blank = op.blank
	l.Axes[0] = device.IndexAxis{Stride: labels.Strides()[labels.Rank()-1], Size: labels.Dim(-1)}
	return l
}

// read adds the inputs.
func (op ctcOp) read(l *nd.Launch, in []*nd.Array) {
	l.ReadStrides(in[0], byTime(in[0].Strides()))
	l.ReadStrides(in[1], append(in[1].Strides()[:in[1].Rank()-1:in[1].Rank()-1], 0, 0))
	l.ReadStrides(in[2], perSequence(in[2]))
	l.ReadStrides(in[3], perSequence(in[3]))
}

// byTime moves the number of the time axis behind that of the sequence axis, if there is one.
func byTime(numbers []int) []int {
	if len(numbers) == 2 {
		return numbers
	}
	return []int{numbers[1], numbers[0], numbers[2]}
}

// perSequence returns the strides, over sequences, time steps and classes, of an array with one number per sequence.
func perSequence(x *nd.Array) []int { return append(x.Strides(), 0, 0) }

func (op ctcOp) VJP(c *nd.Call) {
	in := []*nd.Array{c.In(0), c.In(1), c.In(2), c.In(3)}
	gx := c.Func().NewLike(in[0].DType(), in[0].Shape(), c.Gy(0))
	l := op.launch(c.Func(), in)
	l.WriteStrides(gx, byTime(gx.Strides()))
	op.read(&l, in)
	l.ReadStrides(c.Gy(0), perSequence(c.Gy(0)))
	l.Run(device.Device.CTCGrad)
	c.SetGx(0, gx)
}

// impossible is the logarithm of a probability that counts as 0. Unlike -Inf, it allows sums and their gradients.
const impossible = -1e30

// Composed computes, step by step, the logarithms of the probabilities of the states: the labels, and the blanks
// before, between and behind them.
func (op ctcOp) Composed(in []*nd.Array) []*nd.Array {
	x, labels, lengths, counts := in[0], in[1], in[2], in[3]
	if x.DType().Size() < 4 {
		x = x.AsType(dtype.Float32)
	}
	if x.Rank() == 2 {
		x, labels, lengths, counts = x.ExpandDims(1), labels.ExpandDims(0), lengths.ExpandDims(0), counts.ExpandDims(0)
	}
	times, batch, n := x.Dim(0), x.Dim(1), labels.Dim(1)
	on := nd.ArrayOptions{Device: x.Device()}
	lengths, counts = lengths.ExpandDims(1), counts.ExpandDims(1)
	nothing := nd.Full([]int{batch, 2}, impossible, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	labels = ops.Where(ops.Less(nd.ArangeInt(0, n, 1, on), counts), labels, op.blank).AsType(dtype.Int64)
	blanks := nd.Full([]int{batch, n + 1}, op.blank, nd.ArrayOptions{DType: dtype.Int64, Device: x.Device()})
	states := ops.Concatenate([]*nd.Array{ops.Stack([]*nd.Array{blanks.Index(nd.All(), nd.Until(n)), labels}, ops.Over(2)).Reshape(batch, 2*n),
		blanks.Index(nd.All(), nd.From(n))}, ops.Over(1))
	p := ops.TakeAlongAxis(ops.LogSoftmax(x), states.ExpandDims(0).BroadcastTo(times, batch, 2*n+1), ops.Over(2))
	p = ops.Maximum(p, impossible)
	// The blank before a label may be skipped if the label differs from the one before it.
	skips := ops.NotEqual(states.Index(nd.All(), nd.From(min(2, 2*n))), states.Index(nd.All(), nd.Until(max(0, 2*n-1))))
	now := ops.Concatenate([]*nd.Array{nd.Zeros([]int{batch, 1}, nd.ArrayOptions{DType: x.DType(), Device: x.Device()}),
		nd.Full([]int{batch, 2 * n}, impossible, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})}, ops.Over(1))
	for time := range times {
		before := ops.Concatenate([]*nd.Array{nothing, now}, ops.Over(1))
		next := ops.LogAddExp(now, before.Index(nd.All(), nd.Span(1, 2*n+2)))
		if n > 0 {
			skipped := ops.Where(skips, before.Index(nd.All(), nd.Span(2, 2*n+1)), impossible)
			next = ops.LogAddExp(next, ops.Concatenate([]*nd.Array{nothing, skipped}, ops.Over(1)))
		}
		now = ops.Where(ops.Less(time, lengths), ops.Add(next, p.Index(nd.At(time))), now)
	}
	counts = counts.AsType(dtype.Int64)
	last := ops.TakeAlongAxis(now, ops.Multiply(counts, 2), ops.Over(1))
	label := ops.TakeAlongAxis(now, ops.Maximum(ops.Subtract(ops.Multiply(counts, 2), 1), 0), ops.Over(1))
	label = ops.Where(ops.Equal(counts, 0), impossible, label)
	total := ops.LogAddExp(last, label)
	y := ops.Where(ops.Less(total, impossible/2), math.Inf(1), ops.Negative(total))
	return []*nd.Array{y.AsType(in[0].DType()).Reshape(in[2].Shape()...)}
}
