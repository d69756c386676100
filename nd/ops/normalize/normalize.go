package normalize

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// normalization is the state of one call that normalises: layers, groups, instances, batches or weights.
type normalization struct {
	fn          nd.Func
	operands    []*nd.Array
	x           *nd.Array // the first operand, converted or reshaped
	beta, gamma *nd.Array // nil if not given
	result      dtype.DType
	over        []int // the axes of the means
	shape       []int // the result's shape, if the axis of the channels of x was split in two
	channel     int   // the index of that axis
}

// newNormalization checks the operands; the axes come from keep.
func newNormalization(fn nd.Func, x, beta, gamma *nd.Array) *normalization {
	n := &normalization{fn: fn, operands: []*nd.Array{x}, beta: beta, gamma: gamma}
	for _, p := range []*nd.Array{beta, gamma} {
		if p != nil {
			n.operands = append(n.operands, p)
		}
	}
	fn.Check(n.operands...)
	if x.IsScalar() {
		panic(fn.Errorf(n.operands, "want an array"))
	}
	n.setX(argument.Float(fn, x))
	n.result = n.x.DType()
	if n.result.Size() == 2 {
		n.setX(n.x.AsType(dtype.Float32))
	}
	for _, p := range n.operands[1:] {
		if full, err := broadcast.Shapes(p.Shape(), x.Shape()); err != nil || !broadcast.Equal(full, x.Shape()) || p.DType().IsComplex() {
			panic(fn.Errorf(n.operands, "beta and gamma must be real and broadcast to the array"))
		}
	}
	return n
}

// setX replaces n.x, and releases the old one unless it is the caller's.
func (n *normalization) setX(x *nd.Array) {
	if n.x != nil && n.x != x {
		release.Unless(n.x, n.operands[0])
	}
	n.x = x
}

// release releases x unless it is the caller's.
func (n *normalization) release() { release.Unless(n.x, n.operands[0]) }

// keep sets the axes to normalise: all axes except the given ones.
func (n *normalization) keep(axes []int, more ...int) {
	rank := n.x.Rank()
	kept, err := broadcast.Axes(slices.Concat(axes, more), rank)
	if err != nil {
		panic(n.fn.Errorf(n.operands, "%v", err))
	}
	n.over = []int{}
	for k := range rank {
		if !slices.Contains(kept, k) {
			n.over = append(n.over, k)
		}
	}
}

// standardized returns the result, and the statistics of x.
func (n *normalization) standardized(eps float64) (y, mean, variance *nd.Array) {
	if n.fusable() {
		y, mean, variance = n.fused(eps)
		return release.Replace(y, y.AsType(n.result)), release.Replace(mean, mean.AsType(n.result)), release.Replace(variance, variance.AsType(n.result))
	}
	over := ops.ReduceOptions{Axes: n.over, KeepDims: true}
	mean = ops.Mean(n.x, over)
	y, variance = n.scaled(mean, nil, eps)
	return y, release.Replace(mean, mean.AsType(n.result)), release.Replace(variance, variance.AsType(n.result))
}

// scaled returns (x - mean)/√(variance + eps)·gamma + beta. If variance is nil, it uses that of x.
func (n *normalization) scaled(mean, variance *nd.Array, eps float64) (y, used *nd.Array) {
	centred := ops.Subtract(n.x, mean)
	var deviation *nd.Array
	if variance == nil { // the variance may leave the range, its root does not
		rest := ops.Mean(centred, ops.ReduceOptions{Axes: n.over, KeepDims: true}) // the rounding error of the mean
		centred = release.Replace(centred, release.Operands(ops.Subtract(centred, rest), rest))
		norm := ops.Norm(centred, ops.NormOptions{Axes: n.over, KeepDims: true})
		root := release.Replace(norm, ops.Divide(norm, math.Sqrt(float64(reduction.Count(n.x.Shape(), n.over)))))
		variance = ops.Square(root)
		deviation = release.Replace(root, ops.Hypot(root, math.Sqrt(eps)))
	} else {
		positive := ops.Add(variance, eps)
		deviation = release.Replace(positive, ops.Sqrt(positive))
	}
	y = release.Operands(ops.Divide(centred, deviation), centred, deviation)
	if n.shape != nil {
		y = release.Replace(y, y.Reshape(n.shape...))
	}
	if n.gamma != nil {
		y = release.Replace(y, ops.Multiply(y, n.gamma))
	}
	if n.beta != nil {
		y = release.Replace(y, ops.Add(y, n.beta))
	}
	return release.Replace(y, y.AsType(n.result)), variance
}

// fusable reports whether the device's kernel computes the result: the parameters must have x's dtype, and x must be
// contiguous along an axis that is normalised.
func (n *normalization) fusable() bool {
	for _, p := range []*nd.Array{n.gamma, n.beta} {
		if p != nil && (p.IsScalar() || p.DType() != n.x.DType()) {
			return false
		}
	}
	return liesAlong(n.x, n.over)
}

// liesAlong reports whether neighbours along one of the axes are neighbours in memory.
func liesAlong(x *nd.Array, axes []int) bool {
	shape, strides := x.Shape(), x.Strides()
	return x.Size() > 0 && slices.ContainsFunc(axes, func(k int) bool { return shape[k] > 1 && strides[k] == 1 })
}

// fused is standardized in one kernel.
func (n *normalization) fused(eps float64) (y, mean, variance *nd.Array) {
	op := normalizeOp{fn: n.fn, over: n.over, eps: eps}
	gamma, beta := n.ofRank(n.gamma), n.ofRank(n.beta)
	y = n.fn.NewLike(n.x.DType(), n.x.Shape(), n.x, gamma, beta)
	kept := broadcast.ReduceShape(n.x.Shape(), n.over, true)
	mean = n.fn.NewLike(n.x.DType(), kept, n.x, gamma, beta)
	variance = n.fn.NewLike(n.x.DType(), kept, n.x, gamma, beta)
	l := op.launch(n.x)
	l.write(y, mean, variance)
	l.read(n.x, gamma, beta)
	l.Run(device.Device.Normalize)
	n.fn.Record(op, []*nd.Array{n.x, gamma, beta}, y, mean, variance)
	gamma.Release()
	beta.Release()
	if n.shape != nil {
		y = release.Replace(y, y.Reshape(n.shape...))
	}
	return y, mean, variance
}

// ofRank gives a parameter the rank of x; if the channels are split into groups, it splits the parameter's channels,
// too.
func (n *normalization) ofRank(p *nd.Array) *nd.Array {
	if p == nil {
		return nil
	}
	shape, rank := p.Shape(), n.x.Rank()
	if n.shape != nil {
		rank--
	}
	for len(shape) < rank {
		shape = append([]int{1}, shape...)
	}
	if n.shape != nil {
		groups := 1
		if shape[n.channel] > 1 {
			groups = n.x.Dim(n.channel)
		}
		shape = slices.Concat(shape[:n.channel], []int{groups, shape[n.channel] / groups}, shape[n.channel+1:])
	}
	return p.Reshape(shape...)
}

// normalizeOp is fused in the way of softmaxOp. Its inputs are x, gamma and beta, each of x's rank. Its outputs are the
// result, the mean and the variance.
type normalizeOp struct {
	fn   nd.Func
	over []int
	eps  float64
}

func (op normalizeOp) Claims() nd.Claims { return nd.Claims{In: 0b111, Out: 0b110} }

func (op normalizeOp) Composed(in []*nd.Array) []*nd.Array {
	n := &normalization{fn: op.fn, x: in[0], gamma: in[1], beta: in[2], result: in[0].DType(), over: op.over}
	mean := ops.Mean(n.x, ops.ReduceOptions{Axes: op.over, KeepDims: true})
	y, variance := n.scaled(mean, nil, op.eps)
	return []*nd.Array{y, mean, variance}
}

func (op normalizeOp) Traced() any { return traced.Normalize{Over: op.over, Eps: op.eps} }

func (op normalizeOp) VJP(c *nd.Call) {
	x := c.In(0)
	if gy := c.Gy(0); gy != nil {
		op.gradients(c, x, gy)
	}
	// add passes the gradient of the statistics on to x.
	add := func(g *nd.Array) {
		if gx := c.Gx(0); gx != nil {
			g = ops.Add(gx, g)
		}
		c.SetGx(0, g.BroadcastTo(x.Shape()...))
	}
	n := float64(reduction.Count(x.Shape(), op.over))
	if g := c.Gy(1); g != nil {
		add(ops.Multiply(g, 1/n))
	}
	if g := c.Gy(2); g != nil {
		add(ops.Multiply(ops.Subtract(x, c.Out(1)), ops.Multiply(g, 2/n)))
	}
}

func (op normalizeOp) gradients(c *nd.Call, x, gy *nd.Array) {
	if !liesAlong(gy, op.over) {
		gy = gy.Copy()
	}
	var out [3]*nd.Array
	for i := range out {
		if i == 0 || c.Needs(i) {
			out[i] = op.fn.NewLike(c.DType(i), c.Shape(i), gy)
		}
	}
	l := op.launch(x)
	l.write(out[:]...)
	l.read(x, c.In(1), c.Out(1), c.Out(2), gy)
	l.Run(device.Device.NormalizeGrad)
	for i, g := range out {
		if g != nil {
			c.SetGx(i, g)
		}
	}
}

// normalizeLaunch is a launch whose loop has x's axes, with the normalised axes last.
type normalizeLaunch struct {
	nd.Launch
	order []int
}

func (op normalizeOp) launch(x *nd.Array) *normalizeLaunch {
	order := broadcast.MovedLast(x.Rank(), op.over)
	l := &normalizeLaunch{op.fn.Launch(x.Device(), broadcast.Permute(nil, x.Shape(), order)), order}
	l.Reduced, l.Eps = len(op.over), op.eps
	return l
}

// write adds outputs, each of x's rank, or nil.
func (l *normalizeLaunch) write(arrays ...*nd.Array) {
	for _, a := range arrays {
		if a == nil {
			l.Skip()
		} else {
			l.WriteStrides(a, l.strides(a))
		}
	}
}

// read adds inputs, each of x's rank, or nil.
func (l *normalizeLaunch) read(arrays ...*nd.Array) {
	outputs := l.Outputs
	for _, a := range arrays {
		if a == nil {
			l.Skip()
		} else {
			l.ReadStrides(a, l.strides(a))
		}
	}
	l.Outputs = outputs
}

// strides returns the strides of an array along the loop, 0 along axes of length 1.
func (l *normalizeLaunch) strides(a *nd.Array) []int {
	strides := a.Strides()
	for k, n := range a.Shape() {
		if n == 1 {
			strides[k] = 0
		}
	}
	return broadcast.Permute(nil, strides, l.order)
}
