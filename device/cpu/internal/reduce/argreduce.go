package reduce

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ArgReduce compares the values of each output in their order.
func ArgReduce(l *device.Launch) {
	kept := l.Rank - l.Reduced
	outputs, length := broadcast.Size(l.Shape[:kept]), broadcast.Size(l.Shape[kept:l.Rank])
	if outputs == 0 {
		return
	}
	if length == 0 {
		panic("cpu: ArgReduce over empty axes")
	}
	a := &argReduction{y: strided.Within(l, 0, 0, kept), x: strided.Within(l, 1, 0, kept), row: strided.Within(l, 1, kept, l.Rank), length: length}
	a.dtype = dtype.ComputeType(a.x.DType)
	op := reduce.Min
	if l.Combine == device.CombineMax {
		op = reduce.Max
	}
	a.argRoutines = argRoutinesOf(a.dtype, op)
	if a.columnwise() {
		a.reduceColumns(l.Shape[kept-1], outputs)
		return
	}
	if a.row.Flat && a.x.DType == a.dtype && a.find != nil {
		a.reducePieces(outputs)
		return
	}
	workers.ForRanges(outputs, float64(length)*argCost, a.run)
}

// argCost is the cost per element, in nanoseconds.
const argCost = 1

// argReduction is an ArgReduce in progress.
type argReduction struct {
	y, x   strided.View // over the kept axes
	row    strided.View // over the reduced axes
	length int
	dtype  dtype.DType
	*argRoutines
}

// argRoutines find the largest or the smallest value of a type.
type argRoutines struct {
	// along looks for a better value than best among n values. It returns the index of the first best one, and writes
	// the value to best; it returns -1 if no value is better. It sets isLast if nothing can be better.
	along func(best, x unsafe.Pointer, n int) (index int, isLast bool)
	// across replaces each value of best by the value of x, and its index by the given one, if the value of x is
	// better.
	across func(best, x unsafe.Pointer, indices []int64, index int64)
	// extremes combines each of the rows of n values, pitch apart, to its best; find returns the first index of the
	// best value v among n values; better reports whether a is better than b. They are nil for types without such
	// routines.
	extremes func(dst, x unsafe.Pointer, rows, n, pitch int)
	find     func(x unsafe.Pointer, n int, v unsafe.Pointer) int
	better   func(a, b unsafe.Pointer) bool
	// down replaces each of the n values of best, and its index, by the best of its column in the rows. The rows are
	// pitch apart, and numbered from first on; indices are as wide as the values.
	down func(best, indices, x unsafe.Pointer, rows, n, pitch, first int)
}

func (a *argReduction) run(from, to int) {
	buffer := memory.TakeScratch(strided.BlockLen * a.dtype.Size())
	for output := from; output < to; output++ {
		row := a.row
		row.Base = a.x.At(output)
		index := int64(a.indexInRow(&row, buffer))
		dtype.Convert(a.y.DType, a.y.At(output), 1, dtype.Int64, unsafe.Pointer(&index), 1, 1)
	}
	buffer.Recycle()
}

func (a *argReduction) indexInRow(row *strided.View, buffer *memory.Scratch) int {
	var best [2]uint64
	copy(memory.Slice[byte](unsafe.Pointer(&best), a.dtype.Size()), memory.Slice[byte](a.loadFirst(row, buffer), a.dtype.Size()))
	index := 0
	for start := 0; start < a.length; start += strided.BlockLen {
		n := min(strided.BlockLen, a.length-start)
		block := buffer.At(0)
		if row.Flat && row.DType == a.dtype {
			block = row.Element(start)
		} else {
			row.Load(block, a.dtype, start, n)
		}
		k, isLast := a.along(unsafe.Pointer(&best), block, n)
		if k >= 0 {
			index = start + k
		}
		if isLast {
			break
		}
	}
	return index
}

// loadFirst returns the first value.
func (a *argReduction) loadFirst(row *strided.View, buffer *memory.Scratch) unsafe.Pointer {
	row.Load(buffer.At(0), a.dtype, 0, 1)
	return buffer.At(0)
}

// columnwise reports whether the values are closer together along the last kept axis than along the last reduced one,
// and the last kept axis is long: then rows of outputs are computed side by side.
func (a *argReduction) columnwise() bool {
	return a.x.Row() >= 8 && strided.Magnitude(a.x.Step()) < strided.Magnitude(a.row.Step())
}

// argColumns is the maximum number of outputs that are computed side by side.
const argColumns = 512

func (a *argReduction) reduceColumns(columns, outputs int) {
	strips := (columns + argColumns - 1) / argColumns
	cost := argCost * float64(min(columns, argColumns)*a.length)
	if a.down != nil && a.x.Step() == 1 && a.x.DType == a.dtype && len(a.row.Shape) == 1 && a.length <= math.MaxInt32 {
		workers.ForRanges(outputs/columns*strips, cost/4, func(from, to int) {
			values := memory.TakeScratch(2 * argColumns * 8)
			for k := from; k < to; k++ {
				column := k % strips * argColumns
				a.stripInPlace(values, k/strips*columns+column, min(argColumns, columns-column))
			}
			values.Recycle()
		})
		return
	}
	workers.ForRanges(outputs/columns*strips, cost, func(from, to int) {
		values := memory.TakeScratch(2 * argColumns * 16)
		for k := from; k < to; k++ {
			column := k % strips * argColumns
			a.strip(values, k/strips*columns+column, min(argColumns, columns-column))
		}
		values.Recycle()
	})
}

// strip computes n outputs, starting at a number.
func (a *argReduction) strip(values *memory.Scratch, output, n int) {
	var indices [argColumns]int64
	best, x := values.At(0), values.At(argColumns*16)
	row := a.row
	row.Base = a.x.At(output)
	var c strided.Cursor
	c.Seek(&row, 0)
	dtype.Convert(a.dtype, best, 1, a.x.DType, row.Base, a.x.Step(), n)
	for index := range a.length {
		if column := index % row.Row(); column == 0 && index > 0 {
			c.NextRow()
		}
		at := row.Element(c.Offset + index%row.Row()*row.Step())
		dtype.Convert(a.dtype, x, 1, a.x.DType, at, a.x.Step(), n)
		a.across(best, x, indices[:n], int64(index))
	}
	a.y.Store(unsafe.Pointer(&indices), dtype.Int64, output, n)
}

// stripInPlace is strip for rows that are contiguous and have the type that is compared.
func (a *argReduction) stripInPlace(values *memory.Scratch, output, n int) {
	size, pitch := a.dtype.Size(), a.row.Step()
	best, indices, x := values.At(0), values.At(argColumns*8), a.x.At(output)
	copy(memory.Slice[byte](best, n*size), memory.Slice[byte](x, n*size))
	clear(memory.Slice[byte](indices, n*size))
	if a.length > 1 {
		a.down(best, indices, unsafe.Add(x, pitch*size), a.length-1, n, pitch, 1)
	}
	indexType := dtype.Int64
	if size == 4 {
		indexType = dtype.Int32
	}
	a.y.Store(indices, indexType, output, n)
}
