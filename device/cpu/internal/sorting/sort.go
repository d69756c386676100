// Package sorting sorts along the last axis, and finds values in sorted rows: the kernels Sort and SearchSorted.
//
// Numbers are sorted as keys, integers with the same order (keys.go): values alone (values.go), or together with their
// indices (pairs.go), which makes the sort stable. Complex numbers are sorted by merging (merge.go).
package sorting

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Sort sorts rows by an algorithm for their type and for the requested results: values, indices, or the first few of
// them.
func Sort(l *device.Launch) {
	strided.EnsureAxis(l)
	if l.Size() == 0 {
		return
	}
	s := &sorter{launch: l, length: l.Shape[l.Rank-1], x: strided.Within(l, 2, 0, l.Rank-1)}
	for k := range s.y {
		if s.wanted[k] = !l.Operands[k].Memory.IsNil(); s.wanted[k] {
			s.y[k] = strided.Within(l, k, 0, l.Rank-1)
		}
	}
	s.dtype = s.comparedType()
	if s.keep = s.length; l.Keep > 0 && !l.Partition {
		s.from, s.keep = l.From, min(l.Keep, s.length-l.From)
	}
	run, cost := s.algorithm()
	rows := broadcast.Size(l.Shape[:l.Rank-1])
	if rows == 1 {
		run(s, 0, 1) // workers may share the row
		return
	}
	workers.ForRanges(rows, cost*float64(s.length), func(from, to int) { run(s, from, to) })
}

// algorithm returns the function that sorts rows, and its cost per element.
func (s *sorter) algorithm() (run func(s *sorter, from, to int), cost float64) {
	values := !s.wanted[1] && !s.dtype.IsBool()
	switch {
	case s.selects():
		return (*sorter).selectRows, selectCost
	case s.dtype.IsComplex():
		return (*sorter).sortComplex, sortCost
	case s.dtype.IsInteger() && s.dtype.Size() < 4 && values:
		s.dtype = dtype.Int32 // which holds all of them
		return (*sorter).sortValues32, valueCost
	case s.dtype.Size() == 4 && values:
		return (*sorter).sortValues32, valueCost
	case s.dtype.Size() <= 4:
		return (*sorter).sortPairs32, sortCost
	case values:
		return (*sorter).sortValues64, valueCost
	}
	return (*sorter).sortPairs64, sortCost
}

// About how many nanoseconds an element takes: for values with indices, for values alone, if few are kept, and to split
// a row into two.
const (
	sortCost      = 30
	valueCost     = 8
	selectCost    = 0.5
	partitionCost = 0.3
)

// sorter is a Sort in progress.
type sorter struct {
	launch *device.Launch
	length int
	from   int             // the number of the first sorted element that is stored
	keep   int             // how many of the sorted elements are stored
	dtype  dtype.DType     // the type of the values that are compared
	x      strided.View    // over all axes except the last
	y      [2]strided.View // the same, for values and for indices
	wanted [2]bool
}

// comparedType is the type of the elements or, for rows whose indices do not fit in 32 bits, the widest type of their
// kind.
func (s *sorter) comparedType() dtype.DType {
	t := dtype.ComputeType(s.x.DType)
	if t.IsComplex() || uint64(s.length) <= math.MaxUint32 {
		return t
	}
	if t.IsBool() {
		return dtype.Uint64
	}
	return dtype.Default(t.Kind())
}

// row returns the elements of a row in the type that is compared: without a copy if possible, else converted.
func (s *sorter) row(row int, converted unsafe.Pointer) unsafe.Pointer {
	x := s.x.At(row)
	if s.x.DType == s.dtype && s.step(2) == 1 && (!s.wanted[0] || s.y[0].At(row) != x) {
		return x
	}
	strided.Convert(s.dtype, converted, 1, s.x.DType, x, s.step(2), s.length)
	return converted
}

// step returns the stride of an operand along the last axis.
func (s *sorter) step(k int) int { return s.launch.Operands[k].Strides[s.launch.Rank-1] }

// sortComplex sorts rows of complex numbers.
func (s *sorter) sortComplex(from, to int) {
	size, n := s.dtype.Size(), s.length
	entrySize, rowSize := n*int(unsafe.Sizeof(entry{})), (n*size+7)&^7
	space := memory.TakeScratch(2*entrySize + 2*rowSize)
	entries, spare := memory.Room[entry](space, 0, n), memory.Room[entry](space, entrySize, n)
	values, sorted := space.At(2*entrySize), space.At(2*entrySize+rowSize)
	for row := from; row < to; row++ {
		strided.Convert(s.dtype, values, 1, s.x.DType, s.x.At(row), s.step(2), n)
		setEntries(entries, values, s.dtype, s.launch.Descending)
		all := mergeSort(entries, spare)
		result, indices := all[s.from:s.from+s.keep], memory.Room[int64](space, 0, s.keep)
		if unsafe.SliceData(all) == unsafe.SliceData(entries) {
			indices = memory.Room[int64](space, entrySize, s.keep)
		}
		for i, e := range result {
			indices[i] = int64(e.index)
		}
		s.storePairs(row, values, sorted, indices, wholeIndex)
	}
	space.Recycle()
}
