package conv

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// winograd computes a convolution with windows of 3×3 by Winograd's F(2×2, 3×3): with 16 products for each 2×2 pixels, an input and an
// output channel instead of 36. The input is cut into tiles of 4×4 pixels, two apart. Tiles and windows are transformed; for each of
// the 16 positions in a tile there is a product of two matrices, of tiles and input channels, and of input and output channels; the
// transformed products are 2×2 pixels. The sums of one tile are independent of all others. (A. Lavin, S. Gray: Fast algorithms for
// convolutional neural networks, 2015.)
//
// An element's error is relative to the products of its whole tile. So the launch must permit it (Launch.Fast). A number that is
// not finite would spread over its tile: then everything is computed again directly.
type winograd struct {
	*correlation
	rows, columns int // of tiles of an image
	height        int // rows of tiles of a unit
	bands         int // of an image
	weights       unsafe.Pointer
	tiles         subconvolution // where the kernels find the tiles of a unit
	offsets       []int          // of the input channels in a tile
}

// A unit's tiles, products and results have about winogradBytes: they stay in the second-level cache. Convolutions with fewer channels gain
// nothing.
const (
	winogradBytes   = 768 << 10
	leastInChannels = 32
)

// tilePositions is the number of positions in a tile.
const tilePositions = 16

// byWinograd reports whether the convolution should be computed so.
func (c *correlation) byWinograd() bool {
	q := c.q
	return q.fast && q.kept != nil && q.dtype == dtype.Float32 && q.window == [3]int{1, 3, 3} && q.stride == [3]int{1, 1, 1} && q.dilation == [3]int{1, 1, 1} &&
		q.outSize[0] == 1 && q.before[0] == 0 && min(q.outSize[1], q.outSize[2]) > 2 &&
		c.inChannels >= leastInChannels && c.outChannels >= 2*c.kernels.Lanes && c.weightIsFinite()
}

// correlateByWinograd reports whether all results are finite; otherwise they must be computed directly.
func correlateByWinograd(c *correlation) bool {
	q := c.q
	u := &winograd{correlation: c, rows: strided.CeilDiv(q.outSize[1], 2), columns: strided.CeilDiv(q.outSize[2], 2)}
	u.weights, _ = q.packed(forWinograd, q.g*u.group()*c.kernels.Size, func(at unsafe.Pointer) {
		u.weights = at
		workers.ForRanges(q.g*c.outChannels, float64(c.inChannels*tilePositions), func(from, to int) {
			for i := from; i < to; i++ {
				transformWindows(u, i/c.outChannels, i%c.outChannels)
			}
		})
	})
	blocks := c.blocks()
	perTile := tilePositions*c.inChannels + (tilePositions+8+4)*blocks[0].vectors*c.kernels.Lanes
	most := max(1, winogradBytes/(perTile*u.columns*c.kernels.Size))
	u.bands = max(strided.CeilDiv(u.rows, most), min(u.rows, c.tasks(2*q.n*q.g)))
	u.height = strided.CeilDiv(u.rows, u.bands)
	u.bands = strided.CeilDiv(u.rows, u.height)
	all := u.height * u.columns
	u.tiles, u.offsets = subconvolution{from: multiples(u.inChannels, all), to: multiples(1, all)}, multiples(1, u.inChannels)
	units, parts := q.n*q.g*u.bands, 1
	if n := workers.Count(); units < 2*n {
		parts = min(len(blocks), strided.CeilDiv(n, units)) // each unit transforms its tiles itself
	}
	var notFinite atomic.Bool
	workers.ForRanges(units*parts, 0.8*c.cost()/float64(units*parts), func(from, to int) {
		for task := from; task < to; task++ {
			part, unit := task%parts, task/parts
			n, g, band := unit/u.bands/q.g, unit/u.bands%q.g, unit%u.bands
			if !runWinograd(u, n, g, band, blocks[len(blocks)*part/parts:len(blocks)*(part+1)/parts]) {
				notFinite.Store(true)
			}
		}
	})
	return !notFinite.Load()
}

// group is the number of elements of a group's transformed windows.
func (u *winograd) group() int {
	return tilePositions * u.inChannels * strided.RoundUp(u.outChannels, u.kernels.Lanes)
}

// panel returns the address of the transformed windows of a block of output channels for a position in the tile: for each input channel
// the output channels next to each other, the last ones zeros.
func (u *winograd) panel(g int, b channelBlock, position int) unsafe.Pointer {
	at := g*u.group() + u.inChannels*(tilePositions*b.first+position*b.vectors*u.kernels.Lanes)
	return unsafe.Add(u.weights, at*u.kernels.Size)
}

// transformWindows transforms the windows of an output channel: G·w·Gᵀ, where G is (1, 0, 0), (½, ½, ½), (½, -½, ½), (0, 0, 1).
func transformWindows(u *winograd, g, out int) {
	w := &u.q.w
	var b channelBlock
	for _, b = range u.blocks() {
		if out < b.first+b.count {
			break
		}
	}
	width := b.vectors * u.kernels.Lanes
	for in := range u.inChannels {
		first := (*float32)(w.plus(g*w.strides[0] + out*u.weight.out + in*u.weight.in))
		var half [4][3]float32
		for j := range 3 {
			var x [3]float32
			for i := range x {
				x[i] = *memory.Advance(first, i*w.strides[4]+j*w.strides[5])
			}
			half[0][j], half[1][j], half[2][j], half[3][j] = x[0], (x[0]+x[1]+x[2])/2, (x[0]-x[1]+x[2])/2, x[2]
		}
		for i, x := range half {
			for j, v := range [4]float32{x[0], (x[0] + x[1] + x[2]) / 2, (x[0] - x[1] + x[2]) / 2, x[2]} {
				*memory.Advance((*float32)(u.panel(g, b, 4*i+j)), in*width+out-b.first) = v
			}
		}
	}
}

// runWinograd computes a band of an image for some output channels, and reports whether the results are finite.
func runWinograd(u *winograd, n, g, band int, blocks []channelBlock) bool {
	size, channels := u.kernels.Size, u.inChannels
	first := band * u.height
	rows := min(u.height, u.rows-first)
	tiles, line := rows*u.columns, (2*u.columns+2)*channels
	wide := u.kernels.Vectors * u.kernels.Lanes
	plane, mixed, sums := (2*rows+2)*line, 4*line, (tiles+1)*wide
	space := memory.TakeScratch(tableBytes + (plane+mixed+tilePositions*(tiles*channels+sums)+8*sums+4*tiles*wide)*size)
	next := space.At(tableBytes)
	take := func(elements int) (at unsafe.Pointer) {
		at, next = next, unsafe.Add(next, elements*size)
		return at
	}
	pixels, half, input := take(plane), take(mixed), take(tilePositions*tiles*channels)
	u.layOutTiles(memory.Slice[float32](pixels, plane), n, g, first, rows)
	for row := range rows {
		u.kernels.TileInput(line, unsafe.Add(pixels, 2*row*line*size), line, half, line)
		for i := range 4 {
			for column := range u.columns {
				at := (4*i*tiles + row*u.columns + column) * channels
				u.kernels.TileInput(channels, unsafe.Add(half, (i*line+2*column*channels)*size), channels, unsafe.Add(input, at*size), tiles*channels)
			}
		}
	}
	products, mid, result := take(tilePositions*sums), take(8*sums), take(4*tiles*wide)
	lanes, isFinite := &channelLanes{correlation: u.correlation}, true
	for _, b := range blocks {
		width := b.vectors * u.kernels.Lanes
		terms := max(1, panelBytes/(width*size))
		for position := range tilePositions {
			own, panel := unsafe.Add(products, position*(tiles+1)*width*size), u.panel(g, b, position)
			for k := 0; k < channels; k += terms {
				var start unsafe.Pointer
				if position == 5 && k == 0 { // which each of the four pixels has once
					start = u.start(g, b.first)
				}
				part := u.offsets[k:min(k+terms, channels)]
				lanes.tiles(&u.tiles, b.vectors, unsafe.Add(input, position*tiles*channels*size), part, unsafe.Add(panel, k*width*size), own, space.At(0), tiles, tiles, k > 0, start, 0, nil)
			}
		}
		apart := (tiles + 1) * width
		for j := range 4 {
			u.kernels.TileOutput(tiles*width, unsafe.Add(products, j*apart*size), 4*apart, unsafe.Add(mid, j*apart*size), 4*apart)
		}
		for tile := range tiles {
			for i := range 2 {
				pixel := (2*(tile/u.columns)+i)*2*u.columns + 2*(tile%u.columns)
				u.kernels.TileOutput(width, unsafe.Add(mid, (4*i*apart+tile*width)*size), apart, unsafe.Add(result, pixel*width*size), width)
			}
		}
		total := reduce.WideTotal((*float32)(result), 4*tiles*width)
		isFinite = isFinite && total-total == 0
		u.storeTiles(result, b, n, g, first, rows)
	}
	space.Recycle()
	return isFinite
}

// layOutTiles copies the pixels that some rows of tiles of an image need, with the channels of each pixel next to each other, and
// zeros outside the image.
func (u *winograd) layOutTiles(dst []float32, n, g, first, rows int) {
	q, x, wide := u.q, u.source, 2*u.columns+2
	clear(dst)
	left := min(q.before[2], wide)
	count := min(q.inSize[2], wide-left)
	for row := range 2*rows + 2 {
		i := 2*first + row - q.before[1]
		if i < 0 || i >= q.inSize[1] || count <= 0 {
			continue
		}
		from, to := unsafe.Add(x.at(n, g, 0), i*x.strides[4]*u.kernels.Size), unsafe.Pointer(&dst[(row*wide+left)*u.inChannels])
		if x.strides[5] == 1 {
			u.kernels.Transpose(u.inChannels, count, to, u.inChannels, from, x.strides[2])
			continue
		}
		u.copyPixels(to, [2]int{1, u.inChannels}, from, [2]int{x.strides[2], x.strides[5]}, u.inChannels, count)
	}
}

// storeTiles copies the results of some rows of tiles to the result.
func (u *winograd) storeTiles(result unsafe.Pointer, b channelBlock, n, g, first, rows int) {
	y, size, width := u.result, u.kernels.Size, b.vectors*u.kernels.Lanes
	high, wide := min(2*rows, y.shape[4]-2*first), y.shape[5]
	to := unsafe.Add(y.at(n, g, b.first), 2*first*y.strides[4]*size)
	if y.strides[5] == 1 && y.strides[4] == wide && wide == 2*u.columns {
		u.kernels.Transpose(high*wide, b.count, to, y.strides[2], result, width)
		return
	}
	for row := range high {
		to, from := unsafe.Add(to, row*y.strides[4]*size), unsafe.Add(result, row*2*u.columns*width*size)
		if y.strides[5] == 1 {
			u.kernels.Transpose(wide, b.count, to, y.strides[2], from, width)
			continue
		}
		u.copyPixels(to, [2]int{y.strides[2], y.strides[5]}, from, [2]int{1, width}, b.count, wide)
	}
}

// copyPixels copies the channels of a row of pixels; the strides are those of channels and of pixels.
func (u *winograd) copyPixels(dst unsafe.Pointer, to [2]int, src unsafe.Pointer, from [2]int, channels, pixels int) {
	shape := [6]int{1, 1, 1, 1, channels, pixels}
	a := tensor{base: dst, dtype: dtype.Float32, shape: shape, strides: [6]int{4: to[0], 5: to[1]}}
	b := tensor{base: src, dtype: dtype.Float32, shape: shape, strides: [6]int{4: from[0], 5: from[1]}}
	copyTensor(&a, &b)
}
