package optim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestSchedules(t *testing.T) {
	user := optim.Schedule(func(u int) float64 { return float64(u) })
	for _, c := range []struct {
		name string
		s    optim.Schedule
		at   map[int]float64
	}{
		{"polynomial", optim.PolynomialSchedule(0.5, 10, 2), map[int]float64{0: 0.5, 5: 0.125, 9: 0.005, 10: 0, 11: 0}},
		{"root", optim.PolynomialSchedule(0.5, 10, 0.5), map[int]float64{0: 0.5, 9: 0.5 * math.Sqrt(0.1), 100: 0}},
		{"cosine", optim.CosineSchedule(0.5, 10), map[int]float64{0: 0.5, 5: 0.25, 10: 0, 15: 0}},
		{"exponential", optim.ExponentialSchedule(2, 0.5, 3), map[int]float64{0: 2, 2: 2, 3: 1, 6: 0.5}},
		{"steps", optim.StepSchedule(2, 0.5, 3, 5), map[int]float64{0: 2, 2: 2, 3: 1, 4: 1, 5: 0.5, 50: 0.5}},
		{"constant", optim.StepSchedule(2, 0.5), map[int]float64{0: 2, 50: 2}},
		{"warm-up", optim.StepSchedule(2, 0.5, 3).WithWarmup(4), map[int]float64{0: 0.5, 2: 1.5, 3: 1, 4: 1}},
		{"no warm-up", optim.StepSchedule(2, 1).WithWarmup(0), map[int]float64{0: 2}},
		{"user's", user.WithWarmup(2), map[int]float64{0: 0, 1: 1, 2: 2}},
		{"chain", optim.Chain(optim.Stage{user, 3}, optim.Stage{optim.StepSchedule(7, 1), 0}, optim.Stage{optim.CosineSchedule(2, 4), 4}, optim.Stage{user, 1}),
			map[int]float64{0: 0, 2: 2, 3: 2, 5: 1, 7: 0, 8: 1, 100: 93}},
	} {
		for u, want := range c.at {
			if got := c.s(u); math.Abs(got-want) > 1e-15 {
				t.Errorf("%s: rate %v in update %d, want %v", c.name, got, u, want)
			}
		}
	}
	refused(t, "0 updates", func() { optim.CosineSchedule(1, 0) })
	refused(t, "-1 updates", func() { optim.PolynomialSchedule(1, -1, 1) })
	refused(t, "0 updates", func() { optim.ExponentialSchedule(1, 0.5, 0) })
	refused(t, "-1 updates", func() { user.WithWarmup(-1) })
	refused(t, "no stages", func() { optim.Chain() })
	refused(t, "stage 0", func() { optim.Chain(optim.Stage{}) })
	refused(t, "stage 1", func() { optim.Chain(optim.Stage{user, 1}, optim.Stage{user, -1}) })
}

func ExampleChain() {
	rate := optim.Chain(
		optim.Stage{Schedule: optim.PolynomialSchedule(0.1, 2, 1).WithWarmup(1), Updates: 2},
		optim.Stage{Schedule: func(int) float64 { return 0.01 }},
	)
	for update := range 4 {
		fmt.Println(rate(update))
	}
	// Output:
	// 0.1
	// 0.05
	// 0.01
	// 0.01
}
