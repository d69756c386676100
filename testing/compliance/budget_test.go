package compliance

import (
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The memory of an array with an axis of length 0 grows with its other axes.
func TestEmptyShapesAreSmall(t *testing.T) {
	const limit = 200
	s := &suite{T: t, Rand: rand.New(rand.NewPCG(1, 2))}
	for range 20_000 {
		size, shape := 1, s.randomShape(limit)
		for _, n := range shape {
			size *= max(1, n)
		}
		if size > limit {
			t.Fatalf("shape %v, where at most %d elements are wanted without the axes of length 0", shape, limit)
		}
	}
}

// A fuzzed launch that needs too much is skipped before it allocates or runs.
func TestFuzzedLaunchesHaveABudget(t *testing.T) {
	for name, spend := range map[string]func(*suite){
		"memory": func(s *suite) { s.dense(dtype.Float32, []int{1 << 30}, tame) },
		"blocks": func(s *suite) {
			for range 100_000 {
				s.newBlock(dtype.Int8, 1000)
			}
		},
		"time":                        func(s *suite) { s.launch(s.reference, call{loop: []int{1 << 20, 1 << 20}}) },
		"time, of an empty loop":      func(s *suite) { s.launch(s.reference, call{loop: []int{1 << 20, 1 << 20, 0}}) },
		"time, of work at each point": func(s *suite) { s.launch(s.reference, call{loop: []int{1 << 18}, work: 1 << 10}) },
	} {
		skipped := false
		t.Run(name, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			spend(fuzzing(t, ref.New(), []byte(name)))
		})
		if !skipped {
			t.Errorf("%s: not skipped", name)
		}
	}
}
