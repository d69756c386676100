package train_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// progress is a training of which a trigger sees as much as it needs.
type progress struct {
	sampler     *data.Sampler
	updates     int
	observation report.Values
}

func (p *progress) Iteration() int              { return p.updates }
func (p *progress) Position() data.Position     { return p.sampler.Position() }
func (p *progress) Observation() *report.Values { return &p.observation }

// fires returns after which of so many updates a trigger fires; examples are read in batches of 3 of 10.
func fires(trigger train.Trigger, updates int, observe func(update int, v *report.Values)) (at []int) {
	p := &progress{sampler: data.NewSampler(10, 3)}
	for p.updates < updates {
		p.sampler.Next()
		p.updates++
		p.observation.Clear()
		if observe != nil {
			observe(p.updates, &p.observation)
		}
		if trigger.Fire(p) {
			at = append(at, p.updates)
		}
	}
	return at
}

func TestTriggers(t *testing.T) {
	for name, c := range map[string]struct {
		trigger train.Trigger
		want    []int
	}{
		"every 3 updates":             {train.Every(3, train.Iteration), []int{3, 6, 9}},
		"every epoch":                 {train.Every(1, train.Epoch), []int{4, 7, 10}},
		"every 0.3 epochs, as Python": {train.Every(0.3, train.Epoch), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		"every 1.5 epochs":            {train.Every(1.5, train.Epoch), []int{5, 10}},
		"at updates":                  {train.At(train.Iteration, 2, 5), []int{2, 5}},
		"at epochs":                   {train.At(train.Epoch, 0.5, 2), []int{2, 7}},
		"never":                       {train.At(train.Iteration), nil},
	} {
		if got := fires(c.trigger, 10, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: fires after %v, want %v", name, got, c.want)
		}
	}
}

// losses are those of updates; those of the fifth and sixth were not observed.
var losses = []float64{4, 2, 5, 3, 0, 0, 1, 1, 2, 0}

func observe(update int, v *report.Values) {
	if update != 5 && update != 6 {
		v.Set("loss", losses[update-1])
	}
}

// The means of two updates are 3, 4, none, 1 and 1.
func TestBest(t *testing.T) {
	if got := fires(train.MaxValue("loss", train.Every(2, train.Iteration)), 10, observe); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("the greatest after %v", got)
	}
	if got := fires(train.MinValue("loss", train.Every(2, train.Iteration)), 10, observe); !slices.Equal(got, []int{2, 8}) {
		t.Errorf("the smallest after %v", got)
	}
	if got := fires(train.MinValue("other", train.Every(2, train.Iteration)), 10, observe); got != nil {
		t.Errorf("what nobody observes after %v", got)
	}
}

// A trigger that is restored within an interval knows what it has seen.
func TestBestResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "best.npz")
	first := train.MinValue("loss", train.Every(2, train.Iteration))
	fires(first, 3, observe)
	if err := archive.Save(path, first); err != nil {
		t.Fatal(err)
	}
	second := train.MinValue("loss", train.Every(2, train.Iteration))
	if err := archive.Load(path, second); err != nil {
		t.Fatal(err)
	}
	p := &progress{sampler: data.NewSampler(10, 3), updates: 4}
	p.observation.Set("loss", 0.5) // with the 5 before, a mean of 2.75, below the first 3
	if !second.Fire(p) {
		t.Error("it forgot the best, or the sum")
	}
	p.observation.Set("loss", 2.5)
	if second.Fire(p); second.Fire(p) {
		t.Error("2.5 counts as less than 2.75 again")
	}
}
