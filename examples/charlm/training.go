package main

import (
	"fmt"
	"math"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const (
	columns = 32 // of the text, read side by side
	span    = 48 // characters through which gradients flow back
	parts   = 2  // groups of columns, each with its own goroutine
	rate    = 2e-3
	maxNorm = 5
)

// training is one set of parameters and the workers that train them.
type training struct {
	net     model
	letters int
	params  *nn.Scope
	opt     *optim.Optimizer
	workers [parts]*worker
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

func newTraining(net model, train *nd.Array, letters int, seed uint64) *training {
	rng := nd.NewRand(seed)
	t := &training{net: net, letters: letters, params: nn.NewScope(nn.ScopeOptions{Device: train.Device(), Rand: rng.Split()}), opt: optim.NewAdam()}
	net(t.params, train.Index(nd.Span(0, 1)), letters, new(nn.State)) // creates the parameters, which workers share
	const width = columns / parts
	for i := range t.workers {
		t.workers[i] = &worker{
			text:  train.Index(nd.All(), nd.Span(i*width, (i+1)*width)),
			scope: t.params.Replica(),
			rng:   rng.Split(),
			tape:  grad.NewTape(),
		}
	}
	return t
}

// update trains with the next piece of every column. Each worker computes the gradients of its columns; their mean,
// which does not depend on the order of the workers, updates the parameters.
func (t *training) update(learningRate float64) {
	var wait sync.WaitGroup
	for _, w := range t.workers {
		wait.Go(func() { w.step(t.net, t.letters) })
	}
	wait.Wait()
	var grads [parts]*optim.Gradients
	for i, w := range t.workers {
		grads[i] = w.grads
		t.loss += w.loss / parts
	}
	g := optim.Mean(grads[:]...)
	g.ClipByGlobalNorm(maxNorm)
	t.opt.SetLearningRate(learningRate)
	t.opt.Update(g)
	for _, w := range t.workers {
		w.tape.Reset()
	}
	t.updates++
	t.losses++
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
		part := a.Sub(fmt.Sprint("worker", i))
		part.Int("at", &w.at)
		part.Object("rng", archive.Stream(w.rng))
		part.Object("state", &w.st)
	}
}
