package main

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// bptt is an updater by truncated backpropagation through time: gradients flow through one piece of the text, and the
// memory of the network continues to the next piece. It is a train.Updater.
type bptt struct {
	text      *columns
	model     rnn
	params    *nn.Scope
	optimizer *optim.Optimizer
	clip      float64
	rand      *nd.Rand // for dropout

	tape       *grad.Tape
	remembered memory
	updates    int
}

// Update learns from the next piece. As in Chainer's example, its loss is the sum over the words of a piece, each
// averaged over the columns. The reported loss is the loss per word.
func (b *bptt) Update(r *report.Reporter) error {
	p, err := b.text.Next()
	if err != nil {
		return err
	}
	defer b.tape.Reset()
	m := b.params.Watch(b.tape, nn.WatchOptions{Rand: b.rand})
	loss := b.model.loss(m, piece{b.tape.Arena().Own(p.words), b.tape.Arena().Own(p.next)}, &b.remembered)
	r.Sub("main").Report("loss", loss)
	g := optim.GradientsOf(m, ops.Multiply(loss, float64(p.words.Dim(0))))
	g.ClipByGlobalNorm(b.clip)
	b.optimizer.Update(g)
	b.remembered.carry(b.tape)
	b.updates++
	return nil
}

// Iteration returns the number of updates.
func (b *bptt) Iteration() int { return b.updates }

// Position returns the position in the text.
func (b *bptt) Position() data.Position { return b.text.Position() }

// Archive saves or restores all state that an update changes.
func (b *bptt) Archive(a *archive.Archive) {
	a.Object("iterator:main", b.text)
	a.Object("optimizer:main", b.optimizer.Of(b.params))
	a.Object("model:main", b.params)
	a.Int("iteration", &b.updates)
	a.Object("rng", archive.Stream(b.rand))
	for i := range b.remembered {
		a.Object(fmt.Sprint("memory:", i), &b.remembered[i])
	}
}

// Close closes the reader.
func (b *bptt) Close() error { return b.text.Close() }
