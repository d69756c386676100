package train

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Shift sets an attribute to the next value of a series whenever its trigger fires. Before the first update it sets the
// first value, or in a resumed training the current one. [NewExponentialShift] and [NewLinearShift] return a Shift.
type Shift struct {
	Base
	name string
	attr Attribute
	at   func(calls int) float64

	calls int
	begun bool // the call before the training, which does not count, was made
}

// ExponentialShiftOptions are the options of [NewExponentialShift].
type ExponentialShiftOptions struct {
	// Init is the initial value; nil means the attribute's value when the shift is made.
	Init *float64
	// Target is the value at which the series stops; nil means that it never stops.
	Target *float64
}

// NewExponentialShift returns the extension that multiplies an attribute by rate, which is at least 0, after each
// update, or as the trigger given to [Trainer.Extend] says: after k calls the attribute is Init·rateᵏ.
//
//	trainer.Extend(train.NewExponentialShift(train.LearningRate(optimizer), 0.5), train.Settings{Trigger: train.Every(10, train.Epoch)})
//
// Chainer: training.extensions.ExponentialShift.
func NewExponentialShift(attr Attribute, rate float64, opts ...ExponentialShiftOptions) *Shift {
	const fn nd.Func = "train.NewExponentialShift"
	o := options.Read(fn, opts)
	attr.check(fn)
	if !(rate >= 0) || math.IsInf(rate, 1) {
		panic(fn.Errorf(nil, "a rate of %v: want a number that is at least 0", rate))
	}
	initial := 0.0
	if o.Init != nil {
		initial = *o.Init
	} else {
		initial = attr.Get()
	}
	return &Shift{name: "ExponentialShift", attr: attr, at: func(calls int) float64 {
		v := initial * math.Pow(rate, float64(calls))
		if o.Target == nil {
			return v
		}
		if part := v / *o.Target; rate > 1 && part > 1 || rate <= 1 && part < 1 { // the quotient also handles negative values
			return *o.Target
		}
		return v
	}}
}

// NewLinearShift returns the extension that sets an attribute to the first of two values until times[0] calls, then
// moves it in equal steps, and keeps it at the second value from times[1] calls on. It is called after each update, or
// as the trigger given to [Trainer.Extend] says.
// Chainer: training.extensions.LinearShift.
func NewLinearShift(attr Attribute, values [2]float64, times [2]int) *Shift {
	const fn nd.Func = "train.NewLinearShift"
	attr.check(fn)
	if times[0] > times[1] {
		panic(fn.Errorf(nil, "from call %d to call %d: want the first not to be after the second", times[0], times[1]))
	}
	return &Shift{name: "LinearShift", attr: attr, at: func(calls int) float64 {
		switch {
		case calls <= times[0]:
			return values[0]
		case calls >= times[1]:
			return values[1]
		}
		part := float64(calls-times[0]) / float64(times[1]-times[0])
		return values[0] + part*(values[1]-values[0])
	}}
}

func (a Attribute) check(fn nd.Func) {
	if a.Get == nil || a.Set == nil {
		panic(fn.Errorf(nil, "want an attribute with both of its functions"))
	}
}

// Settings make the shift run before the training too.
func (s *Shift) Settings() Settings { return Settings{Name: s.name, Before: true} }

// Run sets the next value.
func (s *Shift) Run(*Trainer) error {
	if s.begun {
		s.calls++
	}
	s.begun = true
	s.attr.Set(s.at(s.calls))
	return nil
}

// Archive saves or restores the position in the series, under Chainer's names.
func (s *Shift) Archive(a *archive.Archive) {
	a.Int("_t", &s.calls)
	if last := s.at(s.calls); !a.Loading() || a.Has("_last_value") { // missing in files of early Chainer versions
		a.Float("_last_value", &last)
	}
}
