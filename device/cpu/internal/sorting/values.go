package sorting

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sort"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// sortValues32 sorts rows of values with 32 bits, without their indices.
func (s *sorter) sortValues32(from, to int) {
	switch {
	case !s.inNumbers():
		s.sortKeys32(from, to)
	case s.dtype.IsFloat():
		sortNumbers[float32](s, from, to, (*sorter).sortKeys32)
	default:
		sortNumbers[int32](s, from, to, (*sorter).sortKeys32)
	}
}

// sortValues64 sorts rows of values with 64 bits.
func (s *sorter) sortValues64(from, to int) {
	switch {
	case !s.inNumbers():
		s.sortKeys64(from, to)
	case s.dtype.IsFloat():
		sortNumbers[float64](s, from, to, (*sorter).sortKeys64)
	default:
		sortNumbers[int64](s, from, to, (*sorter).sortKeys64)
	}
}

func (s *sorter) sortKeys32(from, to int) { sortValues(s, from, to, int32(0), (*sorter).sortPairs32) }
func (s *sorter) sortKeys64(from, to int) { sortValues(s, from, to, int64(0), (*sorter).sortPairs64) }

// sortNumbers sorts rows as they are: in the output's memory if all elements are kept. Rows for which this is not possible are sorted
// by keys.
func sortNumbers[N sort.Number](s *sorter, from, to int, byKeys func(s *sorter, from, to int)) {
	n, size := s.length, (s.length*s.dtype.Size()+7)&^7
	whole := s.keep == n
	space := memory.TakeScratch(3 * size)
	spare, temp := memory.Room[N](space, 0, n), space.At(size)
	for row := from; row < to; row++ {
		sorted := memory.Room[N](space, 2*size, n)
		if whole {
			sorted = memory.Slice[N](s.y[0].At(row), n)
		}
		x := memory.Slice[N](s.row(row, temp), n)
		if s.launch.Partition {
			if !sort.Partition(sorted, spare, x, s.launch.From) {
				byKeys(s, row, row+1)
			}
			continue
		}
		counted := sort.Count(sorted, spare, x)
		var low, high sort.Part[N]
		ok := counted
		if !counted {
			low, high, ok = sort.CopyParts(sorted, spare, x)
		}
		switch {
		case !ok:
			byKeys(s, row, row+1)
			continue
		case counted:
		case whole && to-from == 1 && sharesRow(n):
			shareParts([]sort.Part[N]{low, high}, n)
		default:
			low.SortWithin(s.from, s.from+s.keep)
			high.SortWithin(s.from-low.Len(), s.from+s.keep-low.Len())
		}
		if !whole {
			copy(memory.Slice[N](s.y[0].At(row), s.keep), sorted[s.from:])
		}
	}
	space.Recycle()
}

// inNumbers reports whether rows can be sorted as they are: floats or signed integers, into adjacent elements of their type, in
// ascending order.
func (s *sorter) inNumbers() bool {
	return !s.dtype.IsUnsigned() && !s.launch.Descending && s.y[0].DType == s.dtype && (s.step(0) == 1 || s.keep == 1)
}

// sortValues sorts by keys alone. Rows for which this is not stable are sorted with their indices: rows with a NaN,
// since all NaNs are equal, or with -0, which equals 0.
func sortValues[K sort.Key](s *sorter, from, to int, zero K, stably func(s *sorter, from, to int)) {
	n, size := s.length, int(unsafe.Sizeof(zero))
	space := memory.TakeScratch(3 * ((n*size + 7) &^ 7))
	keys, spare := memory.Room[K](space, 0, n), memory.Room[K](space, (n*size+7)&^7, n)
	temp := space.At(2 * ((n*size + 7) &^ 7))
	before, after, float := s.flips(8 * size)
	for row := from; row < to; row++ {
		x := unsafe.Slice((*K)(s.row(row, temp)), n)
		if float {
			if sort.Keys(keys, x, 0, K(after)) {
				stably(s, row, row+1)
				continue
			}
		} else {
			for i, v := range x {
				keys[i] = v ^ K(before^after)
			}
		}
		sortKeys(s, keys, spare, to-from == 1)
		y, kept := s.y[0].At(row), keys[s.from:s.from+s.keep]
		result := kept
		inPlace := s.y[0].DType == s.dtype && s.step(0) == 1
		if inPlace {
			result = unsafe.Slice((*K)(y), s.keep)
		}
		if float {
			sort.Keys(result, kept, K(after), 0)
		} else {
			for i, v := range kept {
				result[i] = v ^ K(before^after)
			}
		}
		if !inPlace {
			strided.Convert(s.y[0].DType, y, s.step(0), s.dtype, unsafe.Pointer(unsafe.SliceData(result)), 1, s.keep)
		}
	}
	space.Recycle()
}

// flips returns the bits of values that are flipped to turn them into signed keys, the bits that are flipped for
// descending order, and whether the values are floats.
func (s *sorter) flips(bits int) (before, after int64, float bool) {
	if s.dtype.IsUnsigned() {
		before = math.MinInt64 >> (64 - bits)
	}
	if s.launch.Descending {
		after = -1
	}
	return before, after, s.dtype.IsFloat()
}

// sortKeys sorts or partitions a row of keys, of which those that are not kept may stay in any order; it sorts a single row in parts.
func sortKeys[K sort.Key](s *sorter, keys, spare []K, alone bool) {
	if s.launch.Partition {
		sort.Partition(keys, spare, keys, s.launch.From)
		return
	}
	if sort.Count(keys, spare, keys) {
		return
	}
	if whole, ok := sort.Whole(keys, spare); ok && alone && s.keep == s.length && sharesRow(len(keys)) {
		shareParts([]sort.Part[K]{whole}, len(keys))
		return
	}
	sort.SortWithin(keys, spare, s.from, s.from+s.keep)
}

// sharedLen is the length of rows from which workers sort parts of a row; sharedParts is the number of parts.
const (
	sharedLen   = 1 << 16
	sharedParts = 16
)

func sharesRow(length int) bool {
	return length >= sharedLen && workers.Sharing(workers.Estimate(length, valueCost))
}

// shareParts has workers sort the parts of a row. It splits the row in two, each part in two again, and so on.
func shareParts[N sort.Number](parts []sort.Part[N], length int) {
	for len(parts) < sharedParts {
		halves := make([]sort.Part[N], 2*len(parts))
		workers.Parallel(len(parts), workers.Estimate(length, partitionCost), func(k int) { halves[2*k], halves[2*k+1] = parts[k].Halves() })
		parts = halves
	}
	workers.Parallel(len(parts), workers.Estimate(length, valueCost), func(k int) { parts[k].Sort() })
}

// selects reports whether so few elements are kept that it is faster to find only these.
func (s *sorter) selects() bool {
	t := s.dtype
	return s.from == 0 && s.keep <= s.length/8 && s.length >= 64 && uint64(s.length) <= math.MaxUint32 && !t.IsComplex() && (t.Size() <= 4 || t == dtype.Float64)
}

// selectRows finds the first elements of rows. Integers with up to 32 bits are compared as float64, other types with
// fewer bits as float32; both hold the values exactly.
func (s *sorter) selectRows(from, to int) {
	if s.dtype == dtype.Float64 || s.dtype.IsInteger() && s.dtype.Size() == 4 {
		selectFloats[float64](s, from, to, dtype.Float64)
	} else {
		selectFloats[float32](s, from, to, dtype.Float32)
	}
}

func selectFloats[T float32 | float64](s *sorter, from, to int, t dtype.DType) {
	space := memory.TakeScratch(s.length * t.Size())
	items := make([]sort.Item[T], sort.Room(s.keep))
	indices := make([]int64, s.keep)
	for row := from; row < to; row++ {
		x := s.x.At(row)
		if s.x.DType != t || s.step(2) != 1 {
			strided.Convert(t, space.At(0), 1, s.x.DType, x, s.step(2), s.length)
			x = space.At(0)
		}
		for i, item := range sort.Select(memory.Slice[T](x, s.length), s.keep, !s.launch.Descending, items) {
			indices[i] = int64(item.Index)
		}
		s.storeSelected(row, indices)
	}
	space.Recycle()
}

// storeSelected stores the elements at indices of a row, and the indices.
func (s *sorter) storeSelected(row int, indices []int64) {
	if y := &s.y[0]; s.wanted[0] {
		sorted := memory.TakeScratch(len(indices) * s.x.Size)
		for i, index := range indices {
			dtype.Convert(s.x.DType, sorted.At(i*s.x.Size), 1, s.x.DType, unsafe.Add(s.x.At(row), int(index)*s.step(2)*s.x.Size), 1, 1)
		}
		strided.Convert(y.DType, y.At(row), s.step(0), s.x.DType, sorted.At(0), 1, len(indices))
		sorted.Recycle()
	}
	if s.wanted[1] {
		s.storeIndices(row, indices, wholeIndex)
	}
}
