package ref

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Attention stores softmax(l.Scale·q·kᵀ + mask), if operand 1 has memory, and its product with v. With l.Causal a query
// sees only the keys up to its own index. A key with the mask -Inf is hidden, too: hidden keys and their values are not
// read. Attention computes in float64 and rounds once, when it stores.
func (d *Device) Attention(l *device.Launch) {
	y, q, k, v := d.operand(l, 0), d.operand(l, 2), d.operand(l, 3), d.operand(l, 4)
	outer, inner := split(l, 3)
	keys, depth, columns := inner[0], inner[1], inner[2]
	for _, index := range points(outer) {
		at := slices.Concat(index, []int{0, 0, 0})
		key, column := &at[len(index)], &at[len(index)+2]
		seen := keys
		if l.Causal {
			seen = min(keys, index[len(index)-1]+1)
		}
		scores, hidden := make([]value, keys), make([]bool, keys)
		for *key = range keys {
			pair := at[:len(index)+1]
			if hidden[*key] = *key >= seen; !hidden[*key] && l.N > 5 {
				mask := d.operand(l, 5)
				scores[*key] = mask.load(mask.at(pair), dtype.Float64)
				hidden[*key] = math.IsInf(scores[*key].x, -1)
			}
			if hidden[*key] {
				scores[*key].x = math.Inf(-1)
				continue
			}
			query, other := q.row(pair, depth, dtype.Float64), k.row(pair, depth, dtype.Float64)
			product := 0.0
			for i := range query {
				product += float64(query[i].x * other[i].x)
			}
			scores[*key].x += float64(product * l.Scale)
		}
		weights := shift(scores)
		sums := make([]float64, columns)
		for *key = range keys {
			weight := 0.0
			if !hidden[*key] && !weights.isNone() {
				weight = weights.softmax(*key)
				for *column = range columns {
					sums[*column] += float64(weight * v.load(v.at(at), dtype.Float64).x)
				}
			}
			if !l.Operands[1].Memory.IsNil() {
				w := d.operand(l, 1)
				w.store(w.at(at[:len(index)+1]), value{x: weight}, dtype.Float64)
			}
		}
		*key = 0
		for *column = range columns {
			y.store(y.at(at), value{x: sums[*column]}, dtype.Float64)
		}
	}
}
