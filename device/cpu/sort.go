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
	if s.keep = s.length; l.Keep > 0 {
		s.keep = min(l.Keep, s.length)
	}
	run, cost := s.algorithm()
	rows := product(l.Shape[:l.Rank-1])
	if rows == 1 {
		run(s, 0, 1) // workers may share the row
		return
	}
	forRanges(rows, cost*float64(s.length), func(from, to int) { run(s, from, to) })
}

// algorithm returns what sorts rows, and what an element takes then.
func (s *sorting) algorithm() (run func(s *sorting, from, to int), cost float64) {
	values := !s.wanted[1] && !s.dtype.IsBool()
	switch {
	case s.selects():
		return (*sorting).selectRows, selectCost
	case s.dtype.IsComplex():
		return (*sorting).sortPairs, sortCost
	case s.dtype.Size() == 4 && values:
		return (*sorting).sortValues32, valueCost
	case s.dtype.Size() <= 4:
		return (*sorting).sort32, sortCost
	case values:
		return (*sorting).sortValues64, valueCost
	}
	return (*sorting).sort64, sortCost
}

// What an element takes, in nanoseconds, more or less: of values and places, of values alone, of few values, and to cut a row
// in two.
const (
	sortCost   = 30
	valueCost  = 8
	selectCost = 0.5
	halvesCost = 0.3
)

// sorting is a Sort at work.
type sorting struct {
	launch *device.Launch
	length int
	keep   int         // of the sorted elements, how many are stored
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

// row returns the elements of a row in the type that is compared: where they are, if they can be used there, else converted.
func (s *sorting) row(row int, converted unsafe.Pointer) unsafe.Pointer {
	x := s.x.at(row)
	if s.x.dtype == s.dtype && s.step(2) == 1 && (!s.wanted[0] || s.y[0].at(row) != x) {
		return x
	}
	convert(s.dtype, converted, 1, s.x.dtype, x, s.step(2), s.length)
	return converted
}

func (s *sorting) sort64(from, to int) {
	sortRows(s, from, to, setKeys64, func(e, spare []entry[uint64]) []entry[uint64] {
		if len(e) >= radixLen {
			return radixSort(e, spare)
		}
		return mergeSort(e, spare, less)
	})
}

func (s *sorting) sortPairs(from, to int) {
	sortRows(s, from, to, setKeyPairs, func(e, spare []entry[[2]uint64]) []entry[[2]uint64] {
		return mergeSort(e, spare, lessPair)
	})
}

// step returns the stride of an operand along the last axis.
func (s *sorting) step(k int) int { return s.launch.Operands[k].Strides[s.launch.Rank-1] }

// sortRows sorts rows: setKeys makes the entries, and order sorts them into one of two slices.
func sortRows[K key](s *sorting, from, to int,
	setKeys func(e []entry[K], values unsafe.Pointer, t dtype.DType, descending bool), inOrder func(e, spare []entry[K]) []entry[K]) {
	size, n := s.dtype.Size(), s.length
	var e entry[K]
	entrySize, rowSize := n*int(unsafe.Sizeof(e)), (n*size+7)&^7
	space := takeScratch(2*entrySize + 2*rowSize)
	entries, spare := room[entry[K]](space, 0, n), room[entry[K]](space, entrySize, n)
	values, sorted := space.at(2*entrySize), space.at(2*entrySize+rowSize)
	for row := from; row < to; row++ {
		convert(s.dtype, values, 1, s.x.dtype, s.x.at(row), s.step(2), n)
		setKeys(entries, values, s.dtype, s.launch.Descending)
		result := inOrder(entries, spare)[:s.keep]
		if s.wanted[0] {
			permute(sorted, values, size, result)
			convert(s.y[0].dtype, s.y[0].at(row), s.step(0), s.dtype, sorted, 1, s.keep)
		}
		if s.wanted[1] {
			storePlaces(s, row, result)
		}
	}
	space.recycle()
}

// storePlaces stores where the values of a row came from.
func storePlaces[K key](s *sorting, row int, sortedBy []entry[K]) {
	var places [256]int64
	y, step := &s.y[1], s.step(1)
	at := y.offset(row)
	for start := 0; start < len(sortedBy); start += len(places) {
		part := sortedBy[start:min(start+len(places), len(sortedBy))]
		for i, e := range part {
			places[i] = int64(e.place)
		}
		dtype.Convert(y.dtype, y.element(at+start*step), step, dtype.Int64, unsafe.Pointer(&places), 1, len(part))
	}
}

// permute writes the values in the order of the entries.
func permute[K key](dst, src unsafe.Pointer, size int, sortedBy []entry[K]) {
	switch size {
	case 1:
		permuteElements[uint8](dst, src, sortedBy)
	case 2:
		permuteElements[uint16](dst, src, sortedBy)
	case 4:
		permuteElements[uint32](dst, src, sortedBy)
	case 8:
		permuteElements[uint64](dst, src, sortedBy)
	case 16:
		permuteElements[[2]uint64](dst, src, sortedBy)
	}
}

func permuteElements[T any, K key](dst, src unsafe.Pointer, sortedBy []entry[K]) {
	z := elements[T](dst, len(sortedBy))
	var t T
	for i := range z {
		z[i] = *(*T)(unsafe.Add(src, sortedBy[i].place*int(unsafe.Sizeof(t))))
	}
}
