package comm

import (
	"context"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Options are the options of functions that move lists of arrays.
type Options struct {
	// InPlace exchanges each array by itself, which needs little memory beside large arrays. Otherwise arrays of the
	// same dtype are packed, some 32 MiB at a time, and exchanged together. The results are the same.
	InPlace bool
}

// Bcast copies the arrays of rank root to all other ranks, which receive them in xs.
// NNabla: bcast. Chainer: CommunicatorBase.bcast.
func (c *Communicator) Bcast(ctx context.Context, xs []*nd.Array, root int, opts ...Options) error {
	const fn nd.Func = "Communicator.Bcast"
	o := options.Read(fn, opts)
	c.checkRank(fn, root)
	checkArrays(fn, c.Rank() != root, xs...)
	mine := small{arrays: xs, take: func(rows []*nd.Array) error {
		if c.Rank() != root && len(xs) > 0 {
			each(rows[root], xs, func(v, x *nd.Array) { empty(x, v) })
		}
		return nil
	}}
	return c.call(ctx, fn, call{number: root, arrays: xs, small: mine}, func() error {
		return c.packed(xs, o.InPlace, func(flat *nd.Array) (bool, error) {
			return c.Rank() != root, c.engine.Bcast(ctx, flat, root)
		})
	})
}

// AllGather copies x of each rank to all ranks: ys[i] receives that of rank i. Ranks may have x of different shapes, of
// one dtype: ys[i] has the shape of x of rank i, on all ranks. ys[Rank()] may be x itself.
// NNabla: all_gather. Chainer: CommunicatorBase.allgather.
func (c *Communicator) AllGather(ctx context.Context, x *nd.Array, ys []*nd.Array) error {
	const fn nd.Func = "Communicator.AllGather"
	checkArrays(fn, false, x)
	checkArrays(fn, true, ys...)
	if len(ys) != c.Size() {
		panic(fn.Errorf([]*nd.Array{x}, "%d results: want one for each of %d ranks", len(ys), c.Size()))
	}
	counts := make([]int, len(ys))
	for i, y := range ys {
		if y.DType() != x.DType() || i == c.Rank() && !broadcast.Equal(y.Layout().Shape, x.Layout().Shape) {
			panic(fn.Errorf([]*nd.Array{x, y}, "result %d: want the dtype of x, and for this rank its shape", i))
		}
		counts[i] = y.Size()
	}
	mine := small{arrays: []*nd.Array{x}, counts: counts, take: func(rows []*nd.Array) error {
		for r, y := range ys {
			if y != x {
				empty(y, rows[r])
			}
		}
		return nil
	}}
	return c.call(ctx, fn, call{arrays: ys, small: mine}, func() error {
		all := c.scratch.take(x.DType(), total(counts))
		defer c.scratch.give(all)
		own := part(all, offset(counts, c.Rank()), x.Size())
		defer own.Release()
		fill(own, x)
		if err := c.engine.AllGather(ctx, own, all, counts); err != nil {
			return err
		}
		each(all, ys, func(v, y *nd.Array) {
			if y != x {
				empty(y, v)
			}
		})
		return nil
	})
}

// AllGatherBytes returns the bytes of every rank. Their lengths may differ.
// Chainer: CommunicatorBase.allgather_obj.
func (c *Communicator) AllGatherBytes(ctx context.Context, mine []byte) ([][]byte, error) {
	const fn nd.Func = "Communicator.AllGatherBytes"
	var all [][]byte
	if mine == nil {
		mine = []byte{}
	}
	err := c.call(ctx, fn, call{small: small{bytes: mine}}, func() error {
		var counts []int
		if c.quick != nil {
			if counts = c.quick.lengths(); slices.Max(counts) <= smallBytes {
				all = c.quick.texts(counts)
				return nil
			}
		} else {
			lengths, err := c.allInts(ctx, int64(len(mine)))
			if err != nil {
				return err
			}
			for _, n := range lengths {
				counts = append(counts, int(n))
			}
		}
		var err error
		all, err = c.allBytes(ctx, mine, counts)
		return err
	})
	return all, err
}

// Barrier returns after all ranks have called it.
// NNabla: barrier.
func (c *Communicator) Barrier(ctx context.Context) error {
	const fn nd.Func = "Communicator.Barrier"
	exchanged := small{take: func([]*nd.Array) error { return nil }} // which waits for all ranks
	return c.call(ctx, fn, call{small: exchanged}, func() error { return c.engine.Barrier(ctx) })
}

// Send sends x to another rank, which receives it by Recv. Both ranks state the same shape and dtype, which is not
// checked. Send may return before that.
// Chainer: CommunicatorBase.send.
func (c *Communicator) Send(ctx context.Context, x *nd.Array, to int) error {
	const fn nd.Func = "Communicator.Send"
	c.checkPeer(fn, to)
	checkArrays(fn, false, x)
	return c.direct(fn, func() error {
		flat, done := c.flat(x, true)
		defer done()
		return c.engine.Send(ctx, flat, to)
	})
}

// Recv receives x from another rank, which sends it by Send, in the order in which it sends.
// Chainer: CommunicatorBase.recv.
func (c *Communicator) Recv(ctx context.Context, x *nd.Array, from int) error {
	const fn nd.Func = "Communicator.Recv"
	c.checkPeer(fn, from)
	checkArrays(fn, true, x)
	return c.direct(fn, func() error {
		flat, done := c.flat(x, false)
		defer done()
		if err := c.engine.Recv(ctx, flat, from); err != nil {
			return err
		}
		if !flat.SharesMemory(x) {
			empty(x, flat)
		}
		return nil
	})
}

// direct makes a call that not all ranks make.
func (c *Communicator) direct(fn nd.Func, f func() error) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.failed != nil {
		return fmt.Errorf("%s: %w", fn, c.failed)
	}
	return c.end(fn, f())
}

// checkPeer refuses a number that is no other rank.
func (c *Communicator) checkPeer(fn nd.Func, rank int) {
	c.checkRank(fn, rank)
	if rank == c.Rank() {
		panic(fn.Errorf(nil, "rank %d is this rank: want another one", rank))
	}
}
