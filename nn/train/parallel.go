package train

import (
	"fmt"
	"io"
	"sync"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Parallel is the update of one model by several goroutines, each with its own batch. The gradient of an update is the
// mean of their gradients, added up in a fixed order, so that a training is reproducible bit for bit. Each goroutine
// has a replica of the model, with its own statistics during the computation; those of the first goroutine remain.
// Chainer: training.ParallelUpdater.
type Parallel[B any] struct {
	batches   data.Batches[B]
	model     *nn.Scope
	optimizer *optim.Optimizer
	loss      LossFunc[B]
	o         UpdaterOptions
	workers   []*worker
	parts     parts // of the goroutines
	iteration int
}

// worker computes the gradients of one batch.
type worker struct {
	model *nn.Scope // a replica, or the model itself for the first worker; nil before the first update
	rng   *nd.Rand
	tape  *grad.Tape
}

// NewParallel returns the update of a model by a number of goroutines, each of which reads one of the next batches. If
// fewer batches are left, fewer goroutines work. Each goroutine draws from its own stream, split off the options' Rand.
// OnLoss sees the first goroutine's loss. Triggers in epochs need a sampler whose option Goroutines is that number.
func NewParallel[B any](batches data.Batches[B], model *nn.Scope, optimizer *optim.Optimizer, loss LossFunc[B], goroutines int, opts ...UpdaterOptions) *Parallel[B] {
	const fn nd.Func = "train.NewParallel"
	if batches == nil || model == nil || optimizer == nil || loss == nil {
		panic(fn.Errorf(nil, "want batches, a model, an optimizer and a loss function"))
	}
	if goroutines < 1 {
		panic(fn.Errorf(nil, "%d goroutines: want at least one", goroutines))
	}
	u := &Parallel[B]{batches: batches, model: model, optimizer: optimizer, loss: loss, o: options.Read(fn, opts)}
	for range goroutines {
		w := &worker{tape: grad.NewTape()}
		if u.o.Rand != nil {
			w.rng = u.o.Rand.Split()
		}
		u.workers = append(u.workers, w)
	}
	return u
}

// Update makes one update. The reports of the first goroutine's loss function get the prefix "main/".
func (u *Parallel[B]) Update(r *report.Reporter) error {
	batches, err := u.next()
	if err != nil {
		return err
	}
	u.replicate(batches[0])
	workers := u.workers[:len(batches)]
	defer func() {
		for _, w := range workers {
			w.tape.Reset()
		}
	}()
	if u.parts.all == nil {
		u.parts = parts{all: comm.Local(len(u.workers))}
	}
	comms, err := u.parts.first(len(workers))
	if err != nil {
		return err
	}
	gradients, errs := make([]*optim.Gradients, len(workers)), make([]error, len(workers))
	var running sync.WaitGroup
	for i, w := range workers {
		running.Go(func() {
			errs[i] = guarded(func() error {
				gradients[i] = u.gradients(w, batches[i], i == 0, comms[i], r)
				return nil
			})
			if errs[i] != nil { // others may wait for it
				u.parts.abort(errs[i])
			}
		})
	}
	running.Wait()
	if i := firstFault(errs); i >= 0 {
		u.parts = parts{}
		return fmt.Errorf("goroutine %d: %w", i, errs[i])
	}
	g := optim.Mean(gradients...)
	if u.o.Hook != nil {
		u.o.Hook(g)
	}
	u.optimizer.Update(g)
	u.iteration++
	return nil
}

// next reads a batch for each goroutine, or fewer at the end.
func (u *Parallel[B]) next() (batches []B, err error) {
	for range u.workers {
		b, err := u.batches.Next()
		if err == io.EOF && len(batches) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		batches = append(batches, b)
	}
	return batches, nil
}

// replicate makes the replicas before the first update. First it calls the loss once as in an evaluation, so that all
// parameters exist. Later it copies the statistics of the model to the replicas, so that a snapshot needs only the
// model's statistics.
func (u *Parallel[B]) replicate(batch B) {
	if u.workers[0].model == nil {
		arena := nd.NewArena()
		u.loss(u.model, inArena(arena, batch), nil)
		arena.Release()
	}
	for i, w := range u.workers {
		switch {
		case i == 0:
			w.model = u.model
		case w.model == nil:
			w.model = u.model.Replica()
		default:
			w.copyStatistics(u.model)
		}
	}
}

// gradients returns the gradients of a worker's batch.
func (u *Parallel[B]) gradients(w *worker, batch B, first bool, c *comm.Communicator, r *report.Reporter) *optim.Gradients {
	m := w.model.Watch(w.tape, nn.WatchOptions{Rand: w.rng, Compute: u.o.Compute, Comm: c})
	if !first {
		return optim.GradientsOf(m, u.loss(m, batch, nil))
	}
	loss := u.loss(m, batch, r.Sub("main"))
	if u.o.OnLoss != nil {
		u.o.OnLoss(loss)
	}
	return optim.GradientsOf(m, loss)
}

// Iteration returns the number of updates.
func (u *Parallel[B]) Iteration() int { return u.iteration }

// Position returns the position of the batches.
func (u *Parallel[B]) Position() data.Position { return u.batches.Position() }

// Archive saves or restores the batches' position, the optimizer, the model, and the streams, under Chainer's names.
func (u *Parallel[B]) Archive(a *archive.Archive) {
	a.Object("iterator:main", u.batches)
	a.Object("optimizer:main", u.optimizer.ChainerOf(u.model))
	a.Object("model:main", u.model)
	a.Int("iteration", &u.iteration)
	for i, w := range u.workers {
		if w.rng != nil {
			a.Object(fmt.Sprint("rng/", i), archive.Stream(w.rng))
		}
	}
}

// Close closes the batches.
func (u *Parallel[B]) Close() error { return u.batches.Close() }
