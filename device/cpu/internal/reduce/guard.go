package reduce

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// guard computes the sums that left the range again. It returns the units of all sums, or nil if all of them are 1.
func (r *reduction) guard() (units *memory.Scratch) {
	switch r.dtype.Real() {
	case dtype.Float32:
		return guarded(r, realSums[float32](r))
	case dtype.Float64:
		return guarded(r, realSums[float64](r))
	}
	return nil // sums of integers wrap
}

// inRange reports whether no sum needs another scale.
func (r *reduction) inRange() bool {
	switch r.dtype.Real() {
	case dtype.Float32:
		return areInRange(r, realSums[float32](r))
	case dtype.Float64:
		return areInRange(r, realSums[float64](r))
	}
	return true
}

// realSums returns the sums as real numbers, two for a complex one.
func realSums[T float32 | float64](r *reduction) []T {
	return memory.Slice[T](r.target, r.outputs*r.width/int(unsafe.Sizeof(T(0))))
}

// areInRange is inRange for the sums as real numbers.
func areInRange[T float32 | float64](r *reduction, sums []T) bool {
	least := math.Inf(-1)
	if r.launch.Squares {
		least = device.ScalesOf(r.dtype, true).Least
	}
	return inRange(sums, T(least))
}

// guarded is guard for the sums as real numbers.
func guarded[T float32 | float64](r *reduction, sums []T) (units *memory.Scratch) {
	if r.length == 0 || areInRange(r, sums) {
		return nil
	}
	scales := device.ScalesOf(r.dtype, r.launch.Squares)
	per := len(sums) / r.outputs
	t := r.dtype.Real()
	factors, units := memory.TakeScratch(r.outputs*t.Size()), memory.TakeScratch(r.outputs*t.Size())
	factor, unit := memory.Room[T](factors, 0, r.outputs), memory.Room[T](units, 0, r.outputs)
	var again []int
	for i := range r.outputs {
		s := scales.Of(float64(sums[i*per]), float64(sums[i*per+per-1]))
		if factor[i], unit[i] = T(s), T(1/s); s != 1 {
			again = append(again, i)
		}
	}
	if r.plan.Raw || float64(len(again))*(againCost+r.perSum) > float64(r.outputs)*r.perSum {
		r.allAgain(again, factors, t)
	} else {
		for _, i := range again {
			r.oneAgain(i, factors, t)
		}
	}
	factors.Recycle()
	return units
}

// againCost is the cost of a launch for one sum, in nanoseconds.
const againCost = 1000

// inRange reports whether all numbers are finite and at least as large as least.
func inRange[T float32 | float64](sums []T, least T) bool {
	const few = 16
	for len(sums) > few {
		n := min(len(sums), reduce.Longest)
		var low, high T
		reduce.Rows(reduce.Min, &low, &sums[0], 1, n, n)
		reduce.Rows(reduce.Max, &high, &sums[0], 1, n, n)
		if !(low >= least && low-low == 0 && high-high == 0) {
			return false
		}
		sums = sums[n:]
	}
	for _, v := range sums {
		if !(v >= least && v-v == 0) {
			return false
		}
	}
	return true
}

// allAgain computes all sums, from values multiplied by the factors of type t, and takes those with the given numbers.
func (r *reduction) allAgain(again []int, factors *memory.Scratch, t dtype.DType) {
	l := r.scaled()
	results := memory.TakeScratch(r.outputs * r.width)
	r.perOutput(&l.Operands[0], results.At(0), r.dtype)
	r.perOutput(&l.Operands[l.N-1], factors.At(0), t)
	Reduce(l)
	l.Recycle()
	for _, i := range again {
		copy(memory.Slice[byte](unsafe.Add(r.target, i*r.width), r.width), memory.Slice[byte](results.At(i*r.width), r.width))
	}
	results.Recycle()
}

// oneAgain computes the sum of an output.
func (r *reduction) oneAgain(output int, factors *memory.Scratch, t dtype.DType) {
	l := r.scaled()
	rest := output
	for axis := r.kept - 1; axis >= 0; axis-- {
		n := l.Shape[axis]
		for k := 1; k < l.N-1; k++ {
			l.Operands[k].Offset += rest % n * l.Operands[k].Strides[axis]
		}
		l.Shape[axis], rest = 1, rest/n
	}
	everywhere(&l.Operands[0], unsafe.Add(r.target, output*r.width), r.dtype, l.Rank)
	everywhere(&l.Operands[l.N-1], factors.At(output*t.Size()), t, l.Rank)
	Reduce(l)
	l.Recycle()
}

// scaled returns a launch of the scaled values. The caller sets its output, and its last operand, the scales.
func (r *reduction) scaled() *device.Launch {
	l, from := device.NewLaunch(), r.launch
	l.Func, l.Rank, l.Shape, l.Scalars, l.Attributes = from.Func, from.Rank, from.Shape, from.Scalars, from.Attributes
	l.Program, l.Post, l.Squares, l.Reduced = r.values.Terms(from.Squares, true), nil, false, from.Rank-r.kept
	l.N, l.Outputs = from.N+1, 1
	copy(l.Operands[:from.N], from.Operands[:from.N])
	for _, k := range []int{0, from.N} { // they do not vary along the reduced axes
		clear(l.Operands[k].Strides[:])
		l.Operands[k].Len = 0
	}
	return l
}

// everywhere makes x an operand with the same number at all points of a loop.
func everywhere(x *device.Operand, number unsafe.Pointer, t dtype.DType, rank int) {
	x.Memory, x.Offset, x.DType = device.Memory{Handle: number, Size: t.Size()}, 0, t
	clear(x.Strides[:rank])
}
