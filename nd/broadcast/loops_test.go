package broadcast

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestNextVisitsAllPositions(t *testing.T) {
	r := newRand(t)
	for range 300 {
		shape := randomShape(r, 4)
		all := positions(shape)
		if len(all) == 0 {
			continue
		}
		index := make([]int, len(shape))
		for n, want := range all {
			if !slices.Equal(index, want) {
				t.Fatalf("shape %v: position %d is %v, want %v", shape, n, index, want)
			}
			if got := Ravel(index, shape); got != n {
				t.Fatalf("Ravel(%v, %v) = %d, want %d", index, shape, got, n)
			}
			if got := Unravel(n, shape, nil); !slices.Equal(got, want) {
				t.Fatalf("Unravel(%d, %v) = %v, want %v", n, shape, got, want)
			}
			if more := Next(index, shape); more != (n < len(all)-1) {
				t.Fatalf("shape %v: Next after %v is %v", shape, want, more)
			}
		}
		if slices.ContainsFunc(index, func(i int) bool { return i != 0 }) {
			t.Fatalf("shape %v: index %v after the end", shape, index)
		}
	}
}

// tuples lists, in the order of the loop, the offsets of all operands at each point.
func tuples(shape []int, ops [][]int) []string {
	var all []string
	for _, index := range positions(shape) {
		var b strings.Builder
		for _, strides := range ops {
			b.WriteString(strconv.Itoa(Dot(index, strides[:len(shape)])) + " ")
		}
		all = append(all, b.String())
	}
	return all
}

// randomLoop draws up to four operands of one shape: fresh, permuted, broadcast
// and arbitrary ones.
func randomLoop(r *rand.Rand) (shape []int, ops [][]int) {
	shape = randomShape(r, 4)
	for range 1 + r.IntN(4) {
		strides := Strides(shape)
		switch r.IntN(4) {
		case 0:
			strides = FortranStrides(shape)
		case 1:
			if len(shape) > 0 {
				strides[r.IntN(len(shape))] = 0
			}
		case 2:
			for axis := range strides {
				strides[axis] = r.IntN(20) - 10
			}
		}
		ops = append(ops, strides)
	}
	if r.IntN(2) == 0 {
		ops = append(ops[:1], ops[0])
		ops[1] = slices.Clone(ops[0])
	}
	return shape, ops
}

func copyLoop(shape []int, ops [][]int) ([]int, [][]int) {
	var copied [][]int
	for _, strides := range ops {
		copied = append(copied, slices.Clone(strides))
	}
	return slices.Clone(shape), copied
}

func TestCoalesceKeepsTheOrder(t *testing.T) {
	r := newRand(t)
	shorter := 0
	for range 5000 {
		shape, ops := randomLoop(r)
		newShape, newOps := copyLoop(shape, ops)
		rank := Coalesce(newShape, newOps)
		newShape = newShape[:rank]
		if got, want := tuples(newShape, newOps), tuples(shape, ops); !slices.Equal(got, want) {
			t.Fatalf("%v %v became %v %v", shape, ops, newShape, newOps)
		}
		if rank < len(shape) {
			shorter++
		}
		if Size(shape) == 0 {
			if rank != 1 {
				t.Fatalf("an empty loop has rank %d", rank)
			}
			continue
		}
		if slices.Contains(newShape, 1) {
			t.Fatalf("%v became %v", shape, newShape)
		}
		for axis := 1; axis < rank; axis++ {
			if canFuse(axis-1, axis, newShape[axis], newOps) {
				t.Fatalf("%v %v: axes %d and %d were not fused", newShape, newOps, axis-1, axis)
			}
		}
	}
	if shorter < 500 {
		t.Errorf("only %d loops became shorter", shorter)
	}
}

func TestReorderKeepsTheElements(t *testing.T) {
	r := newRand(t)
	for range 5000 {
		shape, ops := randomLoop(r)
		newShape, newOps := copyLoop(shape, ops)
		Reorder(newShape, newOps)
		got, want := tuples(newShape, newOps), tuples(shape, ops)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v %v became %v %v", shape, ops, newShape, newOps)
		}
		last := -1
		for axis := len(newShape) - 1; axis >= 0; axis-- {
			if newShape[axis] == 1 {
				continue
			}
			if axis+1 < len(newShape) && newShape[axis+1] == 1 {
				t.Fatalf("%v became %v", shape, newShape)
			}
			if m := magnitude(newOps[0][axis]); m < last {
				t.Fatalf("shape %v strides %v are out of order", newShape, newOps[0])
			} else {
				last = m
			}
		}
	}
}

func TestSimplifyKeepsTheElements(t *testing.T) {
	r := newRand(t)
	for range 5000 {
		shape, ops := randomLoop(r)
		newShape, newOps := copyLoop(shape, ops)
		rank := Simplify(newShape, newOps)
		got, want := tuples(newShape[:rank], newOps), tuples(shape, ops)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v %v became %v %v", shape, ops, newShape[:rank], newOps)
		}
	}
}

func TestSimplifyKnownLoops(t *testing.T) {
	tests := []struct {
		name  string
		shape []int
		ops   [][]int
		want  []int
		inner []int
	}{
		{"all contiguous", []int{2, 3, 4}, [][]int{{12, 4, 1}, {12, 4, 1}}, []int{24}, []int{1, 1}},
		{"all Fortran", []int{2, 3, 4}, [][]int{{1, 2, 6}, {1, 2, 6}}, []int{24}, []int{1, 1}},
		{"scalar operand", []int{2, 3}, [][]int{{3, 1}, {0, 0}}, []int{6}, []int{1, 0}},
		{"row operand", []int{2, 3}, [][]int{{3, 1}, {0, 1}}, []int{2, 3}, []int{1, 1}},
		{"column operand", []int{4, 2, 3}, [][]int{{6, 3, 1}, {1, 0, 0}}, []int{4, 6}, []int{1, 0}},
		{"permuted batch", []int{2, 3, 4}, [][]int{{1, 8, 2}, {1, 8, 2}}, []int{24}, []int{1, 1}},
		{"reversed", []int{2, 3}, [][]int{{-3, -1}, {-3, -1}}, []int{6}, []int{-1, -1}},
		{"free strides", []int{1, 3, 1, 2}, [][]int{{99, 2, -7, 1}, {5, 2, 0, 1}}, []int{6}, []int{1, 1}},
		{"one element", []int{1, 1}, [][]int{{4, 5}}, []int{}, nil},
		{"rank 0", []int{}, [][]int{{}}, []int{}, nil},
		{"nothing", []int{3, 0}, [][]int{{1, 1}}, []int{0}, nil},
		{"the second operand decides a tie", []int{3, 2}, [][]int{{0, 0}, {1, 3}}, []int{6}, []int{0, 1}},
	}
	for _, test := range tests {
		rank := Simplify(test.shape, test.ops)
		if got := test.shape[:rank]; !slices.Equal(got, test.want) {
			t.Errorf("%s: shape %v, want %v", test.name, got, test.want)
			continue
		}
		for k, want := range test.inner {
			if got := test.ops[k][rank-1]; got != want {
				t.Errorf("%s: operand %d has inner stride %d, want %d", test.name, k, got, want)
			}
		}
	}
}

func TestSimplifyDoesNotAllocate(t *testing.T) {
	var shape [4]int
	var strides [3][4]int
	rank := 0
	allocs := testing.AllocsPerRun(100, func() {
		shape = [4]int{4, 3, 1, 2}
		strides = [3][4]int{{1, 8, 0, 4}, {1, 8, 0, 4}, {0, 0, 0, 1}}
		ops := [3][]int{strides[0][:], strides[1][:], strides[2][:]}
		rank = Simplify(shape[:], ops[:])
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if !slices.Equal(shape[:rank], []int{3, 2, 4}) {
		t.Errorf("shape %v", shape[:rank])
	}
}
