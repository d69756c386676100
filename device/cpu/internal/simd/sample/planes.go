package sample

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// PlanePoints is the number of points of a PlaneTable.
const PlanePoints = 256

// Plane is a plane of elements. Its rows are contiguous, and have at least two elements.
type Plane struct {
	Rows, Columns int
	Stride        int // between rows, in elements
}

// Fits reports whether the numbers of elements of the plane fit in 32 bits, and locations in it have fractions in float32.
func (p Plane) Fits() bool {
	const largest = 1 << 22
	return p.Rows <= largest && p.Columns <= largest && max(p.Stride, -p.Stride) <= (math.MaxInt32-p.Columns)/p.Rows
}

// PlaneTable has the corners of points in a plane. Corner c lies in the row c&1 and in the column c>>1 of the four.
type PlaneTable struct {
	Pairs   [2][PlanePoints]int32   // in each row, the number of the lower of two neighbours that contain the corners
	Weights [4][PlanePoints]float32 // 0 outside of the plane
	Upper   [2 * planeMask]byte     // for each column, bits that say whether the corner is the upper neighbour
	loaded  [PlanePoints][2]float32
	values  [4][PlanePoints]float32
}

// planeMask is the size in bytes of a bit for each point.
const planeMask = PlanePoints / 8

// planeNumbers is what the routine of corners knows of a plane.
type planeNumbers struct {
	LastRow, LastColumn float32
	Stride              int32
}

// Corners fills the table with the corners of points, which is what Corners finds along both axes, if the elements outside
// count as 0: rounding changes only weights that are 0 then.
func (t *PlaneTable) Corners(p Plane, rows, columns []float32) {
	lastRow, lastColumn := float32(p.Rows-1), float32(p.Columns-1)
	if planeCorners(t, &planeNumbers{lastRow, lastColumn, int32(p.Stride)}, rows, columns) {
		return
	}
	for i, row := range rows {
		down, low, high := split32(row, lastRow)
		left, first, second := split32(columns[i], lastColumn)
		column := clampIndex(left, lastColumn-1)
		t.Pairs[0][i] = clampIndex(down, lastRow)*int32(p.Stride) + column
		t.Pairs[1][i] = clampIndex(down+1, lastRow)*int32(p.Stride) + column
		t.Weights[0][i], t.Weights[1][i], t.Weights[2][i], t.Weights[3][i] = low*first, high*first, low*second, high*second
		setBit(t.Upper[:], i, left >= lastColumn)
		setBit(t.Upper[planeMask:], i, left >= 0)
	}
}

// split32 returns the lower corner of a location along an axis, and the weights of both corners.
func split32(location, last float32) (down, low, high float32) {
	location = max(-2, min(location, last+2)) // NaN stays NaN
	down = float32(math.Floor(float64(location)))
	high = location - down
	low = 1 - high
	if down < 0 || down > last {
		low = 0
	}
	if down+1 < 0 || down+1 > last {
		high = 0
	}
	return down, low, high
}

// clampIndex returns the nearest index from 0 to last, or 0 for NaN.
func clampIndex(index, last float32) int32 {
	if index > 0 {
		return int32(min(index, last))
	}
	return 0
}

// Sums sets each element of y to the sum of the elements of a plane at the corners of a point, times their weights. It
// reports whether no sum is NaN.
func (t *PlaneTable) Sums(y []float32, plane unsafe.Pointer) bool {
	n := len(y)
	if isa.Gathers() {
		return gatherSums(t, y, plane)
	}
	for row := range t.Pairs {
		for i, pair := range t.Pairs[row][:n] {
			t.loaded[i] = *(*[2]float32)(unsafe.Add(plane, 4*int(pair)))
		}
		Split(n, t.values[row][:], t.values[2+row][:], t.loaded[:], t.Upper[:], planeMask)
	}
	const all = 4 * PlanePoints
	return Sums(y, unsafe.Slice(&t.values[0][0], all), unsafe.Slice(&t.Weights[0][0], all), 4, PlanePoints)
}

// At returns the number of the element at a corner of a point.
func (t *PlaneTable) At(corner, i int) int {
	return int(t.Pairs[corner&1][i]) + int(t.Upper[corner>>1*planeMask+i/8]>>(i%8)&1)
}
