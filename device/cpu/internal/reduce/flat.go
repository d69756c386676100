package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Flat returns a function that combines what reduceOneRow combines; nil if values of type t are not combined in this way.
// Longer rows are combined in blocks.
func Flat(c device.Combine, t dtype.DType) device.FlatReduce {
	f, ok := foldOf(c, t)
	if !ok {
		return nil
	}
	return func(n int, y, x unsafe.Pointer) bool {
		if n > strided.BlockLen {
			return false
		}
		f.rows(y, x, 1, n, n)
		return true
	}
}

// reduceOneRow is for small launches: one row, and a program that is an input, of the type in which it is combined.
func reduceOneRow(pl *elementwise.Plan, l *device.Launch) bool {
	y, x := &l.Operands[0], &l.Operands[l.N-1]
	if pl.Pattern.Kind != elementwise.PatternInput || l.Post != nil || l.N != 2 || y.DType != pl.Results[0].DType || x.DType != y.DType {
		return false
	}
	n := l.Size()
	f, ok := foldOf(l.Combine, y.DType)
	if n == 0 || n > strided.BlockLen || !ok || broadcast.Size(l.Shape[:l.Rank-l.Reduced]) != 1 || !strided.Contiguous(l, 1) {
		return false
	}
	f.rows(strided.First(y), strided.First(x), 1, n, n)
	return true
}
