package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SamplePlacesGrad adds up by how much what lies at the places differs.
func SamplePlacesGrad(l *device.Launch) {
	switch {
	case l.Size() == 0:
	case l.Operands[l.Outputs].DType == dtype.Float64:
		slopes[float64](l)
	default:
		slopes[float32](l)
	}
}

// slopes adds up the gradients by places. The loop is put in the order of the axes along which all results vary, those along
// which a result or a place does, or x does not, and all others. The results at one place of the first are made by one worker.
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
	p, gy := newPlaces(l, outputs+1, first, 0, outer), strided.Within(l, outputs, 0, outer)
	p.slopes = true
	count := 1
	for _, n := range l.Shape[:own] {
		count *= n
	}
	rest := p.points / count // points that may share a result
	results := make([]strided.View, outputs)
	for k := range results {
		results[k] = strided.Within(l, k, 0, outer)
		if rest > 1 || noPlace(l, first) {
			index.Clear(l, k, nil)
		}
	}
	if noPlace(l, first) {
		return
	}
	c := newChannels(l, outputs, outputs+1, outer)
	c.flat = false
	workers.ForRanges(count, 4*float64(rest)*float64(c.n), func(from, to int) {
		t, room := takeTable[T]()
		for start := from * rest; start < to*rest; start += block {
			n := min(block, to*rest-start)
			t.fill(p, start, n)
			for j := range outputs {
				clear(t.results[j][:n])
			}
			c.each(0, c.n, func(a, b, _ int) {
				v := gy
				v.Base = unsafe.Add(gy.Base, a)
				t.compare(t.load(&v, start, n), unsafe.Add(p.x.Base, b), outputs)
			})
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

// compare adds to the results of each place by how much what lies at the corners differs, times the gradients.
func (t *table[T]) compare(gy []T, x unsafe.Pointer, places int) {
	differences := t.alone[1].weights[:len(gy)] // which the table has no more use for
	for j := range places {
		t.sums(differences, x, &t.slopes[j])
		results := t.results[j][:len(gy)]
		for i, g := range gy {
			results[i] += g * differences[i]
		}
	}
}

// addTo adds numbers to the elements at points, which may be the same for several.
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
