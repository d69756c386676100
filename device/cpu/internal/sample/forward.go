package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
)

// forward reads a block of points after the other, each through all channels.
func forward[T float](l *device.Launch) {
	ends := arrange(l, 2, func(axis int) int {
		if l.Operands[1].Strides[axis] == 0 || vary(l, 2, l.N, axis) {
			return 0
		}
		return 1
	})
	if noPlace(l, 2) {
		index.Clear(l, 0, nil)
		return
	}
	outer := ends[0]
	p, y := newPlaces(l, 1, 2, 0, outer), strided.Within(l, 0, 0, outer)
	c := newChannels(l, 0, 1, outer)
	c.share((p.points+block-1)/block, 2*block, func(piece, from, to int) {
		t, room := takeTable[T]()
		start := piece * block
		n := min(block, p.points-start)
		t.fill(p, start, n)
		c.each(from, to, func(a, b, count int) {
			x := unsafe.Add(p.x.Base, b)
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

// run returns the elements at n points where they lie one after the other.
func run[T float](v *strided.View, start, n int) (elements []T, ok bool) {
	if !v.Flat && (v.Step() != 1 || start%v.Row()+n > v.Row()) {
		return nil, false
	}
	return unsafe.Slice((*T)(v.At(start)), n), true
}

// read stores what lies at each point. A product with a weight of 0 is a 0 that changes nothing, but for infinities and
// not-a-numbers: a sum that is not a number is made again, without these products.
func (t *table[T]) read(y []T, x unsafe.Pointer) {
	n := len(y)
	o0, w0 := t.offsets[0][:n], t.weights[0][:n]
	switch t.count {
	case 2:
		o1, w1 := t.offsets[1][:n], t.weights[1][:n]
		for i := range y {
			v := w0[i]*(*at[T](x, o0[i])) + w1[i]*(*at[T](x, o1[i]))
			if v != v {
				v = t.careful(&t.weights, x, i)
			}
			y[i] = v
		}
	case 4:
		o1, w1, o2, w2, o3, w3 := t.offsets[1][:n], t.weights[1][:n], t.offsets[2][:n], t.weights[2][:n], t.offsets[3][:n], t.weights[3][:n]
		for i := range y {
			v := w0[i]*(*at[T](x, o0[i])) + w1[i]*(*at[T](x, o1[i])) + w2[i]*(*at[T](x, o2[i])) + w3[i]*(*at[T](x, o3[i]))
			if v != v {
				v = t.careful(&t.weights, x, i)
			}
			y[i] = v
		}
	default:
		for i := range y {
			y[i] = t.careful(&t.weights, x, i)
		}
	}
}

// careful is the sum at one point of the elements times weights, of those that are not 0.
func (t *table[T]) careful(weights *[8][block]T, x unsafe.Pointer, i int) T {
	var v T
	for c := range t.count {
		if w := weights[c][i]; w != 0 {
			v += w * *at[T](x, t.offsets[c][i])
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

// readRow stores the row of channels at a point: the sum of the rows at its corners.
func (t *table[T]) readRow(y []T, x unsafe.Pointer, i int) {
	empty := true
	for c := range t.count {
		w := t.weights[c][i]
		if w == 0 {
			continue
		}
		row := unsafe.Slice(at[T](x, t.offsets[c][i]), len(y))
		if empty {
			for k, v := range row {
				y[k] = w * v
			}
		} else {
			for k, v := range row {
				y[k] += w * v
			}
		}
		empty = false
	}
	if empty {
		clear(y)
	}
}
