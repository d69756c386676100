package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SampleLocationsGrad sums gy times the differences of the elements at the corners.
func SampleLocationsGrad(l *device.Launch) {
	switch {
	case l.Size() == 0:
	case l.Operands[l.Outputs].DType == dtype.Float64:
		slopes[float64](l)
	default:
		slopes[float32](l)
	}
}

// slopes sums the gradients with respect to the locations. The axes of the loop are ordered: first those along which
// all results vary, then those along which a result or a location does, or x does not, then all others. One worker
// computes all results at one point of the first axes.
func slopes[T float](l *device.Launch) {
	outputs := l.Outputs
	first := outputs + 2
	ends := arrange(l, 3, func(axis int) int {
		own, some := true, l.Operands[outputs+1].Strides[axis] == 0 || vary(l, first, l.N, axis)
		for k := range outputs {
			varies := l.Operands[k].Strides[axis] != 0
			own, some = own && varies, some || varies
		}
		switch {
		case own:
			return 0
		case some:
			return 1
		}
		return 2
	})
	own, outer := ends[0], ends[1]
	p, gy := newLocations(l, outputs+1, first, 0, outer), strided.Within(l, outputs, 0, outer)
	p.slopes = true
	p.loadPairs()
	count := 1
	for _, n := range l.Shape[:own] {
		count *= n
	}
	rest := p.points / count // points that may share a result
	results := make([]strided.View, outputs)
	for k := range results {
		results[k] = strided.Within(l, k, 0, outer)
		if rest > 1 || hasEmptyAxis(l, first) {
			index.Clear(l, k, nil)
		}
	}
	if hasEmptyAxis(l, first) {
		return
	}
	c := newChannels(l, outputs, outputs+1, outer)
	c.flat = false
	workers.ForRanges(count, 4*float64(rest)*float64(c.n), func(from, to int) {
		t, room := takeTable[T]()
		for start, n := from*rest, 0; start < to*rest; start += n {
			n = p.blockUpTo(start, to*rest)
			t.fill(p, start, n)
			for c := range t.count {
				clear(t.weights[c][:n])
			}
			c.each(0, c.n, func(a, b, _ int) {
				v := gy
				v.Base = unsafe.Add(gy.Base, a)
				t.collect(t.load(&v, start, n), unsafe.Add(p.x.Base, b+t.base))
			})
			if t.compare(n, outputs) {
				c.each(0, c.n, func(a, b, _ int) {
					v := gy
					v.Base = unsafe.Add(gy.Base, a)
					t.collectCarefully(t.load(&v, start, n), unsafe.Add(p.x.Base, b+t.base), outputs)
				})
			}
			for j := range results {
				if rest == 1 {
					results[j].Store(unsafe.Pointer(&t.results[j]), dtype.Of[T](), start, n)
				} else {
					addTo(&results[j], t.results[j][:n], start)
				}
			}
		}
		room.Recycle()
	})
}

// collect adds the gradients times the elements at each corner to the sums of that corner, which are stored in weights.
func (t *table[T]) collect(gy []T, x unsafe.Pointer) {
	if t.planar {
		t.plane.Collect(inPlane(&t.weights), singles(gy), x)
		return
	}
	products := t.axis.weights[block:][:len(gy)] // which the table no longer uses
	t.pick(x, len(gy))
	for c := range t.count {
		sample.Sums(products, t.values[c][:], gy, 1, block)
		sample.Mix(t.weights[c][:len(gy)], t.weights[c][:len(gy)], products, 1, 1)
	}
}

// compare computes the results of each location from the sums of n points: the differences of the sums at the corners.
// If a result is not finite, because a sum is not, compare sets all results of the point to 0, sets ints to 1 there,
// and returns true.
func (t *table[T]) compare(n, locations int) (careful bool) {
	odd := t.ints[:n]
	clear(odd)
	for j := range locations {
		results, count := t.results[j][:n], t.count*block
		sample.Sums(results, rowAt[T](unsafe.Pointer(&t.weights), count), rowAt[T](unsafe.Pointer(&t.slopes[j]), count), t.count, block)
		for i, v := range results {
			if v-v != 0 {
				odd[i], careful = 1, true
			}
		}
	}
	for i := 0; careful && i < n; i++ {
		for j := 0; odd[i] != 0 && j < locations; j++ {
			t.results[j][i] = 0
		}
	}
	return careful
}

// collectCarefully adds to the results whose sums were not finite: gradients times differences, in which a slope of 0
// contributes nothing, whatever the element is.
func (t *table[T]) collectCarefully(gy []T, x unsafe.Pointer, locations int) {
	for i, g := range gy {
		if t.ints[i] == 0 {
			continue
		}
		for j := range locations {
			t.results[j][i] += g * t.sumNonzero(&t.slopes[j], x, i)
		}
	}
}

// addTo adds numbers to the elements at points; several points may share an element.
func addTo[T float](y *strided.View, values []T, start int) {
	var c strided.Cursor
	c.Seek(y, start)
	for len(values) > 0 {
		k := min(y.Row()-c.Column(), len(values))
		for i, v := range values[:k] {
			p := y.Element(c.Offset + i*y.Step())
			if y.DType == dtype.Float64 {
				*(*float64)(p) += float64(v)
			} else {
				*(*float32)(p) += float32(v)
			}
		}
		values = values[k:]
		c.NextRow()
	}
}
