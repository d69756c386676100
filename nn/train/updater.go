package train

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Updater makes the updates of a training.
// Chainer: training.Updater.
type Updater interface {
	// Update makes one update, and reports values. It returns io.EOF itself if there are no more batches.
	Update(r *report.Reporter) error
	// Iteration returns the number of updates.
	Iteration() int
	// Position returns how far the examples were read.
	Position() data.Position
	// Object saves and restores everything that an update changes.
	archive.Object
	// Close ends background work.
	Close() error
}

// LossFunc returns the loss of a batch, one number, and may report values. m is a view of the model's parameters from
// Watch in training, otherwise a scope that evaluates.
type LossFunc[B any] func(m *nn.Scope, batch B, r *report.Reporter) *nd.Array

// UpdaterOptions are the options of [NewUpdater].
type UpdaterOptions struct {
	// Hook changes the gradients before the optimizer uses them, by statements such as ClipByGlobalNorm, in their
	// order. If FillMissing is the first, parameters that no gradient flows to continue with their momentum, like
	// Chainer's; otherwise they do not move.
	Hook func(g *optim.Gradients)
	// Rand is the stream for Dropout and similar layers.
	Rand *nd.Rand
	// OnLoss gets every loss while the tape still has its record.
	OnLoss func(loss *nd.Array)
	// Compute is the dtype in which layers compute, for mixed precision: see nn.WatchOptions. It is for bfloat16; float16
	// needs an updater of your own, with an optim.LossScaler.
	Compute dtype.DType
}

// Standard is the update of one model by one optimizer.
// Chainer: training.StandardUpdater.
type Standard[B any] struct {
	batches   data.Batches[B]
	model     *nn.Scope
	optimizer *optim.Optimizer
	loss      LossFunc[B]
	o         UpdaterOptions

	tape      *grad.Tape
	iteration int
}

// NewUpdater returns the update of a model on batches.
func NewUpdater[B any](batches data.Batches[B], model *nn.Scope, optimizer *optim.Optimizer, loss LossFunc[B], opts ...UpdaterOptions) *Standard[B] {
	const fn nd.Func = "train.NewUpdater"
	if batches == nil || model == nil || optimizer == nil || loss == nil {
		panic(fn.Errorf(nil, "want batches, a model, an optimizer and a loss function"))
	}
	return &Standard[B]{batches: batches, model: model, optimizer: optimizer, loss: loss, o: options.Read(fn, opts), tape: grad.NewTape()}
}

// Update makes one update. The reports of the loss function get the prefix "main/".
func (u *Standard[B]) Update(r *report.Reporter) error {
	batch, err := u.batches.Next()
	if err != nil {
		return err
	}
	defer u.tape.Reset()
	m := u.model.Watch(u.tape, nn.WatchOptions{Rand: u.o.Rand, Compute: u.o.Compute})
	loss := u.loss(m, batch, r.Sub("main"))
	if u.o.OnLoss != nil {
		u.o.OnLoss(loss)
	}
	g := optim.GradientsOf(m, loss)
	if u.o.Hook != nil {
		u.o.Hook(g)
	}
	u.optimizer.Update(g)
	u.iteration++
	return nil
}

// Iteration returns the number of updates.
func (u *Standard[B]) Iteration() int { return u.iteration }

// Position returns the position of the batches.
func (u *Standard[B]) Position() data.Position { return u.batches.Position() }

// Archive saves or restores the batches' position, the optimizer, the model, and the stream, under Chainer's names.
func (u *Standard[B]) Archive(a *archive.Archive) {
	a.Object("iterator:main", u.batches)
	a.Object("optimizer:main", u.optimizer.ChainerOf(u.model))
	a.Object("model:main", u.model)
	a.Int("iteration", &u.iteration)
	if u.o.Rand != nil {
		a.Object("rng", archive.Stream(u.o.Rand))
	}
}

// Close closes the batches.
func (u *Standard[B]) Close() error { return u.batches.Close() }
