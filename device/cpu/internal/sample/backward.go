package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
)

// backward adds gradients to the elements of each array in the loop, and of each channel, point by point: one worker
// adds all that goes to an element. The axes of the loop are ordered: first those along which gx and a location vary,
// then those along which gx does not, then those along which only gx does.
func backward[T float](l *device.Launch) {
	if hasEmptyAxis(l, 2) {
		index.Clear(l, 0, l.Axes[:l.N-2])
		return
	}
	ends := arrange(l, 3, func(axis int) int {
		switch {
		case l.Operands[0].Strides[axis] == 0:
			return 1
		case vary(l, 2, l.N, axis):
			return 0
		}
		return 2
	})
	arrays, inner := ends[0], ends[1]
	if locations, ok := separable(l, 0, 1, 2, arrays, inner); ok && arrays == 0 && resizeBack[T](l, inner, locations) {
		return
	}
	index.Clear(l, 0, l.Axes[:l.N-2])
	p, gy := newLocations(l, 0, 2, arrays, inner), strided.Within(l, 1, arrays, inner)
	lead := make([]strided.View, l.N)
	for k := range lead {
		lead[k] = strided.Within(l, k, 0, arrays)
	}
	count := 1
	for _, n := range l.Shape[:arrays] {
		count *= n
	}
	c := newChannels(l, 0, 1, inner)
	p.findPlane()
	c.share(count, 4*float64(p.points), func(array, from, to int) {
		t, room := takeTable[T]()
		here := *p
		here.x.Base = lead[0].At(array)
		here.views = append([]strided.View(nil), p.views...)
		for j := range here.views {
			here.views[j].Base = lead[2+j].At(array)
		}
		base := lead[1].At(array)
		for start := 0; start < p.points; start += block {
			n := min(block, p.points-start)
			t.fill(&here, start, n)
			t.leavePlane(n)
			t.hasNaN = t.anyNaN(n)
			var waiting []T // for another channel: two at a time
			var waitingX unsafe.Pointer
			c.each(from, to, func(a, b, count int) {
				x := unsafe.Add(here.x.Base, a+t.base)
				v := gy
				v.Base = unsafe.Add(base, b)
				if c.flat {
					t.addRows(&v, x, start, n, count)
					return
				}
				elements, direct := run[T](&v, start, n)
				switch {
				case !direct:
					t.add(t.load(&v, start, n), x)
				case waiting == nil:
					waiting, waitingX = elements, x
				default:
					t.addTwo(waiting, elements, waitingX, x)
					waiting = nil
				}
			})
			if waiting != nil {
				t.add(waiting, waitingX)
			}
		}
		room.Recycle()
	})
}

// load returns the elements at n points contiguously.
func (t *table[T]) load(v *strided.View, start, n int) []T {
	elements, ok := run[T](v, start, n)
	if !ok {
		elements = t.axis.weights[:n] // which the table no longer uses
		v.Load(unsafe.Pointer(&t.axis.weights), v.DType, start, n)
	}
	return elements
}

// add adds gradients at the corners of each point. A finite gradient times a weight of 0 gives a 0, which changes
// nothing.
func (t *table[T]) add(gy []T, x unsafe.Pointer) {
	n := len(gy)
	if t.hasNaN || t.count != 4 {
		for i := range gy {
			t.addOne(gy, x, i)
		}
		return
	}
	o0, o1, o2, o3 := t.offsets[0][:n], t.offsets[1][:n], t.offsets[2][:n], t.offsets[3][:n]
	w0, w1, w2, w3 := t.weights[0][:n], t.weights[1][:n], t.weights[2][:n], t.weights[3][:n]
	for i, g := range gy {
		if g-g != 0 {
			t.addOne(gy, x, i)
			continue
		}
		*at[T](x, o0[i]) += w0[i] * g
		*at[T](x, o1[i]) += w1[i] * g
		*at[T](x, o2[i]) += w2[i] * g
		*at[T](x, o3[i]) += w3[i] * g
	}
}

// addTwo is add for two channels, in turns: neighbouring points have common elements, so that each addition waits for the one before in
// its channel.
func (t *table[T]) addTwo(gy, hy []T, x, z unsafe.Pointer) {
	n := len(gy)
	if t.hasNaN || t.count != 4 {
		t.add(gy, x)
		t.add(hy, z)
		return
	}
	hy = hy[:n]
	o0, o1, o2, o3 := t.offsets[0][:n], t.offsets[1][:n], t.offsets[2][:n], t.offsets[3][:n]
	w0, w1, w2, w3 := t.weights[0][:n], t.weights[1][:n], t.weights[2][:n], t.weights[3][:n]
	for i, g := range gy {
		h := hy[i]
		if g-g != 0 || h-h != 0 {
			t.addOne(gy, x, i)
			t.addOne(hy, z, i)
			continue
		}
		addBoth(x, z, o0[i], w0[i], g, h)
		addBoth(x, z, o1[i], w1[i], g, h)
		addBoth(x, z, o2[i], w2[i], g, h)
		addBoth(x, z, o3[i], w3[i], g, h)
	}
}

// addBoth adds w·g and w·h at an offset from x and from z.
func addBoth[T float](x, z unsafe.Pointer, offset int, w, g, h T) {
	*at[T](x, offset) += w * g
	*at[T](z, offset) += w * h
}

// addOne adds the gradient of one point at the corners that have a weight.
func (t *table[T]) addOne(gy []T, x unsafe.Pointer, i int) {
	for c := range t.count {
		if w := t.weights[c][i]; w < 0 || w > 0 {
			*at[T](x, t.offsets[c][i]) += w * gy[i]
		}
	}
}

// addRows adds rows of channels at the corners of each point.
func (t *table[T]) addRows(gy *strided.View, x unsafe.Pointer, start, n, count int) {
	var cursor strided.Cursor
	cursor.Seek(gy, start)
	for done := 0; done < n; cursor.NextRow() {
		k := min(gy.Row()-cursor.Column(), n-done)
		for i := range k {
			row := unsafe.Slice((*T)(gy.Element(cursor.Offset+i*gy.Step())), count)
			for c := range t.count {
				if w := t.weights[c][done+i]; w < 0 || w > 0 {
					to := rowAt[T](unsafe.Add(x, t.offsets[c][done+i]), count)
					sample.Mix(to, to, row, 1, w)
				}
			}
		}
		done += k
	}
}

// anyNaN reports whether a weight of the first n points is NaN: then all weights of that point are NaN.
func (t *table[T]) anyNaN(n int) bool {
	for _, w := range t.weights[0][:n] {
		if w != w {
			return true
		}
	}
	return false
}
