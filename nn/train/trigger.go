package train

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Progress is the input of a trigger. A [Trainer] is a Progress.
type Progress interface {
	// Iteration returns the number of updates.
	Iteration() int
	// Position returns how far the examples were read.
	Position() data.Position
	// Observation returns the values reported since the last update.
	Observation() *report.Values
}

// Trigger decides after an update whether an action is due. A trigger with state is an archive.Object too.
type Trigger interface{ Fire(p Progress) bool }

// Unit is what a trigger counts.
type Unit int

// The units.
const (
	Iteration Unit = iota // updates
	Epoch                 // passes over all examples
)

// String returns the unit's name, "iteration" or "epoch".
func (u Unit) String() string {
	if u == Epoch {
		return "epoch"
	}
	return "iteration"
}

// Every returns the trigger that fires when a multiple of a period is reached. A period of epochs may be a fraction.
// Chainer: training.triggers.IntervalTrigger.
func Every(period float64, unit Unit) Trigger {
	const fn nd.Func = "train.Every"
	if !(period > 0) || math.IsInf(period, 1) || unit == Iteration && period != math.Trunc(period) {
		panic(fn.Errorf(nil, "a period of %v: want a number above 0, of iterations a whole one", period))
	}
	return interval{period, unit}
}

type interval struct {
	period float64
	unit   Unit
}

func (i interval) Fire(p Progress) bool {
	if i.unit == Epoch {
		at := p.Position()
		return periods(max(0, at.Previous), i.period) != periods(at.Detail, i.period)
	}
	n := p.Iteration()
	return n > 0 && n%int(i.period) == 0
}

// part returns the fraction of the first period that is over, at most 1.
func (i interval) part(p Progress) float64 {
	if i.unit == Epoch {
		return min(1, p.Position().Detail/i.period)
	}
	return min(1, float64(p.Iteration())/i.period)
}

// periods returns the number of whole periods in x. It is Python's //, which takes the remainder first: 0.5 // 0.1 is
// 4, while ⌊0.5/0.1⌋ is 5.
func periods(x, period float64) float64 { return math.Round((x - math.Mod(x, period)) / period) }

// At returns the trigger that fires when one of the points is reached.
// Chainer: training.triggers.ManualScheduleTrigger.
func At(unit Unit, points ...float64) Trigger { return schedule{slices.Clone(points), unit} }

type schedule struct {
	points []float64
	unit   Unit
}

func (s schedule) Fire(p Progress) bool {
	at := p.Position()
	for _, point := range s.points {
		if s.unit == Iteration && float64(p.Iteration()) == point || s.unit == Epoch && max(0, at.Previous) < point && point <= at.Detail {
			return true
		}
	}
	return false
}

// Best fires at the end of an interval over which the mean of an observed value was better than over all earlier
// intervals. The first interval fires too. An interval without the value does not count. [MaxValue] and [MinValue]
// return a Best.
type Best struct {
	key     string
	minimum bool // means better
	trigger Trigger

	summary report.Summary
	best    float64
	known   bool // whether an earlier interval had the value
}

// MaxValue returns the trigger that fires when the mean of the value of a key, over intervals that the trigger ends
// defines, is greater than all before.
// Chainer: training.triggers.MaxValueTrigger.
func MaxValue(key string, ends Trigger) *Best {
	const fn nd.Func = "train.MaxValue"
	return newBest(fn, key, ends, false)
}

// MinValue is [MaxValue] for means that are smaller than all before.
// Chainer: training.triggers.MinValueTrigger.
func MinValue(key string, ends Trigger) *Best {
	const fn nd.Func = "train.MinValue"
	return newBest(fn, key, ends, true)
}

func newBest(fn nd.Func, key string, ends Trigger, smaller bool) *Best {
	if ends == nil {
		panic(fn.Errorf(nil, "want a trigger that ends the intervals"))
	}
	return &Best{key: key, trigger: ends, minimum: smaller}
}

// Fire adds the value to the sums, and compares means at the end of an interval.
func (b *Best) Fire(p Progress) bool {
	if v, ok := p.Observation().Get(b.key); ok {
		b.summary.Add(v)
	}
	if !b.trigger.Fire(p) || b.summary.Count() == 0 {
		return false
	}
	mean := b.summary.Mean()
	b.summary = report.Summary{}
	if b.known && !(b.minimum && mean < b.best || !b.minimum && mean > b.best) {
		return false
	}
	b.best, b.known = mean, true
	return true
}

// Archive saves or restores the best mean, and the sums of the interval that has not ended.
func (b *Best) Archive(a *archive.Archive) {
	a.Bool("_known", &b.known)
	a.Float("_best_value", &b.best)
	a.Object("_summary", &b.summary)
	if o, ok := b.trigger.(archive.Object); ok {
		a.Object("_interval_trigger", o)
	}
}
