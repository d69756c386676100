package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// then returns y and releases the arrays that are no longer needed.
func then(y *nd.Array, spent ...*nd.Array) *nd.Array {
	for _, x := range spent {
		x.Release()
	}
	return y
}

func chainReleased(a, b, c *nd.Array) *nd.Array {
	ab := ops.Multiply(a, b)
	sum := then(ops.Add(ab, c), ab)
	tanh := then(ops.Tanh(sum), sum)
	product := then(ops.Multiply(tanh, a), tanh)
	return then(ops.Subtract(product, b), product)
}

func newtonReleased(x, c *nd.Array) *nd.Array {
	square := ops.Multiply(x, x)
	cube := then(ops.Multiply(square, x), square)
	over := then(ops.Subtract(cube, c), cube)
	triple := ops.Multiply(number(3), x)
	slope := then(ops.Multiply(triple, x), triple)
	change := then(ops.Divide(over, slope), over, slope)
	return then(ops.Subtract(x, change), x, change)
}

func lifeReleased(g *nd.Array) *nd.Array {
	n := nd.ZerosLike(g)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			if i != 0 || j != 0 {
				rows := ops.Roll(g, i, ops.Over(0))
				rolled := then(ops.Roll(rows, j, ops.Over(1)), rows)
				n = then(ops.Add(n, rolled), n, rolled)
			}
		}
	}
	lives, two, three := ops.Equal(g, 1), ops.Equal(n, 2), then(ops.Equal(n, 3), n)
	stays := then(ops.LogicalAnd(lives, two), lives, two)
	next := then(ops.LogicalOr(three, stays), three, stays)
	return then(next.AsType(dtype.Int32), next)
}

func clustersReleased(x, centres, numbered *nd.Array) *nd.Array {
	squares := ops.Multiply(x, x)
	xx := then(ops.Sum(squares, ops.Over(1).KeepDims()), squares)
	squares = ops.Multiply(centres, centres)
	cc := then(ops.Sum(squares, ops.Over(1)), squares)
	columns := centres.T()
	xc := then(ops.MatMul(x, columns), columns, centres)
	twice := then(ops.Multiply(number(2), xc), xc)
	rest := then(ops.Subtract(xx, twice), xx, twice)
	distance := then(ops.Add(rest, cc), rest, cc)
	nearest := then(ops.ArgMin(distance, ops.Over(1)), distance)
	column := then(nearest.ExpandDims(1), nearest)
	is := then(ops.Equal(column, numbered), column)
	member := then(is.AsType(dtype.Float32), is)
	count := ops.Sum(member, ops.Over(0))
	members := then(ops.Maximum(count, number(1)), count)
	rows := then(member.T(), member)
	sum := then(ops.MatMul(rows, x), rows)
	below := then(members.ExpandDims(1), members)
	return then(ops.Divide(sum, below), sum, below)
}

func samplesReleased(x, t, beta *nd.Array) (proposed *nd.Array, likelihood float64) {
	step := random.Normal(stream, 0, 0.05, []int{20}, of(dtype.Float64))
	proposed = then(ops.Add(beta, step), step)
	z := ops.MatMul(x, proposed)
	tz, e := ops.Multiply(t, z), ops.Exp(z)
	z.Release()
	soft := then(ops.Log1p(e), e)
	each := then(ops.Subtract(tz, soft), tz, soft)
	sum := then(ops.Sum(each), each)
	defer sum.Release()
	return proposed, sum.Float()
}

func pendulumsReleased(q, p *nd.Array, h float64) (q0, p0 *nd.Array) {
	force := func(q *nd.Array) *nd.Array {
		s := ops.Sin(q)
		return then(ops.Negative(s), s)
	}
	along := func(x, dx *nd.Array, h float64) *nd.Array {
		d := ops.Multiply(number(h), dx)
		return then(ops.Add(x, d), d)
	}
	mean := func(k1, k2, k3, k4 *nd.Array) *nd.Array {
		twice2, twice3 := ops.Multiply(number(2), k2), ops.Multiply(number(2), k3)
		two := then(ops.Add(k1, twice2), twice2)
		three := then(ops.Add(two, twice3), two, twice3)
		four := then(ops.Add(three, k4), three)
		return then(ops.Divide(four, number(6)), four)
	}
	p1 := force(q)
	a := along(q, p, h/2)
	p2, q2 := then(force(a), a), along(p, p1, h/2)
	a = along(q, q2, h/2)
	p3, q3 := then(force(a), a), along(p, p2, h/2)
	a = along(q, q3, h)
	p4, q4 := then(force(a), a), along(p, p3, h)
	dq := then(mean(p, q2, q3, q4), q2, q3, q4)
	dp := then(mean(p1, p2, p3, p4), p1, p2, p3, p4)
	return then(along(q, dq, h), q, dq), then(along(p, dp, h), p, dp)
}

func blurredReleased(image *nd.Array, axis int) *nd.Array {
	widths := make([][2]int, 3)
	widths[axis] = [2]int{2, 2}
	padded := ops.Pad(image, widths, ops.PadOptions{Mode: "edge"})
	sum := nd.ZerosLike(image)
	for k, w := range blurring {
		part := padded.Index(window(axis, k, image.Dim(axis))...)
		weighed := then(ops.Multiply(number(w), part), part)
		sum = then(ops.Add(sum, weighed), sum, weighed)
	}
	return then(sum, padded)
}

func edgesReleased(image *nd.Array) *nd.Array {
	a := blurredReleased(image, 0)
	b := then(blurredReleased(a, 1), a)
	height, width := b.Dim(0)-2, b.Dim(1)-2
	at := func(i, j int) *nd.Array { return b.Index(nd.Span(i, i+height), nd.Span(j, j+width)) }
	smooth := func(x, y, z *nd.Array) *nd.Array {
		twice := then(ops.Multiply(number(2), y), y)
		two := then(ops.Add(x, twice), x, twice)
		return then(ops.Add(two, z), two, z)
	}
	right, left := smooth(at(0, 2), at(1, 2), at(2, 2)), smooth(at(0, 0), at(1, 0), at(2, 0))
	gx := then(ops.Subtract(right, left), right, left)
	below, above := smooth(at(2, 0), at(2, 1), at(2, 2)), smooth(at(0, 0), at(0, 1), at(0, 2))
	gy := then(ops.Subtract(below, above), below, above, b)
	xx, yy := then(ops.Multiply(gx, gx), gx), then(ops.Multiply(gy, gy), gy)
	sum := then(ops.Add(xx, yy), xx, yy)
	return then(ops.Sqrt(sum), sum)
}
