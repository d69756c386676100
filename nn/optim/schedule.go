package optim

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
)

// Schedule is the learning rate of every update, counted from 0; any function of that kind is one.
//
//	rate := optim.CosineSchedule(0.1, 10_000).WithWarmup(500)
//	for update := range 10_000 {
//		opt.SetLearningRate(rate(update))
//		…
//	}
type Schedule func(update int) float64

// PolynomialSchedule returns rate·(1 - u/updates)^power for update u, and 0 after so many updates.
// nnabla.utils.learning_rate_scheduler.PolynomialScheduler.
func PolynomialSchedule(rate float64, updates int, power float64) Schedule {
	checkUpdates("optim.PolynomialSchedule", updates)
	return func(u int) float64 { return rate * math.Pow(1-progress(u, updates), power) }
}

// CosineSchedule returns rate·(1 + cos(π·u/updates))/2 for update u, and 0 after so many updates.
// nnabla.utils.learning_rate_scheduler.CosineScheduler.
func CosineSchedule(rate float64, updates int) Schedule {
	checkUpdates("optim.CosineSchedule", updates)
	return func(u int) float64 { return rate * (math.Cos(progress(u, updates)*math.Pi) + 1) * 0.5 }
}

// ExponentialSchedule returns rate·gamma^⌊u/interval⌋ for update u. nnabla.utils.learning_rate_scheduler.ExponentialScheduler.
func ExponentialSchedule(rate, gamma float64, interval int) Schedule {
	checkUpdates("optim.ExponentialSchedule", interval)
	return func(u int) float64 { return rate * math.Pow(gamma, float64(u/interval)) }
}

// StepSchedule returns rate, multiplied by gamma at each of the given updates.
// nnabla.utils.learning_rate_scheduler.StepScheduler.
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

// WithWarmup returns the schedule with its first rates multiplied by (u+1)/updates, for update u, so that they grow from near 0
// in so many updates. nnabla.utils.learning_rate_scheduler.LinearWarmupScheduler.
func (s Schedule) WithWarmup(updates int) Schedule {
	if updates < 0 {
		panic(nd.Func("Schedule.WithWarmup").Errorf(nil, "%d updates: want none below 0", updates))
	}
	return func(u int) float64 {
		rate := s(u)
		if u < updates {
			rate *= float64(u+1) / float64(updates)
		}
		return rate
	}
}

// Stage is a schedule that holds for some updates.
type Stage struct {
	Schedule Schedule
	Updates  int
}

// Chain returns the schedules of stages, one after the other. Each counts its updates from 0; the last one goes on for ever.
func Chain(stages ...Stage) Schedule {
	const fn nd.Func = "optim.Chain"
	if len(stages) == 0 {
		panic(fn.Errorf(nil, "no stages: want one at least"))
	}
	for i, s := range stages {
		if s.Schedule == nil || s.Updates < 0 {
			panic(fn.Errorf(nil, "stage %d: want a schedule, and %d updates not to be below 0", i, s.Updates))
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
		panic(fn.Errorf(nil, "%d updates: want some", n))
	}
}

// progress is the part of the updates that lies behind, at most 1.
func progress(update, updates int) float64 {
	return min(1, float64(update)/float64(updates))
}
