package train

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Shift gives an attribute the next of a row of values whenever its trigger fires, and before the first update: the first of them, or
// in a training that goes on the one that it had. [NewExponentialShift] and [NewLinearShift] make one.
type Shift struct {
	Base
	name string
	attr Attribute
	at   func(calls int) float64

	calls int
	begun bool // the call before the training, which does not count, is over
}

// ExponentialShiftOptions are the options of [NewExponentialShift].
type ExponentialShiftOptions struct {
	// Init is the value at first; nil means what the attribute has when the shift is made.
	Init *float64
	// Target is where the values stop; nil means nowhere.
	Target *float64
}

// NewExponentialShift returns the extension that multiplies an attribute by rate, which is not below 0, after each update, or as the
// trigger given to [Trainer.Extend] says: after k calls it is Init·rateᵏ.
//
//	trainer.Extend(train.NewExponentialShift(train.LearningRate(optimizer), 0.5), train.Settings{Trigger: train.Every(10, train.Epoch)})
//
// chainer.training.extensions.ExponentialShift.
func NewExponentialShift(attr Attribute, rate float64, opts ...ExponentialShiftOptions) *Shift {
	const fn nd.Func = "train.NewExponentialShift"
	o := options.Read(fn, opts)
	attr.check(fn)
	if !(rate >= 0) || math.IsInf(rate, 1) {
		panic(fn.Errorf(nil, "a rate of %v: want a number from 0", rate))
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
		if part := v / *o.Target; rate > 1 && part > 1 || rate <= 1 && part < 1 { // their signs may be below 0
			return *o.Target
		}
		return v
	}}
}

// NewLinearShift returns the extension that gives an attribute the first of two values until times[0] calls, then moves it in equal
// steps, and leaves it at the second value from times[1] calls on. It is called after each update, or as the trigger given to
// [Trainer.Extend] says. chainer.training.extensions.LinearShift.
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

// Settings run it before the training too.
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

// Archive saves or restores how far the values have come, under Chainer's names.
func (s *Shift) Archive(a *archive.Archive) {
	a.Int("_t", &s.calls)
	if last := s.at(s.calls); !a.Loading() || a.Has("_last_value") { // early versions of Chainer have none
		a.Float("_last_value", &last)
	}
}
