package comm

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// quick makes the exchange before each call, if there are few ranks and the engine is an [Exchanger]. The slot of a rank
// begins with a header: a checksum of the call, and the number of bytes that follow. These are the rank's arrays if they
// are small, so that the exchange is the whole call.
type quick struct {
	engine Exchanger
	all    *nd.Array                // the slots
	bytes  []byte                   // of all
	views  map[elements][]*nd.Array // the first elements after the header of each rank
	last   elements                 // that were used last
	of     []*nd.Array              // their views
}

// elements are a number of elements of a dtype.
type elements struct {
	n     int
	dtype dtype.DType
}

const (
	headerBytes = 16
	smallBytes  = ExchangeBytes - headerBytes // the size up to which arrays are sent with the exchange
	quickRanks  = 8                           // with more, messages between every two ranks take longer than AllGather
	keepViews   = 16
)

// small is what the exchange may send along: arrays of one dtype, or bytes.
type small struct {
	arrays []*nd.Array                  // of this rank
	counts []int                        // the elements of each rank, which all ranks know; nil if all have as many
	take   func(rows []*nd.Array) error // gets the elements of all ranks, instead of the rest of the call
	bytes  []byte                       // if take is nil: only the headers tell how many bytes each rank has
}

// fits reports whether the arrays of all ranks are sent along. It is the same on all ranks.
func (s *small) fits() bool {
	if s.take == nil {
		return false
	}
	bytes := 0
	for _, x := range s.arrays {
		if x.DType() != s.arrays[0].DType() || x.DType().IsBool() { // bytes are no bools
			return false
		}
		bytes += x.Bytes()
	}
	for _, n := range s.counts {
		bytes = max(bytes, n*s.arrays[0].DType().Size())
	}
	return bytes <= smallBytes
}

// quickly returns what makes the exchange, or nil if the engine does not, or the ranks are many.
func (c *Communicator) quickly() *quick {
	if c.quick != nil || c.Size() > quickRanks {
		return c.quick
	}
	if e, ok := c.engine.(Exchanger); ok && e.Device() == nd.Empty(nil).Device() {
		all := e.New(dtype.Uint8, c.Size()*ExchangeBytes)
		c.quick = &quick{engine: e, all: all, bytes: nd.Data[uint8](all), views: map[elements][]*nd.Array{}}
	}
	return c.quick
}

func (q *quick) free() {
	if q == nil {
		return
	}
	q.forget()
	q.engine.Free(q.all)
}

// forget releases the views.
func (q *quick) forget() {
	for _, views := range q.views {
		for _, v := range views {
			v.Release()
		}
	}
	clear(q.views)
	q.last, q.of = elements{}, nil
}

// header returns the two numbers at the beginning of a slot.
func (q *quick) header(rank int) (sum, bytes uint64) {
	h := q.bytes[rank*ExchangeBytes:]
	return binary.NativeEndian.Uint64(h), binary.NativeEndian.Uint64(h[8:])
}

// run makes the exchange. It reports whether all ranks have the checksum.
func (q *quick) run(ctx context.Context, sum uint64, s *small) (same bool, err error) {
	me, length := q.engine.Rank(), len(s.bytes)
	if len(q.views) > keepViews {
		q.forget()
	}
	own := q.bytes[me*ExchangeBytes:][:ExchangeBytes]
	copy(own[headerBytes:], s.bytes) // if they are too many, the beginning, which is not sent
	if len(s.arrays) > 0 {
		n := 0
		for _, x := range s.arrays {
			n += x.Size()
		}
		length = n * s.arrays[0].DType().Size()
		each(q.viewed(elements{n, s.arrays[0].DType()})[me], s.arrays, fill)
	}
	binary.NativeEndian.PutUint64(own, sum)
	binary.NativeEndian.PutUint64(own[8:], uint64(length))
	if length > smallBytes {
		length = 0
	}
	if err := q.engine.Exchange(ctx, q.all, headerBytes+length); err != nil {
		return false, err
	}
	for r := range q.engine.Size() {
		if other, _ := q.header(r); other != sum {
			return false, nil
		}
	}
	return true, nil
}

// arrays returns what the ranks sent, in flat arrays that are valid until the next call.
func (q *quick) arrays(s *small) []*nd.Array {
	switch {
	case len(s.arrays) == 0:
		return nil
	case s.counts == nil:
		_, bytes := q.header(0)
		t := s.arrays[0].DType()
		return q.viewed(elements{int(bytes) / t.Size(), t})
	}
	rows := make([]*nd.Array, len(s.counts))
	for r, n := range s.counts {
		rows[r] = q.viewed(elements{n, s.arrays[0].DType()})[r]
	}
	return rows
}

// lengths returns the numbers of bytes of all ranks.
func (q *quick) lengths() []int {
	all := make([]int, q.engine.Size())
	for r := range all {
		_, n := q.header(r)
		all[r] = int(n)
	}
	return all
}

// texts returns copies of the bytes of all ranks.
func (q *quick) texts(lengths []int) [][]byte {
	all := make([][]byte, len(lengths))
	for r, n := range lengths {
		all[r] = slices.Clone(q.bytes[r*ExchangeBytes+headerBytes:][:n])
	}
	return all
}

// viewed returns views of the elements after each rank's header.
func (q *quick) viewed(what elements) []*nd.Array {
	if q.of != nil && q.last == what {
		return q.of
	}
	q.last, q.of = what, q.views[what]
	if q.of != nil {
		return q.of
	}
	for r := range q.engine.Size() {
		slot := part(q.all, r*ExchangeBytes+headerBytes, what.n*what.dtype.Size())
		q.of = append(q.of, slot.View(what.dtype))
		slot.Release()
	}
	q.views[what] = q.of
	return q.of
}
