package comm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
)

// hub is where the goroutines of one process meet. In each collective call, the last of them moves the data of all. If
// outer connects several processes, it also exchanges data with the hubs there.
type hub struct {
	outer   Engine  // connects the processes; nil if there is one
	owned   bool    // outer is the hub's own
	process int     // the number of this process in outer
	ranks   [][]int // the ranks in each process
	memory  Engine  // makes arrays; nil for arrays of a device
	device  nd.ArrayOptions
	size    int
	scratch scratch // what outer sends and receives, used by the last goroutine of a call

	memoryLock sync.Mutex // held while memory makes or frees an array

	lock    sync.Mutex
	open    int                    // goroutines of this process that have not closed
	now     *meeting               // the call that not all goroutines have made yet
	changed chan struct{}          // closed, and replaced, when a goroutine has ended or a message has arrived
	ended   map[int]error          // by rank: why it has ended
	first   *RankError             // the first that has ended, of which the others are told
	mail    map[[2]int][]*nd.Array // messages, by sender and receiver
}

// meeting is one collective call of all goroutines.
type meeting struct {
	calls   []meetingCall // by the goroutine's number in the process
	arrived int
	done    chan struct{} // closed when err is set
	err     error
}

// meetingCall has the arguments of one goroutine.
type meetingCall struct {
	x, y         *nd.Array
	counts, more []int           // those of x or of all, and those of y
	group        func(*hub, int) // receives the group's hub, and the goroutine's number there
}

func newHub(outer Engine, ranks [][]int) *hub {
	h := &hub{outer: outer, ranks: ranks, changed: make(chan struct{}), ended: map[int]error{}, mail: map[[2]int][]*nd.Array{}}
	for _, r := range ranks {
		h.size += len(r)
	}
	if outer != nil {
		h.process = outer.Rank()
	}
	h.open = len(h.here())
	h.scratch.engine = &local{h, 0}
	return h
}

// close notes that a rank makes no further calls. The last one of the process frees what the hub has.
func (h *hub) close(rank int) error {
	h.lock.Lock()
	h.endLocked(rank, errClosed)
	h.open--
	last := h.open == 0
	h.lock.Unlock()
	if !last {
		return nil
	}
	h.scratch.free()
	if h.owned {
		return h.outer.Close()
	}
	return nil
}

// here returns the ranks of this process.
func (h *hub) here() []int { return h.ranks[h.process] }

// meet makes a call by goroutine i. run moves the data of all goroutines of the process.
func (h *hub) meet(ctx context.Context, i int, call meetingCall, run func([]meetingCall) error) error {
	h.lock.Lock()
	if err := h.unable(ctx, i); err != nil {
		h.lock.Unlock()
		return err
	}
	m := h.now
	if m == nil {
		m = &meeting{calls: make([]meetingCall, len(h.here())), done: make(chan struct{})}
		h.now = m
	}
	m.calls[i] = call
	m.arrived++
	last := m.arrived == len(m.calls)
	if last {
		h.now = nil
	}
	h.lock.Unlock()
	if last {
		m.run(run)
		return m.err
	}
	return h.wait(ctx, i, m)
}

// run moves the data, and tells the others.
func (m *meeting) run(f func([]meetingCall) error) {
	defer close(m.done)
	m.err = errors.New("the call panicked on another rank")
	m.err = f(m.calls)
}

// wait waits for the end of a call. Once all goroutines have made it, it ends soon, and its arrays are in use until then.
func (h *hub) wait(ctx context.Context, i int, m *meeting) error {
	for {
		h.lock.Lock()
		changed := h.changed
		var err error
		if h.now == m {
			err = h.unable(ctx, i)
		}
		h.lock.Unlock()
		if err != nil {
			return err
		}
		select {
		case <-m.done:
			return m.err
		case <-changed:
		case <-ctx.Done():
			h.lock.Lock()
			complete := h.now != m
			h.lock.Unlock()
			if complete {
				<-m.done
				return m.err
			}
		}
	}
}

// unable returns an error if goroutine i cannot make a call, or go on waiting for others, because its context or another rank has
// ended. The caller holds the lock.
func (h *hub) unable(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		h.endLocked(h.here()[i], err)
		return err
	}
	if h.first != nil {
		return h.first
	}
	return nil
}

// end notes that a rank makes no further calls.
func (h *hub) end(rank int, why error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.endLocked(rank, why)
}

func (h *hub) endLocked(rank int, why error) {
	if h.ended[rank] == nil {
		h.ended[rank] = why
		if h.first == nil {
			h.first = &RankError{Rank: rank, Err: why}
		}
		h.wake()
	}
}

// wake makes waiting goroutines look again. The caller holds the lock.
func (h *hub) wake() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// send puts a message into the receiver's mail.
func (h *hub) send(ctx context.Context, x *nd.Array, from, to int) error {
	if err := h.reachable(to); err != nil {
		return err
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	if err := ctx.Err(); err != nil {
		h.endLocked(from, err)
		return err
	}
	if why := h.ended[to]; why != nil {
		return &RankError{Rank: to, Err: why}
	}
	key := [2]int{from, to}
	h.mail[key] = append(h.mail[key], x.Copy())
	h.wake()
	return nil
}

// receive waits for a message.
func (h *hub) receive(ctx context.Context, x *nd.Array, from, to int) error {
	if err := h.reachable(from); err != nil {
		return err
	}
	key := [2]int{from, to}
	for {
		h.lock.Lock()
		changed := h.changed
		if waiting := h.mail[key]; len(waiting) > 0 {
			h.mail[key] = waiting[1:]
			h.lock.Unlock()
			defer waiting[0].Release()
			if waiting[0].DType() != x.DType() || waiting[0].Size() != x.Size() {
				return fmt.Errorf("rank %d sent %d elements of %s, and this rank receives %d of %s", from, waiting[0].Size(), waiting[0].DType(), x.Size(), x.DType())
			}
			x.Assign(waiting[0])
			return nil
		}
		err := ctx.Err()
		if err != nil {
			h.endLocked(to, err)
		} else if why := h.ended[from]; why != nil {
			err = &RankError{Rank: from, Err: why}
		}
		h.lock.Unlock()
		if err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// reachable refuses messages to other processes.
func (h *hub) reachable(rank int) error {
	if slices.Contains(h.here(), rank) {
		return nil
	}
	return fmt.Errorf("rank %d is in another process: the ranks of Split send messages within their process only; use the communicator that was split", rank)
}
