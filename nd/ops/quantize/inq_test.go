package quantize_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestINQSteps takes a layer through all of its steps, with an optimizer that moves all weights between them.
func TestINQSteps(t *testing.T) {
	for _, algorithm := range []quantize.INQSelection{"largest_abs", "random"} {
		inq := quantize.NewINQ(quantize.INQOptions{NumBits: 3, Iterations: []int{1, 2, 4}, SelectionAlgorithm: algorithm, Rand: nd.NewRand(2)})
		w := random.Normal(nd.NewRand(1), 0, 1, []int{8, 5})
		var fixedBefore, weightsBefore *nd.Array
		counts := []int{}
		for step := range 6 {
			wq, fixed := inq.Step(w, nil)
			counts = append(counts, nd.Value[int](ops.CountNonzero(fixed)))
			for i, q := range nd.ToSlice[float64](wq.Ravel()) {
				isFixed := nd.ToSlice[bool](fixed.Ravel())[i]
				if _, exp := math.Frexp(q); isFixed && q != 0 && math.Abs(q) != math.Ldexp(1, exp-1) {
					t.Errorf("%s: step %d: fixed weight %v is no power of two", algorithm, step, q)
				}
				if was := nd.ToSlice[float64](w.Ravel())[i]; !isFixed && q != was {
					t.Errorf("%s: step %d: weight %v became %v", algorithm, step, was, q)
				}
			}
			if fixedBefore != nil {
				moved := ops.LogicalAnd(fixedBefore, ops.LogicalOr(ops.LogicalNot(fixed), ops.NotEqual(wq, weightsBefore)))
				if nd.Value[bool](ops.Any(moved)) {
					t.Errorf("%s: step %d: fixed weights moved", algorithm, step)
				}
			}
			fixedBefore, weightsBefore = fixed, wq
			w = ops.Multiply(wq, 0.9)
		}
		if inq.Steps() != 6 || counts[0] != 0 || counts[1] == 0 || counts[2] <= counts[1] || counts[3] != counts[2] || counts[4] != 40 {
			t.Errorf("%s: %d steps with %v fixed weights", algorithm, inq.Steps(), counts)
		}
		if algorithm == "largest_abs" && (counts[1] != 20 || counts[2] != 30) {
			t.Errorf("%v fixed weights, want half of those that learn", counts)
		}
	}
}

// TestINQOfTheLastWeights takes a layer of a few weights through steps that fix half of them, and at least one.
func TestINQOfTheLastWeights(t *testing.T) {
	for n, want := range [][]int{0: {0, 0, 0, 0}, 1: {1, 1, 1, 1}, 2: {1, 2, 2, 2}, 3: {1, 2, 3, 3}, 5: {2, 3, 4, 5}} {
		inq := quantize.NewINQ(quantize.INQOptions{Iterations: []int{0, 1, 2, 3, 9}})
		w := nd.Arange(1, float64(n)+1, 1)
		for step, want := range want {
			wq, fixed := inq.Step(w, nil)
			if got := nd.Value[int](ops.CountNonzero(fixed)); got != want {
				t.Errorf("step %d of %d weights: %d are fixed, want %d", step, n, got, want)
			}
			w = ops.Multiply(wq, 0.9)
		}
	}
	one := nd.FromSlice([]float32{0.7})
	y, _ := quantize.NewINQ(quantize.INQOptions{Iterations: []int{0, 10}}).Step(one, nil)
	if y.Float(0) != 0.5 {
		t.Errorf("the only weight 0.7 becomes %v in a step that fixes half, want 0.5", y)
	}
}

// TestINQResumes continues after three steps with a new state, like a program that has read w and fixed from a file.
func TestINQResumes(t *testing.T) {
	o := quantize.INQOptions{Iterations: []int{1, 3, 4}}
	inq, w := quantize.NewINQ(o), random.Normal(nd.NewRand(3), 0, 1, []int{30})
	w, fixed := inq.Step(w, nil)
	for range 2 {
		w, fixed = inq.Step(w, nil)
	}
	o.Steps = inq.Steps()
	resumed := quantize.NewINQ(o)
	for range 2 {
		next, isFixed := inq.Step(ops.Multiply(w, 1), nil)
		w, fixed = resumed.Step(w, fixed)
		if !ops.ArrayEqual(next, w) || !ops.ArrayEqual(isFixed, fixed) {
			t.Fatalf("step %d: %v and %v", resumed.Steps(), next, w)
		}
	}
}

// TestINQOutlivesTapes checks that the state survives a reset of a step's tape, and that all weights have a gradient.
func TestINQOutlivesTapes(t *testing.T) {
	inq := quantize.NewINQ(quantize.INQOptions{Iterations: []int{0, 1}})
	w := random.Normal(nd.NewRand(4), 0, 1, []int{6, 2}, dtype.Float32)
	x := nd.Ones([]int{3, 6}, dtype.Float32)
	tape := grad.NewTape()
	for range 3 {
		watched := tape.Watch(w)
		wq, _ := inq.Step(watched, nil)
		if g := tape.Gradient(ops.Sum(ops.Affine(x, wq)), watched)[0]; !ops.ArrayEqual(g, nd.FullLike(w, 3)) {
			t.Errorf("gradient %v", g)
		}
		tape.Reset()
	}
}

func TestINQRefuses(t *testing.T) {
	inq := quantize.NewINQ()
	inq.Step(nd.Ones([]int{2, 2}), nil)
	for name, call := range map[string]func(){
		"one bit":      func() { quantize.NewINQ(quantize.INQOptions{NumBits: 1}) },
		"no stream":    func() { quantize.NewINQ(quantize.INQOptions{SelectionAlgorithm: "random"}) },
		"no algorithm": func() { quantize.NewINQ(quantize.INQOptions{SelectionAlgorithm: "smallest"}) },
		"shape":        func() { inq.Step(nd.Ones([]int{4}), nil) },
		"integers":     func() { inq.Step(nd.Ones([]int{2, 2}, dtype.Int32), nil) },
	} {
		if err := nd.Catch(call); err == nil {
			t.Errorf("%s: it was not refused", name)
		}
	}
	if inq.Steps() != 1 {
		t.Errorf("%d steps, want 1", inq.Steps())
	}
}
