package train_test

import (
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// counter is an updater without a model: it reads indices of examples, and calls a function as its update.
type counter struct {
	batches   *data.Loader[[]int]
	iteration int
	update    func(iteration int, r *report.Reporter)
}

func newCounter(examples, batch int, update func(iteration int, r *report.Reporter)) *counter {
	indices := func(at []int) ([]int, error) { return at, nil }
	return &counter{batches: data.NewLoader(data.NewSampler(examples, batch), indices), update: update}
}

func (c *counter) Update(r *report.Reporter) error {
	if _, err := c.batches.Next(); err != nil {
		return err
	}
	c.iteration++
	if c.update != nil {
		c.update(c.iteration, r)
	}
	return nil
}

func (c *counter) Iteration() int          { return c.iteration }
func (c *counter) Position() data.Position { return c.batches.Position() }
func (c *counter) Close() error            { return c.batches.Close() }

func (c *counter) Archive(a *archive.Archive) {
	a.Int("iteration", &c.iteration)
	a.Object("iterator:main", c.batches)
}

var _ train.Updater = (*counter)(nil)
