package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gather stores the elements of operand 1 that the indices select, and 0 for an index that BoundsDrop drops.
func (d *Device) Gather(l *device.Launch) {
	y, x := d.operand(l, 0), d.operand(l, 1)
	p := d.indexing(l)
	p.check(shape(l))
	for _, index := range points(shape(l)) {
		if offset, ok := p.at(index); ok {
			y.copy(y.at(index), x, x.at(index)+offset)
		} else {
			y.store(y.at(index), value{}, y.compute())
		}
	}
}

// indexing holds the index operands, the axes that they index, and the meaning of indices out of range.
type indexing struct {
	indices []operand
	axes    []device.IndexAxis
	bounds  device.Bounds
}

func (d *Device) indexing(l *device.Launch) indexing {
	return indexing{d.operands(l, 2, l.N), l.Axes[:l.N-2], l.Bounds}
}

// at returns the offset that the indices at a point select, in elements. ok is false if an index is out of range and
// dropped.
func (p indexing) at(point []int) (offset int, ok bool) {
	for j, indices := range p.indices {
		index := indices.load(indices.at(point), dtype.Int64).i
		k, ok := inBounds(index, int64(p.axes[j].Size), p.bounds)
		if !ok {
			return 0, false
		}
		offset += int(k) * p.axes[j].Stride
	}
	return offset, true
}

// check panics with *[device.IndexError] at the first index out of range, unless the bounds allow it.
func (p indexing) check(shape []int) {
	if p.bounds == device.BoundsDrop {
		return
	}
	for _, point := range points(shape) {
		for j, indices := range p.indices {
			index := indices.load(indices.at(point), dtype.Int64).i
			if _, ok := inBounds(index, int64(p.axes[j].Size), p.bounds); !ok {
				panic(&device.IndexError{Index: int(index), Size: p.axes[j].Size})
			}
		}
	}
}

// inBounds returns the index from 0 to size-1 that an index means by the bounds. ok is false if there is none.
func inBounds(index, size int64, bounds device.Bounds) (k int64, ok bool) {
	if size == 0 {
		return 0, false
	}
	switch bounds {
	case device.BoundsWrap:
		return (index%size + size) % size, true
	case device.BoundsClip:
		return max(0, min(index, size-1)), true
	case device.BoundsRaise: // with BoundsExact an index below 0 is out of range
		if index < 0 {
			index += size
		}
	}
	return index, 0 <= index && index < size
}
