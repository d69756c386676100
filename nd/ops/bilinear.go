package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// BilinearOptions are the options of Bilinear: give all three, or none.
type BilinearOptions struct {
	// V1 (J, L) and V2 (K, L) are the weights of a linear function of each operand.
	V1, V2 *nd.Array
	// B (L) is added to every result.
	B *nd.Array
}

// Bilinear returns y[l] = Σ e1[j]·e2[k]·w[j,k,l] for every example; options add e1·V1 + e2·V2 + B. All axes of the
// operands after the first are flattened.
//
// Shapes: e1 (N, J), e2 (N, K), w (J, K, L); the result (N, L).
//
// Source: R. Socher et al., Reasoning With Neural Tensor Networks for Knowledge Base Completion, 2013.
// Chainer: bilinear.
func Bilinear(e1, e2, w *nd.Array, opts ...BilinearOptions) *nd.Array {
	const fn nd.Func = "ops.Bilinear"
	o := options.Read(fn, opts)
	in := []*nd.Array{e1, e2, w}
	given := 0
	for _, x := range []*nd.Array{o.V1, o.V2, o.B} {
		if x != nil {
			given++
			in = append(in, x)
		}
	}
	fn.Check(in...)
	if e1.Rank() < 1 || e2.Rank() < 1 || w.Rank() != 3 || e1.Dim(0) != e2.Dim(0) || e1.Dim(0) == 0 {
		panic(fn.Errorf(in, "want equally many examples of both, at least one, and weights of shape (J, K, L)"))
	}
	n, j, k, l := e1.Dim(0), w.Dim(0), w.Dim(1), w.Dim(2)
	if e1.Size() != n*j || e2.Size() != n*k {
		panic(fn.Errorf(in, "want operands of shapes (N, %d) and (N, %d)", j, k))
	}
	if given != 0 && given != 3 {
		panic(fn.Errorf(in, "want all of V1, V2 and B, or none"))
	}
	if given == 3 && !(broadcast.Equal(o.V1.Shape(), []int{j, l}) && broadcast.Equal(o.V2.Shape(), []int{k, l}) && broadcast.Equal(o.B.Shape(), []int{l})) {
		panic(fn.Errorf(in, "want V1 (%d, %d), V2 (%d, %[2]d) and B (%[2]d)", j, l, k))
	}
	made := fn.Temporaries(&e1, &e2, &w)
	defer made.Release()
	e1, e2 = e1.Reshape(n, j), e2.Reshape(n, k)
	y := MatMul(e2.ExpandDims(1), MatMul(e1, w.Reshape(j, k*l)).Reshape(n, k, l)).Squeeze(1)
	if given == 0 {
		return made.Keep(y)
	}
	return made.Keep(Add(AddN(y, MatMul(e1, o.V1), MatMul(e2, o.V2)), o.B))
}

// SimplifiedDropConnectOptions are the options of SimplifiedDropConnect.
type SimplifiedDropConnectOptions struct {
	// B (M) is added to every result; nil adds nothing.
	B *nd.Array
	// Ratio is the probability that a weight is dropped; nil means 0.5.
	Ratio *float64
	// Mask (N, M, K) says which weights to keep; nil draws them at random.
	Mask *nd.Array
}

// SimplifiedDropConnect returns x·wᵀ + B, where each example has its own random weights: each weight is 0 with
// probability Ratio, else w/(1-Ratio). Weights that a Mask keeps are divided by 1-Ratio, too. All axes of x after the
// first are flattened. SimplifiedDropConnect allocates the weights of all examples.
//
// Shapes: x (N, K), w (M, K); the result (N, M).
//
// Source: L. Wan et al., Regularization of Neural Networks using DropConnect, 2013, simplified: without the average
// over masks in inference.
// Chainer: simplified_dropconnect.
func SimplifiedDropConnect(x, w *nd.Array, rng *nd.Rand, opts ...SimplifiedDropConnectOptions) *nd.Array {
	const fn nd.Func = "ops.SimplifiedDropConnect"
	o := options.Read(fn, opts)
	in := []*nd.Array{x, w}
	for _, a := range []*nd.Array{o.B, o.Mask} {
		if a != nil {
			in = append(in, a)
		}
	}
	fn.Check(in...)
	ratio := argument.ValueOr(o.Ratio, 0.5)
	if !(ratio >= 0 && ratio < 1) {
		panic(fn.Errorf(in, "ratio %v: want at least 0 and below 1", ratio))
	}
	if x.Rank() < 1 || w.Rank() != 2 || x.Size() != x.Dim(0)*w.Dim(1) || o.B != nil && !broadcast.Equal(o.B.Shape(), w.Shape()[:1]) {
		panic(fn.Errorf(in, "want x of shape (N, K), w (M, K) and B (M)"))
	}
	shape := []int{x.Dim(0), w.Dim(0), w.Dim(1)}
	if o.Mask != nil && !broadcast.Equal(o.Mask.Shape(), shape) {
		panic(fn.Errorf(in, "want a mask of shape %s", broadcast.FormatShape(shape)))
	}
	made := fn.Temporaries(&x, &w, &o.Mask)
	defer made.Release()
	mask := o.Mask
	if mask == nil {
		mask = fn.Coins(rng, ratio, shape, x)
	}
	kept := Multiply(Where(mask.AsType(dtype.Bool), w, 0), 1/(1-ratio))
	y := MatMul(kept, x.Reshape(shape[0], shape[2], 1)).Squeeze(2)
	if o.B != nil {
		y = Add(y, o.B)
	}
	return made.Keep(y)
}
