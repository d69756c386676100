package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Loops whose fix is a scope. The golden file has the fixed ones.

// middle leaves the statements alone that need no scope.
func middle(n int) float64 {
	x, total := load(), 0.0
	for i := range n {
		if i == 7 {
			break
		}
		y := ops.Tanh(x) // want `leaves 1 array`
		size := y.Shape()[0]
		if size == 3 {
			continue
		}
		for range size {
			if size == 5 {
				break
			}
		}
		total += float64(size)
	}
	return total
}

// lists of arrays may be read.
func lists(n int) {
	weights := []*nd.Array{load(), load()}
	x := load()
	for range n {
		parts := []*nd.Array{x, weights[0]}
		use(nd.ToSlice[float64](ops.Concatenate(parts[:1]))) // want `leaves 2 arrays`
		for _, w := range weights {
			use(nd.ToSlice[float64](ops.MatMul(x, w))) /* the
			last statement */
		}
	}
}

// best is a second variable.
func best(n int) *nd.Array {
	x, at := load(), load()
	for range n {
		x = ops.Add(x, ops.Tanh(x)) // want `leaves 4 arrays`
		if energy(x) < energy(at) {
			at = x
		}
	}
	return at
}

// Loops that are left alone.

func breaks(n int) {
	x := load()
	for range n {
		y := ops.Tanh(x) // want `leaves 1 array`
		if y.Shape()[0] == 3 {
			break
		}
		use(nd.ToSlice[float64](y))
	}
}

func returns(n int) int {
	x := load()
	for range n {
		y := ops.Tanh(x) // want `leaves 1 array`
		if y.Shape()[0] == 3 {
			return 1
		}
		use(nd.ToSlice[float64](y))
	}
	return 0
}

func history(n int) []*nd.Array {
	x := load()
	var all []*nd.Array
	for range n {
		y := ops.Tanh(x) // want `leaves 1 array`
		z := ops.Sqrt(y)
		all = append(all, z)
	}
	return all
}

// before sees the state that the next scope would release.
func before(n int) {
	x := load()
	old := x
	for range n {
		show(old.Shape())
		old = x
		x = ops.Add(x, ops.Tanh(x)) // want `leaves 2 arrays`
	}
}

// outer keeps the state of every round of the outer loop.
func outer(n int) []*nd.Array {
	x := load()
	var all []*nd.Array
	for range n {
		for range n {
			x = ops.Add(x, ops.Tanh(x)) // want `leaves 2 arrays`
		}
		all = append(all, x)
	}
	return all
}

type cache struct{ last *nd.Array }

func (c *cache) keep(x *nd.Array) float64 {
	c.last = x
	return 1
}

func stored(n int) {
	x, c := load(), &cache{}
	for range n {
		y := ops.Tanh(x) // want `leaves 1 array`
		c.last = ops.Sqrt(y)
	}
	for range n {
		y := ops.Tanh(x) // want `leaves 1 array`
		c.keep(ops.Sqrt(y))
	}
}

func addresses(n int) {
	x := load()
	p := &x
	for range n {
		x = ops.Add(x, ops.Tanh(*p)) // want `leaves 1 array`
	}
	y := load()
	go func() { show(y.Shape()) }()
	for range n {
		use(nd.ToSlice[float64](ops.Tanh(y))) // want `leaves 1 array`
	}
}

func shadowed(n int) {
	x := load()
	for range n {
		nd := ops.Tanh(x) // want `leaves 2 arrays`
		use([]float64{float64(len(nd.Shape()))})
		x = ops.Add(x, x)
	}
}

var shared = load()

func packages(n int) {
	for range n {
		shared = ops.Tanh(shared)
	}
}

func init() {
	middle(1)
	lists(1)
	best(1)
	breaks(1)
	returns(1)
	history(1)
	before(1)
	outer(1)
	stored(1)
	addresses(1)
	shadowed(1)
	packages(1)
}
