package train

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// ObserveLROptions are the options of [ObserveLR].
type ObserveLROptions struct {
	// ObservationKey is the name of the value; empty means "lr".
	ObservationKey string
}

// ObserveLR returns the extension that adds an optimizer's learning rate to the observation after each epoch: for Adam
// the corrected rate, optim.Optimizer.EffectiveRate.
// Chainer: training.extensions.observe_lr.
func ObserveLR(o *optim.Optimizer, opts ...ObserveLROptions) Extension {
	const fn nd.Func = "train.ObserveLR"
	opt := options.Read(fn, opts)
	if opt.ObservationKey == "" {
		opt.ObservationKey = "lr"
	}
	return ObserveValue(opt.ObservationKey, func(*Trainer) float64 { return o.EffectiveRate() })
}

// ObserveValue returns the extension that adds the result of a function to the observation, under a name, after each
// epoch.
// Chainer: training.extensions.observe_value.
func ObserveValue(observationKey string, value func(t *Trainer) float64) Extension {
	const fn nd.Func = "train.ObserveValue"
	if observationKey == "" || value == nil {
		panic(fn.Errorf(nil, "want a name and a function"))
	}
	return observer{key: observationKey, value: value}
}

type observer struct {
	Base
	key   string
	value func(t *Trainer) float64
}

func (observer) Settings() Settings {
	return Settings{Name: "observe", Trigger: Every(1, Epoch), Priority: Writer}
}

func (o observer) Run(t *Trainer) error {
	t.Observation().Set(o.key, o.value(t))
	return nil
}
