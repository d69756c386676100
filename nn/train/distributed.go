package train

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

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

// Distributed is the update of one model by several processes, or ranks, each of which has a copy of the model, and in it
// by several goroutines, each with its own batch. The gradient of an update is the mean of the gradients of all batches,
// added in the order of the ranks and of their goroutines. So n ranks with m goroutines end with the same bytes as one
// rank with n·m goroutines, or as [Parallel].
//
// All ranks run the same program: the same model, optimizer, extensions, streams and seeds. Their batches come from one
// stream, which the sampler deals:
//
//	data.SamplerOptions{Rank: c.Rank(), Size: c.Size(), Shuffle: nd.NewRand(1)}
//
// Gradients are sent in buckets while the backward pass continues. Reported values are means over all batches of the
// update. Extensions run on all ranks; those that write files or print do so on rank 0 alone, and an [Evaluator] joins the
// results of all ranks. A [Snapshot] has the whole training. All ranks load it, also as many as there were goroutines
// before, or any other number that makes the same number of batches per update.
//
// If an update fails on one rank, its Trainer makes the others fail with an error that names the rank.
type Distributed[B any] struct {
	cluster
	batches   data.Batches[B]
	model     *nn.Scope
	optimizer *optim.Optimizer
	loss      LossFunc[B]
	o         DistributedOptions

	workers   []*worker
	streams   []*nd.Rand // of all goroutines of all ranks; nil without a stream
	params    []*nn.Param
	buckets   *buckets
	learning  bool  // this is the first update
	learned   []int // the order in which its backward pass ends the gradients of the first goroutine
	shards    *shards
	iteration int

	exchanged, hidden time.Duration // in all updates
}

// DistributedOptions are the options of [NewDistributed].
type DistributedOptions struct {
	UpdaterOptions
	// Goroutines is the number of goroutines of each rank, each of which reads one of the rank's next batches: give the
	// sampler the same number. 0 is 1. Each goroutine's gradients are sent, so that more ranks with fewer goroutines send
	// less per rank.
	Goroutines int
	// BucketBytes is the size of the buckets in which gradients are sent. 0 is a quarter of all gradients, but at least
	// 256 KiB and at most 25 MB.
	BucketBytes int
	// Fast leaves the order of the sums to the engine, and adds the gradients of a rank's goroutines before it sends them.
	// Results may then depend on the number of ranks, and on the engine.
	Fast bool
	// Sharded divides the optimizer's states among the ranks: each rank updates some of the parameters, and sends them to
	// all others. So an optimizer like Adam needs 1/n of the memory on each of n ranks. The results are the same.
	Sharded bool
}

// NewDistributed returns the update of a model by the ranks of a communicator, which all make one. It uses groups of c,
// and closes them.
// Chainer: create_multi_node_optimizer.
func NewDistributed[B any](c *comm.Communicator, batches data.Batches[B], model *nn.Scope, optimizer *optim.Optimizer, loss LossFunc[B],
	opts ...DistributedOptions) *Distributed[B] {
	const fn nd.Func = "train.NewDistributed"
	if c == nil || batches == nil || model == nil || optimizer == nil || loss == nil {
		panic(fn.Errorf(nil, "want a communicator, batches, a model, an optimizer and a loss function"))
	}
	u := &Distributed[B]{batches: batches, model: model, optimizer: optimizer, loss: loss, o: options.Read(fn, opts)}
	u.world = c
	if u.o.Goroutines < 0 || u.o.BucketBytes < 0 {
		panic(fn.Errorf(nil, "%d goroutines, buckets of %d bytes: want no negative number", u.o.Goroutines, u.o.BucketBytes))
	}
	u.o.Goroutines = max(u.o.Goroutines, 1)
	if u.o.Rand != nil {
		for range c.Size() * u.o.Goroutines {
			u.streams = append(u.streams, u.o.Rand.Split())
		}
	}
	for i := range u.o.Goroutines {
		w := &worker{tape: grad.NewTape()}
		if u.streams != nil {
			w.rng = u.streams[c.Rank()*u.o.Goroutines+i]
		}
		u.workers = append(u.workers, w)
	}
	return u
}

// Update makes one update. The reports of the loss functions get the prefix "main/".
func (u *Distributed[B]) Update(r *report.Reporter) error {
	err := guarded(func() error { return u.update(r) })
	if _, agreed := err.(agreedError); err != nil && err != io.EOF && !agreed {
		u.abort(err)
	}
	return err
}

func (u *Distributed[B]) update(r *report.Reporter) error {
	if err := u.connect(u.o.Goroutines); err != nil {
		return err
	}
	batches, total, err := u.next()
	if err != nil {
		return err
	}
	if err := u.replicate(batches); err != nil {
		return err
	}
	workers := u.workers[:len(batches)]
	defer func() {
		for _, w := range workers {
			w.tape.Reset()
		}
	}()
	seen, err := u.differentiate(workers, batches, total)
	if err != nil {
		return err
	}
	if err := u.observe(r, seen); err != nil {
		return err
	}
	sums := map[string]*nd.Array{}
	for i, g := range u.buckets.sums() {
		if g != nil {
			sums[u.params[i].Path()] = g
		}
	}
	if err := u.move(sums, total); err != nil {
		return err
	}
	u.iteration++
	return u.learn()
}

// next reads a batch for each goroutine, or fewer at the end. It returns the number of batches of all ranks too.
func (u *Distributed[B]) next() (batches []B, total int, err error) {
	for range u.workers {
		var b B
		if b, err = u.batches.Next(); err != nil {
			break
		}
		batches = append(batches, b)
	}
	ended := err == io.EOF
	if ended {
		err = nil
	}
	all, failed := u.exchange(status{len(batches), err != nil, u.run != nil && u.run.Err() != nil})
	if failed != nil {
		return nil, 0, failed
	}
	u.note(all)
	if err := u.agreed(all, err); err != nil {
		return nil, 0, err
	}
	for r, s := range all {
		if total < r*u.o.Goroutines && s.batches > 0 {
			return nil, 0, agreedError{fmt.Errorf("rank %d has a batch, and a rank before it has none: give data.SamplerOptions the rank, the number of ranks and of goroutines", r)}
		}
		total += s.batches
	}
	if total == 0 {
		return nil, 0, io.EOF
	}
	if u.params == nil && total <= (u.world.Size()-1)*u.o.Goroutines {
		return nil, 0, agreedError{fmt.Errorf("%d batches for %d ranks of %d goroutines in the first update: want one for each rank", total, u.world.Size(), u.o.Goroutines)}
	}
	return batches, total, nil
}

// differentiate computes the gradients of the workers' batches, and exchanges them meanwhile. It returns what the loss
// functions reported.
func (u *Distributed[B]) differentiate(workers []*worker, batches []B, total int) ([]report.Values, error) {
	comms, err := u.parts.first(total)
	if err != nil {
		return nil, err
	}
	ctx, fail := context.WithCancelCause(context.Background())
	defer fail(nil)
	u.buckets.begin(len(workers))
	var running, backward sync.WaitGroup
	var exchanged error
	running.Go(func() {
		if exchanged = u.buckets.exchange(ctx, u.o.Fast); exchanged != nil && context.Cause(ctx) == nil {
			u.abort(exchanged)
		}
	})
	seen, errs := make([]report.Values, len(workers)), make([]error, len(workers))
	for i, w := range workers {
		backward.Go(func() {
			errs[i] = guarded(func() error {
				u.gradients(w, batches[i], i, comms[i], report.New(&seen[i]).Sub("main"))
				return nil
			})
			if errs[i] != nil {
				fail(errs[i])
				u.abort(errs[i])
			}
		})
	}
	backward.Wait()
	computed := time.Now()
	running.Wait()
	if i := firstFault(errs); i >= 0 {
		return nil, fmt.Errorf("goroutine %d: %w", i, errs[i])
	}
	for _, s := range u.buckets.sent {
		u.exchanged += s.end.Sub(s.begin)
		if s.begin.Before(computed) {
			u.hidden += min(computed.Sub(s.begin), s.end.Sub(s.begin))
		}
	}
	return seen, exchanged
}

// gradients computes the gradients of a worker's batch, and puts each into its bucket.
func (u *Distributed[B]) gradients(w *worker, batch B, goroutine int, c *comm.Communicator, r *report.Reporter) {
	m := w.model.Watch(w.tape, nn.WatchOptions{Rand: w.rng, Compute: u.o.Compute, Comm: c})
	loss := u.loss(m, batch, r)
	first := goroutine == 0
	if first && u.o.OnLoss != nil {
		u.o.OnLoss(loss)
	}
	left := make([]bool, len(u.params)) // the gradients that the pass does not tell
	of := map[*nd.Array]int{}
	for i, p := range u.params {
		left[i] = true
		if x := m.Watched(p); x != nil {
			of[x] = i
		}
	}
	given := w.tape.Hook
	defer func() { w.tape.Hook = given }()
	w.tape.Hook = grad.Hooks(given, grad.Hook{OnFinal: func(x, g *nd.Array) {
		i, ours := of[x]
		if !ours {
			return
		}
		left[i] = false
		u.buckets.put(goroutine, i, g)
		if first && u.learning {
			u.learned = append(u.learned, i)
		}
	}})
	optim.GradientsOf(m, loss)
	for i, missing := range left {
		if missing {
			u.buckets.put(goroutine, i, nil)
		}
	}
}

// Iteration returns the number of updates.
func (u *Distributed[B]) Iteration() int { return u.iteration }

// ExchangeTime returns how long the gradients of this process were exchanged with those of other processes, in all updates,
// and how much of this time had passed when its backward passes ended. The rest of it prolongs the updates.
func (u *Distributed[B]) ExchangeTime() (total, hidden time.Duration) { return u.exchanged, u.hidden }

// Position returns the position of the batches.
func (u *Distributed[B]) Position() data.Position { return u.batches.Position() }

// Archive saves or restores the batches' position, the optimizer, the model, and the streams of all ranks, under the
// names of [Parallel]. To save it without a [Snapshot], call it between [Distributed.Gather] and the next update.
func (u *Distributed[B]) Archive(a *archive.Archive) {
	a.Object("iterator:main", u.batches)
	a.Object("optimizer:main", u.optimizer.ChainerOf(u.model))
	a.Object("model:main", u.model)
	a.Int("iteration", &u.iteration)
	for i, rng := range u.streams {
		a.Object(fmt.Sprint("rng/", i), archive.Stream(rng))
	}
}

// Close closes the batches, and the groups.
func (u *Distributed[B]) Close() error {
	u.buckets.free()
	u.buckets = nil
	if err := u.cluster.close(); err != nil {
		u.batches.Close()
		return err
	}
	return u.batches.Close()
}
