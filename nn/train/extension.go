package train

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// Priorities of extensions, which run from high to low: extensions that add to the observation, those that change it,
// and those that read it.
const (
	Writer = 300
	Editor = 200
	Reader = 100
)

// Settings define when an extension runs.
type Settings struct {
	// Name identifies an extension; the second extension of a name gets the suffix "_1", and so on.
	Name string
	// Trigger decides after which updates the extension runs; nil means after each update.
	Trigger Trigger
	// Priority orders the extensions that run after the same update; 0 means Reader.
	Priority int
	// Before makes the extension also run once before the first update of Run.
	Before bool
	// OnInterrupt makes the extension run once more when the context of Run ends the training.
	OnInterrupt bool
}

// Extension is an action between updates. Its Archive saves and restores its state.
// Chainer: training.Extension.
type Extension interface {
	// Settings are the defaults of Trainer.Extend.
	Settings() Settings
	// Run runs the action; an error ends the training.
	Run(t *Trainer) error
	archive.Object
	// Close is called when the training ends, for whatever reason.
	Close() error
}

// Base has default methods for an extension, to be embedded.
type Base struct{}

// Settings make the extension run after each update.
func (Base) Settings() Settings { return Settings{} }

// Archive saves nothing.
func (Base) Archive(*archive.Archive) {}

// Close does nothing.
func (Base) Close() error { return nil }

// FuncOptions are the options of Func.
type FuncOptions struct {
	// Settings are the defaults of the extension, which the settings of Trainer.Extend override. An extension without a
	// name is called "extension".
	Settings
	// Close is called when the training ends, for whatever reason; nil means no action.
	Close func() error
}

// Func makes an extension of a function.
// Chainer: training.make_extension.
func Func(run func(t *Trainer) error, opts ...FuncOptions) Extension {
	const fn nd.Func = "train.Func"
	if run == nil {
		panic(fn.Errorf(nil, "want a function"))
	}
	return &function{run: run, o: options.Read(fn, opts)}
}

type function struct {
	Base
	run func(t *Trainer) error
	o   FuncOptions
}

func (f *function) Settings() Settings { return f.o.Settings }

func (f *function) Run(t *Trainer) error { return f.run(t) }

func (f *function) Close() error {
	if f.o.Close == nil {
		return nil
	}
	return f.o.Close()
}
