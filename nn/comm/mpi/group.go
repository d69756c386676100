package mpi

import (
	"context"
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/nn/comm"
)

// Group splits the communicator. MPI_Comm_split blocks the thread, so all ranks meet before they call it.
func (e *engine) Group(ctx context.Context, name string, ranks []int) (comm.Engine, error) {
	if err := e.Barrier(ctx); err != nil {
		return nil, err
	}
	own := slices.Index(ranks, e.rank)
	g := &engine{thread: e.thread, memory: e.memory, device: e.device, name: name, world: e.world, rank: own, size: len(ranks)}
	l := e.thread.library
	err := e.do(ctx, e.operation("Group"), func(*operation, int) (bool, error) {
		color, key := uintptr(0), uintptr(own)
		if own < 0 {
			color, key = signed(undefined), 0
		}
		if err := l.call(commSplit, e.communicator, color, key, uintptr(unsafe.Pointer(&g.communicator))); err != nil || own < 0 {
			return false, err
		}
		return false, l.call(commSetErrhandler, g.communicator, l.errorsReturn)
	})
	if err != nil || own < 0 {
		return nil, err
	}
	for _, r := range ranks {
		g.worldRank = append(g.worldRank, e.worldRank[r])
		g.hosts = append(g.hosts, e.hosts[r])
	}
	g.localRank, g.near = count(g.hosts[:own], g.hosts[own]), count(g.hosts, g.hosts[own]) == g.size
	return g, g.shareGroup(ctx)
}

// signed returns a C int as an argument.
func signed(n int) uintptr { return uintptr(n) }

// count returns how many hosts have the given name.
func count(hosts []string, name string) int {
	n := 0
	for _, h := range hosts {
		if h == name {
			n++
		}
	}
	return n
}
