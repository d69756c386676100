package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sample"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Points in planes of float32, with zeros outside, have tables of their own: their corners are found in float32, and their
// elements are loaded as pairs of neighbours, by gathers where these are fast.

// planePoints are the points of a block.
type planePoints struct {
	corners   sample.PlaneTable
	locations [2][sample.PlanePoints]float32
	results   [sample.PlanePoints]float32
}

// planeOf returns the plane that the locations index, if they are float32, and all elements of a row of the loop lie in one plane.
func (p *locations) planeOf() (plane sample.Plane, ok bool) {
	if p.clip || p.pairs != 1 || len(p.views) != 2 || p.x.DType != dtype.Float32 || !p.x.Uniform && p.x.Step() != 0 {
		return plane, false
	}
	for _, v := range p.views {
		if v.DType != dtype.Float32 {
			return plane, false
		}
	}
	plane = sample.Plane{Rows: p.axes[0].Size, Columns: p.axes[1].Size, Stride: p.axes[0].Stride}
	return plane, plane.Fits()
}

// readPlanes reads the elements of planes at the points of the loop, one block after the other, each in all channels.
func readPlanes(p *locations, plane sample.Plane, y strided.View, c channels) {
	row := p.x.Row()
	blocks := strided.CeilDiv(row, sample.PlanePoints)
	c.share(p.points/row*blocks, 2*sample.PlanePoints, func(piece, from, to int) {
		room := memory.TakeScratch(int(unsafe.Sizeof(planePoints{})))
		t := (*planePoints)(room.At(0))
		first := piece % blocks * sample.PlanePoints
		start, n := piece/blocks*row+first, min(sample.PlanePoints, row-first)
		var at [2][]float32
		for j := range at {
			direct := false
			if at[j], direct = run[float32](&p.views[j], start, n); !direct {
				at[j] = t.locations[j][:n]
				p.views[j].Load(unsafe.Pointer(&t.locations[j]), dtype.Float32, start, n)
			}
		}
		t.corners.Corners(plane, at[0], at[1])
		x := p.x.At(start)
		c.each(from, to, func(a, b, _ int) {
			v := y
			v.Base = unsafe.Add(y.Base, a)
			results, direct := run[float32](&v, start, n)
			if !direct {
				results = t.results[:n]
			}
			t.read(results, unsafe.Add(x, b))
			if !direct {
				v.Store(unsafe.Pointer(&t.results), v.DType, start, n)
			}
		})
		room.Recycle()
	})
}

// read is table.read in a plane.
func (t *planePoints) read(y []float32, x unsafe.Pointer) {
	if t.corners.Sums(y, x) {
		return
	}
	for i, v := range y {
		if v == v {
			continue
		}
		y[i] = 0
		for c := range t.corners.Weights {
			if w := t.corners.Weights[c][i]; w != 0 {
				y[i] += float32(w * *at[float32](x, 4*t.corners.At(c, i)))
			}
		}
	}
}
