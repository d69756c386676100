package runner

import (
	"context"
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// shift runs a training with a number that the case's extension changes. It compares the number that each update sees,
// and the final number.
func (t *trainingCase) shift(how catalogue.CallOptions) error {
	given := func(name string) golden.Value {
		v, _ := t.c.Args.Get(name)
		return v
	}
	lr, _ := golden.Float(given("lr"))
	args := map[string]any{"attr": train.Attribute{Get: func() float64 { return lr }, Set: func(v float64) { lr = v }}}
	for _, p := range t.fn.Params {
		if v, ok := t.c.Args.Get(p.Name); ok && p.Name != "attr" {
			var err error
			if args[p.Name], err = (maker{file: t.file}).value(p.Name, v); err != nil {
				return err
			}
		}
	}
	result, err := t.fn.Call(nil, args, how)
	if err != nil {
		return err
	}
	trigger, err := periodic(given("trigger"))
	if err != nil {
		return err
	}
	indices := func(at []int) ([]int, error) { return at, nil }
	u := &countedUpdates{Loader: data.NewLoader(data.NewSampler(t.number("n"), t.number("batch_size")), indices)}
	var seen []float64
	u.update = func() { seen = append(seen, lr) }
	trainer := train.New(u, train.Every(float64(t.number("iterations")), train.Iteration), os.TempDir()) // nothing is written
	trainer.Extend(result.Values[0].(*train.Shift), train.Settings{Trigger: trigger})
	if err := trainer.Run(context.Background()); err != nil {
		return err
	}
	if err := match(t.tol, seen, given("expect")); err != nil {
		return fmt.Errorf("the number in updates: %w", err)
	}
	if err := match(t.tol, lr, given("expect_final")); err != nil {
		return fmt.Errorf("the final number: %w", err)
	}
	return nil
}

// countedUpdates is an updater that reads examples and calls a function.
type countedUpdates struct {
	*data.Loader[[]int]
	updates int
	update  func()
}

func (u *countedUpdates) Update(*report.Reporter) error {
	if _, err := u.Next(); err != nil {
		return err
	}
	u.updates++
	u.update()
	return nil
}

func (u *countedUpdates) Iteration() int { return u.updates }

// periodic returns the trigger for a pair such as [3, "epoch"].
func periodic(v golden.Value) (train.Trigger, error) {
	pair, _ := v.(golden.List)
	if len(pair) != 2 {
		return nil, fmt.Errorf("%v: want a period and its unit", v)
	}
	period, ok := golden.Float(pair[0])
	for _, unit := range []train.Unit{train.Iteration, train.Epoch} {
		if ok && pair[1] == unit.String() {
			return train.Every(period, unit), nil
		}
	}
	return nil, fmt.Errorf("%v: want a period and its unit", v)
}
