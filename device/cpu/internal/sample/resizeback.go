package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// resizeBack is the transpose of resize: it computes the rows of gx from the rows of gy. It reports whether it could.
func resizeBack[T float](l *device.Launch, inner int, locations []int) bool {
	last, size := inner-1, int(unsafe.Sizeof(T(0)))
	column := l.Axes[locations[last]]
	if column.Stride != 1 {
		return false
	}
	columns := newLine[T](l, 0, 2, locations[last], last)
	back, ok := columns.transposed(column.Size, size)
	if !ok {
		return false
	}
	s := resizing[T]{channels: newChannels(l, 0, 1, inner), columns: back, width: columns.n, rows: 1,
		offsets: []int{0}, starts: []int{0, 1}, parts: []part[T]{{0, 1}}}
	s.to, s.from = first(l, 0), first(l, 1)
	for axis := range last {
		along := l.Axes[locations[axis]]
		rows := newLine[T](l, 0, 2, locations[axis], axis)
		s.rows *= min(rows.n, 2*along.Size)
		starts, parts := rows.inverse(along.Size, along.Stride*size)
		for i := range parts {
			parts[i].at *= l.Operands[1].Strides[axis] * size
		}
		s.times(along.Size, along.Stride*size, starts, parts)
	}
	s.run()
	return true
}
