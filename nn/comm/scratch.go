package comm

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// scratch keeps arrays of an engine for the next calls.
type scratch struct {
	engine Engine
	idle   []*nd.Array
	used   []*nd.Array
}

// keepIdle is the number of arrays that wait for the next calls.
const keepIdle = 8

// take returns an array of n elements with arbitrary content.
func (s *scratch) take(t dtype.DType, n int) *nd.Array {
	best := -1
	for i, x := range s.idle {
		if x.DType() == t && x.Size() >= n && (best < 0 || x.Size() < s.idle[best].Size()) {
			best = i
		}
	}
	var x *nd.Array
	if best >= 0 {
		x = s.idle[best]
		s.idle = append(s.idle[:best], s.idle[best+1:]...)
	} else {
		const least = 64
		x = s.engine.New(t, max(least, 1<<bits.Len(uint(max(n, 1)-1))))
	}
	s.used = append(s.used, x)
	return part(x, 0, n)
}

// give returns arrays of take.
func (s *scratch) give(views ...*nd.Array) {
	for _, v := range views {
		for i, x := range s.used {
			if !x.SharesMemory(v) {
				continue
			}
			v.Release()
			s.used = append(s.used[:i], s.used[i+1:]...)
			if s.idle = append(s.idle, x); len(s.idle) > keepIdle {
				s.engine.Free(s.idle[0])
				s.idle = s.idle[1:]
			}
			break
		}
	}
}

// free ends the use of all arrays.
func (s *scratch) free() {
	for _, x := range append(s.idle, s.used...) {
		s.engine.Free(x)
	}
	s.idle, s.used = nil, nil
}

// part returns a view of n elements of an array of one axis.
func part(x *nd.Array, from, n int) *nd.Array { return x.Index(nd.Span(from, from+n)) }
