package train

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Progress is what a trigger looks at: a [Trainer] is one.
type Progress interface {
	// Iteration counts updates.
	Iteration() int
	// Position is how far the examples were read.
	Position() data.Position
	// Observation is what was reported since the last update.
	Observation() *report.Values
}

// Trigger says after an update whether something is to happen. One that remembers is an archive.Object too.
type Trigger interface{ Fire(p Progress) bool }

// Unit is what a trigger counts.
type Unit int

// The units.
const (
	Iteration Unit = iota // updates
	Epoch                 // walks over all examples
)

// String is the unit's name, "iteration" or "epoch".
func (u Unit) String() string {
	if u == Epoch {
		return "epoch"
	}
	return "iteration"
}

// Every returns the trigger that fires when a multiple of a period is reached. A period of epochs may be a fraction.
// chainer.training.triggers.IntervalTrigger.
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

// part is how much of the first period is over, at most 1.
func (i interval) part(p Progress) float64 {
	if i.unit == Epoch {
		return min(1, p.Position().Detail/i.period)
	}
	return min(1, float64(p.Iteration())/i.period)
}

// periods is how many whole periods are in x. It is Python's //, the quotient of what a remainder leaves: 0.5 // 0.1 is 4, where
// ⌊0.5/0.1⌋ is 5.
func periods(x, period float64) float64 { return math.Round((x - math.Mod(x, period)) / period) }

// At returns the trigger that fires when one of the points is reached. chainer.training.triggers.ManualScheduleTrigger.
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

// Best fires at the end of an interval over which the mean of an observed value was better than over any before; the first interval
// counts. A value that was not observed during an interval leaves it out. [MaxValue] and [MinValue] make one.
type Best struct {
	key     string
	smaller bool // is better
	trigger Trigger

	summary report.Summary
	best    float64
	known   bool // whether there was an interval before
}

// MaxValue returns the trigger that fires when the mean of the value of a key, over intervals that a trigger ends, is greater than ever.
// chainer.training.triggers.MaxValueTrigger.
func MaxValue(key string, ends Trigger) *Best {
	const fn nd.Func = "train.MaxValue"
	return newBest(fn, key, ends, false)
}

// MinValue is [MaxValue] of means that are smaller than ever. chainer.training.triggers.MinValueTrigger.
func MinValue(key string, ends Trigger) *Best {
	const fn nd.Func = "train.MinValue"
	return newBest(fn, key, ends, true)
}

func newBest(fn nd.Func, key string, ends Trigger, smaller bool) *Best {
	if ends == nil {
		panic(fn.Errorf(nil, "want a trigger that ends the intervals"))
	}
	return &Best{key: key, trigger: ends, smaller: smaller}
}

// Fire adds the value up, and compares means at the end of an interval.
func (b *Best) Fire(p Progress) bool {
	if v, ok := p.Observation().Get(b.key); ok {
		b.summary.Add(v)
	}
	if !b.trigger.Fire(p) || b.summary.Count() == 0 {
		return false
	}
	mean := b.summary.Mean()
	b.summary = report.Summary{}
	if b.known && !(b.smaller && mean < b.best || !b.smaller && mean > b.best) {
		return false
	}
	b.best, b.known = mean, true
	return true
}

// Archive saves or restores the best mean, and the sums of the interval that is not over.
func (b *Best) Archive(a *archive.Archive) {
	a.Bool("_known", &b.known)
	a.Float("_best_value", &b.best)
	a.Object("_summary", &b.summary)
	if o, ok := b.trigger.(archive.Object); ok {
		a.Object("_interval_trigger", o)
	}
}
