package main

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const (
	columns = 32 // of the text, read side by side
	span    = 48 // characters through which gradients flow back
	rate    = 2e-3
	maxNorm = 5
)

// training is one set of parameters and the workers that train them, each on a group of columns. Processes share the
// workers: each has all of them, and runs its own.
type training struct {
	c       *comm.Communicator
	net     model
	letters int
	params  *nn.Scope
	opt     *optim.Optimizer
	workers []*worker
	updates int
	loss    float64 // of the updates since the last call of meanLoss
	losses  int     // number of these updates
}

// worker trains on its columns of the text, with its own state, tape and random numbers.
type worker struct {
	text  *nd.Array
	at    int // position in the columns
	scope *nn.Scope
	st    nn.State
	rng   *nd.Rand
	tape  *grad.Tape

	grads *optim.Gradients // of the last piece
	loss  float64
}

func newTraining(c *comm.Communicator, net model, train *nd.Array, letters, parts int, seed uint64) *training {
	rng := nd.NewRand(seed)
	t := &training{c: c, net: net, letters: letters, params: nn.NewScope(nn.ScopeOptions{Device: train.Device(), Rand: rng.Split()}), opt: optim.NewAdam()}
	net(t.params, train.Index(nd.Span(0, 1)), letters, new(nn.State)) // creates the parameters, which workers share
	width := columns / parts
	for i := range parts {
		t.workers = append(t.workers, &worker{
			text:  train.Index(nd.All(), nd.Span(i*width, (i+1)*width)),
			scope: t.params.Replica(),
			rng:   rng.Split(),
			tape:  grad.NewTape(),
		})
	}
	return t
}

// of returns the workers of a process.
func (t *training) of(rank int) []*worker {
	n := len(t.workers) / t.c.Size()
	return t.workers[rank*n : (rank+1)*n]
}

// update trains with the next piece of every column. Each worker computes the gradients of its columns; their mean over all
// processes, which does not depend on the order of the workers, updates the parameters.
func (t *training) update(ctx context.Context, learningRate float64) error {
	mine := t.of(t.c.Rank())
	var wait sync.WaitGroup
	for _, w := range mine {
		wait.Go(func() { w.step(t.net, t.letters) })
	}
	wait.Wait()
	var grads []*optim.Gradients
	losses := make([]float64, 0, len(mine))
	for _, w := range mine {
		grads, losses = append(grads, w.grads), append(losses, w.loss)
	}
	all := make([]*nd.Array, t.c.Size())
	for r := range all {
		all[r] = nd.Zeros([]int{len(mine)})
	}
	if err := t.c.AllGather(ctx, nd.FromSlice(losses), all); err != nil {
		return err
	}
	for _, some := range all {
		for _, l := range nd.ToSlice[float64](some) {
			t.loss += l / float64(len(t.workers))
		}
	}
	g, err := optim.MeanOver(ctx, t.c, grads...)
	if err != nil {
		return err
	}
	g.ClipByGlobalNorm(maxNorm)
	t.opt.SetLearningRate(learningRate)
	t.opt.Update(g)
	for _, w := range mine {
		w.tape.Reset()
	}
	t.updates++
	t.losses++
	return nil
}

// meanLoss returns the mean loss of the updates since the last call.
func (t *training) meanLoss() float64 {
	mean := t.loss / float64(max(t.losses, 1))
	t.loss, t.losses = 0, 0
	return mean
}

// step computes the gradients of the next piece.
func (w *worker) step(net model, letters int) {
	s := w.scope.Watch(w.tape, nn.WatchOptions{Rand: w.rng})
	loss := lossOf(net, s, w.next(), letters, &w.st)
	w.grads, w.loss = optim.GradientsOf(s, loss), loss.Float()
	w.st.Carry(w.tape)
}

// next returns the next piece of the columns and the character after it. At the end of the columns it starts again at
// their beginning, with an empty state.
func (w *worker) next() *nd.Array {
	if w.at+span+1 > w.text.Dim(0) {
		w.at = 0
		w.st.Reset()
	}
	w.at += span
	return w.tape.Arena().Own(w.text.Index(nd.Span(w.at-span, w.at+1)))
}

// lossOf returns the mean cross entropy of the following characters, in nats per character.
func lossOf(net model, s *nn.Scope, chars *nd.Array, letters int, st *nn.State) *nd.Array {
	scores := net(s, chars.Index(nd.Until(-1)), letters, st)
	return ops.Mean(loss.SoftmaxCrossEntropy(scores, chars.Index(nd.From(1)), ops.Over(2)))
}

// bits returns the bits per character that the model needs for the beginnings of a text's columns.
func (t *training) bits(test *nd.Array) float64 {
	var st nn.State
	total := 0.0
	pieces := min(10, (test.Dim(0)-1)/span)
	for k := range pieces {
		arena := nd.NewArena()
		piece := arena.Adopt(test.Index(nd.Span(k*span, (k+1)*span+1)))
		total += lossOf(t.net, t.params, piece, t.letters, &st).Float()
		st.Carry(arena)
		arena.Release()
	}
	return total / float64(pieces) / math.Ln2
}

// Archive names all state: one method saves and restores it.
func (t *training) Archive(a *archive.Archive) {
	a.Object("params", t.params)
	a.Object("optimizer", t.opt.Of(t.params))
	a.Int("updates", &t.updates)
	a.Float("loss", &t.loss)
	a.Int("losses", &t.losses)
	for i, w := range t.workers {
		a.Object(fmt.Sprint("worker", i), w)
	}
}

// Archive names the state of a worker.
func (w *worker) Archive(a *archive.Archive) {
	a.Int("at", &w.at)
	a.Object("rng", archive.Stream(w.rng))
	a.Object("state", &w.st)
}
