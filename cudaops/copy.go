package cudaops

import "github.com/ndgrad/ndgrad/device"

// Copy stores x in y, converted to y's type. The choice of the method depends only on strides, shape and addresses.
func (d *Device) Copy(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	forwards(l)
	l.Coalesce()
	y, x := &l.Operands[0], &l.Operands[1]
	if y.DType == x.DType && (l.Rank == 0 || l.Rank == 1 && y.Strides[0] == 1 && x.Strides[0] == 1) {
		size := x.DType.Size()
		d.check(l.Func, d.context.Copy(address(y.Memory, y.Offset*size), address(x.Memory, x.Offset*size), l.Size()*size, d.stream))
		return
	}
	if y.DType != x.DType && d.convertPrinted(l) {
		return
	}
	inPieces(l, l.Rank, 0, func(l *device.Launch, _ int) {
		if l.Operands[0].DType == l.Operands[1].DType {
			d.move(l)
		} else {
			d.convert(l)
		}
	})
}

// forwards reverses axes along which y has negative strides, so that more axes can be fused.
func forwards(l *device.Launch) {
	for axis, n := range l.Shape[:l.Rank] {
		if l.Operands[0].Strides[axis] >= 0 {
			continue
		}
		for k := range l.N {
			o := &l.Operands[k]
			o.Offset += (n - 1) * o.Strides[axis]
			o.Strides[axis] = -o.Strides[axis]
		}
	}
}

// convert copies elements of one type to another type.
func (d *Device) convert(l *device.Launch) {
	each, blocks := groups(l.Size(), 1, mostEach)
	a := newArguments(limitOf(l.Rank))
	a.int(int(l.Operands[0].DType))
	a.int(int(l.Operands[1].DType))
	a.int(each)
	a.walk(l, l.Rank, 2, walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1]))
	d.run(l.Func, entry{file: "copy", name: "convert_elements"}, blocks, threads, 0, a)
}

// move copies elements unchanged.
func (d *Device) move(l *device.Launch) {
	y, x := walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1])
	last := l.Rank - 1
	name := "copy"
	size := y.size
	switch inner := innermost(l, &l.Operands[1]); {
	case last < 0: // a part of a larger loop
	case y.strides[last] == 1 && x.strides[last] == 1:
		size = unitOf(l, 0, y, x)
		widen(l, size, &y, &x)
	case y.strides[last] == 1 && x.strides[last] == 0 && size < 16 && unitOf(l, 0, y) == 16:
		name = "fill"
		widen(l, 16, &y)
	case inner < last && l.Shape[inner] >= shortAxis && l.Shape[last] >= shortAxis:
		d.transpose(l, inner, y, x)
		return
	case inner < last && l.Shape[inner] < shortAxis && l.Shape[last] >= shortAxis:
		exchange(l, inner, last) // then loads have no gaps, and stores have as many pieces as the axis is long
	}
	each, blocks := groups(l.Size(), y.size, mostEach)
	a := newArguments(limitOf(l.Rank))
	a.int(size)
	a.int(each)
	a.walk(l, l.Rank, 2, y, x)
	d.run(l.Func, entry{file: "copy", name: name}, blocks, threads, 0, a)
}

// shortAxis is the length below which an axis leaves too much of a tile unused.
const shortAxis = 16

// innermost returns the axis along which an operand's elements are closest together.
func innermost(l *device.Launch, o *device.Operand) int {
	inner := l.Rank - 1
	for axis := inner - 1; axis >= 0; axis-- {
		if stride := abs(o.Strides[axis]); stride != 0 && (stride < abs(o.Strides[inner]) || o.Strides[inner] == 0) {
			inner = axis
		}
	}
	return inner
}

// exchange swaps two axes.
func exchange(l *device.Launch, a, b int) {
	l.Shape[a], l.Shape[b] = l.Shape[b], l.Shape[a]
	for k := range l.N {
		s := &l.Operands[k].Strides
		s[a], s[b] = s[b], s[a]
	}
}

// unitOf returns how many bytes of the last axis, along which the operands are contiguous, can be moved at once: an
// element or more, as far as the addresses and strides of all operands permit. also holds the bits of other distances
// that must be multiples.
func unitOf(l *device.Launch, also int, operands ...walked) int {
	last, size := l.Rank-1, operands[0].size
	all := uint64(l.Shape[last]*size | also)
	for _, o := range operands {
		all |= o.address
		for _, stride := range o.strides[:last] {
			all |= uint64(stride * size)
		}
	}
	return max(size, int(min(16, all&-all)))
}

// widen converts the last axis to such units.
func widen(l *device.Launch, unit int, operands ...*walked) {
	last, size := l.Rank-1, operands[0].size
	l.Shape[last] = l.Shape[last] * size / unit
	for _, o := range operands {
		for axis := range last {
			o.strides[axis] = o.strides[axis] * size / unit
		}
		o.size = unit
	}
}

// transpose copies in tiles of two axes: inner, along which x is contiguous, and the last axis, along which y is.
func (d *Device) transpose(l *device.Launch, inner int, y, x walked) {
	last := l.Rank - 1
	exchange(l, inner, last-1)
	side, words := 32, max(1, 4/y.size)
	side *= words
	rows, columns := l.Shape[last], l.Shape[last-1]
	down, across := (rows+side-1)/side, (columns+side-1)/side
	rank := l.Rank
	l.Rank -= 2
	tiles := down * across * l.Size()
	a := newArguments(limitOf(rank))
	a.int(tiles)
	a.bool(wordsFit(l, y, y.strides[last], y.strides[last-1]))
	a.bool(wordsFit(l, x, x.strides[last-1], x.strides[last]))
	a.divisor(down)
	a.divisor(across)
	a.int(rows)
	a.int(columns)
	for _, axis := range []int{last, last - 1} {
		a.int(y.size * y.strides[axis])
		a.int(x.size * x.strides[axis])
	}
	a.walk(l, l.Rank, 2, y, x)
	l.Rank = rank
	d.run(l.Func, entry{file: "copy", name: transposes[y.size]}, min(tiles, maxBlocks), threads, 0, a)
}

// transposes are the kernels, by the size of an element in bytes.
var transposes = [...]string{1: "transpose_1", 2: "transpose_2", 4: "transpose_4", 8: "transpose_8", 16: "transpose_16"}

// wordsFit reports whether words of 4 bytes can be accessed along an axis with a given step, at every index of the
// other axes.
func wordsFit(l *device.Launch, o walked, step, other int) bool {
	all := o.address | uint64(o.size*other)
	for _, stride := range o.strides[:l.Rank] {
		all |= uint64(o.size * stride)
	}
	return step == 1 && all%4 == 0
}
