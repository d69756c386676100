package train_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// progress is a training reduced to the inputs of a trigger.
type progress struct {
	sampler  *data.Sampler
	updates  int
	observed report.Values
}

func newProgress(examples, batch int) *progress {
	return &progress{sampler: data.NewSampler(examples, batch)}
}

func (p *progress) Iteration() int              { return p.updates }
func (p *progress) Position() data.Position     { return p.sampler.Position() }
func (p *progress) Observation() *report.Values { return &p.observed }

// next makes an update. It observes value unless value is NaN.
func (p *progress) next(value float64) {
	p.sampler.Next()
	p.updates++
	p.observed.Clear()
	if !math.IsNaN(value) {
		p.observed.Set("loss", value)
	}
}

// fired returns the updates after which a trigger fires. Each update has one of the values.
func fired(trigger train.Trigger, p *progress, values ...float64) (at []int) {
	for _, v := range values {
		if p.next(v); trigger.Fire(p) {
			at = append(at, p.updates)
		}
	}
	return at
}

func TestTriggers(t *testing.T) {
	for name, c := range map[string]struct {
		trigger         train.Trigger
		examples, batch int
		want            []int
	}{
		"every 3 updates":            {train.Every(3, train.Iteration), 10, 5, []int{3, 6, 9, 12}},
		"every epoch":                {train.Every(1, train.Epoch), 10, 4, []int{3, 5, 8, 10}},
		"every 2 epochs":             {train.Every(2, train.Epoch), 10, 5, []int{4, 8, 12}},
		"every half epoch":           {train.Every(0.5, train.Epoch), 10, 5, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"every 0.3 epochs":           {train.Every(0.3, train.Epoch), 10, 1, []int{3, 6, 9, 12}},
		"every 0.1 epochs":           {train.Every(0.1, train.Epoch), 10, 1, []int{1, 2, 4, 6, 7, 8, 10, 11}}, // the results of Python's //
		"every quarter of an epoch":  {train.Every(0.25, train.Epoch), 8, 3, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"every 1.5 epochs":           {train.Every(1.5, train.Epoch), 10, 3, []int{5, 10}},
		"at updates 2 and 5":         {train.At(train.Iteration, 5, 2), 10, 5, []int{2, 5}},
		"at epochs 0.5, 1.2 and 1.3": {train.At(train.Epoch, 0.5, 1.2, 1.3), 10, 4, []int{2, 3, 4}},
		"at no point":                {train.At(train.Epoch), 10, 5, nil},
	} {
		if got := fired(c.trigger, newProgress(c.examples, c.batch), make([]float64, 12)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: after %v, want %v", name, got, c.want)
		}
	}
}

func TestTriggersDoNotFireBeforeTheFirstUpdate(t *testing.T) {
	for _, trigger := range []train.Trigger{train.Every(1, train.Iteration), train.Every(0.1, train.Epoch), train.At(train.Epoch, 0), train.At(train.Iteration)} {
		if trigger.Fire(newProgress(4, 2)) {
			t.Errorf("%+v fires", trigger)
		}
	}
}

// TestPointsAreCopied checks that later changes of the caller's slice have no effect.
func TestPointsAreCopied(t *testing.T) {
	points := []float64{2, 3}
	trigger := train.At(train.Iteration, points...)
	points[0] = 1
	if got := fired(trigger, newProgress(4, 2), 0, 0, 0); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("after %v", got)
	}
}

func TestBest(t *testing.T) {
	none := math.NaN()
	two := train.Every(2, train.Iteration)
	for name, c := range map[string]struct {
		trigger train.Trigger
		values  []float64
		want    []int
	}{
		"max":             {train.MaxValue("loss", two), []float64{1, 3, 2, 2, 4, 1, 0, 9}, []int{2, 6, 8}},
		"min":             {train.MinValue("loss", two), []float64{1, 3, 2, 2, 0, 1, 5, 5}, []int{2, 6}},
		"seen once":       {train.MinValue("loss", two), []float64{none, 3, 2, none, none, 2}, []int{2, 4}},
		"not seen at all": {train.MinValue("loss", two), []float64{none, none, 7, 7, none, none, 6, 6}, []int{4, 8}},
		"another key":     {train.MaxValue("accuracy", two), []float64{1, 2, 3, 4}, nil},
		"below 0":         {train.MaxValue("loss", two), []float64{-3, -3, -2, -2}, []int{2, 4}},
	} {
		if got := fired(c.trigger, newProgress(4, 2), c.values...); !slices.Equal(got, c.want) {
			t.Errorf("%s: after %v, want %v", name, got, c.want)
		}
	}
}

// TestBestGoesOn saves within an interval, with a best value of an earlier interval. The trigger of the intervals may
// have state, too.
func TestBestGoesOn(t *testing.T) {
	values := []float64{5, 3, 4, 4, 4, 1, 9, 9, 2, 2, 1, 1}
	whole := func() *train.Best {
		return train.MinValue("loss", train.MaxValue("loss", train.Every(1, train.Iteration)))
	}
	plain := func() *train.Best { return train.MinValue("loss", train.Every(2, train.Iteration)) }
	for _, make := range []func() *train.Best{whole, plain} {
		want := fired(make(), newProgress(4, 2), values...)
		for stop := range values {
			path := filepath.Join(t.TempDir(), "best.npz")
			p, first, second := newProgress(4, 2), make(), make()
			got := fired(first, p, values[:stop]...)
			if err := archive.Save(path, first); err != nil {
				t.Fatal(err)
			}
			fired(second, newProgress(4, 2), 8, -8) // other data, which loading replaces
			if err := archive.Load(path, second); err != nil {
				t.Fatal(err)
			}
			if got = append(got, fired(second, p, values[stop:]...)...); !slices.Equal(got, want) {
				t.Errorf("stopped after %d: after %v, want %v", stop, got, want)
			}
		}
	}
}

func TestTriggersRefuse(t *testing.T) {
	for want, f := range map[string]func(){
		"train.Every: a period of -1":               func() { train.Every(-1, train.Iteration) },
		"train.Every: a period of NaN":              func() { train.Every(math.NaN(), train.Epoch) },
		"train.Every: a period of +Inf":             func() { train.Every(math.Inf(1), train.Epoch) },
		"train.Every: a period of 0.5":              func() { train.Every(0.5, train.Iteration) },
		"train.MaxValue: want a trigger that ends":  func() { train.MaxValue("loss", nil) },
		"train.MinValue: want a trigger that ends ": func() { train.MinValue("loss", nil) },
	} {
		if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if train.Epoch.String() != "epoch" || train.Iteration.String() != "iteration" {
		t.Errorf("units %v and %v", train.Epoch, train.Iteration)
	}
}
