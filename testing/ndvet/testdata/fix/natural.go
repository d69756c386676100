// Natural has the programs of bench/natural.go as loops, without a scope. A test puts the scopes in with ndvet's fix.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

var rounds = 200

func chain(a, b, c *nd.Array) *nd.Array {
	var y *nd.Array
	for range rounds {
		y = ops.Subtract(ops.Multiply(ops.Tanh(ops.Add(ops.Multiply(a, b), c)), a), b)
	}
	return y
}

// newton finds cube roots.
func newton(c *nd.Array) *nd.Array {
	x := c.Copy()
	for range rounds {
		over := ops.Subtract(ops.Multiply(ops.Multiply(x, x), x), c)
		slope := ops.Multiply(ops.Multiply(3, x), x)
		x = ops.Subtract(x, ops.Divide(over, slope)) // a step
	}
	return x
}

func neighbours(g *nd.Array) *nd.Array {
	n := nd.ZerosLike(g)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			if i != 0 || j != 0 {
				n = ops.Add(n, ops.Roll(ops.Roll(g, i, ops.Over(0)), j, ops.Over(1)))
			}
		}
	}
	return n
}

// life is Conway's.
func life(g *nd.Array) *nd.Array {
	for range rounds {
		n := neighbours(g)
		stays := ops.LogicalAnd(ops.Equal(g, 1), ops.Equal(n, 2))
		g = ops.LogicalOr(ops.Equal(n, 3), stays).AsType(dtype.Int32)
	}
	return g
}

// kmeans is Lloyd's algorithm.
func kmeans(x *nd.Array, k int) *nd.Array {
	centres, numbered := x.Index(nd.Span(0, k)).Copy(), nd.ArangeInt(0, k, 1, dtype.Int64)
	for round := 0; round < rounds; round++ {
		xx := ops.Sum(ops.Multiply(x, x), ops.Over(1).KeepDims())
		cc := ops.Sum(ops.Multiply(centres, centres), ops.Over(1))
		distance := ops.Add(ops.Subtract(xx, ops.Multiply(2, ops.MatMul(x, centres.T()))), cc)
		nearest := ops.ArgMin(distance, ops.Over(1))
		member := ops.Equal(nearest.ExpandDims(1), numbered).AsType(dtype.Float64)
		members := ops.Maximum(ops.Sum(member, ops.Over(0)), 1)
		next := ops.Divide(ops.MatMul(member.T(), x), members.ExpandDims(1))
		if nd.Value[bool](ops.All(ops.Equal(next, centres))) {
			continue
		}
		centres = next
	}
	return centres
}

// samples is Metropolis's algorithm for the weights of a logistic regression.
func samples(rng *nd.Rand, x, t *nd.Array) (*nd.Array, int) {
	beta, last := nd.Zeros([]int{x.Dim(1)}), math.Inf(-1)
	numbers := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range rounds {
		proposed := ops.Add(beta, random.Normal(rng, 0, 0.05, []int{x.Dim(1)}, dtype.Float64))
		z := ops.MatMul(x, proposed)
		likelihood := ops.Sum(ops.Subtract(ops.Multiply(t, z), ops.Log1p(ops.Exp(z)))).Float()
		if math.Log(numbers.Float64()) >= likelihood-last {
			continue
		}
		beta, last = proposed, likelihood
		accepted++
	}
	return beta, accepted
}

// pendulums is the classical Runge-Kutta method for many pendulums at once.
func pendulums(q, p *nd.Array) (*nd.Array, *nd.Array) {
	const h = 0.01
	motion := func(q, p *nd.Array) (dq, dp *nd.Array) { return p, ops.Negative(ops.Sin(q)) }
	along := func(x, dx *nd.Array, h float64) *nd.Array { return ops.Add(x, ops.Multiply(h, dx)) }
	for t := range rounds {
		q1, p1 := motion(q, p)
		q2, p2 := motion(along(q, q1, h/2), along(p, p1, h/2))
		q3, p3 := motion(along(q, q2, h/2), along(p, p2, h/2))
		q4, p4 := motion(along(q, q3, h), along(p, p3, h))
		q = along(q, ops.Add(ops.Add(q1, q4), ops.Multiply(2, ops.Add(q2, q3))), h/6)
		p = along(p, ops.Add(ops.Add(p1, p4), ops.Multiply(2, ops.Add(p2, p3))), h/6)
		if t == rounds/2 {
			fmt.Printf("%.6f\n", ops.Mean(q).Float())
		}
	}
	return q, p
}

// magnitudes sums the magnitude of the gradients of several images.
func magnitudes(image *nd.Array) float64 {
	total := 0.0
	for k := range rounds {
		height, width := image.Dim(0)-2, image.Dim(1)-2
		at := func(i, j int) *nd.Array { return image.Index(nd.Span(i, i+height), nd.Span(j, j+width)) }
		gx := ops.Subtract(at(1, 2), at(1, 0))
		gy := ops.Subtract(at(2, 1), at(0, 1))
		total += ops.Sum(ops.Sqrt(ops.Add(ops.Multiply(gx, gx), ops.Multiply(gy, gy)))).Float() * float64(k)
	}
	return total
}

// perceptron trains under a tape, which owns what is computed.
func perceptron(x, t *nd.Array) float64 {
	w := nd.Zeros([]int{x.Dim(1), 1})
	tape := grad.NewTape()
	var last float64
	for range rounds {
		W := tape.Watch(w)
		l := ops.Mean(loss.SigmoidCrossEntropy(ops.MatMul(x, W), t.ExpandDims(1)))
		last = l.Float()
		ops.Subtract(w, ops.Multiply(tape.Gradient(l, W)[0], 0.1), ops.Into(w))
		tape.Reset()
	}
	return last
}

func main() {
	rng := nd.NewRand(1)
	uniform := func(shape ...int) *nd.Array { return random.Uniform(rng, 1, 2, shape, dtype.Float64) }
	a, b, c := uniform(1000), uniform(1000), uniform(1000)
	sum := func(x *nd.Array) string { return fmt.Sprintf("%.6f", ops.Sum(x).Float()) }
	fmt.Println(sum(chain(a, b, c)), sum(newton(a)))
	fmt.Println(sum(life(ops.Greater(uniform(64, 64), 1.6).AsType(dtype.Int32))))
	x := uniform(500, 4)
	t := ops.Greater(ops.Sum(x, ops.Over(1)), 6).AsType(dtype.Float64)
	fmt.Println(sum(kmeans(x, 5)))
	beta, accepted := samples(rng, x, t)
	fmt.Println(sum(beta), accepted)
	q, p := pendulums(a, b)
	fmt.Println(sum(q), sum(p))
	fmt.Printf("%.6f\n", magnitudes(uniform(64, 64)))
	fmt.Printf("%.6f\n", perceptron(x, t))
}
