package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// reduceOneRow reduces one short contiguous row, or its squares, without preparing anything: for few elements that would
// take longer than the rest. It reports whether it did. It leaves sums that are not in their range to the general way.
func reduceOneRow(pl *elementwise.Plan, l *device.Launch) bool {
	y, x := &l.Operands[0], &l.Operands[l.N-1]
	t := pl.Results[0].DType
	square := pl.Pattern.Kind == elementwise.PatternSquare && l.Combine == device.CombineSum
	if !square && pl.Pattern.Kind != elementwise.PatternInput || l.N != 2 || x.DType != t {
		return false
	}
	if l.Post == nil && (square || y.DType != t) || l.Post != nil && t != dtype.Float32 && t != dtype.Float64 {
		return false
	}
	n := l.Size()
	f, ok := foldOf(l.Combine, t)
	if n == 0 || n > strided.BlockLen || !ok || broadcast.Size(l.Shape[:l.Rank-l.Reduced]) != 1 || !strided.Contiguous(l, 1) {
		return false
	}
	if l.Post == nil {
		f.rows(strided.First(y), strided.First(x), 1, n, n)
		return true
	}
	if square {
		f.op = reduce.Squares
	}
	room := memory.TakeScratch(8)
	f.rows(room.At(0), strided.First(x), 1, n, n)
	done := !l.Guarded() || inItsRange(room.At(0), t, l.Squares)
	if done {
		finishOne(l, room.At(0), t)
	}
	room.Recycle()
	return done
}

// inItsRange reports whether a sum needs no other scale.
func inItsRange(sum unsafe.Pointer, t dtype.DType, squares bool) bool {
	v := 0.0
	if t == dtype.Float32 {
		v = float64(*(*float32)(sum))
	} else {
		v = *(*float64)(sum)
	}
	return v-v == 0 && !(squares && v < device.ScalesOf(t, true).Least)
}

// finishOne stores the final function of one result of type t, whose unit is 1.
func finishOne(l *device.Launch, result unsafe.Pointer, t dtype.DType) {
	post := device.NewLaunch()
	if post.Program = l.Post; l.Guarded() {
		post.Program = l.Post.ForUnit1()
	}
	copy(post.Scalars[:], l.Scalars[len(l.Program.Scalars):][:len(l.Post.Scalars)])
	post.N, post.Outputs = 2, 1
	post.Operands[0] = l.Operands[0]
	post.Operands[1] = device.Operand{Memory: device.Memory{Handle: result, Size: t.Size()}, DType: t}
	elementwise.Elementwise(post)
	post.Recycle()
}
