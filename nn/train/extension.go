package train

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Priorities of extensions, which run from high to low: those that add to the observation, those that change it, and those that
// read it.
const (
	Writer = 300
	Editor = 200
	Reader = 100
)

// Settings say when an extension runs.
type Settings struct {
	// Name tells extensions apart; the second of a name gets "_1" after it, and so on.
	Name string
	// Trigger says after which updates it runs; nil means all.
	Trigger Trigger
	// Priority orders the extensions that run after the same update; 0 means Reader.
	Priority int
	// Before has it run once before the first update of Run too.
	Before bool
	// OnInterrupt has it run once more when the context of Run ends the training.
	OnInterrupt bool
}

// Extension is what happens between updates. Its Archive saves and restores what it remembers. chainer.training.Extension.
type Extension interface {
	// Settings are the defaults of Trainer.Extend.
	Settings() Settings
	// Run does it; an error ends the training.
	Run(t *Trainer) error
	archive.Object
	// Close is called when the training ends, however it does.
	Close() error
}

// Base is the part of an extension that many need not think about, to be embedded.
type Base struct{}

// Settings are the defaults: after each update.
func (Base) Settings() Settings { return Settings{} }

// Archive saves nothing.
func (Base) Archive(*archive.Archive) {}

// Close does nothing.
func (Base) Close() error { return nil }

// Func makes an extension of a function. chainer.training.make_extension.
func Func(run func(t *Trainer) error) Extension {
	const fn nd.Func = "train.Func"
	if run == nil {
		panic(fn.Errorf(nil, "want a function"))
	}
	return function{run: run}
}

type function struct {
	Base
	run func(t *Trainer) error
}

func (f function) Run(t *Trainer) error { return f.run(t) }
