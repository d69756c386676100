package train

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/ndgrad/ndgrad/nn/comm"
)

// parts are the communicators of all replicas of a training, one for each goroutine of this process. Layers such as
// nn.SyncBatchNormalization use them.
type parts struct {
	all  []*comm.Communicator
	some map[int][]*comm.Communicator // of the first replicas, by their number; nil for those that are not among them
}

// first returns the communicators of the first n replicas of all processes. All processes call it.
func (p *parts) first(n int) ([]*comm.Communicator, error) {
	if n == p.all[0].Size() {
		return p.all, nil
	}
	if known := p.some[n]; known != nil {
		return known, nil
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i
	}
	groups, errs := make([]*comm.Communicator, len(p.all)), make([]error, len(p.all))
	var running sync.WaitGroup
	for i, c := range p.all {
		running.Go(func() { groups[i], errs[i] = c.NewGroup(context.Background(), fmt.Sprint("first ", n), ranks) })
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if p.some == nil {
		p.some = map[int][]*comm.Communicator{}
	}
	p.some[n] = groups
	return groups, nil
}

// abort makes calls of all replicas return errors.
func (p *parts) abort(err error) {
	for _, c := range p.all {
		c.Abort(err)
	}
}

// firstFault returns the index of the first error that is not the consequence of another one, or -1 if there is none.
func firstFault(errs []error) int {
	first := -1
	for i, err := range errs {
		if err == nil {
			continue
		}
		if !errors.As(err, new(*comm.RankError)) {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}
