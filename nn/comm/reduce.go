package comm

import (
	"context"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// ReduceOptions are the options of sums over ranks.
type ReduceOptions struct {
	// Division divides the sums by the number of ranks. It needs floats or complex numbers.
	Division bool
	// InPlace is that of [Options].
	InPlace bool
	// Fast permits any order of a sum, where the engine may add faster. Otherwise each element is ((x₀ + x₁) + x₂) + …,
	// where xᵢ is that of rank i, computed in the arrays' dtype, so that results depend neither on timing nor on the engine.
	// All ranks get the same bits in both cases. The order stays that of the ranks where other orders are not faster: for
	// small arrays of few ranks, and between ranks of one machine. ReduceScatter and Reduce ignore Fast.
	Fast bool
}

// AllReduce replaces each array with its sum over the ranks; bools with their logical or.
//
// A large array is sent twice, as in a ring: each rank receives its piece of all ranks, adds, and sends its sum to all.
// NNabla: all_reduce. Chainer: CommunicatorBase.allreduce, CommunicatorBase.multi_node_mean (with Division).
func (c *Communicator) AllReduce(ctx context.Context, xs []*nd.Array, opts ...ReduceOptions) error {
	const fn nd.Func = "Communicator.AllReduce"
	o := options.Read(fn, opts)
	checkArrays(fn, true, xs...)
	o.check(fn, xs)
	mine := small{arrays: xs, take: func(rows []*nd.Array) error {
		if len(xs) == 0 {
			return nil
		}
		total := rows[0]
		if len(xs) == 1 && isFlat(xs[0]) && xs[0].Device() == total.Device() {
			total = xs[0]
		}
		addAll(total, rows)
		c.divide(total, o)
		if total != xs[0] {
			each(total, xs, func(v, x *nd.Array) { empty(x, v) })
		}
		return nil
	}}
	return c.call(ctx, fn, call{text: o.text(), arrays: xs, small: mine}, func() error {
		return c.packed(xs, o.InPlace, func(flat *nd.Array) (bool, error) {
			if err := c.sumAll(ctx, flat, o.Fast); err != nil {
				return false, err
			}
			c.divide(flat, o)
			return true, nil
		})
	})
}

// AllReduceParts is [Communicator.AllReduce] for ranks that have several arrays each, which are the parts of one sum:
// parts[0] of each rank receives the sum of the parts of all ranks, in the order of the ranks and within a rank in the
// order of parts. So the result does not depend on how the parts are divided among ranks, as long as each rank has as many
// as the others. The other parts keep their values; with Fast they may have any. Division divides by the number of all
// parts. Each part is sent, so that a rank with n parts sends up to n times as much as AllReduce does; with Fast it sends
// only their sum.
func (c *Communicator) AllReduceParts(ctx context.Context, parts []*nd.Array, opts ...ReduceOptions) error {
	const fn nd.Func = "Communicator.AllReduceParts"
	o := options.Read(fn, opts)
	if len(parts) == 0 {
		panic(fn.Errorf(nil, "want at least one part"))
	}
	checkArrays(fn, false, parts[1:]...)
	checkArrays(fn, true, parts[0])
	o.check(fn, parts)
	for _, x := range parts[1:] {
		if x.DType() != parts[0].DType() || !slices.Equal(x.Layout().Shape, parts[0].Layout().Shape) {
			panic(fn.Errorf(parts, "want parts of the same shape and dtype"))
		}
	}
	return c.call(ctx, fn, call{text: o.text(), arrays: parts}, func() error {
		flat := make([]*nd.Array, len(parts))
		for i, x := range parts {
			var done func()
			flat[i], done = c.flat(x, true)
			defer done()
		}
		if err := c.sumParts(ctx, flat, o.Fast); err != nil {
			return err
		}
		if n := c.Size() * len(parts); o.Division && n > 1 {
			ops.Divide(flat[0], float64(n), ops.Into(flat[0]))
		}
		if !flat[0].SharesMemory(parts[0]) {
			empty(parts[0], flat[0])
		}
		return nil
	})
}

// sumParts replaces the first of several flat arrays with the sum over ranks and arrays.
func (c *Communicator) sumParts(ctx context.Context, parts []*nd.Array, fast bool) error {
	x, size := parts[0], c.Size()
	if size == 1 || fast {
		for _, other := range parts[1:] {
			ops.Add(x, other, ops.Into(x))
		}
	}
	if len(parts) == 1 || size == 1 || fast {
		return c.sumAll(ctx, x, fast)
	}
	counts := pieces(x.Size(), size)
	n := counts[c.Rank()]
	same := slices.Repeat([]int{n}, size)
	received := make([]*nd.Array, len(parts)) // of each part, this rank's piece of all ranks
	for i, part := range parts {
		received[i] = c.scratch.take(x.DType(), n*size)
		defer c.scratch.give(received[i])
		if err := c.engine.AllToAll(ctx, part, counts, received[i], same); err != nil {
			return err
		}
	}
	own := part(x, offset(counts, c.Rank()), n)
	defer own.Release()
	rows := make([]*nd.Array, 0, size*len(parts))
	for r := range size {
		for i := range parts {
			rows = append(rows, part(received[i], r*n, n))
		}
	}
	sum(own, rows)
	return c.engine.AllGather(ctx, own, x, counts)
}

// Reduce is [Communicator.AllReduce] for rank root alone. The arrays of other ranks do not change.
// NNabla: reduce.
func (c *Communicator) Reduce(ctx context.Context, xs []*nd.Array, root int, opts ...ReduceOptions) error {
	const fn nd.Func = "Communicator.Reduce"
	o := options.Read(fn, opts)
	c.checkRank(fn, root)
	checkArrays(fn, c.Rank() == root, xs...)
	o.check(fn, xs)
	return c.call(ctx, fn, call{text: o.text(), number: root, arrays: xs}, func() error {
		return c.packed(xs, o.InPlace, func(flat *nd.Array) (bool, error) {
			counts := pieces(flat.Size(), c.Size())
			sum := c.scratch.take(flat.DType(), counts[c.Rank()])
			defer c.scratch.give(sum)
			if err := c.sumPiece(ctx, flat, counts, sum); err != nil {
				return false, err
			}
			c.divide(sum, o)
			to, from := make([]int, c.Size()), make([]int, c.Size())
			to[root] = counts[c.Rank()]
			all := flat
			if c.Rank() == root {
				from = counts
			} else {
				all = part(flat, 0, 0)
				defer all.Release()
			}
			return c.Rank() == root, c.engine.AllToAll(ctx, sum, to, all, from)
		})
	})
}

// ReduceScatter gives each rank one sum: y of rank i receives the sum of xs[i] over the ranks. xs has one array for each
// rank, all of the shape and dtype of y.
// NNabla: reduce_scatter.
func (c *Communicator) ReduceScatter(ctx context.Context, xs []*nd.Array, y *nd.Array, opts ...ReduceOptions) error {
	const fn nd.Func = "Communicator.ReduceScatter"
	o := options.Read(fn, opts)
	checkArrays(fn, false, xs...)
	checkArrays(fn, true, y)
	o.check(fn, xs)
	if len(xs) != c.Size() {
		panic(fn.Errorf(xs, "%d arrays: want one for each of %d ranks", len(xs), c.Size()))
	}
	for i, x := range xs {
		if !slices.Equal(x.Layout().Shape, y.Layout().Shape) || x.DType() != y.DType() {
			panic(fn.Errorf([]*nd.Array{x, y}, "array %d: want the shape and dtype of the result", i))
		}
	}
	mine := small{arrays: xs, take: func(rows []*nd.Array) error {
		n, parts := y.Size(), make([]*nd.Array, len(rows))
		for r, row := range rows {
			parts[r] = part(row, c.Rank()*n, n)
		}
		addAll(parts[0], parts)
		c.divide(parts[0], o)
		empty(y, parts[0])
		for _, p := range parts {
			p.Release()
		}
		return nil
	}}
	return c.call(ctx, fn, call{text: o.text(), arrays: xs, small: mine}, func() error {
		n := y.Size()
		send, sum := c.scratch.take(y.DType(), n*c.Size()), c.scratch.take(y.DType(), n)
		defer c.scratch.give(send, sum)
		each(send, xs, fill)
		if err := c.sumPiece(ctx, send, slices.Repeat([]int{n}, c.Size()), sum); err != nil {
			return err
		}
		c.divide(sum, o)
		empty(y, sum)
		return nil
	})
}

// wholeBytes is the size up to which ranks exchange whole arrays to add them, which saves one of two exchanges.
const wholeBytes = 16 << 10

// sumAll replaces a flat array with its sum over ranks.
func (c *Communicator) sumAll(ctx context.Context, x *nd.Array, fast bool) error {
	n, size := x.Size(), c.Size()
	switch {
	case size == 1:
		return nil
	case fast && c.engine.Sums(x.DType()):
		return c.engine.AllReduce(ctx, x)
	case x.Bytes()*size <= wholeBytes:
		all := c.scratch.take(x.DType(), n*size)
		defer c.scratch.give(all)
		if err := c.engine.AllGather(ctx, x, all, slices.Repeat([]int{n}, size)); err != nil {
			return err
		}
		sumRows(x, all)
		return nil
	}
	counts := pieces(n, size)
	own := part(x, offset(counts, c.Rank()), counts[c.Rank()])
	defer own.Release()
	if err := c.sumPiece(ctx, x, counts, own); err != nil {
		return err
	}
	return c.engine.AllGather(ctx, own, x, counts)
}

// sumPiece computes the sum over ranks of this rank's piece of x. sum may be a part of x.
func (c *Communicator) sumPiece(ctx context.Context, x *nd.Array, counts []int, sum *nd.Array) error {
	n := counts[c.Rank()]
	rows := c.scratch.take(x.DType(), n*c.Size())
	defer c.scratch.give(rows)
	if err := c.engine.AllToAll(ctx, x, counts, rows, slices.Repeat([]int{n}, c.Size())); err != nil {
		return err
	}
	sumRows(sum, rows)
	return nil
}

// sumRows writes the sum of rows, one after the other in a flat array, to y.
func sumRows(y, rows *nd.Array) {
	n := y.Size()
	if n == 0 {
		return
	}
	var each []*nd.Array
	for at := 0; at < rows.Size(); at += n {
		each = append(each, part(rows, at, n))
	}
	sum(y, each)
}

// sum writes the sum of arrays, in their order, to y, and releases them.
func sum(y *nd.Array, xs []*nd.Array) {
	addAll(y, xs)
	for _, x := range xs {
		x.Release()
	}
}

// addAll writes the sum of arrays, in their order, to y, which may be the first one.
func addAll(y *nd.Array, xs []*nd.Array) {
	switch {
	case y.Size() == 0:
		return
	case len(xs) == 1:
		y.Assign(xs[0])
		return
	}
	ops.Add(xs[0], xs[1], ops.Into(y))
	for _, x := range xs[2:] {
		ops.Add(y, x, ops.Into(y))
	}
}

// pieces divides n elements into nearly equal pieces.
func pieces(n, size int) []int {
	counts := make([]int, size)
	for i := range counts {
		counts[i] = n*(i+1)/size - n*i/size
	}
	return counts
}

func (c *Communicator) divide(x *nd.Array, o ReduceOptions) {
	if o.Division && c.Size() > 1 {
		ops.Divide(x, float64(c.Size()), ops.Into(x))
	}
}

func (o ReduceOptions) check(fn nd.Func, xs []*nd.Array) {
	for _, x := range xs {
		if o.Division && !x.DType().IsInexact() {
			panic(fn.Errorf([]*nd.Array{x}, "Division needs floats or complex numbers"))
		}
	}
}

// text describes the options, which must be the same on all ranks.
func (o ReduceOptions) text() string {
	text := "arrays"
	for _, option := range []struct {
		set  bool
		name string
	}{{o.Division, " with Division"}, {o.InPlace, " in place"}, {o.Fast, " with Fast"}} {
		if option.set {
			text += option.name
		}
	}
	return text
}
