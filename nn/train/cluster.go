package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/report"
)

// cluster is the connection of an updater to those of other processes.
type cluster struct {
	world    *comm.Communicator // the user's
	control  *comm.Communicator // a group of all ranks, for everything but gradients
	sums     *comm.Communicator // a group of all ranks, for gradients
	replicas *comm.Communicator // a group of all ranks, which is split into parts
	parts    parts
	all      []*nd.Array // the statuses of all ranks

	run     context.Context // that of Trainer.Run; nil before
	stopped error           // why the training ends after this update, on all ranks
}

// agreedError is an error that all ranks return from the same call.
type agreedError struct{ error }

func (e agreedError) Unwrap() error { return e.error }

// connect makes the groups.
func (k *cluster) connect(goroutines int) error {
	if k.control != nil {
		return nil
	}
	ctx := context.Background()
	var ranks []int
	for r := range k.world.Size() {
		ranks = append(ranks, r)
	}
	number := 0 // of the updaters that use this communicator
	for k.world.Group(fmt.Sprintf("train/%d/control", number)) != nil {
		number++
	}
	for _, g := range []struct {
		name string
		to   **comm.Communicator
	}{{"control", &k.control}, {"gradients", &k.sums}, {"replicas", &k.replicas}} {
		c, err := k.world.NewGroup(ctx, fmt.Sprintf("train/%d/%s", number, g.name), ranks)
		if err != nil {
			k.control = nil
			return err
		}
		*g.to = c
	}
	var err error
	k.parts.all, err = k.replicas.Split(ctx, goroutines)
	return err
}

// status is what a rank tells the others before an update.
type status struct {
	batches     int  // that it has for this update
	failed      bool // it could not read them
	interrupted bool // the context of its Run has ended
}

// exchange tells all ranks the status of all.
func (k *cluster) exchange(s status) ([]status, error) {
	if k.all == nil {
		for range k.world.Size() {
			k.all = append(k.all, nd.Zeros([]int{3}, dtype.Int64))
		}
	}
	own := nd.FromSlice([]int64{int64(s.batches), oneIf(s.failed), oneIf(s.interrupted)})
	defer own.Release()
	if err := k.control.AllGather(context.Background(), own, k.all); err != nil {
		return nil, err
	}
	all := make([]status, len(k.all))
	for r, x := range k.all {
		v := nd.ToSlice[int64](x)
		all[r] = status{int(v[0]), v[1] != 0, v[2] != 0}
	}
	return all, nil
}

func oneIf(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// agree returns the error of the first rank that has one, on all ranks.
func (k *cluster) agree(mine error) error {
	all, err := k.exchange(status{failed: mine != nil})
	if err != nil {
		return errors.Join(mine, err)
	}
	return k.agreed(all, mine)
}

// agreed is agree after the exchange of statuses.
func (k *cluster) agreed(all []status, mine error) error {
	for r, s := range all {
		if !s.failed {
			continue
		}
		var text []byte
		if mine != nil {
			text = []byte(mine.Error())
		}
		texts, err := k.control.AllGatherBytes(context.Background(), text)
		if err != nil {
			return errors.Join(mine, err)
		}
		if r == k.world.Rank() {
			return agreedError{fmt.Errorf("rank %d: %w", r, mine)}
		}
		return agreedError{fmt.Errorf("rank %d: %s", r, texts[r])}
	}
	return nil
}

// collective is an updater of several processes, such as Distributed, as the trainer and its extensions use it.
type collective interface {
	begin(ctx context.Context)
	interrupted() error
	abort(err error)
	rank() int
	onFirst(f func() error) error
	gatherValues(mine []report.Values) ([][]report.Values, error)
	shareStatistics() error
	Gather() error
}

// interrupted returns the error with which a training ends, on all ranks after the same update.
func (k *cluster) interrupted() error { return k.stopped }

// note notes which ranks were interrupted.
func (k *cluster) note(all []status) {
	for r, s := range all {
		switch {
		case !s.interrupted || k.stopped != nil:
		case k.run != nil && k.run.Err() != nil:
			k.stopped = agreedError{k.run.Err()}
		default:
			k.stopped = agreedError{fmt.Errorf("rank %d was interrupted: %w", r, context.Canceled)}
		}
	}
}

// begin notes the context of Trainer.Run.
func (k *cluster) begin(ctx context.Context) { k.run = ctx }

// abort makes the calls of other ranks return an error that names this rank.
func (k *cluster) abort(err error) { k.world.Abort(err) }

// rank returns the number of this process.
func (k *cluster) rank() int { return k.world.Rank() }

// onFirst calls f on rank 0, and returns its error on all ranks.
func (k *cluster) onFirst(f func() error) error {
	var err error
	if k.rank() == 0 {
		err = guarded(f)
	}
	return k.agree(err)
}

// close closes the groups.
func (k *cluster) close() error {
	var err error
	for _, c := range []*comm.Communicator{k.control, k.sums, k.replicas} {
		if c != nil {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}
