package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// tile is the number of rows and columns of c that a block computes.
const tile = 16

// MatMul stores the product of a and b, or a·b + d, in c: by cuBLAS where that has such products, else by tiles.
func (d *Device) MatMul(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - 3
	batches, m, n, k := broadcast.Size(l.Shape[:axes]), l.Shape[axes], l.Shape[axes+1], l.Shape[axes+2]
	if batches*m*n == 0 {
		return
	}
	if d.multiply(l) {
		return
	}
	a := newArguments(limitOf(l.Rank))
	a.int(batches)
	a.int(m)
	a.int(n)
	a.int(k)
	a.bool(l.N > 3)
	a.launchLoop(l, l.N, 4)
	blocks := batches * ((m + tile - 1) / tile) * ((n + tile - 1) / tile)
	d.run(l.Func, entry{file: "matmul", name: "matmul", class: classOf(l.Operands[0].DType)}, min(blocks, maxBlocks), tile*tile, 0, a)
}
