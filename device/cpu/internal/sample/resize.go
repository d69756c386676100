package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// resizing computes the rows of one operand from the rows of another, in all channels: each row is a mixture of a few
// rows, read at the column locations. If there are fewer source rows than mixed rows, the source rows are read first,
// and kept for the next rows; else they are mixed first.
type resizing[T float] struct {
	channels channels
	from, to unsafe.Pointer // the first elements of the operands; the first operand of channels is to
	offsets  []int          // of the rows that are computed, in bytes
	starts   []int          // the start of the parts of each row
	parts    []part[T]      // of source rows, by their offsets in bytes
	columns  line[T]
	width    int // elements of a source row
	rows     int // number of source rows per channel
	strided  bool
}

// part is the share of one row, or column, in another.
type part[T float] struct {
	at     int
	weight T
}

// Nanoseconds per element of a row, to read it at each corner and to mix it with another one.
const (
	readCost = 0.4
	mixCost  = 0.1
)

// run computes the rows. Rows that have no parts stay unchanged.
func (s *resizing[T]) run() {
	rows, length := len(s.offsets), s.columns.n
	read := readCost * float64(s.columns.count*length)
	whole, most := 0, 0 // rows that have parts, and the maximum number of parts of a row
	for r := range rows {
		n := s.starts[r+1] - s.starts[r]
		whole, most = whole+min(n, 1), max(most, n)
	}
	mixFirst := float64(whole)*read+mixCost*float64(len(s.parts)*s.width) < float64(s.rows)*read+mixCost*float64(len(s.parts)*length)
	mixFirst = (mixFirst || most >= keptRows) && !s.strided
	cost := 2*mixCost*float64(max(s.width, length)) + read
	workers.ForRanges(s.channels.n*rows, cost, func(from, to int) {
		front := strided.RoundUp(max(s.width, keptRows*length), 2) // elements
		room := memory.TakeScratch((front + s.columns.count*length) * s.channels.element)
		values := memory.Room[T](room, front*s.channels.element, s.columns.count*length)
		for from < to {
			channel, first := from/rows, from%rows
			last := min(rows, first+to-from)
			s.make(room, values, channel, first, last, mixFirst)
			from += last - first
		}
		room.Recycle()
	})
}

// make computes some rows of a channel. values is memory for the parts of a row.
func (s *resizing[T]) make(room *memory.Scratch, values []T, channel, first, last int, mixFirst bool) {
	c := &s.channels
	from, to := unsafe.Add(s.from, c.b.Offset(channel)*c.element), unsafe.Add(s.to, c.a.Offset(channel)*c.element)
	kept := keptRowsOf[T]{line: &s.columns, values: values, room: room}
	for r := first; r < last; r++ {
		row := rowAt[T](unsafe.Add(to, s.offsets[r]), s.columns.n)
		m := mixture[T]{room: row}
		if mixFirst {
			m.room = memory.Room[T](room, 0, s.width)
		}
		kept.used = 0
		for _, p := range s.parts[s.starts[r]:s.starts[r+1]] {
			if mixFirst {
				m.add(rowAt[T](unsafe.Add(from, p.at), s.width), p.weight)
			} else {
				m.add(kept.row(unsafe.Add(from, p.at)), p.weight)
			}
		}
		switch sum := m.sum(); {
		case sum == nil:
			clear(row)
		case mixFirst:
			s.columns.read(row, values, unsafe.Pointer(unsafe.SliceData(sum)))
		case !m.many && m.w == 1:
			copy(row, sum)
		}
	}
}

// keptRows is how many of the rows that were read are kept.
const keptRows = 8

// keptRowsOf holds the rows that were read recently.
type keptRowsOf[T float] struct {
	line   *line[T]
	values []T // the line's buffer
	room   *memory.Scratch
	of     [keptRows]unsafe.Pointer
	next   int
	used   uint // the kept rows that the current row uses, one bit each: they stay
}

// row returns the row that is read from address x.
func (k *keptRowsOf[T]) row(x unsafe.Pointer) []T {
	n := k.line.n
	for i, p := range k.of {
		if p == x {
			k.used |= 1 << i
			return memory.Room[T](k.room, i*n*int(unsafe.Sizeof(T(0))), n)
		}
	}
	for k.used>>k.next&1 != 0 {
		k.next = (k.next + 1) % keptRows
	}
	i := k.next
	k.next = (k.next + 1) % keptRows
	k.of[i], k.used = x, k.used|1<<i
	y := memory.Room[T](k.room, i*n*int(unsafe.Sizeof(T(0))), n)
	k.line.read(y, k.values, x)
	return y
}

// resize reads all channels by rows.
func resize[T float](l *device.Launch, outer int, locations []int) {
	last, size := outer-1, int(unsafe.Sizeof(T(0)))
	width := l.Axes[locations[last]]
	s := resizing[T]{channels: newChannels(l, 0, 1, outer), columns: newLine[T](l, 1, 2, locations[last], last),
		width: width.Size, strided: width.Stride != 1, rows: 1, offsets: []int{0}, starts: []int{0, 1}, parts: []part[T]{{0, 1}}}
	s.to, s.from = first(l, 0), first(l, 1)
	for axis := range last {
		along := newLine[T](l, 1, 2, locations[axis], axis)
		s.rows *= min(l.Axes[locations[axis]].Size, 2*along.n)
		starts, parts := along.corners()
		s.times(along.n, l.Operands[0].Strides[axis]*size, starts, parts)
	}
	s.run()
}

// times replaces each row by n rows, at offsets stride apart; starts and parts say which rows each of them is mixed
// from.
func (s *resizing[T]) times(n, stride int, starts []int, parts []part[T]) {
	before := *s
	s.offsets, s.starts, s.parts = nil, []int{0}, nil
	for r, offset := range before.offsets {
		for i := range n {
			s.offsets = append(s.offsets, offset+i*stride)
			for _, p := range before.parts[before.starts[r]:before.starts[r+1]] {
				for _, q := range parts[starts[i]:starts[i+1]] {
					s.parts = append(s.parts, part[T]{p.at + q.at, p.weight * q.weight})
				}
			}
			s.starts = append(s.starts, len(s.parts))
		}
	}
}
