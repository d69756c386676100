package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Trainer updates until a trigger fires, and runs extensions between updates. It is an archive.Object: a snapshot of it
// holds the whole training.
// Chainer: training.Trainer.
type Trainer struct {
	updater Updater
	stop    Trigger
	out     string

	extensions  []*extension
	observation report.Values
	began       time.Time
	before      float64 // seconds of training before this process
	ran         bool
}

// extension is an extension of a trainer, with its settings.
type extension struct {
	Settings
	Extension
}

// New returns a trainer without extensions, which trains until stop fires. out is the folder for the extensions' files.
func New(updater Updater, stop Trigger, out string) *Trainer {
	const fn nd.Func = "train.New"
	if updater == nil || stop == nil || out == "" {
		panic(fn.Errorf(nil, "want an updater, a trigger that ends the training, and a folder"))
	}
	return &Trainer{updater: updater, stop: stop, out: out}
}

// Extend adds an extension. The extension provides defaults for what the settings leave out.
// Chainer: training.Trainer.extend.
func (t *Trainer) Extend(e Extension, opts ...Settings) {
	const fn nd.Func = "Trainer.Extend"
	if t.ran {
		panic(fn.Errorf(nil, "the training has begun"))
	}
	if e == nil {
		panic(fn.Errorf(nil, "want an extension"))
	}
	s, o := e.Settings(), options.Read(fn, opts)
	if o.Name != "" {
		s.Name = o.Name
	}
	if o.Trigger != nil {
		s.Trigger = o.Trigger
	}
	if o.Priority != 0 {
		s.Priority = o.Priority
	}
	s.Before, s.OnInterrupt = s.Before || o.Before, s.OnInterrupt || o.OnInterrupt
	if s.Name == "" {
		s.Name = "extension"
	}
	if s.Priority == 0 {
		s.Priority = Reader
	}
	base := s.Name
	for n := 1; t.Extension(s.Name) != nil; n++ {
		s.Name = fmt.Sprintf("%s_%d", base, n)
	}
	t.extensions = append(t.extensions, &extension{s, e})
}

// Extension returns the extension of that name, or nil.
// Chainer: training.Trainer.get_extension.
func (t *Trainer) Extension(name string) Extension {
	for _, e := range t.extensions {
		if e.Name == name {
			return e.Extension
		}
	}
	return nil
}

// nameOf returns the name of one of the trainer's extensions, or "" for any other extension.
func (t *Trainer) nameOf(e Extension) string {
	for _, known := range t.extensions {
		if known.Extension == e {
			return known.Name
		}
	}
	return ""
}

// Updater returns the trainer's updater.
func (t *Trainer) Updater() Updater { return t.updater }

// Out returns the folder for the extensions' files.
func (t *Trainer) Out() string { return t.out }

// Iteration returns the number of updates.
func (t *Trainer) Iteration() int { return t.updater.Iteration() }

// Position returns how far the examples were read.
func (t *Trainer) Position() data.Position { return t.updater.Position() }

// Observation returns the values reported since the last update. Extensions may add values.
func (t *Trainer) Observation() *report.Values { return &t.observation }

// Elapsed returns the duration of the training in seconds, including the time before it was resumed, without the time
// after its end.
// Chainer: training.Trainer.elapsed_time.
func (t *Trainer) Elapsed() float64 {
	if t.began.IsZero() {
		return t.before
	}
	return t.before + time.Since(t.began).Seconds()
}

// Run trains until the trigger fires, the batches end, or ctx is cancelled. On cancellation, extensions whose settings
// say OnInterrupt, such as a [Snapshot], run once more, and the error is ctx's. To end a training with Ctrl-C:
//
//	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
//
// A panic of an updater or an extension becomes an error, which names it. If the updater is a [Distributed], all ranks
// end after the same update, also if the context of only one of them is cancelled, and an error of one rank ends the
// calls of the others with an error that names it. However the training ends, Run closes
// extensions and updater. A trainer runs once.
// Chainer: training.Trainer.run.
func (t *Trainer) Run(ctx context.Context) (err error) {
	if t.ran {
		return errors.New("Trainer.Run: a trainer runs once")
	}
	t.ran = true
	order := slices.Clone(t.extensions)
	slices.SortStableFunc(order, func(a, b *extension) int { return cmp.Compare(b.Priority, a.Priority) })
	defer func() {
		t.before, t.began = t.Elapsed(), time.Time{}
		for _, e := range order {
			err = errors.Join(err, named(e.Name, guarded(e.Close)))
		}
		err = errors.Join(err, guarded(t.updater.Close))
	}()
	if err := os.MkdirAll(t.out, 0o755); err != nil {
		return err
	}
	t.began = time.Now()
	interrupted := ctx.Err
	if c := t.collective(); c != nil {
		c.begin(ctx)
		interrupted = c.interrupted
	}
	if err := t.each(order, func(e *extension) bool { return e.Before }); err != nil {
		return err
	}
	for !t.stop.Fire(t) {
		if err := interrupted(); err != nil {
			return errors.Join(err, t.each(order, func(e *extension) bool { return e.OnInterrupt }))
		}
		t.observation.Clear()
		update := t.Iteration() + 1
		err := guarded(func() error { return t.updater.Update(report.New(&t.observation)) })
		if err == io.EOF { // only io.EOF itself: a wrapped io.EOF is a file that ended too early
			return nil
		}
		if err != nil {
			return fmt.Errorf("update %d: %w", update, err)
		}
		if err := t.each(order, func(e *extension) bool { return e.Trigger == nil || e.Trigger.Fire(t) }); err != nil {
			return err
		}
	}
	return nil
}

// each runs the chosen extensions, in order.
func (t *Trainer) each(order []*extension, chosen func(*extension) bool) error {
	for _, e := range order {
		err := guarded(func() error {
			if !chosen(e) {
				return nil
			}
			return e.Run(t)
		})
		if err != nil {
			if c := t.collective(); c != nil && !errors.As(err, new(agreedError)) {
				c.abort(named(e.Name, err))
			}
			return named(e.Name, err)
		}
	}
	return nil
}

// collective returns the updater if it is one of several processes, or nil.
func (t *Trainer) collective() collective {
	c, _ := t.updater.(collective)
	return c
}

// Rank returns the number of this process if the updater is a [Distributed], else 0. Extensions that write files or print
// do so on rank 0 alone.
func (t *Trainer) Rank() int {
	if c := t.collective(); c != nil {
		return c.rank()
	}
	return 0
}

func named(extension string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("extension %s: %w", extension, err)
}

// guarded calls f, and converts a panic to an error.
func guarded(f func() error) (err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *nd.Error:
			err = fault
		default:
			err = fmt.Errorf("it panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	return f()
}

// Archive saves or restores the whole training, under Chainer's names. An extension that is missing in the file starts
// anew. Entries of extensions that the trainer does not have are ignored.
func (t *Trainer) Archive(a *archive.Archive) {
	a.Object("updater", t.updater)
	extensions, triggers := a.Sub("extensions"), a.Sub("extension_triggers")
	for _, e := range t.extensions {
		if !a.Loading() || extensions.Has(e.Name) {
			extensions.Object(e.Name, e.Extension)
		}
		if o, remembers := e.Trigger.(archive.Object); remembers && (!a.Loading() || triggers.Has(e.Name)) {
			triggers.Object(e.Name, o)
		}
	}
	for _, name := range extensions.Names() {
		if e, _, _ := strings.Cut(name, "/"); t.Extension(e) == nil {
			extensions.Ignore(name)
		}
	}
	triggers.Ignore("")
	a.Ignore("stop_trigger") // intervals follow from the position
	elapsed := t.Elapsed()
	a.Float("_snapshot_elapsed_time", &elapsed)
	a.AfterLoad(func() { t.before = elapsed })
}
