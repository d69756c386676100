package train

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// Updater makes the updates of a training. chainer.training.Updater.
type Updater interface {
	// Update makes one update, and reports what it finds. io.EOF itself says that there are no more batches.
	Update(r *report.Reporter) error
	// Iteration counts updates.
	Iteration() int
	// Position is how far the examples were read.
	Position() data.Position
	// Object saves and restores all that an update changes.
	archive.Object
	// Close ends what works in the background.
	Close() error
}

// LossFunc returns the loss of a batch, one number, and may report what it finds. m is a view of the model's parameters: of Watch
// in training, else a plain scope.
type LossFunc[B any] func(m *nn.Scope, batch B, r *report.Reporter) *nd.Array

// UpdaterOptions are the options of [NewUpdater].
type UpdaterOptions struct {
	// Hook changes the gradients before the optimizer uses them, by statements such as ClipByGlobalNorm, in their order. FillMissing as
	// the first of them has parameters that no gradient flows to go on with their momentum, as Chainer's do; without it they stay.
	Hook func(g *optim.Gradients)
	// Rand is the stream of Dropout and its like.
	Rand *nd.Rand
	// OnLoss sees every loss while its tape knows how it came about.
	OnLoss func(loss *nd.Array)
}

// Standard is the update of one model by one optimizer. chainer.training.StandardUpdater.
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

// Update makes one update. What the loss reports has "main/" before it.
func (u *Standard[B]) Update(r *report.Reporter) error {
	batch, err := u.batches.Next()
	if err != nil {
		return err
	}
	defer u.tape.Reset()
	m := u.model.Watch(u.tape, nn.WatchOptions{Rand: u.o.Rand})
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

// Iteration counts updates.
func (u *Standard[B]) Iteration() int { return u.iteration }

// Position is that of the batches.
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
