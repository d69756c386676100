package train

import (
	"context"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// How the parameters of a model become, and stay, the same on all ranks.

// replicate makes the replicas and the buckets. Before the first update it calls the loss once as in an evaluation, so
// that all parameters exist, and gives all ranks the parameters of rank 0. Later it gives the statistics of rank 0 to all
// replicas.
func (u *Distributed[B]) replicate(batches []B) error {
	if u.params == nil {
		arena := nd.NewArena()
		u.loss(u.model, inArena(arena, batches[0]), nil)
		arena.Release()
		u.learning = true
	}
	if err := u.share(func(p *nn.Param) bool { return u.params == nil || !p.NeedGrad() }); err != nil {
		return err
	}
	var trained []*nn.Param
	for _, p := range u.model.Trained() {
		trained = append(trained, p)
	}
	for i, w := range u.workers {
		switch {
		case i == 0:
			w.model = u.model
		case w.model == nil || !slices.Equal(trained, u.params):
			w.model = u.model.Replica()
		default:
			w.copyStatistics(u.model)
		}
	}
	if u.buckets == nil || !slices.Equal(trained, u.params) {
		u.params = trained
		order := make([]int, len(trained))
		for i := range order {
			order[i] = len(order) - 1 - i // layers were first used in the opposite order
		}
		u.makeBuckets(order)
	}
	return nil
}

// share gives all ranks the chosen parameters of rank 0.
func (u *Distributed[B]) share(chosen func(*nn.Param) bool) error {
	var values []*nd.Array
	for _, p := range u.model.All() {
		if chosen(p) {
			values = append(values, p.Value())
		}
	}
	if len(values) == 0 || u.world.Size() == 1 {
		return nil
	}
	return u.control.Bcast(context.Background(), values, 0)
}

// shareStatistics gives all ranks the statistics of rank 0, for an evaluation.
func (u *Distributed[B]) shareStatistics() error {
	if err := u.connect(u.o.Goroutines); err != nil {
		return err
	}
	return u.share(func(p *nn.Param) bool { return !p.NeedGrad() })
}

// copyStatistics gives a worker's replica the model's statistics.
func (w *worker) copyStatistics(model *nn.Scope) {
	for name, p := range w.model.All() {
		if own := model.Param(name); own != p {
			p.Value().Assign(own.Value())
		}
	}
}

// makeBuckets makes the buckets for parameters in the given order.
func (u *Distributed[B]) makeBuckets(order []int) {
	const least, most = 256 << 10, 25_000_000
	bytes := u.o.BucketBytes
	if bytes == 0 {
		for _, p := range u.params {
			bytes += p.Value().Bytes()
		}
		bytes = min(max(bytes/4, least), most)
	}
	u.buckets.free()
	u.buckets = newBuckets(u.sums, u.params, order, u.o.Goroutines, bytes)
	if u.o.Sharded {
		u.shards = newShards(u.control, u.params)
	}
}

// learn arranges the buckets, after the first update, in the order in which rank 0's backward pass ended the gradients.
func (u *Distributed[B]) learn() error {
	if !u.learning {
		return nil
	}
	order := u.learned
	u.learning, u.learned = false, nil
	u.sums.NoCheck = true // the first update has compared the buckets of all ranks
	seen := map[int]bool{}
	for _, i := range order {
		seen[i] = true
	}
	for i := range u.params {
		if !seen[i] {
			order = append(order, i)
		}
	}
	x := nd.FromSlice(order)
	if u.world.Size() > 1 {
		if err := u.control.Bcast(context.Background(), []*nd.Array{x}, 0); err != nil {
			return err
		}
	}
	u.makeBuckets(nd.ToSlice[int](x))
	return nil
}

// move updates the parameters by the mean of the gradients.
func (u *Distributed[B]) move(sums map[string]*nd.Array, total int) error {
	g := optim.NewGradients(u.model, sums)
	g.Scale(1 / float64(total))
	if u.o.Hook != nil {
		u.o.Hook(g)
	}
	if u.shards == nil {
		u.optimizer.Update(g)
		return nil
	}
	return u.shards.update(u.model, u.optimizer, g)
}
