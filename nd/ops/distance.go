package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CosineSimilarityOptions are the options of CosineSimilarity.
type CosineSimilarityOptions struct {
	// Axis is the axis along which the vectors lie; nil means 1, or the last axis if there is only one.
	Axis Axes
	// Eps is the lower bound of the norms; nil means 1e-8.
	Eps *float64
}

// CosineSimilarity returns Σab/(max(‖a‖, eps)·max(‖b‖, eps)) along an axis: the cosine of the angle between vectors.
// The operands broadcast. If a vector is 0 the result is 0.
// PyTorch: nn.functional.cosine_similarity.
func CosineSimilarity(a, b *nd.Array, opts ...CosineSimilarityOption) *nd.Array {
	const fn nd.Func = "ops.CosineSimilarity"
	fn.Check(a, b)
	o := options.Of(fn, opts, Axes.cosineSimilarity)
	full, err := broadcast.Shapes(a.Shape(), b.Shape())
	if err != nil || len(full) == 0 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want operands that broadcast, of at least one axis"))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a, b = argument.Float(fn, a), argument.Float(fn, b)
	a, b = a.BroadcastTo(full...), b.BroadcastTo(full...)
	axis := fn.Axis(a, o.Axis, min(1, len(full)-1))
	least := nd.Scalar(argument.ValueOr(o.Eps, 1e-8))
	unit := func(x *nd.Array) *nd.Array { return Divide(x, Maximum(Norm(x, Over(axis).KeepDims()), least)) }
	return made.Keep(Sum(Multiply(unit(a), unit(b)), Over(axis)))
}

// PairwiseDistanceOptions are the options of PairwiseDistance.
type PairwiseDistanceOptions struct {
	// P is the order of the norm, at least 0, possibly infinite; nil means 2, the Euclidean norm.
	P *float64
	// Eps is added to every difference, so that no distance is 0; nil means 1e-6.
	Eps *float64
	// KeepDims leaves the last axis in the result, with length 1.
	KeepDims bool
}

// PairwiseDistance returns ‖a - b + eps‖ along the last axis: the distance of each vector of a from the vector of b at
// the same index. The operands broadcast.
// PyTorch: nn.functional.pairwise_distance.
func PairwiseDistance(a, b *nd.Array, opts ...PairwiseDistanceOptions) *nd.Array {
	const fn nd.Func = "ops.PairwiseDistance"
	fn.Check(a, b)
	o := options.Read(fn, opts)
	p := distancePower(fn, o.P, a, b)
	if max(a.Rank(), b.Rank()) == 0 {
		panic(fn.Errorf([]*nd.Array{a, b}, "want at least one axis"))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a, b = argument.Float(fn, a), argument.Float(fn, b)
	y := distances(Add(Subtract(a, b), argument.ValueOr(o.Eps, 1e-6)), p)
	if o.KeepDims {
		y = y.ExpandDims(-1)
	}
	return made.Keep(y)
}

// DistanceOptions are the options of CDist and PDist.
type DistanceOptions struct {
	// P is the order of the norm, at least 0, possibly infinite; nil means 2, the Euclidean norm. 0 counts the elements
	// that differ.
	P *float64
}

// CDist returns the distance of each row of a from each row of b, where the last two axes are matrices; the axes before
// them broadcast. The differences of rows are never stored: the memory is that of the operands and of the result. The
// gradient of a distance of 0 is 0.
//
// Euclidean distances of more than 25 rows are computed by a matrix product, from ‖a - c‖² + ‖b - c‖² - 2(a - c)(b - c),
// where c is the mean of the rows of b. Elements for which that cancels, because their square is below 1/16 of the sum
// of the first two terms, or whose squares leave the range of the dtype, are computed from the differences, as all other
// distances are. CDist waits for the device then, to count these elements; if there are many, all are computed so.
//
// Shapes: a (…, P, M), b (…, R, M); the result (…, P, R).
// PyTorch: cdist.
func CDist(a, b *nd.Array, opts ...DistanceOptions) *nd.Array {
	const fn nd.Func = "ops.CDist"
	fn.Check(a, b)
	p := distancePower(fn, options.Read(fn, opts).P, a, b)
	if a.Rank() < 2 || b.Rank() < 2 || a.Dim(-1) != b.Dim(-1) {
		panic(fn.Errorf([]*nd.Array{a, b}, "want matrices with equally many columns"))
	}
	if _, err := broadcast.Shapes(a.Shape()[:a.Rank()-2], b.Shape()[:b.Rank()-2]); err != nil {
		panic(fn.Errorf([]*nd.Array{a, b}, "%v", err))
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	a, b = argument.Float(fn, a), argument.Float(fn, b)
	t := dtype.Promote(a.DType(), b.DType())
	a, b = a.AsType(t), b.AsType(t)
	return made.Keep(rowDistances(fn, a, b, p))
}

// PDist returns the distance of each row of a matrix from each row after it: the elements of CDist(x, x) above the
// diagonal, row by row, computed as CDist does. The gradient of a distance of 0 is 0.
//
// Shapes: x (N, M); the result (N·(N-1)/2).
// PyTorch: nn.functional.pdist.
func PDist(x *nd.Array, opts ...DistanceOptions) *nd.Array {
	const fn nd.Func = "ops.PDist"
	fn.Check(x)
	p := distancePower(fn, options.Read(fn, opts).P, x)
	if x.Rank() != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want a matrix"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	first, second := TriuIndices(x.Dim(0), x.Dim(0), 1, nd.ArrayOptions{Device: x.Device()})
	made.Own(first)
	made.Own(second)
	all := rowDistances(fn, x, x, p).Reshape(-1)
	return made.Keep(Take(all, Add(Multiply(first, x.Dim(0)), second)))
}

// distances returns the norms of differences along the last axis. Their gradients at 0 are 0.
func distances(d *nd.Array, p float64) *nd.Array {
	switch {
	case p == 0:
		return release.Replace(d, Sum(NotEqual(d.Detach(), 0).AsType(d.DType()), Over(-1)))
	case math.IsInf(p, 1):
		return Max(Absolute(d), Over(-1))
	}
	return Norm(d, NormOptions{P: &p, Axes: Over(-1)})
}

func distancePower(fn nd.Func, given *float64, in ...*nd.Array) float64 {
	p := argument.ValueOr(given, 2)
	if !(p >= 0) {
		panic(fn.Errorf(in, "P = %v: want a norm of at least 0", p))
	}
	return p
}
