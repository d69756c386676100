package scan

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

// floatScan is a running sum or product of float32 or float64, along rows or down columns that are contiguous in the
// direction of the scan. It is accumulated in float64.
type floatScan struct {
	*blockScan
	op      reduce.Op
	dtype   dtype.DType
	size    int
	neutral float64
	y, x    strided.View // over the axes that a task does not scan
}

// runFloats computes sums and products of float32 and float64 if their rows or columns are contiguous, and reports
// whether it did.
func (s *blockScan) runFloats() bool {
	l := s.launch
	y, x := &l.Operands[0], &l.Operands[1]
	f := floatScan{blockScan: s, op: reduce.Sum, dtype: y.DType, size: y.DType.Size(), neutral: math.Copysign(0, -1)}
	if l.Combine == device.CombineProd {
		f.op, f.neutral = reduce.Prod, 1
	}
	if f.dtype != dtype.Float32 && f.dtype != dtype.Float64 || x.DType != f.dtype ||
		l.Combine != device.CombineSum && l.Combine != device.CombineProd ||
		l.Exclusive && x.Memory.Handle == y.Memory.Handle { // in these cases elements would be overwritten before they are read
		return false
	}
	along, across := l.Rank-1, l.Rank-2
	switch {
	case y.Strides[along] == 1 && x.Strides[along] == 1 || s.length == 1:
		f.y, f.x = strided.Within(l, 0, 0, along), strided.Within(l, 1, 0, along)
		f.rows(broadcast.Size(l.Shape[:along]))
	case y.Strides[across] == 1 && x.Strides[across] == 1 && l.Shape[across] >= 8:
		f.y, f.x = strided.Within(l, 0, 0, across), strided.Within(l, 1, 0, across)
		f.scanColumns(l.Shape[across], y.Strides[along], x.Strides[along])
	default:
		return false
	}
	return true
}

// floatCost is the cost per element, in nanoseconds.
const floatCost = 0.5

// rows scans rows. Long sums are split into groups. The totals of all groups are computed first, so that any group can
// be scanned.
func (f *floatScan) rows(rows int) {
	groups := (f.length + strided.GroupLen - 1) / strided.GroupLen
	if groups == 1 || f.op != reduce.Sum {
		workers.ForRanges(rows, floatCost*float64(f.length), func(from, to int) {
			for row := from; row < to; row++ {
				f.row(row, 0, f.length, f.neutral)
			}
		})
		return
	}
	cost := floatCost * strided.GroupLen
	if !workers.Sharing(workers.Estimate(rows*groups, cost)) {
		for row := range rows {
			carry := f.neutral
			for start := 0; start < f.length; start += strided.GroupLen {
				n := min(strided.GroupLen, f.length-start)
				total := f.total(row, start, n)
				f.row(row, start, n, carry)
				carry += total
			}
		}
		return
	}
	carries := memory.TakeScratch(8 * rows * groups)
	carry := memory.Room[float64](carries, 0, rows*groups)
	workers.ForRanges(rows*groups, cost/4, func(from, to int) {
		for k := from; k < to; k++ {
			start := k % groups * strided.GroupLen
			carry[k] = f.total(k/groups, start, min(strided.GroupLen, f.length-start))
		}
	})
	for row := range rows {
		sum := f.neutral
		for k, total := range carry[row*groups : (row+1)*groups] {
			carry[row*groups+k] = sum
			sum += total
		}
	}
	workers.ForRanges(rows*groups, cost, func(from, to int) {
		for k := from; k < to; k++ {
			start := k % groups * strided.GroupLen
			f.row(k/groups, start, min(strided.GroupLen, f.length-start), carry[k])
		}
	})
	carries.Recycle()
}

// total sums part of a row.
func (f *floatScan) total(row, start, n int) float64 {
	x := unsafe.Add(f.x.At(row), start*f.size)
	if f.dtype == dtype.Float32 {
		return reduce.WideTotal((*float32)(x), n)
	}
	return reduce.WideTotal((*float64)(x), n)
}

// row scans part of a row. In an exclusive scan the first result is the carry.
func (f *floatScan) row(row, start, n int, carry float64) {
	x, y := unsafe.Add(f.x.At(row), start*f.size), unsafe.Add(f.y.At(row), start*f.size)
	if f.launch.Exclusive {
		first := device.Scalar{Re: carry}
		if start == 0 {
			first = f.first
		}
		strided.Splat(y, f.dtype, first, 1)
		if n--; n == 0 {
			return
		}
		y = unsafe.Add(y, f.size)
	}
	if f.dtype == dtype.Float32 {
		reduce.Scan(f.op, (*float32)(y), (*float32)(x), n, carry)
	} else {
		reduce.Scan(f.op, (*float64)(y), (*float64)(x), n, carry)
	}
}

// floatColumns is the maximum number of columns that are scanned side by side.
const floatColumns = strided.BlockLen

// scanColumns scans columns, side by side.
func (f *floatScan) scanColumns(columns, pitchY, pitchX int) {
	strips := (columns + floatColumns - 1) / floatColumns
	cost := floatCost * float64(min(columns, floatColumns)*f.length)
	workers.ForRanges(f.lines*strips, cost, func(from, to int) {
		totals := memory.TakeScratch(8 * floatColumns)
		for k := from; k < to; k++ {
			column := k % strips * floatColumns
			f.strip(totals, k/strips, column, min(floatColumns, columns-column), pitchY, pitchX)
		}
		totals.Recycle()
	})
}

// strip scans some columns.
func (f *floatScan) strip(totals *memory.Scratch, line, column, n, pitchY, pitchX int) {
	x, y := unsafe.Add(f.x.At(line), column*f.size), unsafe.Add(f.y.At(line), column*f.size)
	strided.Splat(totals.At(0), dtype.Float64, device.Scalar{Re: f.neutral}, n)
	length := f.length
	if f.launch.Exclusive {
		strided.Splat(y, f.dtype, f.first, n)
		if length--; length == 0 {
			return
		}
		y = unsafe.Add(y, pitchY*f.size)
	}
	if f.dtype == dtype.Float32 {
		reduce.ScanColumns(f.op, (*float32)(y), (*float32)(x), (*float64)(totals.At(0)), length, n, pitchY, pitchX)
	} else {
		reduce.ScanColumns(f.op, (*float64)(y), (*float64)(x), (*float64)(totals.At(0)), length, n, pitchY, pitchX)
	}
}
