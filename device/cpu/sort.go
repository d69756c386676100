package cpu

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Sort turns every value into an unsigned key of the same order, and sorts pairs of a key and its place.
func (processor) Sort(l *device.Launch) {
	normalize(l)
	if l.Size() == 0 {
		return
	}
	s := &sorting{launch: l, length: l.Shape[l.Rank-1], x: viewWithin(l, 2, 0, l.Rank-1)}
	for k := range s.y {
		if s.wanted[k] = !l.Operands[k].Memory.IsNil(); s.wanted[k] {
			s.y[k] = viewWithin(l, k, 0, l.Rank-1)
		}
	}
	s.dtype = s.comparedType()
	run := (*sorting).sort64
	switch {
	case s.dtype.IsComplex():
		run = (*sorting).sortPairs
	case s.dtype.Size() <= 4:
		run = (*sorting).sort32
	}
	forRanges(product(l.Shape[:l.Rank-1]), sortCost*float64(s.length), func(from, to int) { run(s, from, to) })
}

// sortCost is what an element takes, in nanoseconds, more or less.
const sortCost = 30

// sorting is a Sort at work.
type sorting struct {
	launch *device.Launch
	length int
	dtype  dtype.DType // of the values that are compared
	x      view        // over the axes but the last
	y      [2]view     // the same: of values and of places
	wanted [2]bool
}

// comparedType is the type of the elements or, for rows whose places do not fit 32 bits, the widest of its kind.
func (s *sorting) comparedType() dtype.DType {
	t := dtype.ComputeType(s.x.dtype)
	if t.IsComplex() || uint64(s.length) <= math.MaxUint32 {
		return t
	}
	if t.IsBool() {
		return dtype.Uint64
	}
	return dtype.Default(t.Kind())
}

func (s *sorting) sort32(from, to int) {
	sortRows(s, from, to, setKeys32, func(e, spare []entry[uint32, uint32]) []entry[uint32, uint32] {
		if len(e) >= radixLen {
			return radixSort(e, spare)
		}
		return mergeSort(e, spare, less)
	})
}

func (s *sorting) sort64(from, to int) {
	sortRows(s, from, to, setKeys64, func(e, spare []entry[uint64, int]) []entry[uint64, int] {
		if len(e) >= radixLen {
			return radixSort(e, spare)
		}
		return mergeSort(e, spare, less)
	})
}

func (s *sorting) sortPairs(from, to int) {
	sortRows(s, from, to, setKeyPairs, func(e, spare []entry[[2]uint64, int]) []entry[[2]uint64, int] {
		return mergeSort(e, spare, lessPair)
	})
}

// step returns the stride of an operand along the last axis.
func (s *sorting) step(k int) int { return s.launch.Operands[k].Strides[s.launch.Rank-1] }

// sortRows sorts rows: setKeys makes the entries, and order sorts them into one of two slices.
func sortRows[K key, P place](s *sorting, from, to int,
	setKeys func(e []entry[K, P], values unsafe.Pointer, t dtype.DType, descending bool), order func(e, spare []entry[K, P]) []entry[K, P]) {
	size, n := s.dtype.Size(), s.length
	var e entry[K, P]
	entrySize, rowSize := n*int(unsafe.Sizeof(e)), (n*size+7)&^7
	space := takeScratch(2*entrySize + 2*rowSize)
	entries, spare := room[entry[K, P]](space, 0, n), room[entry[K, P]](space, entrySize, n)
	values, sorted := space.at(2*entrySize), space.at(2*entrySize+rowSize)
	for row := from; row < to; row++ {
		dtype.Convert(s.dtype, values, 1, s.x.dtype, s.x.at(row), s.step(2), n)
		setKeys(entries, values, s.dtype, s.launch.Descending)
		result := order(entries, spare)
		if s.wanted[0] {
			permute(sorted, values, size, result)
			dtype.Convert(s.y[0].dtype, s.y[0].at(row), s.step(0), s.dtype, sorted, 1, n)
		}
		if s.wanted[1] {
			storePlaces(s, row, result)
		}
	}
	space.recycle()
}

// storePlaces stores where the values of a row came from.
func storePlaces[K key, P place](s *sorting, row int, order []entry[K, P]) {
	var places [256]int64
	y, step := &s.y[1], s.step(1)
	at := y.offset(row)
	for start := 0; start < len(order); start += len(places) {
		part := order[start:min(start+len(places), len(order))]
		for i, e := range part {
			places[i] = int64(e.place)
		}
		dtype.Convert(y.dtype, y.element(at+start*step), step, dtype.Int64, unsafe.Pointer(&places), 1, len(part))
	}
}

// permute writes the values in the order of the entries.
func permute[K key, P place](dst, src unsafe.Pointer, size int, order []entry[K, P]) {
	switch size {
	case 1:
		permuteElements[uint8](dst, src, order)
	case 2:
		permuteElements[uint16](dst, src, order)
	case 4:
		permuteElements[uint32](dst, src, order)
	case 8:
		permuteElements[uint64](dst, src, order)
	case 16:
		permuteElements[[2]uint64](dst, src, order)
	}
}

func permuteElements[T any, K key, P place](dst, src unsafe.Pointer, order []entry[K, P]) {
	z, x := elements[T](dst, len(order)), elements[T](src, len(order))
	for i := range z {
		z[i] = x[order[i].place]
	}
}
