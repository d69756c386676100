package runner

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// loop runs a part of a training: a trigger, a trainer with extensions, an evaluation, or a summary of reports.
func (t *trainingCase) loop(how catalogue.CallOptions) error {
	switch strings.TrimPrefix(t.c.Function, "chainer.") {
	case "Summary", "DictSummary":
		return t.summary(how)
	case "Reporter":
		return t.reporter(how)
	case "report_scope":
		return t.reportScope(how)
	case "training.Trainer":
		return t.trainer(how)
	case "training.Trainer.extend":
		return t.extend(how)
	case "training.extensions.Evaluator":
		return t.evaluator(how)
	}
	return t.trigger(how)
}

func (t *trainingCase) expected() golden.Value {
	v, _ := t.c.Args.Get("expect")
	return v
}

// one calls a row and returns its first result.
func (t *trainingCase) one(name string, how catalogue.CallOptions, args ...any) (any, error) {
	fn, err := t.row(name)
	if err != nil {
		return nil, err
	}
	result, err := fn.Call(args, nil, how)
	if err != nil || len(result.Values) == 0 {
		return nil, err
	}
	return result.Values[0], nil
}

// trigger compares when a trigger fires in a training whose examples are read in order.
func (t *trainingCase) trigger(how catalogue.CallOptions) error {
	args := map[string]any{}
	for _, p := range t.fn.Params {
		if v, ok := t.c.Args.Get(p.Name); ok {
			var err error
			if args[p.Name], err = (maker{file: t.file}).value(p.Name, v); err != nil {
				return err
			}
			if p.Name == "points" {
				if _, list := args[p.Name].([]any); !list {
					args[p.Name] = []any{args[p.Name]}
				}
			}
		}
	}
	result, err := t.fn.Call(nil, args, how)
	if err != nil {
		return err
	}
	trigger := result.Values[0].(train.Trigger)
	p := &progress{sampler: data.NewSampler(t.number("n"), t.number("batch_size"))}
	values, _ := t.c.Args.Get("values")
	observed, _ := values.(golden.List)
	key, _ := t.c.Args.Get("key")
	var fired []any
	for i := range t.number("iterations") {
		p.sampler.Next()
		p.updates++
		p.observation.Clear()
		if i < len(observed) {
			v, _ := golden.Float(observed[i])
			p.observation.Set(fmt.Sprint(key), v)
		}
		fired = append(fired, trigger.Fire(p))
	}
	return match(t.tol, fired, t.expected())
}

// progress is the part of a training's state that a trigger reads.
type progress struct {
	sampler     *data.Sampler
	updates     int
	observation report.Values
}

func (p *progress) Iteration() int              { return p.updates }
func (p *progress) Position() data.Position     { return p.sampler.Position() }
func (p *progress) Observation() *report.Values { return &p.observation }

// summary sums numbers, or dictionaries of numbers.
func (t *trainingCase) summary(how catalogue.CallOptions) error {
	name := t.c.Function
	sum, err := t.one(name, how)
	if err != nil {
		return err
	}
	given, ok := t.c.Args.Get("values")
	if !ok {
		given, _ = t.c.Args.Get("dicts")
	}
	for _, v := range given.(golden.List) {
		value, err := (maker{file: t.file}).value("values", v)
		if err != nil {
			return err
		}
		if _, err := t.one(name+".add", how, sum, value); err != nil {
			return err
		}
	}
	statistics, err := t.row(name + ".make_statistics")
	if err != nil {
		return err
	}
	result, err := statistics.Call([]any{sum}, nil, how)
	if err != nil {
		return err
	}
	mean, err := t.one(name+".compute_mean", how, sum)
	if err != nil {
		return err
	}
	expect, _ := t.expected().(golden.Object)
	for _, want := range expect {
		switch want.Name {
		case "mean":
			err = t.same(mean, want.Value)
		case "std":
			err = t.same(result.Values[1], want.Value)
		case "statistics":
			err = t.same(result.Values[0], want.Value)
		default:
			err = fmt.Errorf("unknown property %s", want.Name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", want.Name, err)
		}
	}
	return nil
}

// same compares a number, or named numbers, with the expected ones.
func (t *trainingCase) same(got any, want golden.Value) error {
	v, ok := got.(*report.Values)
	if !ok {
		return match(t.tol, got, want)
	}
	named, _ := want.(golden.Object)
	if v.Len() != len(named) {
		return fmt.Errorf("%v, want %v", v.Names(), catalogue.Describe(want))
	}
	for _, w := range named {
		x, ok := v.Get(w.Name)
		if !ok {
			return fmt.Errorf("%s is missing", w.Name)
		}
		if err := match(t.tol, x, w.Value); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// reporter is the program that its case describes in words.
func (t *trainingCase) reporter(how catalogue.CallOptions) error {
	var seen report.Values
	const name = "chainer.Reporter"
	r, err := t.one(name, how, &seen)
	if err != nil {
		return err
	}
	main, err := t.one(name+".add_observer", how, r, "main", nil)
	if err != nil {
		return err
	}
	inner, err := t.one(name+".add_observers", how, main, "inner", nil)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		values   map[string]any
		observer any
	}{{map[string]any{"v": 2, "w": 3}, main}, {map[string]any{"v": 1}, inner}, {map[string]any{"free": 4}, nil}} {
		if _, err := t.one(name+".report", how, r, step.values, step.observer); err != nil {
			return err
		}
	}
	return t.same(&seen, t.expected())
}

// reportScope is the program that its case describes in words.
func (t *trainingCase) reportScope(how catalogue.CallOptions) error {
	var outer, inner report.Values
	for _, step := range []struct {
		values *report.Values
		name   string
		value  float64
	}{{&outer, "x", 1}, {&inner, "x", 2}, {&outer, "y", 3}} {
		r, err := t.one(t.c.Function, how, step.values)
		if err != nil {
			return err
		}
		r.(*report.Reporter).Sub("o").Value(step.name, step.value)
	}
	expect, _ := t.expected().(golden.Object)
	for _, w := range expect {
		got := map[string]*report.Values{"obs": &outer, "inner": &inner}[w.Name]
		if err := t.same(got, w.Value); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// trainer compares the order in which updates and extensions run.
func (t *trainingCase) trainer(how catalogue.CallOptions) error {
	var ran []any
	indices := func(at []int) ([]int, error) { return at, nil }
	u := &countedUpdates{Loader: data.NewLoader(data.NewSampler(t.number("n"), t.number("batch_size")), indices)}
	u.update = func() { ran = append(ran, []any{u.updates - 1, "update"}) } // before it counts
	stop, _ := t.c.Args.Get("stop_trigger")
	pair, err := (maker{file: t.file}).value("stop_trigger", stop)
	if err != nil {
		return err
	}
	made, err := t.one(t.c.Function, how, u, pair, os.TempDir()) // nothing is written
	if err != nil {
		return err
	}
	trainer := made.(*train.Trainer)
	fn, err := t.row(t.c.Function + ".extend")
	if err != nil {
		return err
	}
	given, _ := t.c.Args.Get("extensions")
	list, _ := given.(golden.List)
	for _, v := range list {
		settings, err := (maker{file: t.file}).value("extensions", v)
		if err != nil {
			return err
		}
		args := settings.(map[string]any)
		args["self"], args["extension"] = trainer, train.Func(func(*train.Trainer) error {
			ran = append(ran, []any{u.updates, args["name"]})
			return nil
		})
		if _, err := fn.Call(nil, args, how); err != nil {
			return err
		}
	}
	if err := trainer.Run(context.Background()); err != nil {
		return err
	}
	return match(t.tol, ran, t.expected())
}

// extend compares the names that extensions with equal names get.
func (t *trainingCase) extend(how catalogue.CallOptions) error {
	trainer := train.New(&countedUpdates{}, train.At(train.Iteration), os.TempDir()) // nothing is written
	given, _ := t.c.Args.Get("names")
	list, _ := given.(golden.List)
	for _, name := range list {
		args := map[string]any{"self": trainer, "extension": train.Func(func(*train.Trainer) error { return nil }), "name": name}
		if _, err := t.fn.Call(nil, args, how); err != nil {
			return err
		}
	}
	want, _ := t.expected().(golden.List)
	for _, name := range want {
		if trainer.Extension(fmt.Sprint(name)) == nil {
			return fmt.Errorf("no extension is called %v", name)
		}
	}
	return nil
}

// evaluator compares what the evaluation of a classifier reports, twice.
func (t *trainingCase) evaluator(how catalogue.CallOptions) error {
	arrays := make([]*nd.Array, 2)
	for i, name := range []string{"x", "t"} {
		v, _ := t.c.Args.Get(name)
		x, err := (maker{file: t.file}).value(name, v)
		if err != nil {
			return err
		}
		arrays[i] = catalogue.OnDevice(x.(*nd.Array), t.Device)
	}
	given, _ := t.c.Args.Get("predictor")
	predictor, err := (maker{file: t.file}).value("predictor", given)
	if err != nil {
		return err
	}
	list, err := t.one("chainer.ChainList", how, predictor)
	if err != nil {
		return err
	}
	params, err := t.scopeOf("params")
	if err != nil {
		return err
	}
	model := link.Classifier{Predictor: list.(link.Sequential)[0]}
	batches := data.Batches[data.Batch](data.NewLoader(
		data.NewSampler(arrays[0].Dim(0), t.number("batch_size"), data.SamplerOptions{Once: true}), data.Rows(arrays...)))
	made, err := t.one(t.c.Function, how, batches, params, train.LossFunc[data.Batch](func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		return model.Loss(m, b, r)
	}))
	if err != nil {
		return err
	}
	evaluator := made.(*train.Evaluator[data.Batch])
	for range 2 {
		means, err := evaluator.Evaluate()
		if err != nil {
			return err
		}
		if name, ok := t.c.Args.Get("name"); ok {
			trainer := train.New(&countedUpdates{}, train.At(train.Iteration), os.TempDir()) // nothing is written
			trainer.Extend(evaluator, train.Settings{Name: fmt.Sprint(name)})
			if err := evaluator.Run(trainer); err != nil {
				return err
			}
			means = trainer.Observation()
		}
		if err := t.same(means, t.expected()); err != nil {
			return err
		}
	}
	return nil
}
