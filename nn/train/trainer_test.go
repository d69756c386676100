package train_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// diary records the events of a training.
type diary []string

// writes is an extension that records its name and the update.
func (d *diary) writes(name string) train.Extension {
	return train.Func(func(t *train.Trainer) error {
		*d = append(*d, fmt.Sprint(name, t.Iteration()))
		return nil
	})
}

// closing is an extension that records when it is closed, and fails on demand.
type closing struct {
	train.Base
	name  string
	diary *diary
	run   func() error
	close func() error
}

func (c *closing) Run(*train.Trainer) error {
	if c.run == nil {
		return nil
	}
	return c.run()
}

func (c *closing) Close() error {
	*c.diary = append(*c.diary, "close "+c.name)
	if c.close == nil {
		return nil
	}
	return c.close()
}

func TestOrderOfExtensions(t *testing.T) {
	var d diary
	u := newCounter(8, 4, func(n int, _ *report.Reporter) { d = append(d, fmt.Sprint("update", n)) })
	trainer := train.New(u, train.Every(1, train.Epoch), t.TempDir())
	for _, s := range []train.Settings{
		{Name: "reader"}, // the default
		{Name: "last", Priority: -1},
		{Name: "writer", Priority: train.Writer, Before: true},
		{Name: "second reader", Priority: train.Reader, Trigger: train.Every(1, train.Epoch)},
		{Name: "editor", Priority: train.Editor},
		{Name: "never", Trigger: train.At(train.Iteration), Before: true},
		{Name: "interrupted", Trigger: train.At(train.Iteration), OnInterrupt: true},
	} {
		trainer.Extend(d.writes(s.Name+" "), s)
	}
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := diary{"writer 0", "never 0", "update1", "writer 1", "editor 1", "reader 1", "last 1",
		"update2", "writer 2", "editor 2", "reader 2", "second reader 2", "last 2"}
	if !slices.Equal(d, want) {
		t.Errorf("%q\nwant %q", d, want)
	}
}

// TestFuncOptions checks that the options of Func are the extension's defaults, and that Close is called at the end.
func TestFuncOptions(t *testing.T) {
	var d diary
	run := func(name string) func(t *train.Trainer) error {
		return func(t *train.Trainer) error { d = append(d, fmt.Sprint(name, " ", t.Iteration())); return nil }
	}
	closed := errors.New("mine")
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	trainer.Extend(train.Func(run("reader")))
	trainer.Extend(train.Func(run("own"), train.FuncOptions{
		Settings: train.Settings{Name: "own", Trigger: train.Every(1, train.Epoch), Priority: train.Writer, Before: true},
		Close:    func() error { d = append(d, "close"); return closed },
	}))
	if trainer.Extension("own") == nil || trainer.Extension("extension") == nil {
		t.Error("the extensions have other names")
	}
	if err := trainer.Run(t.Context()); !errors.Is(err, closed) {
		t.Errorf("error %v", err)
	}
	if want := (diary{"own 0", "reader 1", "own 2", "reader 2", "close"}); !slices.Equal(d, want) {
		t.Errorf("%q, want %q", d, want)
	}
}

func TestNamesOfExtensions(t *testing.T) {
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	var all []train.Extension
	for _, name := range []string{"x", "x", "x_1", "x", ""} {
		e := &closing{}
		trainer.Extend(e, train.Settings{Name: name})
		all = append(all, e)
	}
	trainer.Extend(train.NewLogReport())
	for i, name := range []string{"x", "x_1", "x_1_1", "x_2", "extension"} {
		if trainer.Extension(name) != all[i] {
			t.Errorf("%s is not extension %d", name, i)
		}
	}
	if _, ok := trainer.Extension("LogReport").(*train.LogReport); !ok || trainer.Extension("y") != nil {
		t.Error("an extension is not known by its own name, or by another")
	}
}

func TestObservation(t *testing.T) {
	u := newCounter(8, 4, func(n int, r *report.Reporter) {
		if r.Value("all", float64(n)); n == 1 {
			r.Value("first", 1)
		}
	})
	trainer := train.New(u, train.Every(2, train.Iteration), t.TempDir())
	trainer.Extend(train.Func(func(t *train.Trainer) error { t.Observation().Set("added", 7); return nil }), train.Settings{Priority: train.Writer})
	var seen []string
	trainer.Extend(train.Func(func(t *train.Trainer) error {
		seen = append(seen, strings.Join(t.Observation().Names(), " "))
		return nil
	}))
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"all first added", "all added"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}

// TestEveryoneIsClosed checks that everything is closed, however the training ends, and whichever part fails.
func TestEveryoneIsClosed(t *testing.T) {
	broken := errors.New("broken")
	panics := func() error { panic("a fault") }
	for name, c := range map[string]struct {
		run, close func() error
		want       []string
	}{
		"no fault":           {nil, nil, nil},
		"an error":           {func() error { return broken }, nil, []string{"extension b: broken"}},
		"a panic":            {panics, nil, []string{"extension b: it panicked: a fault"}},
		"a refusal":          {func() error { nd.Zeros([]int{2}).Reshape(3); return nil }, nil, []string{"extension b: "}},
		"an error of Close":  {nil, func() error { return broken }, []string{"extension b: broken"}},
		"a panic of Close":   {nil, panics, []string{"extension b: it panicked: a fault"}},
		"errors of both two": {func() error { return broken }, panics, []string{"extension b: broken", "it panicked: a fault"}},
	} {
		var d diary
		trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Iteration), t.TempDir())
		trainer.Extend(&closing{name: "a", diary: &d}, train.Settings{Name: "a"})
		trainer.Extend(&closing{name: "b", diary: &d, run: c.run, close: c.close}, train.Settings{Name: "b"})
		trainer.Extend(&closing{name: "c", diary: &d}, train.Settings{Name: "c"})
		err := trainer.Run(t.Context())
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: error %v", name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
		if !slices.Equal(d, diary{"close a", "close b", "close c"}) {
			t.Errorf("%s: %q", name, d)
		}
	}
}

// trigger makes a trigger of a function.
type trigger func() bool

func (f trigger) Fire(train.Progress) bool { return f() }

func TestFaultOfATrigger(t *testing.T) {
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Iteration), t.TempDir())
	trainer.Extend(train.Func(func(*train.Trainer) error { return nil }), train.Settings{Name: "odd", Trigger: trigger(func() bool { panic("a fault") })})
	if err := trainer.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "extension odd: it panicked: a fault") {
		t.Errorf("error %v", err)
	}
}

func TestFaultOfAnUpdater(t *testing.T) {
	var d diary
	u := newCounter(8, 4, func(n int, _ *report.Reporter) {
		if n == 2 {
			panic("a fault")
		}
	})
	trainer := train.New(u, train.Every(9, train.Iteration), t.TempDir())
	trainer.Extend(&closing{name: "a", diary: &d})
	if err := trainer.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "update 2: it panicked: a fault") {
		t.Errorf("error %v", err)
	}
	if !slices.Equal(d, diary{"close a"}) {
		t.Errorf("%q", d)
	}
}

// TestBatchesEnd checks that the end of the batches ends a training, but that an unexpected end of a file is an error.
func TestBatchesEnd(t *testing.T) {
	for _, c := range []struct {
		fault error
		want  error
	}{{nil, nil}, {io.EOF, io.ErrUnexpectedEOF}, {fmt.Errorf("a file: %w", io.EOF), io.EOF}} {
		load := func(indices []int) ([]*nd.Array, error) {
			if indices[0] == 4 {
				return nil, c.fault
			}
			return nil, nil
		}
		loss := func(m *nn.Scope, _ data.Batch, _ *report.Reporter) *nd.Array {
			return nn.Affine(m, nd.Ones([]int{1, 1}), 1).Reshape()
		}
		for _, batches := range []data.Batches[data.Batch]{
			data.NewLoader(data.NewSampler(8, 2, data.SamplerOptions{Once: true}), load),
			data.NewPrefetcher(data.NewSampler(8, 2, data.SamplerOptions{Once: true}), 2, 2, load),
		} {
			trainer := train.New(train.NewUpdater(batches, nn.NewScope(), optim.NewSGD(), loss), train.Every(9, train.Epoch), t.TempDir())
			updates := 4
			if c.want != nil {
				updates = 2
			}
			if err := trainer.Run(t.Context()); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || trainer.Iteration() != updates {
				t.Errorf("%T, fault %v: %d updates, error %v", batches, c.fault, trainer.Iteration(), err)
			}
		}
	}
}

func TestInterruptRunsExtensions(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var d diary
	u := newCounter(8, 4, func(n int, _ *report.Reporter) {
		if n == 3 {
			cancel()
		}
	})
	trainer := train.New(u, train.Every(9, train.Epoch), t.TempDir())
	never := train.At(train.Iteration)
	trainer.Extend(d.writes("low "), train.Settings{Trigger: never, OnInterrupt: true})
	trainer.Extend(d.writes("high "), train.Settings{Trigger: never, OnInterrupt: true, Priority: train.Writer})
	trainer.Extend(d.writes("other "), train.Settings{Trigger: never})
	trainer.Extend(train.Func(func(*train.Trainer) error { return errors.New("no room") }),
		train.Settings{Name: "full", Trigger: never, OnInterrupt: true, Priority: -1})
	err := trainer.Run(ctx)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "extension full: no room") {
		t.Errorf("error %v", err)
	}
	if !slices.Equal(d, diary{"high 3", "low 3"}) {
		t.Errorf("%q", d)
	}
}

// TestInterruptAtTheEnd checks that a finished training is not interrupted.
func TestInterruptAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	trainer := train.New(newCounter(8, 4, func(int, *report.Reporter) { cancel() }), train.Every(1, train.Iteration), t.TempDir())
	if err := trainer.Run(ctx); err != nil {
		t.Error(err)
	}
}

func TestElapsed(t *testing.T) {
	var during float64
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	trainer.Extend(train.Func(func(t *train.Trainer) error { during = t.Elapsed(); return nil }))
	if trainer.Elapsed() != 0 {
		t.Errorf("%g s before the training", trainer.Elapsed())
	}
	if err := trainer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := trainer.Elapsed(); !(during > 0 && after >= during) || after != trainer.Elapsed() {
		t.Errorf("%g s within the training, %g and %g after it", during, after, trainer.Elapsed())
	}
}

func TestTrainersRefuse(t *testing.T) {
	x := loader(4, 2)
	params, opt := nn.NewScope(), optim.NewSGD()
	trainer := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	over := train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), t.TempDir())
	if err := over.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	const updater, evaluator = "want batches, a model, an optimizer and a loss function", "want batches, a model and a loss function"
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"train.New: want an updater", func() { train.New(newCounter(8, 4, nil), nil, "out") }},
		{"train.New: want an updater", func() { train.New(newCounter(8, 4, nil), train.Every(1, train.Epoch), "") }},
		{"Trainer.Extend: want an extension", func() { trainer.Extend(nil) }},
		{"Trainer.Extend: the training has begun", func() { over.Extend(train.NewLogReport()) }},
		{"train.Func: want a function", func() { train.Func(nil) }},
		{"train.NewUpdater: " + updater, func() { train.NewUpdater(nil, params, opt, regression) }},
		{"train.NewUpdater: " + updater, func() { train.NewUpdater(x, nil, opt, regression) }},
		{"train.NewUpdater: " + updater, func() { train.NewUpdater(x, params, nil, regression) }},
		{"train.NewUpdater: " + updater, func() { train.NewUpdater(x, params, opt, nil) }},
		{"train.NewParallel: " + updater, func() { train.NewParallel(x, nil, opt, regression, 2) }},
		{"train.NewEvaluator: " + evaluator, func() { train.NewEvaluator(nil, params, regression) }},
		{"train.NewEvaluator: " + evaluator, func() { train.NewEvaluator(x, nil, regression) }},
		{"train.NewEvaluator: " + evaluator, func() { train.NewEvaluator(x, params, nil) }},
		{"train.NewEvaluator: the model is a view", func() { train.NewEvaluator(x, params.Watch(grad.NewTape()), regression) }},
	} {
		if err := nd.Catch(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
