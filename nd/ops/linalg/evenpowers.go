package linalg

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// halvedPowers are the powers of square matrices that Padé's approximation needs, and how often each matrix was halved.
type halvedPowers struct {
	one, two, four, six *nd.Array
	halvings            []int
}

// padeRadius is the largest norm for which the approximation has float64's accuracy, and powerRadius the largest bound
// of the norms of powers.
const (
	padeRadius  = 5.371920351148152
	powerRadius = 4.25
)

// mostSaved is the number of halvings that the norms of powers can save if powers of the matrix itself overflow. The tenth
// power of a matrix that was halved the other times is finite. If they save fewer than leastSaved, the matrix is halved as
// its own norm says.
const mostSaved, leastSaved = 96, 3

// evenPowers returns the powers of a. The error of the approximation is a series of powers from a²⁷ on, for which ‖aᵏ‖^(1/k)
// of small k are bounds. They may be far below ‖a‖, and every halving that they save is a squaring that would double
// the relative error.
func evenPowers(made *nd.Temporaries, a *nd.Array) *halvedPowers {
	norms := norms1(a)
	p := &halvedPowers{one: a, halvings: make([]int, len(norms))}
	p.multiply()
	upper, large := make([]int, len(norms)), false
	for i, norm := range norms {
		if norm > padeRadius && !math.IsInf(norm, 1) {
			upper[i], large = int(math.Ceil(math.Log2(norm)-math.Log2(padeRadius))), true
		}
	}
	if !large {
		return p
	}
	six, eight, ten := p.norms()
	again, overflow := make([]int, len(norms)), false
	for i, n := range upper {
		if n > mostSaved && !(six[i]+eight[i]+ten[i] < math.Inf(1)) {
			again[i], overflow = n-mostSaved, true
		}
	}
	if overflow {
		p.two, p.four, p.six = nil, nil, nil
		p.halve(made, again)
		p.multiply()
		six, eight, ten = p.norms()
	}
	more, saved := make([]int, len(norms)), false
	for i := range more {
		bound8 := math.Pow(eight[i], 1./8)
		bound := min(max(math.Pow(six[i], 1./6), bound8), max(bound8, math.Pow(ten[i], 1./10)))
		more[i] = upper[i] - p.halvings[i]
		if bound < math.Inf(1) && halvingsTo(powerRadius, bound) <= more[i]-leastSaved { // not NaN
			more[i], saved = halvingsTo(powerRadius, bound), true
		}
	}
	p.halve(made, more)
	if !saved {
		return p
	}
	// The norms of a²⁷ that matter are those without cancellation.
	sizes := ops.Absolute(p.one)
	sums := ops.Sum(sizes, ops.Over(-2).KeepDims())
	for range errorOrder - 1 {
		sums = ops.MatMul(sums, sizes)
	}
	errors, first := nd.ToSlice[float64](ops.Max(sums, ops.Over(-2, -1)).Ravel()), norms1(p.one)
	for i := range more {
		rest := upper[i] - p.halvings[i]
		if v := errorTerm * errors[i] / first[i]; v < math.Inf(1) {
			rest = min(rest, (halvingsTo(0x1p-53, v)+errorOrder-2)/(errorOrder-1))
		}
		more[i] = rest
	}
	p.halve(made, more)
	return p
}

// errorOrder is the order of the first term of the relative error, and errorTerm its factor, 13!·13!/(26!·27!).
const (
	errorOrder = 27
	errorTerm  = 8.829961602018678e-36
)

// halvingsTo returns how often v must be halved to be at most limit.
func halvingsTo(limit, v float64) int {
	if v <= limit {
		return 0
	}
	return int(math.Ceil(math.Log2(v / limit)))
}

// multiply computes the powers of one.
func (p *halvedPowers) multiply() {
	p.two = ops.MatMul(p.one, p.one)
	p.four = ops.MatMul(p.two, p.two)
	p.six = ops.MatMul(p.two, p.four)
}

// norms returns the norms of the sixth, eighth and tenth powers.
func (p *halvedPowers) norms() (six, eight, ten []float64) {
	norms := func(x *nd.Array) []float64 {
		defer x.Release()
		return norms1(x)
	}
	return norms1(p.six), norms(ops.MatMul(p.four, p.four)), norms(ops.MatMul(p.four, p.six))
}

// norms1 returns the largest sums of columns of matrices.
func norms1(a *nd.Array) []float64 {
	return nd.ToSlice[float64](ops.Max(ops.Sum(ops.Absolute(a), ops.Over(-2)), ops.Over(-1)).Ravel())
}

// halve halves each matrix, and its powers, some more times.
func (p *halvedPowers) halve(made *nd.Temporaries, times []int) {
	none := true
	for i, n := range times {
		p.halvings[i] += n
		none = none && n == 0
	}
	if none {
		return
	}
	for _, power := range []struct {
		of int
		x  **nd.Array
	}{{1, &p.one}, {2, &p.two}, {4, &p.four}, {6, &p.six}} {
		if *power.x == nil {
			continue
		}
		factors := make([]float64, len(times))
		for i, n := range times {
			factors[i] = math.Ldexp(1, -n*power.of)
		}
		*power.x = ops.Multiply(*power.x, eachMatrix(made, *power.x, factors))
	}
}

// eachMatrix returns an array that has a value for each matrix of a batch.
func eachMatrix[T float64 | bool](made *nd.Temporaries, a *nd.Array, values []T) *nd.Array {
	return made.Own(nd.FromSliceOn(a.Device(), values, append(batchOf(a), 1, 1)...))
}
