package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// If each location varies along its own axis, as in an image that is resized, rows are mixed as a whole, and the
// elements along the last axis have the same corners in every row.

// line is the table of locations along one axis of the loop: the first corner of each, then the second, and so on.
type line[T float] struct {
	n, count int
	offsets  []int // in bytes
	weights  []T
}

// separable reports whether each of the loop's axes [from, to) has a float location of its own, and returns the number
// of each axis's location. The rows of operand row must be contiguous along the last of these axes.
func separable(l *device.Launch, x, row, first, from, to int) (locations []int, ok bool) {
	n := l.N - first
	if to-from != n || l.Operands[row].Strides[to-1] != 1 || l.Operands[x].DType != l.Operands[row].DType {
		return nil, false
	}
	locations = make([]int, n)
	for axis := from; axis < to; axis++ {
		own := -1
		for j := range n {
			if l.Operands[first+j].Strides[axis] == 0 {
				continue
			}
			if own >= 0 || l.Operands[first+j].DType == dtype.Int64 {
				return nil, false
			}
			own = j
		}
		if own < 0 || l.Operands[x].Strides[axis] != 0 {
			return nil, false
		}
		for _, before := range locations[:axis-from] {
			if before == own {
				return nil, false
			}
		}
		locations[axis-from] = own
	}
	return locations, true
}

// newLine returns the table of location j, which varies along one axis of the loop.
func newLine[T float](l *device.Launch, x, first, j, axis int) line[T] {
	n := l.Shape[axis]
	s := line[T]{n: n, count: 2, offsets: make([]int, 2*n), weights: make([]T, 2*n)}
	p := newLocations(l, x, first, axis, axis+1)
	t, room := takeTable[T]()
	for start := 0; start < n; start += block {
		k := min(block, n-start)
		p.views[j].Load(unsafe.Pointer(&t.floats), dtype.Float64, start, k)
		t.split(p, j, k)
		for c := range 2 {
			copy(s.offsets[c*n+start:], t.axis.offsets[c*block:][:k])
			copy(s.weights[c*n+start:], t.axis.weights[c*block:][:k])
		}
	}
	room.Recycle()
	return s
}

// read stores the weighted sums at the locations. values has room for the elements at the corners.
func (s *line[T]) read(y, values []T, x unsafe.Pointer) {
	pick(values, x, s.offsets, s.n, s.n)
	if sample.Sums(y, values, s.weights, s.count, s.n) {
		return
	}
	for i, v := range y {
		if v != v {
			v = 0
			for k := i; k < len(s.weights); k += s.n {
				if w := s.weights[k]; w != 0 {
					v += w * *at[T](x, s.offsets[k])
				}
			}
			y[i] = v
		}
	}
}

// corners returns, for each location, the elements that it reads, by their offsets in bytes.
func (s *line[T]) corners() (starts []int, parts []part[T]) {
	starts = make([]int, 1, s.n+1)
	for i := range s.n {
		for k := i; k < len(s.weights); k += s.n {
			if w := s.weights[k]; w != 0 {
				parts = append(parts, part[T]{s.offsets[k], w})
			}
		}
		starts = append(starts, len(parts))
	}
	return starts, parts
}

// inverse returns, for each of size elements that are stride bytes apart, the locations that read it, in their order.
func (s *line[T]) inverse(size, stride int) (starts []int, parts []part[T]) {
	starts = make([]int, size+1)
	each := func(f func(i, k int, w T)) {
		for i := range s.n {
			for c := range s.count {
				if w := s.weights[c*s.n+i]; w < 0 || w > 0 {
					k := 0
					if stride != 0 {
						k = s.offsets[c*s.n+i] / stride
					}
					f(i, k, w)
				}
			}
		}
	}
	each(func(_, k int, _ T) { starts[k+1]++ })
	for k := range size {
		starts[k+1] += starts[k]
	}
	parts = make([]part[T], starts[size])
	next := append([]int(nil), starts...)
	each(func(i, k int, w T) {
		parts[next[k]] = part[T]{i, w}
		next[k]++
	})
	return starts, parts
}

// transposed returns the table that sums the values at the locations in size elements, stride bytes apart. ok is false
// if more values meet in one element than a table has corners.
func (s *line[T]) transposed(size, stride int) (back line[T], ok bool) {
	starts, parts := s.inverse(size, stride)
	back = line[T]{n: size, count: 1}
	for k := range size {
		back.count = max(back.count, starts[k+1]-starts[k])
	}
	if back.count > maxTransposed {
		return back, false
	}
	back.offsets, back.weights = make([]int, back.count*size), make([]T, back.count*size)
	for k := range size {
		for c, p := range parts[starts[k]:starts[k+1]] {
			back.offsets[c*size+k], back.weights[c*size+k] = p.at*int(unsafe.Sizeof(T(0))), p.weight
		}
	}
	return back, true
}

// maxTransposed is how many locations may read an element if their values are collected there.
const maxTransposed = 24

// mixture is a sum of rows times weights, which are added one after the other.
type mixture[T float] struct {
	room  []T // memory for the sum
	first []T // the only row so far
	w     T   // its weight
	many  bool
}

func (m *mixture[T]) add(row []T, w T) {
	switch {
	case m.many:
		sample.Mix(m.room, m.room, row, 1, w)
	case m.first != nil:
		sample.Mix(m.room, m.first, row, m.w, w)
		m.many = true
	default:
		m.first, m.w = row, w
	}
}

// sum returns the sum: in room, or with weight 1 the only row itself; nil if there are no rows.
func (m *mixture[T]) sum() []T {
	switch {
	case m.many:
		return m.room
	case m.first == nil:
		return nil
	case m.w != 1:
		for i, v := range m.first {
			m.room[i] = m.w * v
		}
		return m.room
	}
	return m.first
}

// rowAt returns the n elements at an address.
func rowAt[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// first returns the address of an operand's first element.
func first(l *device.Launch, operand int) unsafe.Pointer { return strided.First(&l.Operands[operand]) }
