package optim

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Schedule is a function that returns the learning rate of an update. Updates are counted from 0. Any such function is
// a Schedule.
//
//	rate := optim.CosineSchedule(0.1, 10_000).WithWarmup(500)
//	for update := range 10_000 {
//		opt.SetLearningRate(rate(update))
//		…
//	}
type Schedule func(update int) float64

// ScheduleOptions are the options of the schedules that end.
type ScheduleOptions struct {
	// Endless applies the formula after the last update too, as NNabla does.
	Endless bool
}

// PolynomialSchedule returns rate·(1 - u/updates)^power for update u, and 0 from u = updates on. If it is Endless, the
// absolute value of a rate grows again after that, and the rate is NaN if power is not an integer.
// NNabla: utils.learning_rate_scheduler.PolynomialScheduler.
func PolynomialSchedule(rate float64, updates int, power float64, opts ...ScheduleOptions) Schedule {
	const fn nd.Func = "optim.PolynomialSchedule"
	return scheduleOf(fn, updates, opts, func(part float64) float64 { return rate * math.Pow(1-part, power) })
}

// CosineSchedule returns rate·(1 + cos(π·u/updates))/2 for update u, and 0 from u = updates on. If it is Endless, the
// rates rise and fall again, with a period of 2·updates.
// NNabla: utils.learning_rate_scheduler.CosineScheduler.
func CosineSchedule(rate float64, updates int, opts ...ScheduleOptions) Schedule {
	const fn nd.Func = "optim.CosineSchedule"
	return scheduleOf(fn, updates, opts, func(part float64) float64 { return rate * (math.Cos(part*math.Pi) + 1) * 0.5 })
}

// scheduleOf returns a schedule that ends after the given number of updates. rate takes the part of them that is done.
func scheduleOf(fn nd.Func, updates int, opts []ScheduleOptions, rate func(part float64) float64) Schedule {
	o := options.Read(fn, opts)
	checkUpdates(fn, updates)
	return func(u int) float64 {
		if u >= updates && !o.Endless {
			return 0
		}
		return rate(float64(u) / float64(updates))
	}
}

// ExponentialSchedule returns rate·gamma^⌊u/interval⌋ for update u.
// NNabla: utils.learning_rate_scheduler.ExponentialScheduler.
func ExponentialSchedule(rate, gamma float64, interval int) Schedule {
	checkUpdates("optim.ExponentialSchedule", interval)
	return func(u int) float64 { return rate * math.Pow(gamma, float64(u/interval)) }
}

// StepSchedule returns rate, multiplied by gamma at each of the given updates.
// NNabla: utils.learning_rate_scheduler.StepScheduler.
func StepSchedule(rate, gamma float64, at ...int) Schedule {
	at = slices.Clone(at)
	return func(u int) float64 {
		r := rate
		for _, step := range at {
			if u >= step {
				r *= gamma
			}
		}
		return r
	}
}

// WithWarmup returns the schedule with its first rates multiplied by (u+1)/updates, for update u, so that the rates
// grow from near 0 during the given number of updates.
// NNabla: utils.learning_rate_scheduler.LinearWarmupScheduler.
func (s Schedule) WithWarmup(updates int) Schedule {
	if updates < 0 {
		panic(nd.Func("Schedule.WithWarmup").Errorf(nil, "%d updates: want at least 0", updates))
	}
	return func(u int) float64 {
		rate := s(u)
		if u < updates {
			rate *= float64(u+1) / float64(updates)
		}
		return rate
	}
}

// Stage is a schedule that applies for a number of updates.
type Stage struct {
	Schedule Schedule
	Updates  int
}

// Chain returns the schedules of stages, one after the other. Each counts its updates from 0; the last one never ends.
func Chain(stages ...Stage) Schedule {
	const fn nd.Func = "optim.Chain"
	if len(stages) == 0 {
		panic(fn.Errorf(nil, "no stages: want at least one"))
	}
	for i, s := range stages {
		if s.Schedule == nil || s.Updates < 0 {
			panic(fn.Errorf(nil, "stage %d has %d updates: want a schedule, and at least 0 updates", i, s.Updates))
		}
	}
	stages = slices.Clone(stages)
	last := len(stages) - 1
	return func(u int) float64 {
		for _, s := range stages[:last] {
			if u < s.Updates {
				return s.Schedule(u)
			}
			u -= s.Updates
		}
		return stages[last].Schedule(u)
	}
}

func checkUpdates(fn nd.Func, n int) {
	if n <= 0 {
		panic(fn.Errorf(nil, "%d updates: want at least 1", n))
	}
}
