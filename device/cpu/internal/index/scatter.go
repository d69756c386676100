package index

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Scatter writes the elements that the indices select. Each element is written at one point after the other: the order
// of sums, and which of several values stays, depend only on the operands.
func Scatter(l *device.Launch) {
	if l.Size() == 0 {
		return
	}
	ix := newIndexing(l, 0)
	ix.checksAlone = true // the rows that one worker handles next should be in its cache
	if l.Cleared && ix.putOneHot() {
		return
	}
	ix.check()
	if l.Cleared {
		Clear(l, 0, l.Axes[:l.N-2])
	}
	s := scattering{indexing: ix, x: strided.Within(l, 1, 0, ix.outer), xTail: strided.Within(l, 1, ix.outer, l.Rank)}
	s.yTail = strided.Within(l, 0, ix.outer, l.Rank)
	s.dtype = dtype.ComputeType(s.yTail.DType)
	s.combine = elementwise.CombineLoop(l.Combine, s.dtype)
	if put := s.byElements(l.Combine); put != nil {
		if r, ok := ix.inRows(); ok {
			s.runRows(r, put)
			return
		}
	}
	if l.Combine == device.CombineSum && s.inFloatRows() {
		s.addRows()
		return
	}
	s.run()
}

// byElements returns the loop over single elements that need no conversion; nil if there is none.
func (s *scattering) byElements(c device.Combine) func(p move.Selection, src unsafe.Pointer, distance int) {
	y, x := s.yTail.DType, s.xTail.DType
	switch {
	case c == device.CombineAssign && strided.SameBits(y, x):
		switch y.Size() {
		case 1:
			return move.Put[uint8]
		case 2:
			return move.Put[uint16]
		case 4:
			return move.Put[uint32]
		case 8:
			return move.Put[uint64]
		case 16:
			return move.Put[[2]uint64]
		}
	case c == device.CombineSum && y == x:
		switch y {
		case dtype.Float32:
			return move.Add[float32]
		case dtype.Float64:
			return move.Add[float64]
		case dtype.Int32, dtype.Uint32:
			return move.Add[int32]
		case dtype.Int64, dtype.Uint64:
			return move.Add[int64]
		}
	}
	return nil
}

// runRows combines single elements row by row.
func (s *scattering) runRows(r indexRows, put func(p move.Selection, src unsafe.Pointer, distance int)) {
	for k := range r.count() {
		point, p := r.piece(k)
		put(p, s.x.At(point), s.x.Step())
	}
}

// inFloatRows reports whether the tail of each point consists of contiguous floats, and the tails of successive points
// are contiguous, too.
func (s *scattering) inFloatRows() bool {
	y := s.yTail.DType
	return s.tail > 1 && s.yTail.Flat && s.bounds != device.BoundsDrop && y == s.xTail.DType &&
		(y == dtype.Float32 || y == dtype.Float64) && strided.Contiguous(s.launch, 1)
}

// addCost is about how many nanoseconds it takes to add a float; shortestShared is the length from which rows are
// shared among workers, each of which must look at all rows.
const (
	addCost        = 0.3
	shortestShared = 32
)

// addRows adds rows in their order. Each worker looks at all rows, and adds those that go to its own elements.
func (s *scattering) addRows() {
	total := workers.Estimate(s.points, addCost*float64(s.tail))
	if s.tail < shortestShared || !workers.Sharing(total) {
		s.addAllRows()
		return
	}
	owners := workers.Count()
	workers.Parallel(owners, total, func(k int) { s.addRowsOf(k, owners) })
}

// addAllRows adds rows one after the other.
func (s *scattering) addAllRows() {
	var offsets [strided.BlockLen/4 + move.Ahead]int
	const block = strided.BlockLen / 4
	for start := 0; start < s.points; start += block {
		n := min(block, s.points-start)
		s.offsets(offsets[:n], start)
		for i := range move.Ahead {
			offsets[n+i] = offsets[n-1]
		}
		s.addBlock(offsets[:n+move.Ahead], start)
	}
}

// addRowsOf adds the rows to the elements of one of several owners.
func (s *scattering) addRowsOf(owner, owners int) {
	const block = strided.BlockLen / 4
	var offsets [block]int
	var own [block + move.Ahead]int
	var points [block]int
	for start := 0; start < s.points; start += block {
		n := min(block, s.points-start)
		s.offsets(offsets[:n], start)
		count := 0
		for i, p := range offsets[:n] {
			own[count], points[count] = p, start+i
			if ownerOf(p, owners) == owner {
				count++
			}
		}
		if count == 0 {
			continue
		}
		for i := range move.Ahead {
			own[count+i] = own[count-1]
		}
		for i, point := range points[:count] {
			s.addBlock(own[i:i+1+move.Ahead], point)
		}
	}
}

// ownerOf spreads offsets evenly over the owners, whatever their pattern is.
func ownerOf(offset, owners int) int {
	const golden = 0x9e3779b97f4a7c15
	mixed := uint64(offset) * golden >> 32
	return int(mixed * uint64(owners) >> 32)
}

// addBlock adds the rows that start at a point to the rows at offsets. The last offsets are only prefetched.
func (s *scattering) addBlock(offsets []int, point int) {
	src := unsafe.Add(s.x.Base, point*s.tail*s.xTail.Size)
	if s.yTail.DType == dtype.Float32 {
		move.AddRows[float32](s.yTail.Base, src, offsets, s.tail)
	} else {
		move.AddRows[float64](s.yTail.Base, src, offsets, s.tail)
	}
}

// scattering is a Scatter in progress.
type scattering struct {
	*indexing
	x            strided.View // over the outer axes
	xTail, yTail strided.View // over the tail axes, which are written as a whole
	dtype        dtype.DType
	combine      elementwise.Loop // nil for an assignment
}

func (s *scattering) run() {
	var offsets [strided.BlockLen / 4]int
	room := memory.TakeScratch(2 * strided.BlockLen * 16)
	a, b := room.At(0), room.At(strided.BlockLen*16)
	for start := 0; start < s.points; start += len(offsets) {
		n := min(len(offsets), s.points-start)
		s.offsets(offsets[:n], start)
		if s.tail == 1 {
			s.combineElements(offsets[:n], a, b, start)
		} else {
			s.combineTails(offsets[:n], a, b, start)
		}
	}
	room.Recycle()
}

// combineElements combines one element at each point.
func (s *scattering) combineElements(offsets []int, a, b unsafe.Pointer, start int) {
	y := &s.yTail
	t := s.dtype
	if s.combine == nil {
		t = y.DType
	}
	s.x.Load(b, t, start, len(offsets))
	for i, p := range offsets {
		if p == dropped {
			continue
		}
		value := unsafe.Add(b, i*t.Size())
		at := y.Element(p)
		switch {
		case s.combine == nil:
			copy(memory.Slice[byte](at, y.Size), memory.Slice[byte](value, y.Size))
		case t == y.DType:
			s.combine(at, at, value, nil, 1)
		default:
			dtype.Convert(t, a, 1, y.DType, at, 1, 1)
			s.combine(a, a, value, nil, 1)
			dtype.Convert(y.DType, at, 1, t, a, 1, 1)
		}
	}
}

// combineTails combines the tail axes at each point.
func (s *scattering) combineTails(offsets []int, a, b unsafe.Pointer, start int) {
	for i, p := range offsets {
		if p == dropped {
			continue
		}
		x, y := s.xTail, s.yTail
		x.Base, y.Base = s.x.At(start+i), y.Element(p)
		switch {
		case s.combine == nil:
			copyView(&y, &x)
		case y.Flat && x.Flat && y.DType == s.dtype && x.DType == s.dtype:
			s.combine(y.Base, y.Base, x.Base, nil, s.tail)
		default:
			s.combineBlocks(&y, &x, a, b)
		}
	}
}

// combineBlocks combines one block after the other, with conversions.
func (s *scattering) combineBlocks(y, x *strided.View, a, b unsafe.Pointer) {
	for start := 0; start < s.tail; start += strided.BlockLen {
		n := min(strided.BlockLen, s.tail-start)
		y.Load(a, s.dtype, start, n)
		x.Load(b, s.dtype, start, n)
		s.combine(a, a, b, nil, n)
		y.Store(a, s.dtype, start, n)
	}
}
