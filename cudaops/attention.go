package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// scoreBytes is the largest scratch memory for scores, unless those of one query per batch need more.
var scoreBytes = 256 << 20

// Attention stores softmax(scale·q·kᵀ + mask)·v, and the weights. It computes two products, and the softmax of rows
// between them, for as many queries at a time as fit the scratch memory.
func (d *Device) Attention(l *device.Launch) {
	d.enter(l)
	axes := l.Rank - 4
	batches, m, n := broadcast.Size(l.Shape[:axes]), l.Shape[axes], l.Shape[axes+1]
	if batches*m == 0 || l.Shape[axes+3] == 0 && l.Operands[1].Memory.IsNil() {
		return
	}
	t := floatType(l)
	queries := max(1, min(m, scoreBytes/max(1, batches*n*t.Size())))
	scores := d.scratch(l.Func, batches*queries*n*t.Size())
	defer scores.free()
	for first := 0; first < m; first += queries {
		d.attend(l, first, min(queries, m-first), device.Operand{Memory: scores.memory, DType: t})
	}
}

// attend computes the results of some queries. Their scores, which become their weights, are contiguous. The memory has
// undefined content before.
func (d *Device) attend(l *device.Launch, first, queries int, scores device.Operand) {
	axes := l.Rank - 4
	const y, given, q, k, v, mask = 0, 1, 2, 3, 4, 5
	// along returns a launch over the batch and some of the axes (m, n, d, e).
	along := func(operands []device.Operand, last ...int) *device.Launch {
		t := device.NewLaunch()
		t.Func, t.N, t.Outputs = l.Func, len(operands), 1
		t.Rank = copy(t.Shape[:], l.Shape[:axes])
		for _, axis := range last {
			t.Shape[t.Rank] = l.Shape[axes+axis]
			if axis == 0 {
				t.Shape[t.Rank] = queries
			}
			t.Rank++
		}
		for i, o := range operands {
			strides := o.Strides
			for j, axis := range last {
				o.Strides[axes+j] = strides[axes+axis]
			}
			t.Operands[i] = o
		}
		return t
	}
	// of returns an operand from the first of these queries on.
	of := func(k int) device.Operand {
		o := l.Operands[k]
		if !o.Memory.IsNil() {
			o.Offset += first * o.Strides[axes]
		}
		return o
	}
	n := l.Shape[axes+1]
	scores.Strides[axes+1], scores.Strides[axes] = 1, n
	for axis, stride := axes-1, queries*n; axis >= 0; axis-- {
		scores.Strides[axis] = stride
		stride *= l.Shape[axis]
	}
	weights, stored, added := scores, of(given), device.Operand{DType: scores.DType}
	if stored.DType == scores.DType && !stored.Memory.IsNil() {
		weights, stored = stored, device.Operand{DType: scores.DType}
	}
	if l.N > mask {
		added = of(mask)
	}

	product := along([]device.Operand{scores, of(q), of(k)}, 0, 1, 2)
	d.MatMul(product)
	product.Recycle()

	rows := along([]device.Operand{weights, stored, scores, added}, 0, 1)
	d.weigh(rows, l, first)
	rows.Recycle()

	product = along([]device.Operand{of(y), weights, of(v)}, 0, 3, 1)
	d.MatMul(product)
	product.Recycle()

	if l.Causal || l.N > mask {
		sums := along([]device.Operand{of(y), weights, of(v), added}, 0, 3, 1)
		d.sumSeen(sums, l, first)
		sums.Recycle()
	}
}

// sumSeen computes the results that are NaN again, without the values of hidden keys. The operands are (results,
// weights, values, mask).
func (d *Device) sumSeen(sums, l *device.Launch, first int) {
	if sums.Size() == 0 {
		return
	}
	m, e, n := sums.Shape[sums.Rank-3], sums.Shape[sums.Rank-2], sums.Shape[sums.Rank-1]
	count := sums.Size() / n
	a := newArguments(limitOf(sums.Rank))
	for _, v := range []int{count, m, e, n, first} {
		a.int(v)
	}
	a.bool(l.Causal)
	a.launchLoop(sums, sums.N, 4)
	d.run(l.Func, entry{file: "attention", name: "attention_sums", class: classOf(floatType(sums))}, over(count), threads, 0, a)
}

// weigh converts scores to weights. The operands of rows are (weights for the product, weights, scores, mask).
func (d *Device) weigh(rows, l *device.Launch, first int) {
	if rows.Size() == 0 {
		return
	}
	m, n := rows.Shape[rows.Rank-2], rows.Shape[rows.Rank-1]
	count, t := rows.Size()/n, teamOf(n)
	a := newArguments(limitOf(rows.Rank))
	for _, v := range []int{count, m, n, t.lanes, first} {
		a.int(v)
	}
	a.bool(l.Causal)
	a.float(l.Scale)
	a.launchLoop(rows, rows.N, 4)
	d.run(l.Func, entry{file: "attention", name: "attention_weights", class: classOf(floatType(rows))}, t.blocks(count), t.threads, 0, a)
}
