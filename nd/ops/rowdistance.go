package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Distances of rows are reductions of programs that read one row of each matrix. The loop is (…, P, R, M), for the rows
// of a, the rows of b and their elements: a is (…, P, 1, M), b (…, 1, R, M), and distances are (…, P, R, 1).

// manyRows is the number of rows above which Euclidean distances are computed by a matrix product.
const manyRows = 25

// rowDistances returns the distances of order p of the rows of matrices of one float dtype.
func rowDistances(fn nd.Func, a, b *nd.Array, p float64) *nd.Array {
	op := rowDistanceOp{p: p, products: p == 2 && (a.Dim(-2) > manyRows || b.Dim(-2) > manyRows) && a.Dim(-1) > 0 && b.Size() > 0}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	in := [2]*nd.Array{a.Detach(), b.Detach()}
	var y *nd.Array
	if op.products {
		y = productDistances(fn, in[0], in[1])
	}
	if y == nil {
		op.products = false
		y = directDistances(fn, in[0], in[1], p)
	}
	if p > 0 {
		fn.Record(op, []*nd.Array{a, b}, y)
	}
	return made.Keep(y)
}

// The programs of distances. x and m are elements of the rows, n is the distance, u a unit.
var (
	rowDifference = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m", Body: "x - m"}
	rowMagnitude  = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m", Body: "abs(x - m)"}
	rowUnequal    = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m", Body: "x != m ? T(1) : T(0)"}
	rowPower      = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T u", Scalars: "T p", Body: "pow(abs(x - m) / u, p)"}
	rootOfPowers  = ufunc.Definition{Fn: "ops.CDist", Scalars: "T q", Body: "pow(x, q)"}
	rootOfUnit    = ufunc.Definition{Fn: "ops.CDist", In: "T x, T unit", Body: "sqrt(x) * unit"}
	notNegative   = ufunc.Definition{Fn: "ops.CDist", Body: "max(x, 0)"} // the largest of no elements is -Inf
)

// directDistances computes distances from differences.
func directDistances(fn nd.Func, a, b *nd.Array, p float64) *nd.Array {
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	t, axes := a.DType(), []int{max(a.Rank(), b.Rank())}
	lead, _ := broadcast.Shapes(a.Shape()[:a.Rank()-2], b.Shape()[:b.Rank()-2])
	y := fn.NewLike(t, append(lead, a.Dim(-2), b.Dim(-2)), a)
	a, b = a.ExpandDims(-2), b.ExpandDims(-3)
	switch {
	case p == 0:
		fn.Reduce(rowUnequal.Program(t), nil, device.CombineSum, axes, nil, y, a, b)
	case p == 1:
		fn.Reduce(rowMagnitude.Program(t), nil, device.CombineSum, axes, nil, y, a, b)
	case p == 2:
		fn.SumSquares(rowDifference.Program(t), rootOfUnit.Program(t), axes, nil, y, a, b)
	case math.IsInf(p, 1):
		fn.Reduce(rowMagnitude.Program(t), notNegative.Program(t), device.CombineMax, axes, nil, y, a, b)
	default:
		unit := fn.NewLike(t, y.Shape(), a)
		fn.Reduce(rowMagnitude.Program(t), ufunc.Unit.Program(t), device.CombineMax, axes, nil, unit, a, b)
		fn.Reduce(rowPower.Program(t), rootOfPowers.Program(t), device.CombineSum, axes, ufunc.Scalars(t, p, 1/p), y, a, b, unit.ExpandDims(-1))
		Multiply(y, unit, Into(y))
	}
	return made.Keep(y)
}

// rowProducts are the terms of squared distances around the mean of the rows of b.
type rowProducts struct {
	a, b *nd.Array // rows minus the mean
	sums *nd.Array // (…, P, R): ‖a‖² + ‖b‖²
}

func newRowProducts(a, b *nd.Array) rowProducts {
	center := Mean(b.Reshape(-1, b.Dim(-1)), Over(0))
	r := rowProducts{a: Subtract(a, center), b: Subtract(b, center)}
	squares := func(x *nd.Array) *nd.Array { return Sum(Square(x), Over(-1)) }
	r.sums = Add(squares(r.a).ExpandDims(-1), squares(r.b).ExpandDims(-2))
	return r
}

// isFar says which squared distances d do not cancel and are in the range.
var isFar = ufunc.Definition{Fn: "ops.CDist", In: "T d, T s", Scalars: "T least", Out: "bool", Body: "d >= s / 16 && s < inf && s > least"}

// far tells for which elements the squared distances can be taken from products.
func (r rowProducts) far(squares *nd.Array) *nd.Array {
	return isFar.Compute([]float64{device.ScalesOf(squares.DType(), true).Least}, squares, r.sums)
}

// mostNear is the number of elements of the rows that are compared again one by one.
const mostNear = 1 << 21

// productDistances computes Euclidean distances by a matrix product, and near ones from differences. It returns nil if
// there are many near ones.
func productDistances(fn nd.Func, a, b *nd.Array) *nd.Array {
	if t := a.DType(); t.Size() == 2 {
		y := productDistances(fn, a.AsType(dtype.Float32), b.AsType(dtype.Float32))
		if y != nil {
			y = y.AsType(t)
		}
		return y
	}
	made := fn.Temporaries(&a, &b)
	defer made.Release()
	r := newRowProducts(a, b)
	squares := Add(MatMul(Multiply(r.a, -2), r.b.SwapAxes(-1, -2)), r.sums)
	far := r.far(squares)
	near := squares.Size() - nd.Value[int](CountNonzero(far))
	if near*a.Dim(-1) > mostNear || near > squares.Size()/8 {
		return nil
	}
	y := Sqrt(squares)
	if near > 0 {
		k, first, second := pairsOf(fn, LogicalNot(far), a, b)
		exact := Norm(Subtract(first.rows, second.rows), Over(-1))
		y = fn.Scatter(device.CombineAssign, y.Reshape(-1), []int{0}, 0, []*nd.Array{k}, exact, device.BoundsRaise).Reshape(y.Shape()...)
	}
	return made.Keep(y)
}

// chosenRows are some rows of a matrix, or of a stack of them that is broadcast, by their indices.
type chosenRows struct{ index, rows *nd.Array }

// pairsOf returns the indices of the elements (…, P, R) that a mask selects, counted in row-major order, and the rows of
// a and b that belong to them.
func pairsOf(fn nd.Func, mask, a, b *nd.Array) (k *nd.Array, first, second chosenRows) {
	shape := mask.Shape()
	lead, p, r := shape[:len(shape)-2], shape[len(shape)-2], shape[len(shape)-1]
	k = FlatNonzero(mask)
	matrix := FloorDivide(k, p*r)
	choose := func(x, index *nd.Array, rows int) chosenRows {
		all := x.BroadcastTo(append(lead[:len(lead):len(lead)], rows, x.Dim(-1))...).Reshape(-1, x.Dim(-1))
		return chosenRows{index, Take(all, index, Over(0))}
	}
	return k, choose(a, FloorDivide(k, r), p), choose(b, Add(Multiply(matrix, r), Remainder(k, r)), r)
}

// rowDistanceOp is a recorded rowDistances. Its inputs are a and b.
type rowDistanceOp struct {
	p        float64
	products bool // most elements come from a matrix product
}

func (op rowDistanceOp) Claims() nd.Claims { return nd.Claims{In: 3, Out: 1} }

func (op rowDistanceOp) Composed(in []*nd.Array) []*nd.Array {
	return []*nd.Array{distances(Subtract(in[0].ExpandDims(-2), in[1].ExpandDims(-3)), op.p)}
}

// The gradients with respect to x. g is that of the distance n.
var (
	slopeOfSum     = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T n, T g", Body: "sign(x - m) * g"}
	slopeOfRoot    = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T n, T g", Body: "n == 0 ? T(0) : (x - m) / n * g"}
	slopeOfPower   = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T n, T g", Scalars: "T p", Body: "d = x - m; y = d == 0 ? T(0) : sign(d) * pow(abs(d) / n, p - 1) * g"}
	slopeOfLargest = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T n, T g, T k, T f", Body: "k == f ? sign(x - m) * g : T(0)"}
	firstLargest   = ufunc.Definition{Fn: "ops.CDist", In: "T x, T m, T n, T k", Body: "abs(x - m) == n || n != n ? k : T(inf)"}
)

func (op rowDistanceOp) VJP(c *nd.Call) {
	a, b, y, g := c.In(0), c.In(1), c.Out(0), c.Gy(0)
	if op.products {
		op.productGradients(c, a, b, y, g)
		return
	}
	fn, t := c.Func(), a.DType()
	rank := y.Rank()
	in := []*nd.Array{a.ExpandDims(-2), b.ExpandDims(-3), y.ExpandDims(-1), g.ExpandDims(-1)}
	slope, scalars := &slopeOfPower, ufunc.Scalars(t, op.p)
	switch {
	case op.p == 1:
		slope, scalars = &slopeOfSum, nil
	case op.p == 2:
		slope, scalars = &slopeOfRoot, nil
	case math.IsInf(op.p, 1):
		slope, scalars = &slopeOfLargest, nil
		wide := dtype.Promote(t, dtype.Float32) // that holds the numbers of the columns
		columns := nd.Arange(0, float64(a.Dim(-1)), 1, nd.ArrayOptions{DType: wide, Device: a.Device()})
		first := fn.NewLike(wide, y.Shape(), a)
		fn.Reduce(firstLargest.Program(wide), nil, device.CombineMin, []int{rank}, nil, first, in[0], in[1], in[2], columns)
		in = append(in, columns, first.ExpandDims(-1))
		t = wide
	}
	lead := y.Shape()[:rank-2]
	sum := func(rows, axis int) *nd.Array {
		gx := fn.NewLike(a.DType(), append(lead[:len(lead):len(lead)], rows, a.Dim(-1)), g)
		fn.Reduce(slope.Program(t), nil, device.CombineSum, []int{axis}, scalars, gx, in...)
		return gx
	}
	if c.Needs(0) {
		c.SetGx(0, fn.SumTo(sum(a.Dim(-2), rank-1), c.Shape(0)))
	}
	if c.Needs(1) {
		c.SetGx(1, fn.SumTo(Negative(sum(b.Dim(-2), rank-2)), c.Shape(1)))
	}
}

// productGradients are the gradients of Euclidean distances by matrix products, except for near rows.
func (op rowDistanceOp) productGradients(c *nd.Call, a, b, y, g *nd.Array) {
	fn, t := c.Func(), a.DType()
	if t.Size() == 2 {
		a, b, y, g = a.AsType(dtype.Float32), b.AsType(dtype.Float32), y.AsType(dtype.Float32), g.AsType(dtype.Float32)
	}
	r := newRowProducts(a, b)
	far := r.far(Square(y))
	weights := Where(far, Divide(g, y), 0)
	ga := Subtract(Multiply(r.a, Sum(weights, Over(-1).KeepDims())), MatMul(weights, r.b))
	turned := weights.SwapAxes(-1, -2)
	gb := Subtract(Multiply(r.b, Sum(turned, Over(-1).KeepDims())), MatMul(turned, r.a))
	k, first, second := pairsOf(fn, LogicalNot(far), a, b)
	if k.Size() > 0 {
		pick := func(x *nd.Array) *nd.Array { return Take(x.Reshape(-1), k).ExpandDims(-1) }
		slopes := alongUnit.Compute(nil, Subtract(first.rows, second.rows), pick(y), pick(g))
		add := func(gx, index, slopes *nd.Array) *nd.Array {
			flat := gx.Reshape(-1, gx.Dim(-1))
			return fn.Scatter(device.CombineSum, flat, []int{0}, 0, []*nd.Array{index}, slopes, device.BoundsRaise).Reshape(gx.Shape()...)
		}
		ga, gb = add(ga, first.index, slopes), add(gb, second.index, Negative(slopes))
	}
	if c.Needs(0) {
		c.SetGx(0, fn.SumTo(ga, c.Shape(0)).AsType(t))
	}
	if c.Needs(1) {
		c.SetGx(1, fn.SumTo(gb, c.Shape(1)).AsType(t))
	}
}
