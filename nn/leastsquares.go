package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// polyadic is a decomposition of an array of three axes into matrices (n, r), one for each axis. Their columns are the
// factors of r products: x ≈ Σ scale[j]·a[0][:, j]⊗a[1][:, j]⊗a[2][:, j].
type polyadic struct {
	unfolded       [3]*nd.Array // x as a matrix for each axis: that axis gives the rows, the two others, in order, the columns
	regularization *nd.Array    // added to the diagonal of the normal equations
	a              [3]*nd.Array
	scale          *nd.Array // 1 by r
}

// decompose finds the matrices of x by alternating least squares in float64: each in turn becomes the best one for the
// two others. The scale is multiplied into the first matrix.
//
// Source: T. Kolda and B. Bader, Tensor Decompositions and Applications, 2009.
func (o *CPD3ConvolutionOptions) decompose(x *nd.Array, r int, rng *nd.Rand) [3]*nd.Array {
	rounds, least := o.MaxIter, 1e-5
	if rounds == 0 {
		rounds = 500
	}
	if o.StoppingCriterion != nil {
		least = *o.StoppingCriterion
	}
	x = x.AsType(dtype.Float64)
	like := nd.ArrayOptions{DType: dtype.Float64, Device: x.Device()}
	p := &polyadic{regularization: ops.Multiply(nd.Eye(r, r, 0, like), o.LambdaReg)}
	for axis := range p.a {
		n := x.Dim(axis)
		p.unfolded[axis] = x.MoveAxis([]int{axis}, []int{0}).Reshape(n, x.Size()/n)
		if axis > 0 { // the first round begins with the matrix of axis 0
			p.a[axis] = random.Uniform(rng, 0, 1, []int{n, r}, like)
		}
	}
	square := ops.Sum(ops.Square(x)).Float()
	if math.IsNaN(square) || math.IsInf(square, 1) {
		panic(nd.Func("nn.CPD3Convolution").Errorf([]*nd.Array{x}, "the sum of squares of new weights is %v: want finite ones", square))
	}
	fit := 0.
	for round := range rounds {
		residual := square + p.sweep(round == 0)
		if least < 0 {
			continue
		}
		before := fit
		fit = 1 - residual/square
		if round > 0 && math.Abs(fit-before) < least || square == 0 {
			break
		}
	}
	p.a[0] = ops.Multiply(p.a[0], p.scale)
	return p.a
}

// sweep improves all matrices, and returns ‖y‖² - 2⟨x, y⟩ for the array y that they represent. The first sweep
// normalises columns to length 1. Later sweeps divide a column by its largest element if that is above 1.
func (p *polyadic) sweep(first bool) float64 {
	var product, gram *nd.Array
	for axis := range p.a {
		b, c := p.a[(axis+1)%3], p.a[(axis+2)%3]
		if axis == 1 {
			b, c = c, b
		}
		made := nd.Func("nn.CPD3Convolution").Temporaries(&b, &c)
		columns := ops.Multiply(b.Index(nd.All(), nd.NewAxis()), c).Reshape(-1, b.Dim(1))
		gram = ops.Multiply(ops.MatMul(b.T(), b), ops.MatMul(c.T(), c))
		product = ops.MatMul(p.unfolded[axis], columns)
		a := ops.MatMul(product, linalg.PInv(ops.Add(gram, p.regularization), linalg.PInvOptions{Hermitian: true, RCond: nd.Scalar(1e-14)}))
		var scale *nd.Array
		if first {
			scale = ops.Norm(a, ops.Over(0).KeepDims())
			scale = ops.Where(ops.Equal(scale, 0), 1, scale)
		} else {
			scale = ops.Maximum(1, ops.Max(a, ops.Over(0).KeepDims()))
		}
		p.a[axis], p.scale = made.Keep(ops.Divide(a, scale)), made.Keep(scale)
		product, gram = made.Keep(product), made.Keep(gram)
		made.Release()
	}
	last := ops.Multiply(p.a[2], p.scale)
	gram = ops.Multiply(gram, ops.MatMul(last.T(), last))
	return ops.Sum(gram).Float() - 2*ops.Sum(ops.Multiply(product, last)).Float()
}
