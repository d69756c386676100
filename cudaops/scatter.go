package cudaops

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Scatter combines elements of x into those of y that indices select. Integers are combined with atomic operations, all
// other types in row-major order of the points.
func (d *Device) Scatter(l *device.Launch) {
	d.enter(l)
	if l.Size() == 0 {
		return
	}
	v := d.checkIndexOperands(l)
	defer v.free()
	if l.Cleared {
		d.clear(l, v, 0, l.Axes[:l.N-2])
	}
	if l.Combine != device.CombineAssign && !l.Operands[0].DType.IsInexact() {
		l.Rank = merge(l, nil, 0, l.Rank)
		inPieces(l, l.Rank, 0, func(l *device.Launch, _ int) {
			a := newArguments(limitOf(l.Rank))
			a.scatter(l, v, walkedOf(&l.Operands[0]), l.Axes[:l.N-2], l.Operands[0].DType.Size())
			a.int(0)
			a.int(l.Operands[0].DType.Size())
			a.word(0)
			d.run(l.Func, entry{file: "scatter", name: "scatter_integers"}, over(l.Size()), threads, 0, a)
		})
		return
	}
	d.scatterRuns(l, v)
}

// scatter adds ScatterParams up to its walk. The strides of the axes are in units of the given number of bytes.
func (a *arguments) scatter(l *device.Launch, v indexCheck, y walked, axes []device.IndexAxis, unit int) {
	a.indexCheckResult(v)
	a.int(int(l.Operands[0].DType))
	a.int(int(l.Operands[1].DType))
	a.int(int(l.Combine))
	a.indices(l.Operands[2:l.N], axes, l.Bounds, unit, device.MaxIndices)
	walks := [device.MaxOperands]walked{y}
	for k := 1; k < l.N; k++ {
		walks[k] = walkedOf(&l.Operands[k])
	}
	a.walk(l, l.Rank, device.MaxOperands, walks[:l.N]...)
}

// scatterRuns sorts the points by their elements of y. It sorts once for all tails: the points of the axes along which
// no index varies.
func (d *Device) scatterRuns(l *device.Launch, v indexCheck) {
	heads, tails := d.split(l)
	defer heads.Recycle()
	defer tails.Recycle()
	y := &heads.Operands[0]
	var offsets span
	for axis, n := range heads.Shape[:heads.Rank] {
		offsets.add(n, y.Strides[axis])
	}
	for _, axis := range l.Axes[:l.N-2] {
		offsets.add(axis.Size, axis.Stride)
	}
	n, none := heads.Size(), offsets.count()
	size := offsets.keySize()
	keys := d.scratch(l.Func, size*n)
	inPieces(heads, heads.Rank, 0, func(l *device.Launch, first int) { d.scatterKeys(l, v, offsets, keys.address+uint64(size*first), size) })
	keys, numbers := d.sortedKeys(l.Func, keys, size, bits.Len(uint(none)), n)
	inPieces(tails, tails.Rank, 0, func(l *device.Launch, _ int) { d.scatterTails(l, v, heads, offsets, keys, numbers, size, n) })
	keys.free()
	numbers.free()
}

// split returns the loop over the axes along which an index varies or y does not, and the loop over the other axes.
func (d *Device) split(l *device.Launch) (heads, tails *device.Launch) {
	heads, tails = device.NewLaunch(), device.NewLaunch()
	for _, part := range []*device.Launch{heads, tails} {
		part.Func, part.N, part.Outputs, part.Attributes = l.Func, l.N, l.Outputs, l.Attributes
		copy(part.Operands[:l.N], l.Operands[:l.N])
	}
	for axis, n := range l.Shape[:l.Rank] {
		part := heads
		if isTail(l, axis) && l.Operands[0].Strides[axis] != 0 {
			part = tails
		}
		part.Shape[part.Rank] = n
		for k := range l.N {
			part.Operands[k].Strides[part.Rank] = l.Operands[k].Strides[axis]
		}
		part.Rank++
	}
	heads.Rank = merge(heads, nil, 0, heads.Rank)
	for k := 2; k < l.N; k++ {
		tails.Operands[k].Memory = device.Memory{}
	}
	tails.N = 2
	tails.Coalesce()
	return heads, tails
}

// scatterKeys computes the sort keys of points: the numbers of their elements of y.
func (d *Device) scatterKeys(l *device.Launch, v indexCheck, offsets span, keys uint64, size int) {
	y := l.Operands[0].Strides
	for axis := range l.Rank {
		y[axis] /= offsets.step()
	}
	axes := l.Axes
	for k := range axes[:l.N-2] {
		axes[k].Stride /= offsets.step()
	}
	a := newArguments(limitOf(l.Rank))
	a.scatter(l, v, walked{0, 1, &y}, axes[:l.N-2], 1)
	a.int(-offsets.lowest / offsets.step())
	a.int(offsets.count())
	a.word(keys)
	d.run(l.Func, entry{file: "scatter", name: keyScatters[size]}, over(l.Size()), threads, 0, a)
}

var keyScatters = [...]string{4: "scatter_keys_4", 8: "scatter_keys_8"}

// scatterTails combines the points of each element of y, for all points of tails.
func (d *Device) scatterTails(l *device.Launch, v indexCheck, heads *device.Launch, offsets span, keys, numbers scratch, size, n int) {
	y, x := walkedOf(&l.Operands[0]), walkedOf(&l.Operands[1])
	scale, base, unit := offsets.step()*y.size, offsets.lowest*y.size, 0
	head := walkedOf(&heads.Operands[1])
	if l.Combine == device.CombineAssign && l.Operands[0].DType == l.Operands[1].DType {
		unit = y.size
		if last := l.Rank - 1; last >= 0 && y.strides[last] == 1 && x.strides[last] == 1 {
			steps := scale | base
			for _, stride := range head.strides[:heads.Rank] {
				steps |= stride * x.size
			}
			unit = unitOf(l, steps, y, x)
			widen(l, unit, &y, &x)
		}
	}
	a := newArguments(max(limitOf(l.Rank), limitOf(heads.Rank)))
	a.indexCheckResult(v)
	for _, value := range []int{int(l.Operands[0].DType), int(l.Operands[1].DType), int(l.Combine), unit, n} {
		a.int(value)
	}
	a.bool(size == 8)
	a.int(offsets.count())
	a.int(scale)
	a.int(base)
	a.word(keys.address)
	a.word(numbers.address)
	a.walk(heads, heads.Rank, 1, head)
	a.walk(l, l.Rank, 2, y, x)
	d.run(l.Func, entry{file: "scatter", name: "scatter_runs"}, over(n*l.Size()), threads, 0, a)
}

// span is the range of offsets from the first element, in elements, and the greatest common divisor of all distances.
type span struct {
	lowest, greatest int
	divisor          int
}

// add adds an axis.
func (s *span) add(n, stride int) {
	if n <= 1 {
		return
	}
	s.lowest += min(0, stride*(n-1))
	s.greatest += max(0, stride*(n-1))
	s.divisor = commonDivisor(s.divisor, abs(stride))
}

// step returns the distance between offsets whose numbers differ by one.
func (s *span) step() int { return max(1, s.divisor) }

// count returns the number of possible offsets.
func (s *span) count() int { return (s.greatest-s.lowest)/s.step() + 1 }

// mostNarrow is the largest number of offsets for keys of 4 bytes. Tests lower it.
var mostNarrow = 1<<32 - 1

// keySize returns the size in bytes of an offset's number. There is one more number, for no element.
func (s *span) keySize() int {
	if s.count() > mostNarrow {
		return 8
	}
	return 4
}

// sortedKeys sorts n keys of 4 or 8 bytes stably, by the given number of bits, and also returns the indices that the
// keys had. It frees the memory that it does not return.
func (d *Device) sortedKeys(fn string, keys scratch, size, bits, n int) (sortedKeys, numbers scratch) {
	if n > mostShort(size) {
		return d.sortKeys(fn, keys, scratch{}, size, bits, 1, n)
	}
	sortedKeys, numbers = d.scratch(fn, size*n), d.scratch(fn, 4*n)
	l := device.NewLaunch()
	defer l.Recycle()
	l.Func, l.Rank, l.N, l.Outputs = fn, 1, 3, 2
	l.Shape[0] = n
	t := dtype.Uint32
	if size == 8 {
		t = dtype.Uint64
	}
	for k, s := range []scratch{sortedKeys, numbers, keys} {
		l.Operands[k] = device.Operand{Memory: s.memory, DType: t}
		l.Operands[k].Strides[0] = 1
	}
	l.Operands[1].DType = dtype.Uint32
	d.sort(l)
	keys.free()
	return sortedKeys, numbers
}

// clear sets operand k to 0, over its axes of the loop and the axes that indices select from.
func (d *Device) clear(l *device.Launch, v indexCheck, k int, axes []device.IndexAxis) {
	whole := device.NewLaunch()
	defer whole.Recycle()
	whole.Func, whole.N, whole.Outputs = l.Func, 1, 1
	o := &whole.Operands[0]
	*o = l.Operands[k]
	add := func(n, stride int) {
		whole.Shape[whole.Rank], o.Strides[whole.Rank] = n, stride
		whole.Rank++
	}
	for axis, n := range l.Shape[:l.Rank] {
		if stride := l.Operands[k].Strides[axis]; stride != 0 {
			add(n, stride)
		}
	}
	for _, axis := range axes {
		add(axis.Size, axis.Stride)
	}
	if whole.Size() > 0 {
		forwards(whole)
	}
	whole.Coalesce()
	inPieces(whole, whole.Rank, 0, func(l *device.Launch, _ int) {
		y := walkedOf(&l.Operands[0])
		size := y.size
		if last := l.Rank - 1; last >= 0 && y.strides[last] == 1 {
			size = unitOf(l, 0, y)
			widen(l, size, &y)
		}
		a := newArguments(limitOf(l.Rank))
		a.indexCheckResult(v)
		a.int(size)
		a.walk(l, l.Rank, 1, y)
		d.run(l.Func, entry{file: "scatter", name: "clear"}, max(1, over(l.Size())), threads, 0, a) // at least one, to report an index
	})
}
