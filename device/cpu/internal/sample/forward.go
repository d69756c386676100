package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
)

// forward reads one block of points after the other, each in all channels.
func forward[T float](l *device.Launch) {
	ends := arrange(l, 2, func(axis int) int {
		if l.Operands[1].Strides[axis] == 0 || vary(l, 2, l.N, axis) {
			return 0
		}
		return 1
	})
	if hasEmptyAxis(l, 2) {
		index.Clear(l, 0, nil)
		return
	}
	outer := ends[0]
	if locations, ok := separable(l, 1, 0, 2, 0, outer); ok {
		resize[T](l, outer, locations)
		return
	}
	p, y := newLocations(l, 1, 2, 0, outer), strided.Within(l, 0, 0, outer)
	c := newChannels(l, 0, 1, outer)
	if !c.flat {
		p.loadPairs()
	}
	c.share(p.blocks(), 2*block, func(piece, from, to int) {
		t, room := takeTable[T]()
		start, n := p.block(piece)
		t.fill(p, start, n)
		c.each(from, to, func(a, b, count int) {
			x := unsafe.Add(p.x.Base, b+t.base)
			v := y
			v.Base = unsafe.Add(y.Base, a)
			if c.flat {
				t.readRows(&v, x, start, n, count)
				return
			}
			results, direct := run[T](&v, start, n)
			if !direct {
				results = t.results[0][:n]
			}
			t.read(results, x)
			if !direct {
				v.Store(unsafe.Pointer(&t.results), v.DType, start, n)
			}
		})
		room.Recycle()
	})
}

// run returns the elements at n points if they are contiguous.
func run[T float](v *strided.View, start, n int) (elements []T, ok bool) {
	if !v.Flat && (v.Step() != 1 || start%v.Row()+n > v.Row()) {
		return nil, false
	}
	return unsafe.Slice((*T)(v.At(start)), n), true
}

// read stores the result at each point. A weight of 0 times an element gives a 0, which changes nothing, except for
// infinities and NaNs: a sum that is NaN is computed again, without these products.
func (t *table[T]) read(y []T, x unsafe.Pointer) {
	numbers := false
	if t.planar {
		numbers = t.plane.Sums(singles(y), x, inPlane(&t.weights))
	} else {
		t.pick(x, len(y))
		numbers = sample.Sums(y, rowAt[T](unsafe.Pointer(&t.values), t.count*block), rowAt[T](unsafe.Pointer(&t.weights), t.count*block), t.count, block)
	}
	if numbers {
		return
	}
	for i, v := range y {
		if v != v {
			y[i] = t.sumNonzero(&t.weights, x, i)
		}
	}
}

// pick collects the elements at the corners of the first n points.
func (t *table[T]) pick(x unsafe.Pointer, n int) {
	if t.paired {
		for c := range t.count / 2 {
			pairs := t.pairs[c][:n]
			for i, offset := range t.offsets[c][:n] {
				pairs[i] = *(*[2]T)(unsafe.Add(x, offset))
			}
			sample.Split(n, t.values[c][:], t.values[t.count/2+c][:], t.pairs[c][:], t.upper[:], block/8)
		}
		return
	}
	if t.count == 4 {
		o0, o1, o2, o3 := t.offsets[0][:n], t.offsets[1][:n], t.offsets[2][:n], t.offsets[3][:n]
		v0, v1, v2, v3 := t.values[0][:n], t.values[1][:n], t.values[2][:n], t.values[3][:n]
		for i, o := range o0 {
			v0[i], v1[i], v2[i], v3[i] = *at[T](x, o), *at[T](x, o1[i]), *at[T](x, o2[i]), *at[T](x, o3[i])
		}
		return
	}
	pick(rowAt[T](unsafe.Pointer(&t.values), t.count*block), x, rowAt[int](unsafe.Pointer(&t.offsets), t.count*block), n, block)
}

// pick collects n elements at offsets from x, in bytes, then those of the next corner, stride further on. The
// processor's vector gather is slower than reading the elements one by one.
func pick[T float](values []T, x unsafe.Pointer, offsets []int, n, stride int) {
	for ; len(offsets) > stride; values, offsets = values[2*stride:], offsets[2*stride:] {
		a, b, to, next := offsets[:n], offsets[stride:][:n], values[:n], values[stride:][:n]
		for i, offset := range a {
			to[i], next[i] = *at[T](x, offset), *at[T](x, b[i])
		}
		if len(offsets) == 2*stride {
			return
		}
	}
	to := values[:n]
	for i, offset := range offsets[:n] {
		to[i] = *at[T](x, offset)
	}
}

// sumNonzero returns the sum, at one point, of the elements times weights, for weights that are not 0.
func (t *table[T]) sumNonzero(weights *[8][block]T, x unsafe.Pointer, i int) T {
	var v T
	for c := range t.count {
		if w := weights[c][i]; w != 0 {
			v += w * *at[T](x, t.offset(c, i))
		}
	}
	return v
}

// readRows stores the rows of channels at each point.
func (t *table[T]) readRows(y *strided.View, x unsafe.Pointer, start, n, count int) {
	var c strided.Cursor
	c.Seek(y, start)
	for done := 0; done < n; c.NextRow() {
		k := min(y.Row()-c.Column(), n-done)
		for i := range k {
			t.readRow(unsafe.Slice((*T)(y.Element(c.Offset+i*y.Step())), count), x, done+i)
		}
		done += k
	}
}

// readRow stores the row of channels at a point: the weighted sum of the rows at its corners.
func (t *table[T]) readRow(y []T, x unsafe.Pointer, i int) {
	m := mixture[T]{room: y}
	for c := range t.count {
		if w := t.weights[c][i]; w != 0 {
			m.add(rowAt[T](unsafe.Add(x, t.offsets[c][i]), len(y)), w)
		}
	}
	switch sum := m.sum(); {
	case sum == nil:
		clear(y)
	case !m.many && m.w == 1:
		copy(y, sum)
	}
}
