package bench

import (
	"math"
	"regexp"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// program is one step of a program in three forms: as a NumPy user writes it, who drops arrays; with one line that
// makes the step a scope; and with a Release of every array right after its last use.
type program struct{ plain, scope, released func() }

// These suffixes name the cases of the other forms of a program; the plain form has none.
const (
	ScopeForm    = "/scope"
	ReleasedForm = "/released"
)

// Program matches the cases that are steps of programs: whole ones, and chains of functions.
var Program = regexp.MustCompile(`^(natural|chain)/`)

// Drops reports whether a case is the plain form of a program, which leaves arrays to the GC.
func Drops(c Case) bool {
	return Program.MatchString(c.Name) && !strings.HasSuffix(c.Name, ScopeForm) && !strings.HasSuffix(c.Name, ReleasedForm)
}

// natural returns steps of programs, without results: the programs drop the arrays that they make.
func natural() (cs []Case) {
	add := func(name string, setup func() program) {
		for form, of := range []func(p program) func(){
			func(p program) func() { return p.plain },
			func(p program) func() { return p.scope },
			func(p program) func() { return p.released },
		} {
			cs = append(cs, Case{Name: name + []string{"", ScopeForm, ReleasedForm}[form], Setup: func() func() *nd.Array {
				step := of(setup())
				return func() *nd.Array {
					step()
					return nil
				}
			}})
		}
	}
	for _, size := range allSizes {
		add("chain/five/"+size.name+"/f32", func() program { return chains(size.n, dtype.Float32) })
	}
	add("chain/five/1e6/f16", func() program { return chains(1e6, dtype.Float16) })
	add("chain/five/1e6/bf16", func() program { return chains(1e6, dtype.BFloat16) })
	add("natural/newton/1e5/f64", newton)
	add("natural/life/512x512/i32", lives)
	add("natural/kmeans/50000x32_k16/f32", clusters)
	add("natural/mcmc/1000x20/f64", chainOfSamples)
	add("natural/pendulums_rk4/1e4/f64", pendulums)
	add("natural/image_edges/512x512x3/f32", images)
	add("natural/mlp_784_512_10_sgd/B100/f32", perceptron)
	return cs
}

// number makes a scalar operand, in one form for all of these programs.
func number(v float64) *nd.Array { return nd.Scalar(v) }

// chains is five functions in a row, as in one expression.
func chains(n int, dt dtype.DType) program {
	a, b, c := f32(n).AsType(dt), f32(n).AsType(dt), f32(n).AsType(dt)
	var y *nd.Array
	f := func() { y = ops.Subtract(ops.Multiply(ops.Tanh(ops.Add(ops.Multiply(a, b), c)), a), b) }
	return program{f, func() { nd.TidyAll(f, &a, &y) }, func() {
		y.Release()
		y = chainReleased(a, b, c)
	}}
}

// newton finds cube roots.
func newton() program {
	c := floats(dtype.Float64, 1, 100, 1e5)
	x := c.Copy()
	f := func() {
		over := ops.Subtract(ops.Multiply(ops.Multiply(x, x), x), c)
		slope := ops.Multiply(ops.Multiply(number(3), x), x)
		x = ops.Subtract(x, ops.Divide(over, slope))
	}
	return program{f, func() { nd.TidyAll(f, &x) }, func() { x = newtonReleased(x, c) }}
}

// neighbours counts the neighbours of every cell, on a torus.
func neighbours(g *nd.Array) *nd.Array {
	n := nd.ZerosLike(g)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			if i != 0 || j != 0 {
				rows := ops.Roll(g, i, ops.Over(0))
				n = ops.Add(n, ops.Roll(rows, j, ops.Over(1)))
			}
		}
	}
	return n
}

// neighboursTidy is neighbours with a scope in its loop, so that only the arrays of a few steps are alive.
func neighboursTidy(g *nd.Array) *nd.Array {
	n := nd.ZerosLike(g)
	for i := -1; i <= 1; i++ {
		for j := -1; j <= 1; j++ {
			if i != 0 || j != 0 {
				nd.TidyAll(func() {
					rows := ops.Roll(g, i, ops.Over(0))
					n = ops.Add(n, ops.Roll(rows, j, ops.Over(1)))
				}, &n, &g)
			}
		}
	}
	return n
}

// life computes a generation of Conway's game; count counts the neighbours.
func life(g *nd.Array, count func(g *nd.Array) *nd.Array) *nd.Array {
	n := count(g)
	stays := ops.LogicalAnd(ops.Equal(g, 1), ops.Equal(n, 2))
	return ops.LogicalOr(ops.Equal(n, 3), stays).AsType(dtype.Int32)
}

func lives() program {
	g := ops.Greater(f32(512, 512), number(0.4)).AsType(dtype.Int32)
	return program{func() { g = life(g, neighbours) }, func() {
		nd.TidyAll(func() { g = life(g, neighboursTidy) }, &g)
	}, func() { g = releaseAfter(lifeReleased(g), g) }}
}

// clusters is Lloyd's algorithm (k-means).
func clusters() program {
	x, centres, numbered := f32(50000, 32), f32(16, 32), nd.ArangeInt(0, 16, 1, arrayOptions(dtype.Int64))
	f := func() {
		xx := ops.Sum(ops.Multiply(x, x), ops.Over(1).KeepDims())
		cc := ops.Sum(ops.Multiply(centres, centres), ops.Over(1))
		distance := ops.Add(ops.Subtract(xx, ops.Multiply(number(2), ops.MatMul(x, centres.T()))), cc)
		nearest := ops.ArgMin(distance, ops.Over(1))
		member := ops.Equal(nearest.ExpandDims(1), numbered).AsType(dtype.Float32)
		members := ops.Maximum(ops.Sum(member, ops.Over(0)), number(1))
		centres = ops.Divide(ops.MatMul(member.T(), x), members.ExpandDims(1))
	}
	return program{f, func() { nd.TidyAll(f, &x, &centres) }, func() { centres = clustersReleased(x, centres, numbered) }}
}

// chainOfSamples is Metropolis's algorithm for the weights of a logistic regression.
func chainOfSamples() program {
	x := floats(dtype.Float64, -1, 1, 1000, 20)
	t := ops.Greater(f32(1000), number(0)).AsType(dtype.Float64)
	beta, last := nd.Zeros([]int{20}, arrayOptions(dtype.Float64)), math.Inf(-1)
	accept := func(likelihood float64) bool { return math.Log(numbers.Float64()) < likelihood-last }
	f := func() {
		proposed := ops.Add(beta, random.Normal(stream, 0, 0.05, []int{20}, arrayOptions(dtype.Float64)))
		z := ops.MatMul(x, proposed)
		likelihood := ops.Sum(ops.Subtract(ops.Multiply(t, z), ops.Log1p(ops.Exp(z)))).Float()
		if accept(likelihood) {
			beta, last = proposed, likelihood
		}
	}
	return program{f, func() { nd.TidyAll(f, &beta) }, func() {
		proposed, likelihood := samplesReleased(x, t, beta)
		if accept(likelihood) {
			beta, proposed, last = proposed, beta, likelihood
		}
		proposed.Release()
	}}
}

// pendulums is a step of the classical Runge-Kutta method for many pendulums at once.
func pendulums() program {
	const h = 0.01
	q, p := floats(dtype.Float64, -1, 1, 1e4), floats(dtype.Float64, -1, 1, 1e4)
	motion := func(q, p *nd.Array) (dq, dp *nd.Array) { return p, ops.Negative(ops.Sin(q)) }
	along := func(x, dx *nd.Array, h float64) *nd.Array { return ops.Add(x, ops.Multiply(number(h), dx)) }
	mean := func(k1, k2, k3, k4 *nd.Array) *nd.Array {
		return ops.Divide(ops.Add(ops.Add(ops.Add(k1, ops.Multiply(number(2), k2)), ops.Multiply(number(2), k3)), k4), number(6))
	}
	f := func() {
		q1, p1 := motion(q, p)
		q2, p2 := motion(along(q, q1, h/2), along(p, p1, h/2))
		q3, p3 := motion(along(q, q2, h/2), along(p, p2, h/2))
		q4, p4 := motion(along(q, q3, h), along(p, p3, h))
		q, p = along(q, mean(q1, q2, q3, q4), h), along(p, mean(p1, p2, p3, p4), h)
	}
	return program{f, func() { nd.TidyAll(f, &q, &p) }, func() { q, p = pendulumsReleased(q, p, h) }}
}

// blurring are the weights of a small binomial filter.
var blurring = []float64{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16}

// blurred filters an image along one axis, with a filter window over every pixel.
func blurred(image *nd.Array, axis int) *nd.Array {
	widths := make([][2]int, 3)
	widths[axis] = [2]int{2, 2}
	padded := ops.Pad(image, widths, ops.PadOptions{Mode: ops.PadEdge})
	sum := nd.ZerosLike(image)
	for k, w := range blurring {
		part := padded.Index(window(axis, k, image.Dim(axis))...)
		sum = ops.Add(sum, ops.Multiply(number(w), part))
	}
	return sum
}

// window selects n indices of an axis, from k on.
func window(axis, k, n int) []nd.Index {
	if axis == 0 {
		return []nd.Index{nd.Span(k, k+n)}
	}
	return []nd.Index{nd.All(), nd.Span(k, k+n)}
}

// edges returns the magnitude of Sobel's gradient of a blurred image.
func edges(image *nd.Array) *nd.Array {
	b := blurred(blurred(image, 0), 1)
	height, width := b.Dim(0)-2, b.Dim(1)-2
	at := func(i, j int) *nd.Array { return b.Index(nd.Span(i, i+height), nd.Span(j, j+width)) }
	smooth := func(x, y, z *nd.Array) *nd.Array { return ops.Add(ops.Add(x, ops.Multiply(number(2), y)), z) }
	gx := ops.Subtract(smooth(at(0, 2), at(1, 2), at(2, 2)), smooth(at(0, 0), at(1, 0), at(2, 0)))
	gy := ops.Subtract(smooth(at(2, 0), at(2, 1), at(2, 2)), smooth(at(0, 0), at(0, 1), at(0, 2)))
	return ops.Sqrt(ops.Add(ops.Multiply(gx, gx), ops.Multiply(gy, gy)))
}

func images() program {
	image := f32(512, 512, 3)
	return program{func() { _ = edges(image) }, func() { _ = nd.Tidy(image, edges) }, func() { edgesReleased(image).Release() }}
}

// perceptron is a training step whose tape is dropped; only the tape's Release is missing.
func perceptron() program {
	x, labels := f32(100, 784), integers(10, 100)
	params, solver := newScope(nd.NewRand(1)), optim.NewSGD(optim.SGDOptions{LR: 0.01})
	loss := func(p *nn.Scope) *nd.Array { return classified(layers(p, x, 512, 10), labels) }
	update := func(tape *grad.Tape) {
		p := params.Watch(tape)
		solver.Update(optim.GradientsOf(p, loss(p)))
	}
	again := step(solver, loss)
	return program{func() { update(grad.NewTape()) }, func() {
		tape := grad.NewTape()
		defer tape.Release()
		update(tape)
	}, func() { again() }}
}
