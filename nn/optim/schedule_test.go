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
	refused(t, "at most one", func() { optim.CosineSchedule(1, 1, optim.ScheduleOptions{}, optim.ScheduleOptions{}) })
	refused(t, "-1 updates", func() { optim.PolynomialSchedule(1, -1, 1) })
	refused(t, "0 updates", func() { optim.ExponentialSchedule(1, 0.5, 0) })
	refused(t, "-1 updates", func() { user.WithWarmup(-1) })
	refused(t, "no stages", func() { optim.Chain() })
	refused(t, "stage 0", func() { optim.Chain(optim.Stage{}) })
	refused(t, "stage 1", func() { optim.Chain(optim.Stage{user, 1}, optim.Stage{user, -1}) })
}

// TestSchedulesBeyondTheirEnd follows every schedule from its last update to the largest integer.
func TestSchedulesBeyondTheirEnd(t *testing.T) {
	const rate, updates = 0.5, 10
	endless := optim.ScheduleOptions{Endless: true}
	zero := func(int) float64 { return 0 }
	for name, c := range map[string]struct {
		s    optim.Schedule
		want func(u int) float64
	}{
		"cosine":               {optim.CosineSchedule(rate, updates), zero},
		"linear":               {optim.PolynomialSchedule(rate, updates, 1), zero},
		"square":               {optim.PolynomialSchedule(rate, updates, 2), zero},
		"root":                 {optim.PolynomialSchedule(rate, updates, 0.5), zero},
		"power 0":              {optim.PolynomialSchedule(rate, updates, 0), zero},
		"power -1":             {optim.PolynomialSchedule(rate, updates, -1), zero},
		"exponential":          {optim.ExponentialSchedule(rate, 0.5, updates), func(u int) float64 { return rate * math.Exp2(-float64(u/updates)) }},
		"growing exponential":  {optim.ExponentialSchedule(rate, 2, updates), func(u int) float64 { return rate * math.Exp2(float64(u/updates)) }},
		"steps":                {optim.StepSchedule(rate, 0.5, 3, updates), func(int) float64 { return rate / 4 }},
		"cosine after warm-up": {optim.CosineSchedule(rate, updates).WithWarmup(3), zero},
		"steps after warm-up":  {optim.StepSchedule(rate, 0.5, 3).WithWarmup(updates), func(int) float64 { return rate / 2 }},
		"warm-up to the end":   {optim.StepSchedule(rate, 1).WithWarmup(math.MaxInt), func(u int) float64 { return rate * (float64(u) + 1) / math.MaxInt }},
		"endless cosine": {optim.CosineSchedule(rate, updates, endless),
			func(u int) float64 { return rate * (1 + math.Cos(math.Pi*(float64(u)/updates))) / 2 }},
		"endless line":   {optim.PolynomialSchedule(rate, updates, 1, endless), func(u int) float64 { return rate * (1 - float64(u)/updates) }},
		"endless square": {optim.PolynomialSchedule(rate, updates, 2, endless), func(u int) float64 { return rate * (1 - float64(u)/updates) * (1 - float64(u)/updates) }},
		"endless root": {optim.PolynomialSchedule(rate, updates, 0.5, endless), func(u int) float64 {
			if u == updates {
				return 0
			}
			return math.NaN()
		}},
		"chain": {optim.Chain(optim.Stage{optim.StepSchedule(1, 1), 1}, optim.Stage{optim.CosineSchedule(rate, updates-1), 1}), zero},
	} {
		for _, u := range []int{updates, updates + 1, 15, 20, 1000, 1 << 31, 1 << 53, math.MaxInt} {
			got, want := c.s(u), c.want(u)
			if math.Abs(got-want) > 1e-14*math.Abs(want) || math.IsNaN(got) != math.IsNaN(want) {
				t.Errorf("%s: rate %v in update %d, want %v", name, got, u, want)
			}
		}
	}
	if rises := optim.CosineSchedule(rate, updates, endless)(15); math.Abs(rises-rate/2) > 1e-15 {
		t.Errorf("an endless cosine is %v in update 15 of 10, want %v", rises, rate/2)
	}
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
