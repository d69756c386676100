package train

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// bucket holds gradients of one dtype that are sent together, in a row for each goroutine: first a number for each
// parameter, 1 if it has a gradient, and then the gradients. The neutral number is -0, which changes no sum, not even -0.
type bucket struct {
	params  []int          // numbers of parameters
	rows    []*nd.Array    // of each goroutine; rows[0] receives the sum
	marks   []*nd.Array    // the numbers at the begin of each row
	values  [][]*nd.Array  // the gradients in each row, in the parameters' shapes
	present [][]float64    // what marks will hold
	missing []atomic.Int32 // gradients of each goroutine that have not arrived
	waiting atomic.Int32   // goroutines whose gradients have not all arrived
	ready   chan struct{}  // closed when all have
}

// buckets are the buckets of all parameters, in the order in which the backward pass fills them.
type buckets struct {
	c      *comm.Communicator
	params []*nn.Param
	order  []int
	list   []*bucket
	of     []*bucket // by the parameter's number
	at     []int     // the parameter's index in its bucket
	sent   []span    // when each bucket of the update was exchanged
}

// span is the time from a begin to an end.
type span struct{ begin, end time.Time }

var negativeZero = math.Copysign(0, -1)

// newBuckets makes the buckets of parameters, of at most the given size unless a gradient is larger.
func newBuckets(c *comm.Communicator, params []*nn.Param, order []int, goroutines, bytes int) *buckets {
	b := &buckets{c: c, params: params, order: order, of: make([]*bucket, len(params)), at: make([]int, len(params))}
	typeOf := func(k int) dtype.DType { return dtype.ComputeType(params[k].Value().DType()) }
	for len(order) > 0 {
		n, size := 0, 0
		for n < len(order) && typeOf(order[n]) == typeOf(order[0]) {
			k := order[n]
			size += params[k].Value().Size() * typeOf(k).Size()
			if n > 0 && size > bytes {
				break
			}
			n++
		}
		b.add(typeOf(order[0]), order[:n], goroutines)
		order = order[n:]
	}
	return b
}

// add makes a bucket.
func (b *buckets) add(t dtype.DType, params []int, goroutines int) {
	k := &bucket{params: params, values: make([][]*nd.Array, goroutines), missing: make([]atomic.Int32, goroutines)}
	size := len(params)
	for i, p := range params {
		b.of[p], b.at[p] = k, i
		size += b.params[p].Value().Size()
	}
	for g := range goroutines {
		row := b.c.New(t, size)
		k.rows = append(k.rows, row)
		k.marks = append(k.marks, row.Index(nd.Until(len(params))))
		k.present = append(k.present, make([]float64, len(params)))
		at := len(params)
		for _, p := range params {
			w := b.params[p].Value()
			flat := row.Index(nd.Span(at, at+w.Size()))
			k.values[g] = append(k.values[g], flat.Reshape(w.Shape()...))
			flat.Release()
			at += w.Size()
		}
	}
	b.list = append(b.list, k)
}

// free ends the use of the buckets' memory.
func (b *buckets) free() {
	if b == nil {
		return
	}
	for _, k := range b.list {
		for g, row := range k.rows {
			k.marks[g].Release()
			for _, v := range k.values[g] {
				v.Release()
			}
			b.c.Free(row)
		}
	}
}

// begin prepares an update in which the first goroutines of this process take part.
func (b *buckets) begin(goroutines int) {
	for _, k := range b.list {
		k.ready = make(chan struct{})
		k.waiting.Store(int32(goroutines))
		for g, row := range k.rows {
			if g < goroutines {
				k.missing[g].Store(int32(len(k.params)))
			} else {
				row.Assign(nd.Scalar(negativeZero))
			}
		}
		if goroutines == 0 {
			close(k.ready)
		}
	}
}

// put copies the gradient of a parameter to the row of a goroutine. value is nil if there is none.
func (b *buckets) put(goroutine, param int, value *nd.Array) {
	k, i := b.of[param], b.at[param]
	if to := k.values[goroutine][i]; value != nil {
		to.Assign(value)
		k.present[goroutine][i] = 1
	} else {
		to.Assign(nd.Scalar(negativeZero))
		k.present[goroutine][i] = negativeZero
	}
	if k.missing[goroutine].Add(-1) > 0 {
		return
	}
	marks := nd.FromSlice(k.present[goroutine])
	k.marks[goroutine].AssignFrom(marks)
	marks.Release()
	if k.waiting.Add(-1) == 0 {
		close(k.ready)
	}
}

// exchange adds the gradients of all processes, bucket after bucket as they become ready.
func (b *buckets) exchange(ctx context.Context, fast bool) error {
	b.sent = b.sent[:0]
	for _, k := range b.list {
		select {
		case <-k.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		begin := time.Now()
		if err := b.c.AllReduceParts(ctx, k.rows, comm.ReduceOptions{Fast: fast}); err != nil {
			return err
		}
		b.sent = append(b.sent, span{begin, time.Now()})
	}
	return nil
}

// sums returns the sums by the parameters' numbers, nil if no goroutine has a gradient. They are valid until the next
// update.
func (b *buckets) sums() []*nd.Array {
	all := make([]*nd.Array, len(b.params))
	for _, k := range b.list {
		for i, n := range nd.ToSlice[complex128](k.marks[0]) {
			if real(n) > 0 {
				all[k.params[i]] = k.values[0][i]
			}
		}
	}
	return all
}
