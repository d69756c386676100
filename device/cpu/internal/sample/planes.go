package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Locations of float32 in planes with zeros outside, as those of grids, have faster routines: corners are found in float32, and
// their elements are loaded as pairs of neighbours, by gathers where these are fast.

// findPlane sets planar if the locations index planes whose rows are contiguous, and each row of the loop has one plane.
func (p *locations) findPlane() {
	if !sample.TakesPairs() || p.clip || len(p.views) != 2 || p.x.DType != dtype.Float32 || !p.x.Uniform && p.x.Step() != 0 {
		return
	}
	for _, v := range p.views {
		if v.DType != dtype.Float32 {
			return
		}
	}
	p.plane = sample.Plane{Rows: p.axes[0].Size, Columns: p.axes[1].Size, Stride: p.axes[0].Stride}
	p.planar = p.axes[1].Stride == 1 && p.axes[1].Size > 1 && p.plane.Fits()
}

// row returns how many points, from a multiple of this number on, a block may have some of.
func (p *locations) row() int {
	if p.planar && !p.x.Uniform {
		return p.x.Row()
	}
	return p.points
}

// blocks returns the number of blocks of points.
func (p *locations) blocks() int {
	row := p.row()
	return p.points / row * strided.CeilDiv(row, block)
}

// block returns the first point of block k, and the number of its points.
func (p *locations) block(k int) (start, n int) {
	row := p.row()
	inRow := strided.CeilDiv(row, block)
	start = k/inRow*row + k%inRow*block
	return start, p.blockUpTo(start, p.points)
}

// blockUpTo returns the number of points of a block that begins at start, before the point end.
func (p *locations) blockUpTo(start, end int) int {
	row := p.row()
	return min(block, end-start, row-start%row)
}

// fillPlane is fill for planes.
func (t *table[T]) fillPlane(p *locations, start, n int) {
	t.base, t.count, t.paired = p.x.Offset(start)*p.x.Size, 4, false
	var at [2][]float32
	for j := range at {
		direct := false
		if at[j], direct = run[float32](&p.views[j], start, n); !direct {
			at[j] = inPlane(&t.values)[j*block:][:n]
			p.views[j].Load(unsafe.Pointer(&at[j][0]), dtype.Float32, start, n)
		}
	}
	w := sample.PlaneWeights{Weights: inPlane(&t.weights)}
	if p.slopes {
		w.RowSlopes, w.ColumnSlopes = inPlane(&t.slopes[0]), inPlane(&t.slopes[1])
	}
	t.plane.Corners(p.plane, at[0], at[1], w)
}

// leavePlane changes the table to one of single elements.
func (t *table[T]) leavePlane(n int) {
	if t.planar {
		t.plane.Offsets(n, (*[4 * block]int)(unsafe.Pointer(&t.offsets)))
		t.planar = false
	}
}

// inPlane returns the numbers of the four corners in a plane, which are float32.
func inPlane[T float](corners *[8][block]T) *[4 * block]float32 {
	return (*[4 * block]float32)(unsafe.Pointer(corners))
}

// singles returns elements that are float32.
func singles[T float](elements []T) []float32 {
	return rowAt[float32](unsafe.Pointer(unsafe.SliceData(elements)), len(elements))
}
