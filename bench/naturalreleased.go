package bench

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// releaseAfter returns y and releases the arrays that are no longer needed.
func releaseAfter(y *nd.Array, spent ...*nd.Array) *nd.Array {
	for _, x := range spent {
		x.Release()
	}
	return y
}

func chainReleased(a, b, c *nd.Array) *nd.Array {
	ab := ops.Multiply(a, b)
	sum := releaseAfter(ops.Add(ab, c), ab)
	tanh := releaseAfter(ops.Tanh(sum), sum)
	product := releaseAfter(ops.Multiply(tanh, a), tanh)
	return releaseAfter(ops.Subtract(product, b), product)
}

func newtonReleased(x, c *nd.Array) *nd.Array {
	square := ops.Multiply(x, x)
	cube := releaseAfter(ops.Multiply(square, x), square)
	over := releaseAfter(ops.Subtract(cube, c), cube)
	triple := ops.Multiply(number(3), x)
	slope := releaseAfter(ops.Multiply(triple, x), triple)
	change := releaseAfter(ops.Divide(over, slope), over, slope)
	return releaseAfter(ops.Subtract(x, change), x, change)
}

func lifeReleased(g *nd.Array) *nd.Array {
	n := nd.ZerosLike(g)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			if i != 0 || j != 0 {
				rows := ops.Roll(g, i, ops.Over(0))
				rolled := releaseAfter(ops.Roll(rows, j, ops.Over(1)), rows)
				n = releaseAfter(ops.Add(n, rolled), n, rolled)
			}
		}
	}
	lives, two, three := ops.Equal(g, 1), ops.Equal(n, 2), releaseAfter(ops.Equal(n, 3), n)
	stays := releaseAfter(ops.LogicalAnd(lives, two), lives, two)
	next := releaseAfter(ops.LogicalOr(three, stays), three, stays)
	return releaseAfter(next.AsType(dtype.Int32), next)
}

func clustersReleased(x, centres, numbered *nd.Array) *nd.Array {
	squares := ops.Multiply(x, x)
	xx := releaseAfter(ops.Sum(squares, ops.Over(1).KeepDims()), squares)
	squares = ops.Multiply(centres, centres)
	cc := releaseAfter(ops.Sum(squares, ops.Over(1)), squares)
	columns := centres.T()
	xc := releaseAfter(ops.MatMul(x, columns), columns, centres)
	twice := releaseAfter(ops.Multiply(number(2), xc), xc)
	rest := releaseAfter(ops.Subtract(xx, twice), xx, twice)
	distance := releaseAfter(ops.Add(rest, cc), rest, cc)
	nearest := releaseAfter(ops.ArgMin(distance, ops.Over(1)), distance)
	column := releaseAfter(nearest.ExpandDims(1), nearest)
	is := releaseAfter(ops.Equal(column, numbered), column)
	member := releaseAfter(is.AsType(dtype.Float32), is)
	count := ops.Sum(member, ops.Over(0))
	members := releaseAfter(ops.Maximum(count, number(1)), count)
	rows := releaseAfter(member.T(), member)
	sum := releaseAfter(ops.MatMul(rows, x), rows)
	below := releaseAfter(members.ExpandDims(1), members)
	return releaseAfter(ops.Divide(sum, below), sum, below)
}

func samplesReleased(x, t, beta *nd.Array) (proposed *nd.Array, likelihood float64) {
	step := random.Normal(stream, 0, 0.05, []int{20}, arrayOptions(dtype.Float64))
	proposed = releaseAfter(ops.Add(beta, step), step)
	z := ops.MatMul(x, proposed)
	tz, e := ops.Multiply(t, z), ops.Exp(z)
	z.Release()
	soft := releaseAfter(ops.Log1p(e), e)
	each := releaseAfter(ops.Subtract(tz, soft), tz, soft)
	sum := releaseAfter(ops.Sum(each), each)
	defer sum.Release()
	return proposed, sum.Float()
}

func pendulumsReleased(q, p *nd.Array, h float64) (q0, p0 *nd.Array) {
	force := func(q *nd.Array) *nd.Array {
		s := ops.Sin(q)
		return releaseAfter(ops.Negative(s), s)
	}
	along := func(x, dx *nd.Array, h float64) *nd.Array {
		d := ops.Multiply(number(h), dx)
		return releaseAfter(ops.Add(x, d), d)
	}
	mean := func(k1, k2, k3, k4 *nd.Array) *nd.Array {
		twice2, twice3 := ops.Multiply(number(2), k2), ops.Multiply(number(2), k3)
		two := releaseAfter(ops.Add(k1, twice2), twice2)
		three := releaseAfter(ops.Add(two, twice3), two, twice3)
		four := releaseAfter(ops.Add(three, k4), three)
		return releaseAfter(ops.Divide(four, number(6)), four)
	}
	p1 := force(q)
	a := along(q, p, h/2)
	p2, q2 := releaseAfter(force(a), a), along(p, p1, h/2)
	a = along(q, q2, h/2)
	p3, q3 := releaseAfter(force(a), a), along(p, p2, h/2)
	a = along(q, q3, h)
	p4, q4 := releaseAfter(force(a), a), along(p, p3, h)
	dq := releaseAfter(mean(p, q2, q3, q4), q2, q3, q4)
	dp := releaseAfter(mean(p1, p2, p3, p4), p1, p2, p3, p4)
	return releaseAfter(along(q, dq, h), q, dq), releaseAfter(along(p, dp, h), p, dp)
}

func blurredReleased(image *nd.Array, axis int) *nd.Array {
	widths := make([][2]int, 3)
	widths[axis] = [2]int{2, 2}
	padded := ops.Pad(image, widths, ops.PadOptions{Mode: ops.PadEdge})
	sum := nd.ZerosLike(image)
	for k, w := range blurring {
		part := padded.Index(window(axis, k, image.Dim(axis))...)
		weighed := releaseAfter(ops.Multiply(number(w), part), part)
		sum = releaseAfter(ops.Add(sum, weighed), sum, weighed)
	}
	return releaseAfter(sum, padded)
}

func edgesReleased(image *nd.Array) *nd.Array {
	a := blurredReleased(image, 0)
	b := releaseAfter(blurredReleased(a, 1), a)
	height, width := b.Dim(0)-2, b.Dim(1)-2
	at := func(i, j int) *nd.Array { return b.Index(nd.Span(i, i+height), nd.Span(j, j+width)) }
	smooth := func(x, y, z *nd.Array) *nd.Array {
		twice := releaseAfter(ops.Multiply(number(2), y), y)
		two := releaseAfter(ops.Add(x, twice), x, twice)
		return releaseAfter(ops.Add(two, z), two, z)
	}
	right, left := smooth(at(0, 2), at(1, 2), at(2, 2)), smooth(at(0, 0), at(1, 0), at(2, 0))
	gx := releaseAfter(ops.Subtract(right, left), right, left)
	below, above := smooth(at(2, 0), at(2, 1), at(2, 2)), smooth(at(0, 0), at(0, 1), at(0, 2))
	gy := releaseAfter(ops.Subtract(below, above), below, above, b)
	xx, yy := releaseAfter(ops.Multiply(gx, gx), gx), releaseAfter(ops.Multiply(gy, gy), gy)
	sum := releaseAfter(ops.Add(xx, yy), xx, yy)
	return releaseAfter(ops.Sqrt(sum), sum)
}
