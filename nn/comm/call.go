package comm

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// call describes a collective call, for the comparison with those of other ranks.
type call struct {
	text   string // the arguments apart from the arrays
	number int    // a rank that is an argument
	arrays []*nd.Array
	small  small // what the comparison may send along
}

// call makes a collective call: it compares the calls of all ranks, and then runs f, which moves the data, unless that was
// done with the comparison.
func (c *Communicator) call(ctx context.Context, fn nd.Func, how call, f func() error) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.failed != nil {
		return fmt.Errorf("%s: %w", fn, c.failed)
	}
	if c.Size() == 1 {
		return c.end(fn, f())
	}
	q := c.quickly()
	if q == nil {
		if !c.NoCheck {
			if err := c.compare(ctx, fn, how); err != nil {
				return err
			}
		}
		return c.end(fn, f())
	}
	fits := how.small.fits()
	if !fits {
		how.small.arrays = nil
	}
	if !c.NoCheck || fits || how.small.bytes != nil {
		if err := c.exchange(ctx, fn, &how); err != nil {
			return err
		}
	}
	if fits {
		return c.end(fn, how.small.take(q.arrays(&how.small)))
	}
	return c.end(fn, f())
}

// exchange makes the exchange before a call. It returns an error, the same on all ranks, unless the ranks make the same call.
func (c *Communicator) exchange(ctx context.Context, fn nd.Func, how *call) error {
	sum := uint64(0)
	if !c.NoCheck {
		sum = how.sum(fn)
	}
	same, err := c.quick.run(ctx, sum, &how.small)
	if err != nil {
		return c.end(fn, err)
	}
	if same {
		return nil
	}
	return c.mismatch(ctx, fn, how.describe(fn), nil)
}

// end notes that the engine failed.
func (c *Communicator) end(fn nd.Func, err error) error {
	if err == nil {
		return nil
	}
	c.failed = err
	where := ""
	if c.name != World {
		where = fmt.Sprintf(" of group %q", c.name)
	}
	return fmt.Errorf("%s: rank %d of %d%s: %w", fn, c.Rank(), c.Size(), where, err)
}

// compare returns an error, the same on all ranks, unless the ranks make the same call.
func (c *Communicator) compare(ctx context.Context, fn nd.Func, how call) error {
	text := how.describe(fn)
	sum := fnv.New64a()
	sum.Write([]byte(text))
	all, err := c.allInts(ctx, int64(sum.Sum64()), int64(len(text)))
	if err != nil {
		return c.end(fn, err)
	}
	lengths, equal := make([]int, c.Size()), true
	for r := range lengths {
		equal = equal && all[2*r] == all[0] && all[2*r+1] == all[1]
		lengths[r] = int(all[2*r+1])
	}
	if equal {
		return nil
	}
	return c.mismatch(ctx, fn, text, lengths)
}

// mismatch returns the error of ranks that make different calls. lengths are those of their texts, if they are known.
func (c *Communicator) mismatch(ctx context.Context, fn nd.Func, text string, lengths []int) error {
	if lengths == nil {
		all, err := c.allInts(ctx, int64(len(text)))
		if err != nil {
			return c.end(fn, err)
		}
		for _, n := range all {
			lengths = append(lengths, int(n))
		}
	}
	texts, err := c.allBytes(ctx, []byte(text), lengths)
	if err != nil {
		return c.end(fn, err)
	}
	mismatch := &MismatchError{Group: c.name}
	for _, text := range texts {
		mismatch.Calls = append(mismatch.Calls, string(text))
	}
	return fmt.Errorf("%s: %w", fn, mismatch)
}

// sum returns a checksum of what describe says: that of FNV-1a, of whole numbers instead of bytes where there are numbers.
func (how *call) sum(fn nd.Func) uint64 {
	h := uint64(14695981039346656037)
	add := func(n uint64) { h = (h ^ n) * 1099511628211 }
	for i := range len(fn) {
		add(uint64(fn[i]))
	}
	for i := range len(how.text) {
		add(uint64(how.text[i]))
	}
	add(uint64(how.number))
	for _, x := range how.arrays {
		shape := x.Layout().Shape
		add(uint64(x.DType())<<8 | uint64(len(shape)))
		for _, n := range shape {
			add(uint64(n))
			h ^= h >> 32
		}
	}
	return h
}

// describe returns the call in words: the function, its arguments, and one part for each array.
func (how *call) describe(fn nd.Func) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(string(fn), "Communicator."))
	if how.text != "" {
		b.WriteString(" of " + how.text)
	}
	if how.number != 0 {
		fmt.Fprintf(&b, " with rank %d", how.number)
	}
	for _, x := range how.arrays {
		fmt.Fprintf(&b, "\x00%s%s", x.DType(), broadcast.FormatShape(x.Layout().Shape))
	}
	return b.String()
}

// MismatchError says that ranks made different calls. All ranks get the same one.
type MismatchError struct {
	Group string
	Calls []string // of each rank, with the arrays
}

// Error names the first rank whose call differs from that of rank 0, and how.
func (e *MismatchError) Error() string {
	at := slices.IndexFunc(e.Calls, func(text string) bool { return text != e.Calls[0] })
	first, other := strings.Split(e.Calls[0], "\x00"), strings.Split(e.Calls[at], "\x00")
	where := ""
	if e.Group != World {
		where = fmt.Sprintf("in group %q ", e.Group)
	}
	switch {
	case first[0] != other[0]:
		return fmt.Sprintf("%srank 0 calls %s, and rank %d calls %s: want the same call on all ranks", where, first[0], at, other[0])
	case len(first) != len(other):
		return fmt.Sprintf("%srank 0 has %d arrays, and rank %d has %d", where, len(first)-1, at, len(other)-1)
	}
	for i := range first {
		if first[i] != other[i] {
			return fmt.Sprintf("%sarray %d of rank 0 is %s, and that of rank %d is %s: want the same shapes and dtypes on all ranks",
				where, i-1, first[i], at, other[i])
		}
	}
	return "the calls differ"
}

// allInts gathers the same number of integers from each rank.
func (c *Communicator) allInts(ctx context.Context, mine ...int64) ([]int64, error) {
	n := len(mine)
	all := c.scratch.take(dtype.Int64, n*c.Size())
	defer c.scratch.give(all)
	counts := slices.Repeat([]int{n}, c.Size())
	own := part(all, c.Rank()*n, n)
	defer own.Release()
	given := nd.FromSlice(mine)
	own.AssignFrom(given)
	given.Release()
	if err := c.engine.AllGather(ctx, own, all, counts); err != nil {
		return nil, err
	}
	return nd.ToSlice[int64](all), nil
}

// allBytes gathers the bytes of each rank, counts[i] of rank i.
func (c *Communicator) allBytes(ctx context.Context, mine []byte, counts []int) ([][]byte, error) {
	all := c.scratch.take(dtype.Uint8, total(counts))
	defer c.scratch.give(all)
	own := part(all, offset(counts, c.Rank()), len(mine))
	defer own.Release()
	if len(mine) > 0 {
		given := nd.FromSlice(mine)
		own.AssignFrom(given)
		given.Release()
	}
	if err := c.engine.AllGather(ctx, own, all, counts); err != nil {
		return nil, err
	}
	bytes, parts := nd.ToSlice[uint8](all), make([][]byte, len(counts))
	for r, n := range counts {
		parts[r], bytes = bytes[:n:n], bytes[n:]
	}
	return parts, nil
}

// RankError says that a rank has ended, so that calls with it are impossible.
type RankError struct {
	Rank int
	Err  error // why, if that is known
}

// Error names the rank.
func (e *RankError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("rank %d has ended", e.Rank)
	}
	return fmt.Sprintf("rank %d has ended: %v", e.Rank, e.Err)
}

// Unwrap returns the reason.
func (e *RankError) Unwrap() error { return e.Err }

// checkArrays refuses arrays that are nil or released, or that cannot be written to.
func checkArrays(fn nd.Func, written bool, xs ...*nd.Array) {
	for _, x := range xs {
		fn.Check(x)
		if x.IsScalar() {
			panic(fn.Errorf(nil, "a Scalar has no memory to send: want nd.Full"))
		}
		if written {
			fn.CheckWritable(x)
		}
	}
}
