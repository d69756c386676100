package compliance

import (
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// array is an operand in host memory: a block with spare elements before, between and after its own.
type array struct {
	broadcast.View // layout of the elements
	dtype          dtype.DType
	block          []byte
	loop           []int // strides over the launch's axes, if they differ from the view's
	len            int   // length of a raw operand
}

// guard is the number of spare elements at each end of a block. It is odd, so that nothing is aligned by chance.
const guard = 5

// spare is guard, or 0 if operands fill their blocks.
func (s *suite) spare() int {
	if s.flush {
		return 0
	}
	return guard
}

// newBlock returns zeroed bytes that are aligned for every element type.
func newBlock(bytes int) []byte {
	words := make([]uint64, bytes/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)
}

// all returns a vary list in which every axis is true.
func all(rank int) []bool {
	v := make([]bool, rank)
	for k := range v {
		v[k] = true
	}
	return v
}

// dense returns a row-major array of the given shape with random content.
func (s *suite) dense(dt dtype.DType, shape []int, fill filling) *array {
	a := &array{dtype: dt, View: broadcast.NewView(shape)}
	a.Offset = s.spare()
	a.loop = a.Strides
	a.block = s.newBlock(dt, max(1, broadcast.Size(shape)+2*s.spare()))
	s.fill(a, fill)
	return a
}

// strided returns an array of the given shape, with axes in any order, gaps and negative strides. Axes with vary false
// have stride 0.
func (s *suite) strided(dt dtype.DType, shape []int, vary []bool, fill filling) *array {
	a := &array{dtype: dt, View: broadcast.View{Shape: shape, Strides: make([]int, len(shape)), Offset: s.spare()}}
	step, last := 1+s.IntN(3)/2, 0
	hollow := slices.Contains(shape, 0) && s.IntN(2) == 0 // empty arrays may have strides of 0
	axes := s.Perm(len(shape))
	if s.plain {
		if step = 1; s.decide() {
			slices.Sort(axes)
			slices.Reverse(axes)
		}
	}
	for _, axis := range axes {
		switch {
		case !vary[axis]:
			continue
		case hollow:
			continue
		case shape[axis] <= 1:
			a.Strides[axis] = s.IntN(50) - 25 // only ever multiplied by 0
			continue
		}
		a.Strides[axis] = step
		if !s.plain && s.IntN(3) == 0 {
			a.Strides[axis] = -step
			a.Offset += step * (shape[axis] - 1)
		}
		last += step * (shape[axis] - 1)
		if step *= shape[axis]; !s.plain {
			step += s.IntN(3) / 2 * s.IntN(4)
		}
	}
	a.loop = a.Strides
	elements := step + 2*guard + 1
	if s.flush {
		elements = last + 1
	}
	a.block = s.newBlock(dt, elements)
	s.fill(a, fill)
	return a
}

// any returns a dense or a strided array.
func (s *suite) any(dt dtype.DType, shape []int, fill filling) *array {
	if s.IntN(3) == 0 {
		return s.dense(dt, shape, fill)
	}
	return s.strided(dt, shape, all(len(shape)), fill)
}

// input returns a dense, strided or broadcast array.
func (s *suite) input(dt dtype.DType, shape []int, fill filling) *array {
	if s.IntN(4) != 0 {
		return s.any(dt, shape, fill)
	}
	vary := make([]bool, len(shape))
	for k := range vary {
		vary[k] = s.IntN(2) == 0
	}
	return s.strided(dt, shape, vary, fill)
}

// arrayOf returns a row-major array with the given elements.
func (s *suite) arrayOf(dt dtype.DType, shape []int, elements []number) *array {
	a := s.dense(dt, shape, tame)
	for k, v := range elements {
		v.store(dt, a.pointer(a.Offset+k))
	}
	return a
}

func (a *array) elements() int { return len(a.block) / a.dtype.Size() }

// pointer returns the address of an element; at counts from the start of the block.
func (a *array) pointer(at int) unsafe.Pointer { return elementAt(a.block, a.dtype, at) }

func elementAt(block []byte, dt dtype.DType, at int) unsafe.Pointer {
	size := dt.Size()
	return unsafe.Pointer(unsafe.SliceData(block[at*size : (at+1)*size]))
}

// offsets returns the offsets of the array's elements, in row-major order.
func (a *array) offsets() []int {
	return slices.Collect(a.Offsets())
}

// fill gives every element of the block a random value. In a fuzzed launch the first values repeat, because drawing a
// number can take longer than what a kernel does with it.
func (s *suite) fill(a *array, fill filling) {
	drawn := a.elements()
	if s.budget != nil {
		drawn = min(drawn, 10_007)
	}
	for at := range drawn {
		fill(s.contents, a.dtype).store(a.dtype, a.pointer(at))
	}
	period := drawn * a.dtype.Size()
	for at := period; at < len(a.block); at += period {
		copy(a.block[at:], a.block[:period])
	}
}

// magnitudes returns a copy of the array with the absolute value of each element.
func (a *array) magnitudes() *array {
	b := *a
	b.block = newBlock(len(a.block))
	for at := range a.elements() {
		load(a.dtype, a.pointer(at)).magnitude().store(a.dtype, b.pointer(at))
	}
	return &b
}

// randomShape draws a shape of rank 0 to 6 with at most limit elements; axes of length 0 and 1 occur.
func (s *suite) randomShape(limit int) []int {
	shape := make([]int, s.IntN(7))
	size := 1
	for k := range shape {
		shape[k] = 1 + s.IntN(5)
		switch s.IntN(20) {
		case 0, 1, 2:
			shape[k] = 1
		case 3:
			shape[k] = 0
		case 4, 5:
			shape[k] = 1 + s.IntN(90)
		}
		shape[k] = s.length(shape[k])
		if size*shape[k] > limit {
			shape[k] = 1
		}
		size *= max(1, shape[k]) // an empty array has strides of the others' lengths
	}
	return shape
}
